import type { Profile } from '../records/profile.ts'
import type { RecordOf } from '../records/read-records.ts'
import type { FeedResource } from '../records/resources.ts'
import type { EntryText } from './calendar-entry.ts'
import type { ReadTime } from './entry-time.ts'

/** Profile of the reader, and the website's origin for resolving relative links. */
export type Reader = { readonly profile: Profile; readonly siteUrl: string }

/** One of the site's calendars or rental types. */
export type Subset = { readonly id: number; readonly name: string }

/** Maps a resource's records to calendar entries. */
export type EntryRecipe<R extends FeedResource> = {
  /** Prefix of entry ids. Must never change. */
  readonly resource: R
  /** Replaces the resource as the prefix of entry ids. Must never change. */
  readonly uidPrefix?: string
  /**
   * Differs between recipes of a resource that render the same record differently. Undefined for entries
   * that can describe the same event as entries of other resources.
   */
  readonly variant?: string
  /** Returns true for the records to show to a profile. By default, all are shown. */
  readonly isShown?: (record: RecordOf[R], profile: Profile) => boolean
  readonly timeOf: (record: RecordOf[R]) => ReadTime
  readonly textFor: (record: RecordOf[R], reader: Reader) => EntryText
  /**
   * Returns the title of an entry in the list of changes, for every profile. By default, it is the
   * record's title.
   */
  readonly titleInChanges?: (title: string) => string
  /** Determines which entries block subscribers' time by default. */
  readonly blocksTime: 'always' | 'when timed' | 'never'
  /** True if a record that disappears is not a canceled entry. */
  readonly isNeverCancelled?: boolean
  /** Returns the record's calendar or rental type, if the resource has any. */
  readonly subsetOf?: (record: RecordOf[R]) => Subset | undefined
}
