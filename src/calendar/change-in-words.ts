import { dateFormatsOf } from '../records/date-formats.ts'
import {
  endOfSpan,
  joined,
  shortClock,
  shortDayInWords,
  timeInWords,
  weekday,
} from '../records/date-words.ts'
import { defaultLanguage, type SiteTimes } from '../records/language.ts'
import {
  isMoved,
  isPlacesChangeReported,
  type RecordedChange,
  type RecordFacts,
} from '../records/recorded-change.ts'
import { siteTimeAt, type SiteDate } from '../records/site-time.ts'
import { type EntryTime, readEntryTime } from './calendar-entry.ts'
import { asCanceled } from './canceled-title.ts'
import type { ChangeTitles } from './entry-recipe.ts'
import { calendarMessages } from './messages.ts'
import type { CalendarMessages } from './messages/en.ts'
import { sheetTime } from './sign-up-recipe.ts'

type ChangeKind = 'new' | 'changed' | 'places' | 'canceled' | 'back'

/** A change as readers see it. */
export type ChangeText = {
  readonly kind: ChangeKind
  /** `Moved: Drill, now Wed, Mar 4, 7 PM (was Tue, Mar 3, 7 PM)` */
  readonly text: string
  /** The full dates, times and places, each after "Now:" or "Before:". */
  readonly details: readonly string[]
  /** Current and previous location. */
  readonly places: readonly string[]
  readonly movedFrom: EntryTime | undefined
}

export type ChangeInWords = ChangeText & {
  /** The entry after the change, or before it was canceled. */
  readonly entry: ShownEntry
  /** Original location, if the entry looks unchanged otherwise. */
  readonly placeBefore: string | undefined
}

export type ShownEntry = {
  readonly title: string
  /** Title in English, so that the language does not affect which changes are reported. */
  readonly titleKey: string
  readonly part: number | undefined
  readonly place: string
  readonly time: EntryTime
}

/** Returns undefined if readers would see no difference, or if the entry had already ended. */
export function changeInWords(
  { before: factsBefore, after: factsAfter, isBack = false, at }: RecordedChange,
  { titleInChanges }: ChangeTitles,
  { timeZone, language }: SiteTimes,
): ChangeInWords | undefined {
  const siteNow = siteTimeAt(at, timeZone)
  const style = { year: siteNow.slice(0, 4), language }
  const { entryNow, entryBefore } = calendarMessages(language).changes
  const versionOf = (facts: RecordFacts | undefined) =>
    facts && { ...shownEntry(facts, titleInChanges, language), facts }
  const [before, after] = [versionOf(factsBefore), versionOf(factsAfter)]
  const shown = [after, before].filter((entry) => entry !== undefined)
  if (shown.every(({ time }) => endOfSpan(time) <= siteNow)) return undefined
  const [kind, text] = headline(before, after, { isBack, style })
  const entry = after ?? before
  if (text === '' || !entry) return undefined
  const details = [
    after && entryNow(fullText(after, language)),
    before && entryBefore(fullText(before, language)),
  ].filter((detail) => detail !== undefined)
  const wasMoved = before && after && isMoved(before.facts, after.facts)
  return {
    kind,
    text,
    details,
    places: shown.map(({ place }) => place),
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
  const { changes } = calendarMessages(style.language)
  if (!after) {
    const { language } = style
    return ['canceled', before ? asCanceled(listed(before, style), language, before.title) : '']
  }
  if (!before) {
    const words = listed(after, style, after.place)
    return isBack ? ['back', changes.back(words)] : ['new', changes.added(words)]
  }
  const difference = differenceInWords(before, after, style)
  const arePlacesReported = isPlacesChangeReported(before.facts, after.facts)
  if (difference !== '') {
    const more = arePlacesReported
      ? placesInWords(changes.placesAfter, before, after, difference)
      : difference
    return ['changed', more]
  }
  const entry = listed(after, style)
  return [
    'places',
    arePlacesReported ? placesInWords(changes.placesBefore, before, after, entry) : '',
  ]
}

function differenceInWords(before: ShownEntry, after: ShownEntry, style: DateStyle): string {
  const { title, place } = after
  const { renamed, moved, newTitle } = calendarMessages(style.language).changes
  const isRenamed = after.titleKey !== before.titleKey
  const name = isRenamed ? renamed(title, before.title) : title
  const isElsewhere = place !== before.place
  const [was, now] = shortTimes(before.time, after.time, style)
  if (was !== now) {
    const [placeBefore, placeNow] = isElsewhere ? [before.place, place] : ['', '']
    return moved(name, { now: joined(now, placeNow), before: joined(was, placeBefore) })
  }
  if (isElsewhere) return placeInWords(before, { ...after, title: name }, style)
  return isRenamed ? newTitle(joined(title, now), before.title) : ''
}

function placeInWords(
  before: ShownEntry,
  { title, place, time }: ShownEntry,
  style: DateStyle,
): string {
  const { newPlace, placeRemoved } = calendarMessages(style.language).changes
  const entry = joined(title, startInWords(time, style))
  if (place === '') return placeRemoved(entry, before.place)
  return newPlace(entry, { now: place, before: before.place })
}

type PlacesTexts = CalendarMessages['changes']['placesBefore']

function placesInWords(
  { full, again, left }: PlacesTexts,
  { facts: before }: Version,
  { facts: { open = 0 } }: Version,
  text: string,
): string {
  if (open === 0) return full(text)
  return before.open === 0 ? again(open, text) : left(open, text)
}

export function shownEntry(
  facts: RecordFacts,
  titleFrom: (title: string, language: string) => string = titleOrUntitled,
  language: string,
): ShownEntry {
  const { title, part, place = '', startDate, eventDate } = facts
  const { time } =
    eventDate === undefined
      ? readEntryTime({ ...facts, allDay: facts.startTime === undefined })
      : sheetTime({ date: startDate, eventDate })
  return {
    title: titleFrom(title, language),
    titleKey: titleFrom(title, defaultLanguage),
    part,
    place,
    time,
  }
}

function titleOrUntitled(title: string, language: string): string {
  return title || calendarMessages(language).untitled
}

function listed({ title, time }: ShownEntry, style: DateStyle, place = ''): string {
  return joined(title, startInWords(time, style), place)
}

export function fullText({ time, place }: ShownEntry, language: string): string {
  return joined(timeInWords(time, language), place)
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
  const { afterWeekday } = dateFormatsOf(language)
  return `${weekday(day, language)}${afterWeekday}${shortDayInWords(day, year, language)}`
}
