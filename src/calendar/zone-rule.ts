import { isDeepStrictEqual } from 'node:util'
import { clockChangesIn, type ClockChange } from '../records/clock-changes.ts'
import { offsetsIn } from '../records/site-time.ts'

const minuteMs = 60_000

/** Number of years for which a rule must hold to count as the zone's rule. */
const yearsCompared = 8

/** Oldest zone data that calendar clients are expected to have, in years. */
const oldestDataYears = 6

/**
 * Number of years for which a former rule must have held. In five years, the last and the fourth
 * weekday of a month differ at least once.
 */
const formerYearsCompared = 5

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
  return ruleIn(timeZone, year + 1, yearsCompared)
}

/**
 * Returns the rule that a zone had before its current one, because clients with old zone data still
 * use it. Returns "irregular" if no yearly rule preceded the current one, or undefined if the current
 * rule is older than any data that clients have.
 */
export function formerRuleFor(rule: ZoneRule, year: number): ZoneRule | 'irregular' | undefined {
  const recentYears = Array.from({ length: oldestDataYears + 1 }, (_, index) => year - index)
  const lastYear = recentYears.find((each) => !followsRule(rule, each))
  if (lastYear === undefined) return undefined
  for (let last = lastYear; last >= year - oldestDataYears - 1; last -= 1) {
    const former = ruleIn(rule.timeZone, last - formerYearsCompared + 1, formerYearsCompared)
    if (former) return former
  }
  return 'irregular'
}

function followsRule(rule: ZoneRule, year: number): boolean {
  const changes = changesIn(rule.timeZone, year)
  const start = Date.UTC(year, 0, 1)
  return (
    changes.length === (rule.kind === 'fixed' ? 0 : 2) &&
    offsetsIn(rule.timeZone)(start) === offsetByRule(rule, start) &&
    changes.every(
      ({ instant, before, after }) =>
        offsetByRule(rule, instant - minuteMs) === before && offsetByRule(rule, instant) === after,
    )
  )
}

/** Returns the single rule that a zone follows in several years, if there is one. */
function ruleIn(timeZone: string, firstYear: number, yearCount: number): ZoneRule | undefined {
  const years = Array.from({ length: yearCount }, (_, index) =>
    changesIn(timeZone, firstYear + index),
  )
  if (years.every((changes) => changes.length === 0)) {
    return { kind: 'fixed', timeZone, offset: offsetsIn(timeZone)(Date.UTC(firstYear, 0, 1)) }
  }
  const forward = years.map((found) => found.filter((change) => change.after > change.before))
  const back = years.map((found) => found.filter((change) => change.after < change.before))
  const toDaylight = onsetOf(forward, firstYear)
  const toStandard = onsetOf(back, firstYear)
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

function changesIn(timeZone: string, year: number): readonly ClockChange[] {
  return clockChangesIn(timeZone, { from: Date.UTC(year, 0, 1), until: Date.UTC(year + 1, 0, 1) })
}

/**
 * Returns the onset that applies in all years, or undefined unless every year has one change and a
 * single rule fits them all.
 */
function onsetOf(
  years: readonly (readonly ClockChange[])[],
  firstYear: number,
): YearlyOnset | undefined {
  const [[first] = []] = years
  if (!first) return undefined
  const { before, after, instant } = first
  const wallTime = new Date(instant + before * minuteMs)
  const onsetWith = (nth: number): YearlyOnset => ({
    month: wallTime.getUTCMonth() + 1,
    weekday: wallTime.getUTCDay(),
    nth,
    hour: wallTime.getUTCHours(),
    minute: wallTime.getUTCMinutes(),
  })
  const expectedIn = (onset: YearlyOnset, year: number): readonly ClockChange[] => [
    { before, after, instant: onsetInstant(onset, year, before) },
  ]
  return [-1, Math.ceil(wallTime.getUTCDate() / 7)]
    .map(onsetWith)
    .find((onset) =>
      years.every((found, index) => isDeepStrictEqual(found, expectedIn(onset, firstYear + index))),
    )
}
