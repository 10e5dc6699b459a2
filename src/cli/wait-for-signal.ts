import type { Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import type { StopSignal } from './command.ts'

/** Time for load balancers to stop sending requests; they may poll /readyz every two seconds. */
const unreadyMs = 2_000

/**
 * Resolves when the service should close. On SIGTERM, first makes /readyz return 503 and waits, so that
 * load balancers stop sending requests.
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
