import { isDeepStrictEqual } from 'node:util'
import { IANAZone } from 'luxon'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const searchStepMs = 5 * dayMs

/** Number of years for which a rule must hold to count as the zone's rule. */
const yearsCompared = 8

/** Yearly wall-clock time of a clock change. */
export type YearlyOnset = {
  /** 1 to 12. */
  readonly month: number
  /** 0 is Sunday. */
  readonly weekday: number
  /** Occurrence of the weekday in the month: 1 to 4, or -1 for the last. */
  readonly nth: number
  readonly hour: number
  readonly minute: number
}

/** Yearly rule for a time zone, simple enough for every calendar client. Offsets are in minutes. */
export type ZoneRule =
  | { readonly kind: 'fixed'; readonly timeZone: string; readonly offset: number }
  | {
      readonly kind: 'yearly'
      readonly timeZone: string
      readonly standardOffset: number
      readonly daylightOffset: number
      readonly toDaylight: YearlyOnset
      readonly toStandard: YearlyOnset
    }

export const utcRule: ZoneRule = { kind: 'fixed', timeZone: 'Etc/UTC', offset: 0 }

/**
 * Returns the rule for an IANA zone after `year`, or undefined if the zone needs more than one
 * daylight and one standard rule (Africa/Cairo, America/Santiago, ...).
 */
export function zoneRuleFor(timeZone: string, year: number): ZoneRule | undefined {
  const zone = IANAZone.create(timeZone)
  const years = Array.from({ length: yearsCompared }, (_, index) =>
    transitionsIn(zone, year + 1 + index),
  )
  if (years.every((transitions) => transitions.length === 0)) {
    return { kind: 'fixed', timeZone, offset: zone.offset(Date.UTC(year + 1, 0, 1)) }
  }
  const forward = years.map((found) => found.filter((change) => change.after > change.before))
  const back = years.map((found) => found.filter((change) => change.after < change.before))
  const toDaylight = onsetOf(forward)
  const toStandard = onsetOf(back)
  const change = forward[0]?.[0]
  if (!toDaylight || !toStandard || !change) return undefined
  const { before: standardOffset, after: daylightOffset } = change
  return { kind: 'yearly', timeZone, standardOffset, daylightOffset, toDaylight, toStandard }
}

export function onsetDay(onset: YearlyOnset, year: number): number {
  const { month, weekday, nth } = onset
  if (nth > 0) {
    const first = new Date(Date.UTC(year, month - 1, 1)).getUTCDay()
    return 1 + ((weekday - first + 7) % 7) + (nth - 1) * 7
  }
  const last = new Date(Date.UTC(year, month, 0))
  return last.getUTCDate() - ((last.getUTCDay() - weekday + 7) % 7)
}

/** Returns the offset in minutes that a client computes from the rule. */
export function offsetByRule(rule: ZoneRule, instant: number): number {
  if (rule.kind === 'fixed') return rule.offset
  const { standardOffset, daylightOffset, toDaylight, toStandard } = rule
  const year = new Date(instant + standardOffset * minuteMs).getUTCFullYear()
  const daylightFrom = onsetInstant(toDaylight, year, standardOffset)
  const standardFrom = onsetInstant(toStandard, year, daylightOffset)
  const isDaylight =
    daylightFrom < standardFrom
      ? instant >= daylightFrom && instant < standardFrom
      : instant >= daylightFrom || instant < standardFrom
  return isDaylight ? daylightOffset : standardOffset
}

function onsetInstant(onset: YearlyOnset, year: number, offsetBefore: number): number {
  const day = onsetDay(onset, year)
  const wallTime = Date.UTC(year, onset.month - 1, day, onset.hour, onset.minute)
  return wallTime - offsetBefore * minuteMs
}

type Transition = {
  readonly before: number
  readonly after: number
  /** Wall-clock time of the change under the old offset, stored in the UTC fields. */
  readonly wallTime: Date
}

function transitionsIn(zone: IANAZone, year: number): readonly Transition[] {
  const found: Transition[] = []
  const end = Date.UTC(year + 1, 0, 1)
  for (let from = Date.UTC(year, 0, 1); from < end; from += searchStepMs) {
    const to = Math.min(from + searchStepMs, end)
    const before = zone.offset(from)
    const after = zone.offset(to)
    if (before !== after) {
      const instant = firstMinuteAfter(zone, from, to, before)
      found.push({ before, after, wallTime: new Date(instant + before * minuteMs) })
    }
  }
  return found
}

function firstMinuteAfter(zone: IANAZone, from: number, to: number, before: number): number {
  let [low, high] = [from / minuteMs, to / minuteMs]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (zone.offset(middle * minuteMs) === before) low = middle
    else high = middle
  }
  return high * minuteMs
}

/**
 * Returns the onset that applies in all years, or undefined unless every year has one change and a
 * single rule fits them all.
 */
function onsetOf(years: readonly (readonly Transition[])[]): YearlyOnset | undefined {
  const changes = years.flat()
  const [first] = changes
  if (!first || !years.every((found) => found.length === 1)) return undefined
  const { before, after, wallTime } = first
  const clock = clockOf(wallTime)
  const isAlike = changes.every(
    (change) =>
      change.before === before &&
      change.after === after &&
      isDeepStrictEqual(clockOf(change.wallTime), clock),
  )
  const nth = isAlike ? commonNth(changes.map((change) => change.wallTime)) : undefined
  return nth === undefined ? undefined : { ...clock, nth }
}

function clockOf(wallTime: Date): Omit<YearlyOnset, 'nth'> {
  return {
    month: wallTime.getUTCMonth() + 1,
    weekday: wallTime.getUTCDay(),
    hour: wallTime.getUTCHours(),
    minute: wallTime.getUTCMinutes(),
  }
}

function commonNth(days: readonly Date[]): number | undefined {
  if (days.every(isLastWeekdayOfMonth)) return -1
  const [nth, ...others] = new Set(days.map((day) => Math.ceil(day.getUTCDate() / 7)))
  return others.length === 0 ? nth : undefined
}

function isLastWeekdayOfMonth(day: Date): boolean {
  return new Date(day.getTime() + 7 * dayMs).getUTCMonth() !== day.getUTCMonth()
}
