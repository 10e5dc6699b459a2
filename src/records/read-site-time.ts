import {
  endOfDay,
  midnight,
  siteDateTime,
  type SiteDate,
  type SiteDateTime,
  type SiteTime,
} from './site-time.ts'

/*
 * Reads dates and times as websites write them. They are wall-clock times at the site, so a time
 * zone after a time is ignored. docs/data-service.md lists the formats.
 */

/** Years outside this range are placeholders for "no date" or have more than four digits. */
const [firstYear, lastYear] = [1900, 9998]

/** Placeholders inside that range. Unix time starts on the day before in zones west of Greenwich. */
const placeholders = ['1900-01-01', '1969-12-31', '1970-01-01']

/** Longer texts are neither dates nor times. */
const maxLength = 60

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

const zone = String.raw`(?:\s*\(?(?:z|(?:utc|gmt)(?:[+-]\d{1,2}(?::?\d{2})?)?|[a-z]{1,3}[sd]t|[cewm]et|[ecmpan]t)\)?)?`
const offset = String.raw`(?:\s*[+-]\d{2}(?::?\d{2})?)?`
const half = String.raw`(?:\s*([ap])(?:\.?\s?m\b|\b)\.?)?`
const hours = String.raw`(?:\s*(?:hrs?|hours|h|uhr|o['’]clock)\b)`

/** A date, and the text after it, which is a time or a time zone. */
const dated = new RegExp(
  String.raw`^(\d{4})-(\d{2})-(\d{2})(?:(?:t|\s+)(?=\S)(.*)|${offset}${zone})$`,
  'i',
)
/** An ODBC literal, such as `{ts '2026-12-05 19:00:00'}`. */
const literal = /^\{(?:d|t|ts)\s+'([^']*)'\}$/i
/** A date with the month's name first, such as `December, 05 2026`. */
const namedMonth = /^([a-z]{3})[a-z]{0,6},?\s+(\d{1,2}),?\s+(\d{4})(?!\d)/i

/** `19:00`, `7.30 PM`, `19h30`, `19:00:00.000Z` */
const clock = new RegExp(
  String.raw`^(\d{1,2})[:.h](\d{2})(?:[:.](\d{2})(?:[.,]\d{1,9})?${offset})?${half}${zone}${hours}?$`,
  'i',
)
/** `7 PM` or `19 h` */
const fullHour = new RegExp(String.raw`^(\d{1,2})(?:${half}${zone}|${hours})$`, 'i')
/** `0700`, `1900 hrs` or `730 PM` */
const digits = new RegExp(String.raw`^(\d{1,2})(\d{2})()${half}${zone}${hours}?$`, 'i')
const named = new RegExp(String.raw`^(?:12(?::00)?\s*)?(noon|midnight)${zone}$`, 'i')

/** Returns the date, or undefined if it is impossible (2026-02-30) or in another format. */
export function readSiteDate(text: string): SiteDate | undefined {
  const { date, time } = partsOf(text)
  return time !== '' && readClock(time) === undefined ? undefined : possibleDate(date)
}

/** Returns a time of day. Ignores a date before it, which many websites add (1899-12-30). */
export function readSiteTime(text: string): SiteTime | undefined {
  if (documentedTime.test(text)) return text
  const { date, time } = partsOf(text)
  return date !== '' && time === '' ? midnight : readClock(time)
}

/** Returns a date and time. `defaultTime` is for a date without a time. */
export function readSiteDateTime(text: string, defaultTime = midnight): SiteDateTime | undefined {
  const parts = partsOf(text)
  const date = possibleDate(parts.date)
  const time = parts.time === '' ? defaultTime : readClock(parts.time)
  return date === undefined || time === undefined ? undefined : siteDateTime(date, time)
}

/** Returns true for a date that websites store instead of no date, such as 0000-00-00. */
export function isPlaceholderDate(text: string): boolean {
  // Almost every date is in this millennium, and starts with its year.
  if (text.startsWith('2')) return false
  const { date } = partsOf(text)
  const year = Number(date.slice(0, 4))
  return date !== '' && (year < firstYear || year > lastYear || placeholders.includes(date))
}

/** The documented format, which is also the fastest one to read. */
const documented = /^(\d{4}-\d{2}-\d{2})(?: (\d{2}:\d{2}:\d{2}))?$/
const documentedTime = /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d$/

function partsOf(text: string): { readonly date: string; readonly time: string } {
  const [, known, knownTime = ''] = documented.exec(text) ?? []
  if (known !== undefined) return { date: known, time: knownTime }
  const trimmed = text.trim()
  if (trimmed.length > maxLength) return { date: '', time: trimmed }
  const plain = /^\d/.test(trimmed) ? trimmed : withNumericMonth(trimmed.replace(literal, '$1'))
  const [, year, month, day, time = ''] = dated.exec(plain) ?? []
  return year === undefined ? { date: '', time: plain } : { date: `${year}-${month}-${day}`, time }
}

function withNumericMonth(text: string): string {
  return text.replace(namedMonth, (all, name: string, day: string, year: string) => {
    const month = months.indexOf(name.toLowerCase()) + 1
    return month === 0 ? all : `${year}-${twoDigits(month)}-${twoDigits(Number(day))}`
  })
}

function possibleDate(date: string): SiteDate | undefined {
  const year = Number(date.slice(0, 4))
  const month = Number(date.slice(5, 7))
  const day = Number(date.slice(8))
  if (year < firstYear || year > lastYear || month < 1 || month > 12 || day < 1) return undefined
  // Day 0 of the next month is the last day of this month.
  const isPossible = day <= 28 || day <= new Date(Date.UTC(year, month, 0)).getUTCDate()
  return isPossible ? date : undefined
}

function readClock(text: string): SiteTime | undefined {
  if (text.length > maxLength) return undefined
  if (documentedTime.test(text)) return text
  const match = clock.exec(text) ?? digits.exec(text)
  if (!match) return readHour(text)
  const [, hour = '', minutes = '', seconds = '00', meridiem] = match
  return timeFrom(Number(hour), minutes, seconds || '00', meridiem)
}

function readHour(text: string): SiteTime | undefined {
  const [, name] = named.exec(text) ?? []
  if (name !== undefined) return name.toLowerCase() === 'noon' ? '12:00:00' : midnight
  if (/^00?$/.test(text)) return midnight
  const [all, hour, meridiem] = fullHour.exec(text) ?? []
  // A number alone may be anything.
  return all === hour ? undefined : timeFrom(Number(hour), '00', '00', meridiem)
}

function timeFrom(
  hourOnClock: number,
  minutes: string,
  seconds: string,
  meridiem: string | undefined,
): SiteTime | undefined {
  const hour = meridiem === undefined ? hourOnClock : hourOfDay(hourOnClock, meridiem)
  if (hour === undefined || Number(minutes) > 59 || Number(seconds) > 59) return undefined
  const time = `${twoDigits(hour)}:${minutes}:${seconds}`
  return time > endOfDay ? undefined : time
}

function hourOfDay(hourOnClock: number, meridiem: string): number | undefined {
  if (hourOnClock < 1 || hourOnClock > 12) return undefined
  return (hourOnClock % 12) + (meridiem.toLowerCase() === 'p' ? 12 : 0)
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}
