import type { Clock } from '../clock.ts'
import type { Logger } from '../log.ts'

/** Whoever stops it by SIGTERM may look at /readyz every other second, and send nobody any more. */
const unreadyMs = 2_000

export type StopSignal = 'SIGINT' | 'SIGTERM'

/** Resolves to how the process is told to stop. Told again, it goes on stopping. */
export function untilStopped(): Promise<StopSignal> {
  const { promise, resolve } = Promise.withResolvers<StopSignal>()
  process.on('SIGINT', resolve)
  process.on('SIGTERM', resolve)
  return promise
}

/** Then load balancers are told, and have a moment to send nobody any more. */
export async function untilToldToStop(
  service: { readonly stopSoon: () => void },
  stopped: Promise<StopSignal>,
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
): Promise<void> {
  const signal = await stopped
  log.info({ signal }, 'stopping')
  if (signal !== 'SIGTERM') return
  service.stopSoon()
  await clock.sleep(unreadyMs)
}
