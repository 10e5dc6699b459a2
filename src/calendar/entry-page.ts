import type { RecordOf } from '../records/read-records.ts'
import type { EntryText, EntryTime } from './calendar-entry.ts'
import { recipeOf } from './recipes.ts'
import type { CalendarResource } from './entry-recipe.ts'
import { statusFor } from './shown-records.ts'
import { timeInWords } from './time-in-words.ts'

/** What the page of an entry says, all of it plain text. */
export type EntryPage = EntryText & { readonly when: string; readonly time: EntryTime }

/** The page of a record as anyone may see it; undefined for one that is not there for all. */
export function entryPage<R extends CalendarResource>(
  resource: R,
  record: RecordOf[R],
  siteUrl: string,
): EntryPage | undefined {
  if (statusFor(record, 'public') === undefined) return undefined
  const { textFor, timeOf } = recipeOf(resource)
  const { time } = timeOf(record)
  return { ...textFor(record, { profile: 'public', siteUrl }), time, when: timeInWords(time) }
}
