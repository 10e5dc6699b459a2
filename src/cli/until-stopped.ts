import { once } from 'node:events'

/** Resolves at SIGINT or SIGTERM. A second signal ends the process at once. */
export async function untilStopped(): Promise<void> {
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
}
