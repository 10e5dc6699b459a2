import type { Profile } from '../records/profile.ts'
import type { RecordOf } from '../records/read-records.ts'
import type { FeedResource } from '../records/resources.ts'
import type { EntryText } from './calendar-entry.ts'
import type { ReadTime } from './entry-time.ts'

/** The resources whose records happen on days. */
export type CalendarResource = Exclude<FeedResource, 'announce' | 'news'>

/** Who reads, and the website's origin, for links that are relative to it. */
export type Reader = { readonly profile: Profile; readonly siteUrl: string }

/** One of the site's calendars, or one of its rental types. */
export type Subset = { readonly id: number; readonly name: string }

/** How the records of a resource become entries. */
export type EntryRecipe<R extends CalendarResource> = {
  readonly timeOf: (record: RecordOf[R]) => ReadTime
  readonly textFor: (record: RecordOf[R], reader: Reader) => EntryText
  /** Which entries block the time of those who subscribe, unless they choose otherwise. */
  readonly blocksTime: 'always' | 'when timed' | 'never'
  /** The part that a record belongs to, where the resource has parts. */
  readonly subsetOf?: (record: RecordOf[R]) => Subset | undefined
}
