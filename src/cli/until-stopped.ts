import { setInterval } from 'node:timers/promises'
import type { Environment } from '../config.ts'

const parentCheckMs = 200

/** Resolves when the process is told to stop. Told again, it goes on stopping. */
export async function untilStopped(environment: Environment): Promise<void> {
  const { promise: signalled, resolve } = Promise.withResolvers<void>()
  process.on('SIGINT', resolve)
  process.on('SIGTERM', resolve)
  const isUnderNpm = environment['npm_lifecycle_event'] !== undefined
  await Promise.race(isUnderNpm ? [signalled, orphaned()] : [signalled])
}

/** npm passes SIGTERM on to the shell it runs a script in, and that dies without telling anyone. */
async function orphaned(): Promise<void> {
  const parent = process.ppid
  const checks = setInterval(parentCheckMs, undefined, { ref: false })
  for await (const _ of checks) if (process.ppid !== parent) return
}
