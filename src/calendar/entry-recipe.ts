import { oneLine } from '../text/plain-text.ts'
import type { Part } from '../records/part.ts'
import type { Profile } from '../records/profile.ts'
import type { RecordOf } from '../records/read-records.ts'
import type { FeedResource } from '../records/resources.ts'
import type { EntryText, ReadTime } from './calendar-entry.ts'
import { calendarMessages } from './messages.ts'

/**
 * Profile of the reader, the website's origin for resolving relative links, and the language of
 * Feedhouse's own text.
 */
export type Reader = {
  readonly profile: Profile
  readonly siteUrl: string
  readonly language: string
}

/** Entries' titles in lists of changes, for every profile. By default, the records' titles. */
export type ChangeTitles = { readonly titleInChanges?: (title: string, language: string) => string }

export type EntryRecipe<R extends FeedResource> = ChangeTitles & {
  /** Prefix of entry ids. Must never change. */
  readonly resource: R
  /** Replaces the resource as the prefix of entry ids. Must never change. */
  readonly uidPrefix?: string
  /**
   * Distinguishes recipes that render the same record in different ways. Undefined for entries that
   * may duplicate entries of other resources.
   */
  readonly variant?: string
  readonly isShown?: (record: RecordOf[R], profile: Profile) => boolean
  readonly timeOf: (record: RecordOf[R]) => ReadTime
  readonly textFor: (record: RecordOf[R], reader: Reader) => EntryText
  readonly blocksTime: 'always' | 'when timed' | 'never'
  /** True if a record that disappears is not a canceled entry. */
  readonly isNeverCanceled?: boolean
  readonly partOf?: (record: RecordOf[R]) => Part | undefined
}

/** Returns a text whose description is made when it is first read, because that is expensive. */
export function describedText(
  { summary, location, categories }: Omit<EntryText, 'description'>,
  describe: () => string,
): EntryText {
  let description: string | undefined
  return {
    summary,
    location,
    get description() {
      description ??= describe()
      return description
    },
    categories,
  }
}

/** Returns the permanent UID of a record of a resource, identical in every feed of the site. */
export function uidOf(prefix: string, id: number | string, idHost: string): string {
  return `${prefix}-${id}@${idHost}`
}

export function titleFrom(html: string, language: string): string {
  return oneLine(html) || calendarMessages(language).untitled
}

/** Returns a function that prefixes a value with its label, or returns an empty string if it is empty. */
export function labeledIn(language: string): (label: string, value: string) => string {
  const { labeled } = calendarMessages(language)
  return (label, value) => (value === '' ? '' : labeled(label, value))
}

export function lines(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n')
}

export function paragraphs(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n')
}
