import type { RecordOf } from '../records/read-records.ts'
import type { EntryText, EntryTime } from './calendar-entry.ts'
import { recipeOf } from './recipes.ts'
import type { CalendarResource, Reader } from './entry-recipe.ts'
import { statusFor } from './shown-records.ts'
import { timeInWords } from './time-in-words.ts'

/** What the page of an entry says, all of it plain text. */
export type EntryPage = EntryText & { readonly when: string; readonly time: EntryTime }

/** The page of a record as a profile sees it; undefined for one that it does not see. */
export function entryPage<R extends CalendarResource>(
  resource: R,
  record: RecordOf[R],
  reader: Reader,
): EntryPage | undefined {
  if (statusFor(record, reader.profile) === undefined) return undefined
  const { textFor, timeOf } = recipeOf(resource)
  const { time } = timeOf(record)
  return { ...textFor(record, reader), time, when: timeInWords(time) }
}
