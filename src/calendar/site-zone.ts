import {
  instantFromSiteTime,
  instantsWith,
  offsetsIn,
  siteTimeAt,
  type SiteDateTime,
} from '../records/site-time.ts'
import { offsetByRule, zoneRuleFor, type ZoneRule } from './zone-rule.ts'

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
  /** Converts a wall-clock time. Treats skipped and repeated times like `instantFromSiteTime`. */
  readonly momentOf: (wallTime: SiteDateTime) => Moment
}

/** Creates a zone whose rule comes from the clock changes after the given year. */
export function createSiteZone(timeZone: string, year: number): SiteZone {
  const offsetAt = offsetsIn(timeZone)
  const rule = zoneRuleFor(timeZone, year)

  function momentOf(given: SiteDateTime): Moment {
    const inZone = instantsWith(given, offsetAt)
    const [instant] = inZone
    if (instant === undefined) {
      const shifted = instantFromSiteTime(given, timeZone)
      const wallTime = siteTimeAt(shifted, timeZone)
      return { instant: shifted, wallTime, isUnambiguous: false }
    }
    const byRule = rule ? instantsWith(given, (each) => offsetByRule(rule, each)) : []
    const isUnambiguous = inZone.length === 1 && byRule.length === 1 && byRule[0] === instant
    return { instant, wallTime: given, isUnambiguous }
  }

  return { timeZone, rule, momentOf }
}
