import { noCalendarOptions } from '../calendar/calendar-options.ts'
import { duplicateGroups, type DuplicateGroups } from '../calendar/duplicate-groups.ts'
import { setImmediate } from 'node:timers/promises'
import { inSteps, inTurns, type Steps } from '../steps.ts'
import type { Profile } from '../records/profile.ts'
import type { FeedResource } from '../records/resources.ts'
import { sourcesOf } from './combined-feed.ts'
import type { Feed, FeedSource, ShownSource } from './feed.ts'
import type { Site } from './site.ts'

export type { DuplicateGroups }

/** Resolves to the groups in the current records, as readers with a profile see them. */
export type DuplicatesFor = (profile: Profile) => Promise<DuplicateGroups>

/** Caches the groups until records change. */
export function createDuplicatesFor(
  feeds: readonly Feed[],
  copyOf: (resource: FeedResource) => FeedSource<FeedResource> | undefined,
  site: Site,
): DuplicatesFor {
  const calendars = feeds.filter((feed) => 'section' in feed)
  const latest = new Map<
    Profile,
    { readonly ledgers: readonly unknown[]; readonly groups: Promise<DuplicateGroups> }
  >()
  return (profile) => {
    const sources = sourcesOf(calendars, copyOf)
    const ledgers = sources.map(({ source }) => source.ledger)
    const known = latest.get(profile)
    const isSame = ledgers.every((ledger, index) => ledger === known?.ledgers[index])
    if (known && isSame && ledgers.length === known.ledgers.length) return known.groups
    const steps = duplicatesIn(sources, { site, profile })
    const groups = inTurns(steps, { takeTurn: () => setImmediate() })
    latest.set(profile, { ledgers, groups })
    groups.catch(() => latest.delete(profile))
    return groups
  }
}

/** Groups the entries that describe the same event, as readers with a profile see them. */
export function* duplicatesIn(
  sources: readonly ShownSource[],
  { site, profile }: { readonly site: Site; readonly profile: Profile },
): Steps<DuplicateGroups> {
  const { idHost, timeZone, language, url: siteUrl } = site
  const listed = yield* inSteps(sources, ({ feed, source }) => {
    const section = feed.section?.(source, { options: noCalendarOptions, label: undefined })
    // Only entries that look the same to every reader with a profile can be grouped with others.
    if (!section || section.variant !== undefined) return []
    // Without options, the entries do not depend on the time.
    const request = { profile, now: 0, idHost, timeZone, language, siteUrl }
    const { entries } = section.entriesFor(request)
    const former = section.formerEntries()
    return [{ resource: section.resource, entries, former, ledger: source.ledger }]
  })
  return yield* duplicateGroups(listed.flat(), { profile, siteUrl })
}
