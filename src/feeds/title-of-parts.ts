import { distinctNames, namedParts, type Part } from '../records/part.ts'
import type { Profile } from '../records/profile.ts'
import type { RecordOf } from '../records/read-records.ts'
import type { FeedResource } from '../records/resources.ts'
import type { AboutFeed, FeedContent, SelectRecords } from './feed.ts'

/**
 * Returns a function that returns the names of the chosen parts, or the feed's title if none is
 * chosen or none has a known name.
 */
export function titleOfParts<R extends FeedResource>(
  about: AboutFeed<R>,
  select: SelectRecords<R>,
  partsOf: (records: readonly RecordOf[R][], profile: Profile) => readonly Part[],
): FeedContent<R>['titleWith'] {
  return (all, chosen, { site, profile }) => {
    const { title } = about.textIn(site.language)
    if (chosen.length === 0) return title
    const { records, partNames } = select(all, { profile })
    const parts = namedParts(partsOf(records, profile), partNames)
    return distinctNames(parts, chosen).join(', ') || title
  }
}
