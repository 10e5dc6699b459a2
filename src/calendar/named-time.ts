import { daysAfter, readSiteTime, type SiteDate, type SiteDateTime } from '../records/site-time.ts'
import { namesAnotherDay } from './named-day.ts'

export type NamedTime = { readonly start: SiteDateTime; readonly end: SiteDateTime | undefined }

/** Nobody writes a time at greater length. */
const maxLength = 200

const meridiem = String.raw`\s*[ap]\.?m\b\.?`
const clock = String.raw`(?<![\d:.])(?:noon|midnight|\d{1,2}(?::[0-5]\d)?${meridiem}|\d{1,2}:[0-5]\d(?::[0-5]\d)?(?!\d)|(?:[01]\d|2[0-3])[0-5]\d\s*h(?:rs?|ours)\b)`
const bare = String.raw`(?<![\d:.])\d{1,2}`
const to = String.raw`\s*(?:-|–|—|to|until|till)\s*`

const clocks = new RegExp(clock, 'gi')
const ranges = new RegExp(`(${clock}|${bare})${to}(${clock})`, 'gi')

/**
 * The time that people's own words name, if they can mean only one: `7 PM`, `18:30 - 21:00`,
 * `Sunday, 6:30 AM to noon`, `1900 hrs`, `6-8 pm`. Nothing when they name several times, a day other
 * than the date, or a time like `6:30` that may be in the morning or in the evening.
 */
export function timeNamedIn(text: string, date: SiteDate): NamedTime | undefined {
  if (text.length > maxLength || namesAnotherDay(text, date)) return undefined
  const [range, ...otherRanges] = text.matchAll(ranges)
  const [single, ...otherClocks] = (range ? text.replace(range[0], ' ') : text).matchAll(clocks)
  if (otherRanges.length > 0 || otherClocks.length > 0 || (range && single)) return undefined
  const [from, until] = range
    ? rangeOf(range[1], range[2])
    : [hourAndMinute(single?.[0]), undefined]
  if (from === undefined || (range && until === undefined)) return undefined
  const start = `${date}T${from}`
  if (until === undefined) return { start, end: undefined }
  return { start, end: `${until > from ? date : daysAfter(date, 1)}T${until}` }
}

function rangeOf(
  first: string | undefined,
  last: string | undefined,
): readonly (string | undefined)[] {
  const until = hourAndMinute(last) ?? unclear24(last, first)
  const from = hourAndMinute(first) ?? unclear24(first, last)
  if (from !== undefined || until === undefined) return [from, until]
  // `6-8 pm`: what is said of the end holds for the start, unless that came after it.
  const readings = ['am', 'pm']
    .map((half) => readSiteTime(`${first ?? ''} ${half}`))
    .filter((time) => time !== undefined && time < until)
  return isTwelveHour(last) ? [readings.at(-1), until] : [undefined, undefined]
}

/** `10:00` is clear beside a time that only a clock of 24 hours shows. */
function unclear24(text: string | undefined, beside: string | undefined): string | undefined {
  const is24 = beside !== undefined && !isTwelveHour(beside) && hourAndMinute(beside) !== undefined
  return is24 && text?.includes(':') === true && !isTwelveHour(text)
    ? readSiteTime(text)
    : undefined
}

/** Undefined for what may be in the morning or in the evening. */
function hourAndMinute(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const clean = text.toLowerCase().trim()
  if (clean === 'noon') return '12:00:00'
  if (clean === 'midnight') return '00:00:00'
  if (isTwelveHour(clean)) return readSiteTime(clean)
  const military = /^(\d{2})(\d{2})\s*h/.exec(clean)
  if (military) return `${military[1]}:${military[2]}:00`
  const time = clean.includes(':') ? readSiteTime(clean) : undefined
  return time !== undefined && (clean.startsWith('0') || time >= '13') ? time : undefined
}

function isTwelveHour(text: string | undefined): boolean {
  return text !== undefined && new RegExp(`${meridiem}$`, 'i').test(text)
}
