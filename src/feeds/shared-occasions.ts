import { z } from 'zod'
import { noCalendarOptions } from '../calendar/calendar-options.ts'
import {
  emptyHistory,
  mergedHistory,
  occasionsAfter,
  type KnownOccasions,
  type OccasionHistory,
} from '../calendar/known-occasions.ts'
import type { Profile } from '../records/profile.ts'
import { isFeedResource, type FeedResource } from '../records/resources.ts'
import { siteDateAt } from '../records/site-time.ts'
import type { CombinedSource } from './combined-feed.ts'
import type { Site } from './site.ts'

export { emptyHistory }
export type { KnownOccasions, OccasionHistory, Profile }

/**
 * Remembers which entries of several calendars describe the same occasion, so that its UID stays the
 * same when one of them is removed.
 */
export type OccasionMemory = {
  /** Returns the occasions in the current records, as readers with a profile see them. */
  readonly occasionsFor: (profile: Profile) => Promise<KnownOccasions>
}

/**
 * Returns the occasions that several calendars describe for readers with a profile. `before` has the
 * occasions before the latest changes. `now` is in milliseconds since the epoch.
 */
export function sharedOccasions(
  before: OccasionHistory,
  sources: readonly CombinedSource[],
  { site, profile, now }: { readonly site: Site; readonly profile: Profile; readonly now: number },
): OccasionHistory {
  const { idHost, timeZone, url: siteUrl } = site
  const today = siteDateAt(now, timeZone)
  const request = { options: noCalendarOptions, profile, now, today, idHost, timeZone }
  const listed = sources.flatMap(({ feed, source }) => {
    const part = feed.calendarPart?.(source)
    // Only entries that every reader with a profile sees alike can be one occasion with others.
    if (!part || part.variant !== undefined) return []
    const { entries } = part.chosenFor(request)
    return [{ resource: part.resource, entries, ledger: source.ledger }]
  })
  return occasionsAfter(before, listed, (entry) => entry.textFor({ profile, siteUrl }), now)
}

/** A history with the time of the last change to each resource that it takes into account. */
export type StoredOccasions = OccasionHistory & {
  /** Milliseconds since the epoch, by resource. */
  readonly changedAt: Readonly<Record<string, number>>
}

const storedSchema = z.object({
  occasions: z.array(z.unknown()),
  listed: z.array(z.string()),
  changedAt: z.record(z.string(), z.number()),
})

const occasionSchema = z.array(
  z.object({
    resource: z.custom<FeedResource>((name) => typeof name === 'string' && isFeedResource(name)),
    id: z.number(),
    subsetId: z.number().optional(),
    changedAt: z.number(),
    joinedAt: z.number().optional(),
    state: z.enum(['listed', 'removed', 'separate']),
  }),
)

/**
 * Reads stored occasions and skips any that this version does not support. Returns undefined if the
 * value is damaged.
 */
export function storedOccasions(value: unknown): StoredOccasions | undefined {
  const stored = storedSchema.safeParse(value).data
  return (
    stored && {
      ...stored,
      occasions: stored.occasions.flatMap((occasion) => {
        const { data } = occasionSchema.safeParse(occasion)
        return data ? [data] : []
      }),
    }
  )
}

/** Merges the stored occasions in a backup into the current ones. */
export function restoredOccasions(backup: unknown, current: unknown): StoredOccasions | undefined {
  const [restored, known] = [storedOccasions(backup), storedOccasions(current)]
  if (!restored || !known) return restored ?? known
  return { ...mergedHistory(restored, known), changedAt: {} }
}
