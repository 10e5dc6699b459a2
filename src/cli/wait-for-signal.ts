import type { Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import type { StopSignal } from './command.ts'

/** Time for load balancers, which may poll /readyz every two seconds, to stop sending requests. */
const unreadyMs = 2_000

/**
 * Resolves once the service should be closed. On SIGTERM, first turns /readyz to 503 and waits, so that load
 * balancers stop sending requests.
 */
export async function waitForSignal(
  service: { readonly drain: () => void },
  stopped: Promise<StopSignal>,
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
): Promise<void> {
  const signal = await stopped
  log.info({ signal }, 'stopping')
  if (signal !== 'SIGTERM') return
  service.drain()
  await clock.sleep(unreadyMs)
}
