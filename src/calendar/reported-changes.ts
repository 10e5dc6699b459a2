import { joined, timeInWords } from '../records/date-words.ts'
import type { SiteTimes } from '../records/language.ts'
import { changeKeptMs, singleChangeMs, type ChangeHistory } from '../records/recorded-change.ts'
import type { FeedResource } from '../records/resources.ts'
import { siteTimeAt } from '../records/site-time.ts'
import { compareText } from '../text/text.ts'
import { asCanceled } from './canceled-title.ts'
import {
  changeInWords,
  dayInWords,
  fullText,
  type ChangeInWords,
  type DateStyle,
  type ShownEntry,
} from './change-in-words.ts'
import type { EntryRecipe } from './entry-recipe.ts'
import { calendarMessages } from './messages.ts'
import type { ShownRecord } from './shown-records.ts'

/**
 * If at least this many entries with the same title or place change together, they are reported as
 * a single change.
 */
const smallestSeries = 3

const maxListed = 20

/** How long the latest change is shown at the start of an entry's description. */
const noteShownMs = 3 * 24 * 60 * 60 * 1000

/** A reported change, in words. Times are in milliseconds since the epoch. */
export type ReportedChange = Pick<
  ChangeInWords,
  'kind' | 'text' | 'details' | 'places' | 'movedFrom'
> & {
  /** Permanent, and unique within the resource. */
  readonly id: string
  readonly recordId: number
  /** All records with this change: several for a series. */
  readonly recordIds: readonly number[]
  /** Id of the calendar or rental type, if the resource has any. */
  readonly part: number | undefined
  readonly since: number
  readonly at: number
  /** From this time on, further edits are another change. In whole seconds. */
  readonly finalAt: number
  readonly expiresAt: number
}

/** A change to a single record, which may become part of a series. */
export type FoundChange = ReportedChange & ChangeInWords & { readonly isTold: boolean }

/**
 * Returns the changes in a ledger. A record that the website no longer shows has only its
 * cancellation, so that its former titles and places disappear with it.
 */
export function foundChanges<R extends FeedResource>(
  recipe: EntryRecipe<R>,
  ledger: ReadonlyMap<number, ChangeHistory>,
  { isShown, ...times }: SiteTimes & { readonly isShown: (id: number) => boolean },
): readonly FoundChange[] {
  return [...ledger].flatMap(([recordId, history]) =>
    (history.changes ?? []).flatMap((change): readonly FoundChange[] => {
      const words = changeInWords(change, recipe, times)
      if (!words) return []
      const { since, at } = change
      // Does not include the time of the change, which may differ between replicas.
      const id = `${recordId}-${Math.floor(history.firstSeenAt / 1000)}-${change.revision}`
      const { part } = words.entry
      const finalAt = Math.ceil((since + singleChangeMs) / 1000) * 1000
      const expiresAt = at + changeKeptMs
      const isTold =
        isShown(recordId) || (words.kind === 'canceled' && change === history.changes?.at(-1))
      const period = { since, at, finalAt, expiresAt }
      return [{ ...words, ...period, id, recordId, recordIds: [recordId], part, isTold }]
    }),
  )
}

/**
 * Combines changes to several records into series, and returns all changes in no particular order.
 * `isHidden` returns true for changes that another resource reports.
 */
export function reportedChanges(
  found: readonly FoundChange[],
  times: SiteTimes,
  isHidden: (change: FoundChange) => boolean = () => false,
): readonly ReportedChange[] {
  const told = found.map((change) =>
    change.isTold && isHidden(change) ? { ...change, isTold: false } : change,
  )
  return [...Map.groupBy(told, seriesKey).values()].flatMap((changes) =>
    changes.length < smallestSeries
      ? changes.filter(({ isTold }) => isTold)
      : seriesOf(changes, times),
  )
}

/**
 * Describes the latest move, new place or new title of an entry, for readers who see only the entry
 * itself. Returns undefined if the entry has no such change.
 */
export function changeNote<R extends FeedResource>(
  recipe: EntryRecipe<R>,
  { changes = [] }: ChangeHistory,
  times: SiteTimes,
): { readonly text: string; readonly at: number } | undefined {
  const noted = changes.flatMap((change) => {
    const words = changeInWords(change, recipe, times)
    const isNoted = words?.kind === 'changed' || words?.kind === 'back'
    return isNoted ? [{ text: words.text, at: change.at }] : []
  })
  return noted.at(-1)
}

/**
 * Adds notes about recent changes to records. An entry whose note has disappeared counts as
 * changed, because some apps ignore entries without a new revision. This also applies to entries
 * that had no note, so that revisions never decrease.
 */
export function withChangeNotes<R extends FeedResource>(
  recipe: EntryRecipe<R>,
  records: readonly ShownRecord<R>[],
  { now, ...times }: SiteTimes & { readonly now: number },
) {
  const changesAt: number[] = []
  const noted = records.map((shown): ShownRecord<R> => {
    const { known, status } = shown
    if (known.revision === 0 || status === 'cancelled') return shown
    const note = changeNote(recipe, known, times)
    const ends = [known.changedAt, ...(note ? [note.at] : [])].map((at) => at + noteShownMs)
    changesAt.push(...ends)
    const changedAt = Math.max(known.changedAt, ...ends.filter((end) => end <= now))
    if (!note || note.at + noteShownMs <= now) return { ...shown, known: { ...known, changedAt } }
    return { ...shown, known: { ...known, changedAt }, note: note.text }
  })
  return { noted, changesAt }
}

/** Returns the same key for changes that can be reported as one. */
function seriesKey({ id, kind, since, at, entry, placeBefore }: FoundChange): string {
  const { titleKey, part, place } = entry
  if (placeBefore !== undefined) return JSON.stringify([since, at, placeBefore, place, part])
  const isSeries = kind === 'new' || kind === 'canceled'
  return JSON.stringify(isSeries ? [kind, since, at, titleKey, part] : id)
}

/**
 * Combines the changes that may be reported into one. Its id is that of the record with the lowest
 * id, even if its change may not be reported, so that readers do not show the series twice.
 */
function seriesOf(
  changes: readonly FoundChange[],
  { timeZone, language }: SiteTimes,
): readonly ReportedChange[] {
  const inOrder = changes.toSorted((a, b) => a.recordId - b.recordId)
  const told = inOrder.filter(({ isTold }) => isTold)
  const [first, ...others] = told
  if (!first) return []
  const { id } = inOrder[0] ?? first
  if (others.length === 0) return [{ ...first, id }]
  const entries = told.map(({ entry }) => entry)
  const year = siteTimeAt(first.at, timeZone).slice(0, 4)
  const words =
    first.placeBefore === undefined
      ? seriesInWords(first, entries, { year, language })
      : relocationInWords(first, entries, language)
  const places = told.flatMap((change) => change.places)
  return [{ ...first, ...words, places, id, recordIds: told.map(({ recordId }) => recordId) }]
}

type SeriesInWords = { readonly text: string; readonly details: readonly string[] }

/** Describes several entries with one title that appeared or were canceled together. */
function seriesInWords(
  { kind, entry }: ChangeInWords,
  entries: readonly ShownEntry[],
  style: DateStyle,
): SeriesInWords {
  const inOrder = entries.toSorted(byStart)
  const { changes } = calendarMessages(style.language)
  const dayOf = ({ time } = entry) => dayInWords(time.start.slice(0, 10), style)
  const dates = {
    count: entries.length,
    first: dayOf(inOrder[0]),
    last: dayOf(inOrder.at(-1)),
  }
  const series = changes.dates(entry.title, dates)
  const details = inOrder.map((each) => fullText(each, style.language))
  return {
    text: kind === 'new' ? changes.added(series) : asCanceled(series, style.language, entry.title),
    details: listed(details, style.language),
  }
}

/** Describes several entries that were moved together from one place to another. */
function relocationInWords(
  { entry, placeBefore = '' }: ChangeInWords,
  entries: readonly ShownEntry[],
  language: string,
): SeriesInWords {
  const { newPlaceOfAll, placeOfAllRemoved } = calendarMessages(language).changes
  const details = entries
    .toSorted(byStart)
    .map(({ title, time }) => joined(title, timeInWords(time, language)))
  return {
    text:
      entry.place === ''
        ? placeOfAllRemoved(entries.length, placeBefore)
        : newPlaceOfAll(entries.length, { now: entry.place, before: placeBefore }),
    details: listed(details, language),
  }
}

function listed(texts: readonly string[], language: string): readonly string[] {
  const rest = texts.length - maxListed
  const { more } = calendarMessages(language).changes
  return rest > 0 ? [...texts.slice(0, maxListed), more(rest)] : texts
}

function byStart(a: ShownEntry, b: ShownEntry): number {
  return compareText(a.time.start, b.time.start)
}
