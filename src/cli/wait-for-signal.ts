import type { Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import type { StopSignal } from './command.ts'

/** Whoever stops it by SIGTERM may look at /readyz every other second, and send nobody any more. */
const unreadyMs = 2_000

/** Then load balancers are told, and have a moment to send nobody any more. */
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
