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

export { emptyHistory }
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
    const { entries } = section.entriesFor({
      profile,
      now,
      idHost,
      timeZone,
      language,
      siteUrl,
    })
    return [{ resource: section.resource, entries, ledger: source.ledger }]
  })
  return updatedHistory(before, listed, { profile, siteUrl }, now)
}

/** A history, with the time of the last change to each resource included in it. */
export type StoredDuplicates = DuplicateHistory & {
  /** Milliseconds since the epoch, by resource. */
  readonly changedAt: Readonly<Record<string, number>>
}

const storedSchema = z.object({
  occasions: z.array(z.unknown()),
  listed: z.array(z.string()),
  changedAt: z.record(z.string(), z.number()),
})

/** Reads stored groups, except any that this version does not support, or undefined if damaged. */
export function storedDuplicates(value: unknown): StoredDuplicates | undefined {
  const { data } = storedSchema.safeParse(value)
  if (!data) return undefined
  const { listed, changedAt } = data
  const groups = data.occasions.flatMap((group) => {
    const { data: members } = z.array(duplicateRecordSchema).safeParse(group)
    return members ? [members] : []
  })
  return { groups, listed, changedAt }
}

/** Returns the stored form, in which groups are called occasions. */
export function duplicatesText({ groups, listed, changedAt }: StoredDuplicates): string {
  return JSON.stringify({ occasions: groups, listed, changedAt })
}

/** Merges the stored groups in a backup into the current ones. */
export function restoredDuplicates(
  backup: unknown,
  current: unknown,
): StoredDuplicates | undefined {
  const [restored, known] = [storedDuplicates(backup), storedDuplicates(current)]
  if (!restored || !known) return restored ?? known
  return { ...mergedHistory(restored, known), changedAt: {} }
}
