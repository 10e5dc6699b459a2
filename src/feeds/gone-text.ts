import type { ReportedChange } from '../calendar/reported-changes.ts'
import type { FeedResource } from '../records/resources.ts'
import type { FeedSource } from './feed.ts'

/**
 * Describes an item that the website no longer shows. See `Feed.goneText`. The ids of
 * the website increase, so an id below the highest one has been used.
 */
export function goneTextOf(
  { ledger, records }: FeedSource<FeedResource>,
  id: number,
  changes: readonly ReportedChange[] = [],
): string | undefined {
  const ids = [...ledger.keys(), ...records.map((record) => record.id)]
  if (!ids.some((known) => known >= id)) return undefined
  const canceled = changes.findLast(({ recordId, kind }) => recordId === id && kind === 'canceled')
  return canceled?.text ?? ''
}
