import { DateTime } from 'luxon'
import { instantFromSiteTime, type SiteDateTime } from '../records/site-time.ts'
import { offsetByRule, ruleHoldsIn, zoneRuleFor, type ZoneRule } from './zone-rule.ts'

const minuteMs = 60_000

/** Instant of a wall-clock time in the site's time zone. */
export type Moment = {
  /** Milliseconds since the epoch. */
  readonly instant: number
  /**
   * The wall-clock time at that instant. Differs from the given time if the clock change skips that
   * time.
   */
  readonly wallTime: SiteDateTime
  /**
   * True if every client maps the given wall-clock time to that instant, whether it uses the zone's rule
   * or its own IANA database. Many clients violate RFC 5545 and use the second of two occurrences.
   */
  readonly isUnambiguous: boolean
}

/** The site's time zone, with a rule that every calendar client can read. */
export type SiteZone = {
  readonly timeZone: string
  /** Undefined if the zone needs more than one daylight and one standard rule. */
  readonly rule: ZoneRule | undefined
  /**
   * Converts a wall-clock time. If the time occurs twice, uses the first occurrence. For a skipped
   * time, uses the offset before the gap (RFC 5545 3.3.5).
   */
  readonly momentOf: (wallTime: SiteDateTime) => Moment
}

/** Creates a zone whose rule comes from the clock changes after the given year. */
export function createSiteZone(timeZone: string, year: number): SiteZone {
  const rule = zoneRuleFor(timeZone, year)
  const yearsOfRule = new Map<string, boolean>()

  function isYearOfRule(wallTime: SiteDateTime): boolean {
    if (!rule) return false
    const key = wallTime.slice(0, 4)
    const holds = yearsOfRule.get(key) ?? ruleHoldsIn(rule, Number(key))
    yearsOfRule.set(key, holds)
    return holds
  }

  return {
    timeZone,
    rule,
    momentOf: (wallTime) =>
      rule && isYearOfRule(wallTime)
        ? momentByRule(wallTime, rule)
        : momentByZone(wallTime, timeZone, rule),
  }
}

/** Equivalent to `momentByZone` in years where the rule holds, but many times faster. */
function momentByRule(wallTime: SiteDateTime, rule: ZoneRule): Moment {
  const local = Date.parse(`${wallTime}Z`)
  const { standard, daylight } =
    rule.kind === 'fixed'
      ? { standard: rule.offset, daylight: rule.offset }
      : { standard: rule.standardOffset, daylight: rule.daylightOffset }
  const possible = [...new Set([daylight, standard])].filter(
    (candidate) => offsetByRule(rule, local - candidate * minuteMs) === candidate,
  )
  const [offset] = possible
  if (offset !== undefined) {
    const isUnambiguous = possible.length === 1
    return { instant: local - offset * minuteMs, wallTime, isUnambiguous }
  }
  const instant = local - standard * minuteMs
  const shown = new Date(instant + daylight * minuteMs).toISOString().slice(0, 19)
  return { instant, wallTime: shown, isUnambiguous: false }
}

function momentByZone(given: SiteDateTime, timeZone: string, rule: ZoneRule | undefined): Moment {
  const instant = instantFromSiteTime(given, timeZone)
  const shown = DateTime.fromMillis(instant, { zone: timeZone })
  const wallTime = shown.toFormat("yyyy-MM-dd'T'HH:mm:ss")
  const byRule = rule && momentByRule(given, rule)
  const isUnambiguous =
    byRule?.isUnambiguous === true &&
    byRule.instant === instant &&
    wallTime === given &&
    shown.getPossibleOffsets().length === 1
  return { instant, wallTime, isUnambiguous }
}
