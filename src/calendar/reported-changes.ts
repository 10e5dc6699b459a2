import { createHash } from 'node:crypto'
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
  type ChangeText,
  type DateStyle,
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
export type ReportedChange = ChangeText & {
  /** Permanent, and unique within the resource. */
  readonly id: string
  readonly recordId: number
  /** All records with this change: several for a series. */
  readonly recordIds: readonly number[]
  /** Id of the calendar or rental type, if the resource has any. */
  readonly part: number | undefined
  readonly since: number
  readonly at: number
  /** From this time on, further changes are reported separately. In whole seconds. */
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
      // The changes of a series expire together, before the ledger removes any of them.
      const expiresAt = windowOf(since) + changeKeptMs
      const isTold =
        isShown(recordId) || (words.kind === 'canceled' && change === history.changes?.at(-1))
      const period = { since, at, finalAt, expiresAt }
      return [{ ...words, ...period, id, recordId, recordIds: [recordId], part, isTold }]
    }),
  )
}

/**
 * Combines changes to several records into series, and returns all changes in no particular order.
 * `isHidden` returns true for changes that another resource reports. If entries are canceled one
 * after another, the first reading that finds some is reported soon, and the others as one series.
 */
export function reportedChanges(
  found: readonly FoundChange[],
  times: SiteTimes,
  isHidden: (change: FoundChange) => boolean = () => false,
): readonly ReportedChange[] {
  return [...Map.groupBy(found, seriesKey).values()].flatMap((changes) => {
    const firstAt = Math.min(...changes.map(({ since }) => since))
    const finalAt = windowOf(firstAt) + 2 * singleChangeMs
    const first = changes.filter(({ since }) => since === firstAt)
    const later = changes.filter(({ since }) => since > firstAt)
    return [first, later.map((change) => ({ ...change, finalAt }))].flatMap((series) => {
      const reported = series.filter((change) => !isHidden(change))
      return series.length < smallestSeries
        ? reported.filter(({ isTold }) => isTold)
        : seriesOf(reported, { isComplete: reported.length === series.length, ...times })
    })
  })
}

/** Returns the start of the ten minutes whose changes may become a series. */
function windowOf(since: number): number {
  return since - (since % singleChangeMs)
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
function seriesKey({ id, kind, since, entry, placeBefore }: FoundChange): string {
  const { titleKey, part, place } = entry
  const window = windowOf(since)
  if (placeBefore !== undefined) return JSON.stringify([window, placeBefore, place, part])
  const isSeries = kind === 'new' || kind === 'canceled'
  return JSON.stringify(isSeries ? [kind, window, titleKey, part] : id)
}

/**
 * Combines changes into one, which stays the same while any of them may be reported, because most
 * readers never show a correction. Only the times of the others are shown. Its id is that of the
 * record with the lowest id, unless another resource reports some of the changes.
 */
function seriesOf(
  changes: readonly FoundChange[],
  { isComplete, timeZone, language }: SiteTimes & { readonly isComplete: boolean },
): readonly ReportedChange[] {
  const inOrder = changes.toSorted((a, b) => a.recordId - b.recordId)
  const [first] = inOrder
  const told = inOrder.filter(({ isTold }) => isTold)
  if (!first || told.length === 0) return []
  const id = isComplete ? first.id : `${first.id}-${hashOf(inOrder)}`
  if (inOrder.length === 1) return [{ ...first, id }]
  const year = siteTimeAt(first.since, timeZone).slice(0, 4)
  const words =
    first.placeBefore === undefined
      ? seriesInWords(first, inOrder, { year, language })
      : relocationInWords(first, inOrder, language)
  const places = told.flatMap((change) => change.places)
  const at = Math.max(...inOrder.map((change) => change.at))
  const recordIds = told.map(({ recordId }) => recordId)
  return [{ ...first, ...words, at, places, id, recordIds }]
}

function hashOf(changes: readonly FoundChange[]): string {
  const ids = changes.map(({ id }) => id).join()
  return createHash('sha256').update(ids).digest('hex').slice(0, 8)
}

type SeriesInWords = { readonly text: string; readonly details: readonly string[] }

/** Describes several entries with one title that appeared or were canceled together. */
function seriesInWords(
  { kind, entry: { title } }: FoundChange,
  changes: readonly FoundChange[],
  style: DateStyle,
): SeriesInWords {
  const inOrder = changes.toSorted(byStart)
  const messages = calendarMessages(style.language).changes
  const days = inOrder.map(({ entry }) => dayInWords(entry.time.start.slice(0, 10), style))
  const [first = '', last = ''] = [days[0], days.at(-1)]
  const series = messages.dates(title, { count: changes.length, first, last })
  const details = inOrder.map(({ entry, isTold }) =>
    fullText(isTold ? entry : { ...entry, place: '' }, style.language),
  )
  return {
    text: kind === 'new' ? messages.added(series) : asCanceled(series, style.language, title),
    details: listed(details, style.language),
  }
}

/** Describes several entries that were moved together from one place to another. */
function relocationInWords(
  { entry, placeBefore = '' }: FoundChange,
  changes: readonly FoundChange[],
  language: string,
): SeriesInWords {
  const { newPlaceOfAll, placeOfAllRemoved } = calendarMessages(language).changes
  const details = changes
    .toSorted(byStart)
    .map(({ entry: { title, time }, isTold }) =>
      joined(isTold ? title : '', timeInWords(time, language)),
    )
  return {
    text:
      entry.place === ''
        ? placeOfAllRemoved(changes.length, placeBefore)
        : newPlaceOfAll(changes.length, { now: entry.place, before: placeBefore }),
    details: listed(details, language),
  }
}

function listed(texts: readonly string[], language: string): readonly string[] {
  const rest = texts.length - maxListed
  const { more } = calendarMessages(language).changes
  return rest > 0 ? [...texts.slice(0, maxListed), more(rest)] : texts
}

function byStart({ entry: a }: FoundChange, { entry: b }: FoundChange): number {
  return compareText(a.time.start, b.time.start)
}
