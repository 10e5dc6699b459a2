import { DateTime } from 'luxon'
import { instantFromSiteTime, type SiteDateTime } from '../records/site-time.ts'
import { offsetByRule, ruleHoldsIn, zoneRuleFor, type ZoneRule } from './zone-rule.ts'

const minuteMs = 60_000

/** What a wall-clock time of the site means. */
export type Moment = {
  /** Milliseconds since the epoch. */
  readonly instant: number
  /** The same time as clocks show it: another where they skip the one that was given. */
  readonly wallTime: SiteDateTime
  /** Whether a client that reads the zone's rule sees that instant. */
  readonly isByRule: boolean
}

/** The site's time zone, with the one rule for it that every calendar client can read. */
export type SiteZone = {
  readonly timeZone: string
  /** Undefined where one daylight and one standard rule cannot say it. */
  readonly rule: ZoneRule | undefined
  /**
   * A time that happens twice is its first occurrence, one that is skipped counts with the offset
   * before the gap (RFC 5545 3.3.5).
   */
  readonly momentOf: (wallTime: SiteDateTime) => Moment
}

/** The zone by the clock changes of the years after the given one. */
export function createSiteZone(timeZone: string, year: number): SiteZone {
  const rule = zoneRuleFor(timeZone, year)
  const yearsOfRule = new Map<string, boolean>()

  function isYearOfRule(wallTime: SiteDateTime): boolean {
    if (!rule) return false
    const key = wallTime.slice(0, 4)
    const known = yearsOfRule.get(key)
    if (known !== undefined) return known
    const holds = ruleHoldsIn(rule, Number(key))
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

/** The same as by the zone in a year of the rule, many times as fast. */
function momentByRule(wallTime: SiteDateTime, rule: ZoneRule): Moment {
  const local = Date.parse(`${wallTime}Z`)
  const [later, earlier] =
    rule.kind === 'fixed' ? [rule.offset, rule.offset] : [rule.standardOffset, rule.daylightOffset]
  const offset = [earlier, later].find(
    (candidate) => offsetByRule(rule, local - candidate * minuteMs) === candidate,
  )
  if (offset !== undefined) {
    return { instant: local - offset * minuteMs, wallTime, isByRule: true }
  }
  const instant = local - later * minuteMs
  const shown = new Date(instant + earlier * minuteMs).toISOString().slice(0, 19)
  return { instant, wallTime: shown, isByRule: true }
}

function momentByZone(
  wallTime: SiteDateTime,
  timeZone: string,
  rule: ZoneRule | undefined,
): Moment {
  const instant = instantFromSiteTime(wallTime, timeZone)
  return {
    instant,
    wallTime: DateTime.fromMillis(instant, { zone: timeZone }).toFormat("yyyy-MM-dd'T'HH:mm:ss"),
    isByRule: rule !== undefined && momentByRule(wallTime, rule).instant === instant,
  }
}
