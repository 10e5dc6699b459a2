import {
  endOfSpan,
  joined,
  shortClock,
  shortDayInWords,
  timeInWords,
  weekday,
} from '../records/date-words.ts'
import type { SiteTimes } from '../records/language.ts'
import {
  isMoved,
  isPlacesChangeReported,
  type RecordedChange,
  type RecordFacts,
} from '../records/recorded-change.ts'
import { siteTimeAt, type SiteDate } from '../records/site-time.ts'
import { type EntryTime, readEntryTime } from './calendar-entry.ts'
import type { EntryRecipe } from './entry-recipe.ts'
import { sheetTime } from './sign-up-recipe.ts'

type ChangeKind = 'new' | 'changed' | 'places' | 'canceled' | 'back'

export type ChangeInWords = {
  readonly kind: ChangeKind
  /** `Moved: Drill, now Wed, Mar 4, 7 PM (was Tue, Mar 3, 7 PM)` */
  readonly text: string
  /** The full dates, times and places, each after "Now:" or "Before:". */
  readonly details: readonly string[]
  /** The entry after the change, or before it was canceled. */
  readonly entry: ShownEntry
  /** Original time of an entry that has moved, or undefined if it has not moved. */
  readonly movedFrom?: EntryTime | undefined
  /** Original location, if the entry looks unchanged otherwise. */
  readonly placeBefore?: string | undefined
}

export type ShownEntry = {
  readonly part: number | undefined
  readonly title: string
  readonly place: string
  readonly time: EntryTime
}

/**
 * Describes a change to a record. Returns undefined if readers would see no difference, or if the
 * entry had already ended.
 */
export function changeInWords(
  { before: factsBefore, after: factsAfter, isBack = false, at }: RecordedChange,
  { titleInChanges }: Pick<EntryRecipe<never>, 'titleInChanges'>,
  { timeZone, language }: SiteTimes,
): ChangeInWords | undefined {
  const siteNow = siteTimeAt(at, timeZone)
  const style = { year: siteNow.slice(0, 4), language }
  const versionOf = (facts: RecordFacts | undefined) =>
    facts && { ...shownEntry(facts, titleInChanges ?? untitled), facts }
  const [before, after] = [versionOf(factsBefore), versionOf(factsAfter)]
  const shown = [after, before].filter((entry) => entry !== undefined)
  if (shown.every(({ time }) => endOfSpan(time) <= siteNow)) return undefined
  const [kind, text] = headline(before, after, { isBack, style })
  const entry = after ?? before
  if (text === '' || !entry) return undefined
  const details = [
    after && `Now: ${fullText(after, language)}`,
    before && `Before: ${fullText(before, language)}`,
  ]
  const wasMoved = before && after && isMoved(before.facts, after.facts)
  return {
    kind,
    text,
    details: details.filter((detail) => detail !== undefined),
    entry,
    movedFrom: wasMoved ? before?.time : undefined,
    placeBefore:
      before && after && text === placeInWords(before, after, style) ? before.place : undefined,
  }
}

/** The year that dates leave out, and the language whose region determines their format. */
export type DateStyle = { readonly year: string; readonly language: string }

type Version = ShownEntry & { readonly facts: RecordFacts }

function headline(
  before: Version | undefined,
  after: Version | undefined,
  { isBack, style }: { readonly isBack: boolean; readonly style: DateStyle },
): readonly [ChangeKind, string] {
  if (!after) return ['canceled', before ? `Canceled: ${listed(before, style)}` : '']
  if (!before) {
    const words = listed(after, style, after.place)
    return isBack ? ['back', `Back on: ${words}`] : ['new', `New: ${words}`]
  }
  const difference = differenceInWords(before, after, style)
  const places = placesInWords(before.facts, after.facts)
  if (difference !== '') {
    return ['changed', places === '' ? difference : `${difference}; ${lowerFirst(places)}`]
  }
  return ['places', places === '' ? '' : `${places}: ${listed(after, style)}`]
}

function differenceInWords(before: ShownEntry, after: ShownEntry, style: DateStyle): string {
  const { title, place } = after
  const isRenamed = title !== before.title
  const name = isRenamed ? `${title} (formerly ${before.title})` : title
  const isElsewhere = place !== before.place
  const [was, now] = shortTimes(before.time, after.time, style)
  if (was !== now) {
    const [placeBefore, placeNow] = isElsewhere ? [before.place, place] : ['', '']
    return `Moved: ${name}, now ${joined(now, placeNow)} (was ${joined(was, placeBefore)})`
  }
  if (isElsewhere) return placeInWords(before, { ...after, title: name }, style)
  return isRenamed ? `New title: ${title}, ${now} (was ${before.title})` : ''
}

function placeInWords(
  before: ShownEntry,
  { title, place, time }: ShownEntry,
  style: DateStyle,
): string {
  const now = startInWords(time, style)
  if (place === '') return `Place removed: ${title}, ${now} (was ${before.place})`
  return `New place: ${title}, ${now}, now ${place}${formerly(before.place)}`
}

export function formerly(place: string): string {
  return place === '' ? '' : ` (was ${place})`
}

function placesInWords(before: RecordFacts, after: RecordFacts): string {
  if (!isPlacesChangeReported(before, after)) return ''
  const { open = 0 } = after
  if (open === 0) return 'Full'
  const places = open === 1 ? '1 place' : `${open} places`
  return before.open === 0 ? `${places} open again` : `${places} left`
}

function shownEntry(facts: RecordFacts, titleFrom: (title: string) => string): ShownEntry {
  const { title, part, place = '', startDate, startTime, eventDate } = facts
  const { time } =
    eventDate === undefined
      ? readEntryTime({
          startDate,
          endDate: facts.endDate,
          allDay: startTime === undefined,
          startTime,
          endTime: facts.endTime,
        })
      : sheetTime({ date: startDate, eventDate })
  return { title: titleFrom(title), part, place, time }
}

function untitled(title: string): string {
  return title === '' ? 'Untitled' : title
}

function listed({ title, time }: ShownEntry, style: DateStyle, place = ''): string {
  return joined(title, startInWords(time, style), place)
}

export function fullText({ time, place }: ShownEntry, language: string): string {
  return joined(timeInWords(time, language), place)
}

function lowerFirst(text: string): string {
  return `${text.slice(0, 1).toLowerCase()}${text.slice(1)}`
}

/** Formats the times before and after a move. Includes the end times only if the length has changed. */
function shortTimes(
  before: EntryTime,
  after: EntryTime,
  style: DateStyle,
): readonly [string, string] {
  const isLengthSame = lengthOf(before) === lengthOf(after)
  const words = (time: EntryTime) =>
    isLengthSame ? startInWords(time, style) : shortTime(time, style)
  return [words(before), words(after)]
}

function lengthOf({ allDay, start, end }: EntryTime): string {
  const lengthMs = end === undefined ? undefined : Date.parse(`${end}Z`) - Date.parse(`${start}Z`)
  return `${allDay} ${lengthMs}`
}

/** `Tue, Mar 3, 7 PM`, or `Tue, Mar 3 – Thu, Mar 5` for several whole days. */
function startInWords(time: EntryTime, style: DateStyle): string {
  return shortTime(time.allDay ? time : { ...time, end: undefined }, style)
}

/** `Tue, Mar 3, 7 PM – 10 PM` */
function shortTime(time: EntryTime, style: DateStyle): string {
  return timeInWords(time, style.language, {
    day: (day) => dayInWords(day, style),
    clock: shortClock,
  })
}

/** `Fri, July 10`, with the year unless it is `year`. */
export function dayInWords(day: SiteDate, { year, language }: DateStyle): string {
  return joined(weekday(day, language), shortDayInWords(day, year, language))
}
