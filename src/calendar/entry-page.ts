import type { RecordOf } from '../records/read-records.ts'
import type { EntryText, EntryTime } from './calendar-entry.ts'
import { recipeOf } from './recipes.ts'
import type { CalendarResource, Reader } from './entry-recipe.ts'
import { statusFor } from './shown-records.ts'
import { timeInWords } from './time-in-words.ts'

/** Plain-text content of an entry's page. */
export type EntryPage = EntryText & { readonly when: string; readonly time: EntryTime }

/** Returns the page of a record for a profile; undefined if the profile cannot see the record. */
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
