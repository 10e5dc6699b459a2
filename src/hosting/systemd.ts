import { spawn } from 'node:child_process'
import { every, systemClock as clock } from '../clock.ts'
import { processEnvironment } from '../config/env-file.ts'
import type { Front } from './front.ts'

/**
 * Node cannot open Unix datagram sockets, so systemd's own command sends the messages. A shell runs
 * it, because each fork of the front copies its page tables, which takes up to 50 ms.
 */
const sendStates = 'while read -r state; do systemd-notify "$state"; done'

/** Tells systemd when the front is ready, alive and stopping, if the unit asks (sd_notify(3)). */
export async function notifySystemd(
  { served, log }: Pick<Front, 'served' | 'log'>,
  stopping: AbortSignal,
  env = processEnvironment,
): Promise<void> {
  const { NOTIFY_SOCKET, WATCHDOG_USEC } = env
  if (NOTIFY_SOCKET === undefined) return
  await served
  if (stopping.aborted) return
  const shell = spawn('/bin/sh', ['-c', sendStates], { env, stdio: ['pipe', 'ignore', 'inherit'] })
  const failed = (cause: unknown) => {
    if (stopping.aborted) return
    log()?.error({ cause }, 'messages to systemd have stopped, so it will restart Feedhouse')
  }
  shell.on('error', failed).on('exit', failed)
  shell.stdin.on('error', failed)
  shell.stdin.write('READY=1\n')
  stopping.addEventListener('abort', () => shell.stdin.end('STOPPING=1\n'))
  if (WATCHDOG_USEC === undefined) return
  // Half of the time after which systemd replaces a hanging process.
  const everyMs = Number(WATCHDOG_USEC) / 2_000
  await every(clock, everyMs, stopping, () => shell.stdin.write('WATCHDOG=1\n'))
}
