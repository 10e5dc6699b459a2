import { systemClock } from '../clock.ts'
import { restoredWrite } from '../store/losses.ts'
import { isConfirmed } from '../store/replicas.ts'
import type { Store } from '../store/store.ts'
import type { CommandContext } from './command.ts'

const lossText =
  'If Redis loses its latest data before that, the change may be undone, so check it once Feedhouse has run for a few seconds.'

/**
 * Waits for all running services to remember a command's change, because Redis can lose it after the
 * command has ended. Returns a function that warns if they have not done so.
 */
export async function confirmChange(
  { documents, confirmed, keep }: Store,
  buckets: readonly string[],
): Promise<(context: CommandContext) => void> {
  const confirmation = await confirmed?.(buckets)
  if (!confirmation) return () => undefined
  // Services do not report what the command has written back.
  const restored = (await keep?.()) ?? []
  if (restored.length > 0) {
    await documents.write([restoredWrite({ at: systemClock.now(), buckets: restored })])
  }
  const { services, confirming } = confirmation
  if (services > 0 && isConfirmed(confirmation)) return () => undefined
  const sentence =
    services === 0
      ? 'No running service has confirmed the change yet.'
      : `Only ${confirming} of ${services} running services have confirmed the change within five seconds.`
  return ({ stderr }) => stderr.write(`${sentence} ${lossText}\n`)
}
