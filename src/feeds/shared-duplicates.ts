import { z } from 'zod'
import { noCalendarOptions } from '../calendar/calendar-options.ts'
import {
  duplicateRecordSchema,
  emptyHistory,
  mergedHistory,
  updatedHistory,
  type DuplicateGroups,
  type DuplicateHistory,
} from '../calendar/duplicate-history.ts'
import type { Profile } from '../records/profile.ts'
import type { CombinedSource } from './combined-feed.ts'
import type { Site } from './site.ts'

export { emptyHistory, mergedHistory }
export type { DuplicateGroups, DuplicateHistory }

/**
 * Groups the entries that describe the same event, as readers with a profile see them. `before` has the
 * groups before the latest changes. `now` is in milliseconds since the epoch.
 */
export function sharedDuplicates(
  before: DuplicateHistory,
  sources: readonly CombinedSource[],
  { site, profile, now }: { readonly site: Site; readonly profile: Profile; readonly now: number },
): DuplicateHistory {
  const { idHost, timeZone, language, url: siteUrl } = site
  const listed = sources.flatMap(({ feed, source }) => {
    const section = feed.section?.(source, { options: noCalendarOptions, label: undefined })
    // Only entries that look the same to every reader with a profile can be grouped with others.
    if (!section || section.variant !== undefined) return []
    const request = { profile, now, idHost, timeZone, language, siteUrl }
    const { entries } = section.entriesFor(request)
    return [{ resource: section.resource, entries, ledger: source.ledger }]
  })
  return updatedHistory(before, listed, { profile, siteUrl }, now)
}

/** Parses a stored history. Groups that this version does not support are dropped. */
export const storedDuplicatesSchema = z
  .object({
    occasions: z.array(z.array(duplicateRecordSchema).catch([])),
    listed: z.array(z.string()),
    /** When each resource last changed, in milliseconds since the epoch. */
    changedAt: z.record(z.string(), z.number()).readonly(),
  })
  .transform(({ occasions, listed, changedAt }) => {
    const groups = occasions.filter((group) => group.length > 0)
    return { changedAt, history: { groups, listed } satisfies DuplicateHistory }
  })

/** Returns the stored form, in which groups are called occasions. */
export function duplicatesText(
  { groups, listed }: DuplicateHistory,
  changedAt: Readonly<Record<string, number>>,
): string {
  return JSON.stringify({ occasions: groups, listed, changedAt })
}
