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

/** Differences that old rules cause, because most laws move clocks by an hour or half an hour. */
const ruleDifferencesMs = [30 * minuteMs, 60 * minuteMs]

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

/** The configured zone, the releases of its rules, and the operating system's rules if they are newer. */
type ClockZone = {
  readonly timeZone: string
  readonly zoneData: {
    readonly release: string
    readonly systemRelease: string | undefined
    readonly newer: { readonly offsetAt: (instant: number) => number } | undefined
  }
}

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
  { now, ...zone }: ClockZone & { readonly now: number },
): ClockFinding | undefined {
  const changes = (at: number) =>
    offsetMsAt(zone.timeZone, at - nearChangeMs) !== offsetMsAt(zone.timeZone, at + nearChangeMs)
  const findings = readings
    .filter(({ at }) => at <= now && at > now - readingKeptMs && !changes(at))
    .toSorted((a, b) => b.at - a.at)
    .map(({ generated, at }) => clockFindingFrom(generated, { at, ...zone }, lenientToleranceMs))
  return findings.find(({ ok }) => ok) ?? findings[0]
}

type ClockMoment = {
  readonly at: number
  /** True if the time zone is entered on a page. */
  readonly isOnPage?: boolean
}

/** Compares the website's reported time with the local clock in the configured zone. */
export function clockFindingFrom(
  generated: string,
  { at, timeZone, zoneData, isOnPage = false }: ClockZone & ClockMoment,
  maxAheadMs = toleranceMs,
): ClockFinding {
  const siteTime = readSiteDateTime(generated)
  if (siteTime === undefined) return { ok: true, sentence: 'The website does not report its time.' }
  const siteOffsetMs = Date.parse(`${siteTime}Z`) - at
  const isOffset = (offsetMs: number) => Math.abs(siteOffsetMs - offsetMs) <= maxAheadMs
  if (isOffset(offsetMsAt(timeZone, at))) {
    return {
      ok: true,
      sentence: `The website's clock and this machine's clock agree in ${timeZone}.`,
    }
  }
  const { newer, systemRelease } = zoneData
  if (newer && isOffset(newer.offsetAt(at) * minuteMs)) {
    // The finding about the rules says what to do.
    return {
      ok: true,
      sentence: `The website's clock and this machine's clock agree in ${timeZone} by this machine's time zone rules (${systemRelease}).`,
    }
  }
  return {
    ok: false,
    sentence: differenceSentence(generated, siteOffsetMs, { at, timeZone, zoneData, isOnPage }),
  }
}

function differenceSentence(
  generated: string,
  siteOffsetMs: number,
  { at, timeZone, zoneData, isOnPage }: ClockZone & ClockMoment,
): string {
  const aheadMs = siteOffsetMs - offsetMsAt(timeZone, at)
  const minutes = Math.abs(Math.round(aheadMs / minuteMs))
  const side = aheadMs > 0 ? 'ahead of' : 'behind'
  const offsetMs = nearestOffsetMs(siteOffsetMs)
  const isOfZone =
    Math.abs(siteOffsetMs - offsetMs) <= toleranceMs && Math.abs(siteOffsetMs) <= maxOffsetMs
  if (!isOfZone) {
    return `The website's clock is ${minutes} minutes ${side} this machine's clock. Ask this server's administrator to check the clock; if it is right, ask the website's operator.`
  }
  const difference = `The website's clock is ${minutes} minutes ${side} ${timeZone}: its latest response was from ${generated}.`
  const setZone = isOnPage
    ? "Enter the time zone of the website's dates and times below, then check again."
    : "Set SITE_TIME_ZONE to the time zone of the website's dates and times, then restart Feedhouse."
  if (!ruleDifferencesMs.includes(Math.abs(nearestOffsetMs(aheadMs)))) {
    return `${difference} ${setZone} ${zoneSuggestions(offsetMs, at)}`
  }
  const { release, systemRelease = 'unknown' } = zoneData
  const zone = isOnPage ? 'the time zone' : 'SITE_TIME_ZONE'
  const rules = `If ${zone} is right, the rules for this zone's clocks may be out of date, either here (Feedhouse has release ${release}, this machine ${systemRelease}) or on the website. If the law changed recently, update this machine's time zone data (tzdata), then restart Feedhouse, or ask the website's operator.`
  return `${difference} ${setZone} ${zoneSuggestions(offsetMs, at, { timeZone, aheadMs })} ${rules}`
}

function nearestOffsetMs(ms: number): number {
  return Math.round(ms / zoneStepMs) * zoneStepMs
}

/**
 * Suggests zones with an offset. If rules may be the cause, suggests only zones that differ from the
 * configured one by the same amount in winter and summer.
 */
function zoneSuggestions(
  offsetMs: number,
  at: number,
  other?: { readonly timeZone: string; readonly aheadMs: number },
): string {
  const isAlways = (zone: string) =>
    other === undefined ||
    halfYears(at).every(
      (each) =>
        offsetMsAt(zone, each) - offsetMsAt(other.timeZone, each) ===
        nearestOffsetMs(other.aheadMs),
    )
  const zones = commonZones
    .filter((zone) => offsetMsAt(zone, at) === offsetMs && isAlways(zone))
    .slice(0, maxSuggestions)
  const now = `UTC${offsetName(offsetMs)}`
  if (zones.length === 0) return `The website's time is now ${now}.`
  const bySeasons = Map.groupBy(zones, (zone) => seasonsOf(zone, at))
  const named = [...bySeasons].map(([seasons, alike]) => `${alike.join(', ')} (${seasons})`)
  return `The website's time is now ${now}, as in ${named.join('; ')}. Choose one that is right in both winter and summer.`
}

function seasonsOf(zone: string, at: number): string {
  const [january = 0, july = 0] = halfYears(at).map((each) => offsetMsAt(zone, each))
  return january === july
    ? 'the same all year'
    : `UTC${offsetName(january)} in January, UTC${offsetName(july)} in July`
}

/** Returns instants in January and July of a year. */
function halfYears(at: number): readonly number[] {
  const year = new Date(at).getUTCFullYear()
  return [0, 6].map((month) => Date.UTC(year, month, 2))
}

function offsetMsAt(zone: string, at: number): number {
  return DateTime.fromMillis(at, { zone }).offset * minuteMs
}

function offsetName(offsetMs: number): string {
  if (offsetMs === 0) return ''
  return FixedOffsetZone.instance(offsetMs / minuteMs).formatOffset(0, 'narrow')
}
