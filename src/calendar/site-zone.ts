import { LRUCache } from 'lru-cache'
import {
  instantFromSiteTime,
  instantsWith,
  offsetsIn,
  siteTimeAt,
  type SiteDateTime,
} from '../records/site-time.ts'
import { formerRuleFor, offsetByRule, zoneRuleFor, type ZoneRule } from './zone-rule.ts'

/** The site's time zone, with a rule that every calendar client can read. */
export type SiteZone = {
  readonly timeZone: string
  /** Undefined if the zone needs more than one daylight and one standard rule. */
  readonly rule: ZoneRule | undefined
  /** Converts a wall-clock time. Treats skipped and repeated times like `instantFromSiteTime`. */
  readonly momentOf: (given: SiteDateTime) => {
    /** Milliseconds since the epoch. */
    readonly instant: number
    /** The wall-clock time at that instant. Differs if the clock change skips the given time. */
    readonly wallTime: SiteDateTime
    /**
     * True if every client maps the given wall-clock time to that instant, whether it uses the zone's rule
     * or its own IANA database, which may be from before the zone's latest change. Many clients violate
     * RFC 5545 and use the second of two occurrences.
     */
    readonly isUnambiguous: boolean
  }
}

/** Sites in the same zone share its rule, because finding it takes ten milliseconds. */
const zones = new LRUCache<string, SiteZone, { timeZone: string; year: number }>({
  max: 100,
  memoMethod: (_key, _stale, { context }) => createSiteZone(context.timeZone, context.year),
})

/** Returns a zone whose rule comes from the clock changes after the given year. */
export const siteZoneOf = (timeZone: string, year: number): SiteZone =>
  zones.memo(`${timeZone} ${year}`, { context: { timeZone, year } })

function createSiteZone(timeZone: string, year: number): SiteZone {
  const offsetAt = offsetsIn(timeZone)
  const rule = zoneRuleFor(timeZone, year)
  const former = rule && formerRuleFor(rule, year)

  /** Returns true if every client maps a wall-clock time to an instant. */
  const isSameInAllClients = (given: SiteDateTime, instant: number): boolean => {
    if (!rule || former === 'irregular') return false
    return [rule, ...(former ? [former] : [])].every((each) => {
      const byRule = instantsWith(given, (time) => offsetByRule(each, time))
      return byRule.length === 1 && byRule[0] === instant
    })
  }

  return {
    timeZone,
    rule,
    momentOf(given) {
      const inZone = instantsWith(given, offsetAt)
      const [instant = instantFromSiteTime(given, timeZone)] = inZone
      return {
        instant,
        wallTime: inZone.length === 0 ? siteTimeAt(instant, timeZone) : given,
        isUnambiguous: inZone.length === 1 && isSameInAllClients(given, instant),
      }
    },
  }
}
