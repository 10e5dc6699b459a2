import type { Profile } from '../records/profile.ts'
import type { RecordOf } from '../records/read-records.ts'
import type { FeedResource } from '../records/resources.ts'
import type { EntryText } from './calendar-entry.ts'
import type { ReadTime } from './entry-time.ts'

/** Who reads, and the website's origin, for links that are relative to it. */
export type Reader = { readonly profile: Profile; readonly siteUrl: string }

/** One of the site's calendars or rental types. */
export type Subset = { readonly id: number; readonly name: string }

/** How the records of a resource become entries. */
export type EntryRecipe<R extends FeedResource> = {
  /** Begins the ids of entries, which must never change. */
  readonly resource: R
  readonly timeOf: (record: RecordOf[R]) => ReadTime
  readonly textFor: (record: RecordOf[R], reader: Reader) => EntryText
  /** Default for which entries block subscribers' time. */
  readonly blocksTime: 'always' | 'when timed' | 'never'
  /** Returns the record's calendar or rental type, if the resource has any. */
  readonly subsetOf?: (record: RecordOf[R]) => Subset | undefined
}
