import { compareText } from '../records/text.ts'
import {
  dayInWords,
  formerly,
  fullText,
  joined,
  type ChangeInWords,
  type ShownEntry,
} from './change-in-words.ts'
import { timeInWords } from './time-in-words.ts'

/** Maximum number of dates in the details of a series. */
const maxListed = 20

type SeriesInWords = Pick<ChangeInWords, 'text' | 'details'>

/** Describes several entries with one title that appeared or were canceled together. */
export function seriesInWords(
  { kind, entry }: ChangeInWords,
  entries: readonly ShownEntry[],
  year: string,
): SeriesInWords {
  const inOrder = entries.toSorted(byStart)
  const days = [inOrder[0], inOrder.at(-1)].map((each = entry) =>
    dayInWords(each.time.start.slice(0, 10), year),
  )
  return {
    text: `${kind === 'new' ? 'New' : 'Canceled'}: ${entry.title}, ${entries.length} dates from ${days.join(' to ')}`,
    details: listed(inOrder.map(fullText)),
  }
}

/** Describes several entries that were moved together from one place to another. */
export function relocationInWords(
  { entry, placeBefore = '' }: ChangeInWords,
  entries: readonly ShownEntry[],
): SeriesInWords {
  const now = entry.place === '' ? 'removed' : `now ${entry.place}`
  return {
    text: `Location of ${entries.length} events ${now}${formerly(placeBefore)}`,
    details: listed(
      entries.toSorted(byStart).map(({ title, time }) => joined(title, timeInWords(time))),
    ),
  }
}

function listed(texts: readonly string[]): readonly string[] {
  const rest = texts.length - maxListed
  return rest > 0 ? [...texts.slice(0, maxListed), `and ${rest} more`] : texts
}

function byStart(a: ShownEntry, b: ShownEntry): number {
  return compareText(a.time.start, b.time.start)
}
