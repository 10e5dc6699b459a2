import type { RecordOf } from '../records/read-records.ts'
import type { FeedResource } from '../records/resources.ts'
import type { EntryStatus, EntryText, EntryTime } from './calendar-entry.ts'
import type { EntryRecipe, Reader } from './entry-recipe.ts'
import { statusFor } from './shown-records.ts'
import { timeInWords } from './time-in-words.ts'

/** Plain-text content of an entry's page. */
export type EntryPage = EntryText & {
  readonly when: string
  readonly time: EntryTime
  readonly status: EntryStatus
}

/** Returns a record's page, or undefined if the record is hidden from the reader's profile. */
export function entryPage<R extends FeedResource>(
  recipe: EntryRecipe<R>,
  record: RecordOf[R],
  reader: Reader,
): EntryPage | undefined {
  const { isShown = () => true, textFor, timeOf } = recipe
  const status = statusFor(record, reader.profile)
  if (status === undefined || !isShown(record, reader.profile)) return undefined
  const { time } = timeOf(record)
  return { ...textFor(record, reader), time, when: timeInWords(time), status }
}
