import { DateTime, FixedOffsetZone } from 'luxon'
import { readSiteDateTime } from './read-site-time.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Largest clock difference that is not reported. */
const toleranceMs = 2 * minuteMs
/** The same for a running service, so that clock drift does not cause alerts. */
const lenientToleranceMs = 10 * minuteMs

/** Older readings are not used. */
const readingKeptMs = 24 * hourMs
/**
 * Readings this close to the start or end of daylight saving time are not used, because websites
 * may be late.
 */
const nearChangeMs = 3 * hourMs

/** Granularity of time zone offsets. */
const zoneStepMs = 15 * minuteMs

/** Largest offset of a time zone from UTC. A larger difference means that a clock is wrong. */
const maxOffsetMs = 14 * hourMs

const maxSuggestions = 4

/** Time zones to suggest. US time zones come first, then the others by population. */
const commonZones = `
America/New_York America/Chicago America/Denver America/Los_Angeles America/Phoenix
America/Anchorage Pacific/Honolulu America/Puerto_Rico America/Adak Pacific/Guam Pacific/Pago_Pago
America/Halifax America/St_Johns America/Regina America/Toronto America/Winnipeg America/Edmonton
America/Vancouver America/Mexico_City America/Bogota America/Sao_Paulo
America/Argentina/Buenos_Aires UTC Europe/London Europe/Berlin Europe/Athens Europe/Istanbul
Europe/Moscow Africa/Lagos Africa/Johannesburg Africa/Nairobi Asia/Dubai Asia/Karachi Asia/Kolkata
Asia/Kathmandu Asia/Dhaka Asia/Bangkok Asia/Singapore Asia/Tokyo Australia/Perth Australia/Darwin
Australia/Brisbane Australia/Adelaide Australia/Sydney Pacific/Auckland Pacific/Chatham
`
  .trim()
  .split(/\s+/)

/** The website's time in a response, and when it was received, in milliseconds since the epoch. */
export type ClockReading = { readonly generated: string; readonly at: number }

export type ClockFinding = { readonly ok: boolean; readonly sentence: string }

/** Returns the next reading. A repeated time is from a cache, so its first reading is kept. */
export function nextClockReading(
  before: ClockReading | undefined,
  generated: string,
  at: number,
): ClockReading | undefined {
  const isNew = readSiteDateTime(generated) !== undefined && generated !== before?.generated
  return isNew ? { generated, at } : before
}

/**
 * Compares the website's clock, as read with several responses, with the local one. Reports a
 * problem only if all recent readings show it. Returns undefined if there are none.
 */
export function recentClockFinding(
  readings: readonly ClockReading[],
  { now, timeZone }: { readonly now: number; readonly timeZone: string },
): ClockFinding | undefined {
  const changes = (at: number) =>
    offsetMsAt(timeZone, at - nearChangeMs) !== offsetMsAt(timeZone, at + nearChangeMs)
  const findings = readings
    .filter(({ at }) => at <= now && at > now - readingKeptMs && !changes(at))
    .toSorted((a, b) => b.at - a.at)
    .map(({ generated, at }) => clockFindingFrom(generated, { at, timeZone }, lenientToleranceMs))
  return findings.find(({ ok }) => ok) ?? findings[0]
}

/** Compares the website's reported time with the local clock in the configured zone. */
export function clockFindingFrom(
  generated: string,
  { at, timeZone }: { readonly at: number; readonly timeZone: string },
  maxAheadMs = toleranceMs,
): ClockFinding {
  const siteTime = readSiteDateTime(generated)
  if (siteTime === undefined) return { ok: true, sentence: 'The website does not report its time.' }
  const siteOffsetMs = Date.parse(`${siteTime}Z`) - at
  const aheadMs = siteOffsetMs - offsetMsAt(timeZone, at)
  if (Math.abs(aheadMs) <= maxAheadMs) {
    return {
      ok: true,
      sentence: `The website's clock and this machine's clock agree in ${timeZone}.`,
    }
  }
  const minutes = Math.abs(Math.round(aheadMs / minuteMs))
  const side = aheadMs > 0 ? 'ahead of' : 'behind'
  const likelyOffsetMs = Math.round(siteOffsetMs / zoneStepMs) * zoneStepMs
  const isOfZone =
    Math.abs(siteOffsetMs - likelyOffsetMs) <= toleranceMs && Math.abs(siteOffsetMs) <= maxOffsetMs
  const sentence = isOfZone
    ? `The website's clock is ${minutes} minutes ${side} ${timeZone}: its latest response was from ${generated}. Set SITE_TIME_ZONE to the time zone of the website's dates and times, then restart Feedhouse. ${zoneSuggestions(likelyOffsetMs, at)}`
    : `The website's clock is ${minutes} minutes ${side} this machine's clock. Ask this server's administrator to check the clock; if it is right, ask the website's operator.`
  return { ok: false, sentence }
}

function zoneSuggestions(offsetMs: number, at: number): string {
  const zones = commonZones
    .filter((zone) => offsetMsAt(zone, at) === offsetMs)
    .slice(0, maxSuggestions)
  const now = `UTC${offsetName(offsetMs)}`
  if (zones.length === 0) return `The website's time is now ${now}.`
  const bySeasons = Map.groupBy(zones, (zone) => seasonsOf(zone, at))
  const named = [...bySeasons].map(([seasons, alike]) => `${alike.join(', ')} (${seasons})`)
  return `The website's time is now ${now}, as in ${named.join('; ')}. Choose one that is right in both winter and summer.`
}

function seasonsOf(zone: string, at: number): string {
  const { year } = DateTime.fromMillis(at, { zone })
  const [january = 0, july = 0] = [0, 6].map((month) => offsetMsAt(zone, Date.UTC(year, month, 2)))
  return january === july
    ? 'the same all year'
    : `UTC${offsetName(january)} in January, UTC${offsetName(july)} in July`
}

function offsetMsAt(zone: string, at: number): number {
  return DateTime.fromMillis(at, { zone }).offset * minuteMs
}

function offsetName(offsetMs: number): string {
  if (offsetMs === 0) return ''
  return FixedOffsetZone.instance(offsetMs / minuteMs).formatOffset(0, 'narrow')
}
