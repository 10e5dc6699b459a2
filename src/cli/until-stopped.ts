import { once } from 'node:events'
import { setInterval } from 'node:timers/promises'
import type { Environment } from '../config.ts'

const parentCheckMs = 200

/** Resolves when the process is told to stop. A second signal ends it at once. */
export async function untilStopped(environment: Environment): Promise<void> {
  const signals = [once(process, 'SIGINT'), once(process, 'SIGTERM')]
  const isUnderNpm = environment['npm_lifecycle_event'] !== undefined
  await Promise.race([...signals, ...(isUnderNpm ? [untilOrphaned()] : [])])
}

/** npm passes SIGTERM on to the shell it runs a script in, and that dies without telling anyone. */
async function untilOrphaned(): Promise<void> {
  const parent = process.ppid
  const checks = setInterval(parentCheckMs, undefined, { ref: false })
  for await (const _ of checks) if (process.ppid !== parent) return
}
