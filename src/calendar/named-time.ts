import { DateTime } from 'luxon'
import { readSiteTime } from '../records/read-site-time.ts'
import {
  daysAfter,
  isMidnight,
  siteDateTime,
  type SiteDate,
  type SiteDateTime,
  type SiteTime,
} from '../records/site-time.ts'

export type NamedTime = { readonly start: SiteDateTime; readonly end: SiteDateTime | undefined }

const maxLength = 200

const hourMs = 3_600_000
/** A longer range was probably misread. */
const longestMs = 14 * hourMs
const maxGuessedMs = 8 * hourMs

const meridiem = String.raw`\s*[ap]\.?m\b\.?`
const noon = String.raw`(?:12(?::00)?\s*)?noon\b`
const clock = String.raw`(?<![\w:.])(?:${noon}|midnight\b|\d{1,2}(?::[0-5]\d)?${meridiem}|\d{1,2}:[0-5]\d(?::[0-5]\d)?(?![\w:])|(?:[01]\d|2[0-3])[0-5]\d\s*h(?:rs?|ours)?\b)`
const bare = String.raw`(?<=(?:^|[,;:(]|\bfrom|\bat)\s*)(?:\d{4}|\d{1,2}(?::[0-5]\d)?)`
const to = String.raw`\s*(?:-|–|—|\b(?:to|until|till|thru|through)\b|'?\btil\b)\s*`

const endsInMeridiem = new RegExp(`${meridiem}$`, 'i')

const times = new RegExp(`(?:(${clock}|${bare})${to})?(${clock})`, 'gi')

/** Number of a location. Does not match in `Station 5 - 7 PM`, which may be a range of hours. */
const number = String.raw`(?:\s+#?\d+(?!\d|\s*[-–—]))?`

const usualWords = `
a an and at from is on our the we start starts starting begin begins beginning sharp promptly
morning afternoon evening meet meeting drill training class breakfast lunch dinner supper crew
shift duty event work
`

/** Matches text that can surround a start time without changing its meaning. */
const surroundings = new RegExp(
  String.raw`^(?![\s]*[-–—])(?:[\s,;:.()–—-]|\b(?:${[
    ...usualWords.trim().split(/\s+/),
    String.raw`(?:fire\s*)?(?:station|house|hall|company)${number}`,
    String.raw`(?:engine|truck|room|bay)${number}`,
  ].join('|')})\b)*$`,
  'i',
)

/**
 * Parses an unambiguous time in free text: `7 PM`, `18:30 - 21:00`, `Sunday, 6:30 AM to noon`,
 * `1900 hrs`, `6-8 pm`. Returns undefined for several times, a day other than the date, a time like
 * `6:30` that may be AM or PM, or unknown words around the time.
 */
export function parseTimePhrase(text: string, date: SiteDate): NamedTime | undefined {
  const words = text.length > maxLength ? undefined : stripDayNames(text, date)
  const [named, ...others] = words?.matchAll(times) ?? []
  if (words === undefined || !named || others.length > 0) return undefined
  if (!surroundings.test(words.replace(named[0], ','))) return undefined
  const [, first, last = ''] = named
  return first === undefined ? startAt(last, date) : rangeOf(first, last, date)
}

/** Rejects midnight, which may be the start or the end of the day. */
function startAt(text: string, date: SiteDate): NamedTime | undefined {
  const time = clearTime(text)
  if (time === undefined || isMidnight(time)) return undefined
  return { start: `${date}T${time}`, end: undefined }
}

function rangeOf(first: string, last: string, date: SiteDate): NamedTime | undefined {
  const isMixed = is24Hour(first) ? isTwelveHour(last) : isTwelveHour(first) && is24Hour(last)
  const from = clearTime(first) ?? timeBeside(first, last)
  const until = clearTime(last) ?? timeBeside(last, first)
  if (isMixed || from === undefined || until === undefined || isMidnight(from)) return undefined
  const start = `${date}T${from}`
  const end = siteDateTime(until > from ? date : daysAfter(date, 1), until)
  return lengthOf(start, end) <= longestMs ? { start, end } : undefined
}

/** Resolves an ambiguous time using the other end of its range. */
function timeBeside(text: string, other: string): SiteTime | undefined {
  if (is24Hour(other)) return readSiteTime(text)
  const until = clearTime(other)
  if (!isTwelveHour(other) || until === undefined || /^\d{4}$/.test(text)) return undefined
  // Both ends of `6-8 pm` are PM, but `11-1 pm` starts in the AM.
  const [half = ''] = /[ap](?=\.?m)/i.exec(other) ?? []
  const [same, opposite] = [half, half.toLowerCase() === 'p' ? 'a' : 'p'].map((letter) =>
    readSiteTime(`${text} ${letter}m`),
  )
  if (same !== undefined && same < until) return same
  const isShort =
    opposite !== undefined &&
    opposite < until &&
    lengthOf(`2000-01-01T${opposite}`, `2000-01-01T${until}`) <= maxGuessedMs
  return isShort ? opposite : undefined
}

/** Parses a time; returns undefined if it may be AM or PM. */
function clearTime(text: string): SiteTime | undefined {
  const isClear = /noon$|midnight$/i.test(text) || isTwelveHour(text) || is24Hour(text)
  return isClear ? readSiteTime(text) : undefined
}

function is24Hour(text: string): boolean {
  if (isTwelveHour(text)) return false
  return /^\d{4}\s*h/i.test(text) || /^(?:0\d|1[3-9]|2\d):/.test(text)
}

function isTwelveHour(text: string): boolean {
  return endsInMeridiem.test(text)
}

function lengthOf(start: SiteDateTime, end: SiteDateTime): number {
  return Date.parse(`${end}Z`) - Date.parse(`${start}Z`)
}

const month =
  '(?<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?'
// Does not match `Dec 5-7`, which may mean days or hours.
const dayOfMonth = '(?<day>\\d{1,2})(?:st|nd|rd|th)?(?!\\d|-\\d)'
const year = '(?:,?\\s+(?<year>\\d{4})\\b)?'

type Names = Readonly<Record<string, string | undefined>>

const monthAndDay = ({ month = '', day }: Names) => `${month.slice(0, 3)} ${Number(day)}`

/** Patterns for day names, each with a normalized form. Without a year, they match any year. */
const forms: readonly {
  readonly pattern: RegExp
  readonly nameOf: (groups: Names) => string | undefined
  readonly format: string
}[] = [
  {
    pattern:
      /\b(?<weekday>sun|mon|tue|wed|thu|fri|sat)(?:day|s|sday|nesday|r|rs|rsday|urday)?\b\.?/gi,
    nameOf: ({ weekday }) => weekday,
    format: 'ccc',
  },
  {
    pattern: new RegExp(`\\b${month}\\s+${dayOfMonth}${year}`, 'gi'),
    nameOf: monthAndDay,
    format: 'LLL d',
  },
  {
    pattern: new RegExp(`\\b${dayOfMonth}\\.?\\s+(?:of\\s+)?${month}${year}`, 'gi'),
    nameOf: monthAndDay,
    format: 'LLL d',
  },
  { pattern: /\b(?<date>\d{4}-\d{2}-\d{2})\b/g, nameOf: ({ date }) => date, format: 'yyyy-MM-dd' },
  {
    pattern: /\b(?<month>\d{1,2})\/(?<day>\d{1,2})(?:\/(?<year>(?:\d{2}){1,2}))?\b/g,
    nameOf: ({ month, day }) => `${Number(month)}/${Number(day)}`,
    format: 'L/d',
  },
]

/**
 * Replaces day names in free text with commas. Returns undefined if a day name does not match the
 * date.
 */
function stripDayNames(text: string, date: SiteDate): string | undefined {
  const day = DateTime.fromISO(date, { zone: 'utc', locale: 'en' })
  let rest = text
  for (const { pattern, nameOf, format } of forms) {
    const own = day.toFormat(format).toLowerCase()
    for (const { groups = {} } of rest.matchAll(pattern)) {
      const isSameYear = date.slice(0, 4).endsWith(groups['year'] ?? '')
      if (nameOf(groups)?.toLowerCase() !== own || !isSameYear) return undefined
    }
    rest = rest.replace(pattern, ',')
  }
  return rest
}
