import { z } from 'zod'
import { noCalendarOptions } from '../calendar/calendar-options.ts'
import { occasionsAfter, type KnownOccasions } from '../calendar/known-occasions.ts'
import type { Profile } from '../records/profile.ts'
import { feedResources } from '../records/resources.ts'
import { siteDateAt } from '../records/site-time.ts'
import type { CombinedSource } from './combined-feed.ts'
import type { Site } from './site.ts'

export type { KnownOccasions }

const occasionsSchema = z.array(
  z.array(
    z.object({
      resource: z.enum(feedResources),
      id: z.number(),
      subsetId: z.number().optional(),
      changedAt: z.number(),
      state: z.enum(['listed', 'removed', 'separate']),
    }),
  ),
)

/** Checks stored occasions. Returns undefined if they are invalid. */
export function occasionsIn(value: unknown): KnownOccasions | undefined {
  return occasionsSchema.safeParse(value).data
}

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
  before: KnownOccasions,
  sources: readonly CombinedSource[],
  { site, profile, now }: { readonly site: Site; readonly profile: Profile; readonly now: number },
): KnownOccasions {
  const { idHost, timeZone, url: siteUrl } = site
  const today = siteDateAt(now, timeZone)
  const request = { options: noCalendarOptions, profile, now, today, idHost, timeZone }
  const listed = sources.flatMap(({ feed, source }) => {
    const part = feed.calendarPart?.(source)
    if (!part) return []
    const { entries } = part.chosenFor(request)
    return [{ resource: part.resource, entries, ledger: source.ledger }]
  })
  return occasionsAfter(before, listed, (entry) => entry.textFor({ profile, siteUrl }), now)
}
