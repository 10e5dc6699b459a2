import { DateTime } from 'luxon'
import type { SiteDate } from '../records/site-time.ts'

const month = '(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.?'
const dayOfMonth = '(\\d{1,2})(?:st|nd|rd|th)?'
const year = '(?:,?\\s+\\d{4}\\b)?'

/** The ways to name a day, each with what the given day would be called. */
const forms: readonly {
  readonly pattern: RegExp
  readonly nameOf: (...groups: readonly string[]) => string
  readonly format: string
}[] = [
  {
    pattern: /\b(sun|mon|tue|wed|thu|fri|sat)(?:s|ur|urs|nes)?(?:days?)?\b\.?/gi,
    nameOf: (weekday) => weekday ?? '',
    format: 'ccc',
  },
  {
    pattern: new RegExp(`\\b${month}\\s+${dayOfMonth}\\b${year}`, 'gi'),
    nameOf: (name, day) => `${name} ${Number(day)}`,
    format: 'LLL d',
  },
  {
    pattern: new RegExp(`\\b${dayOfMonth}\\.?\\s+(?:of\\s+)?${month}\\b${year}`, 'gi'),
    nameOf: (day, name) => `${name} ${Number(day)}`,
    format: 'LLL d',
  },
  { pattern: /\b(\d{4}-\d{2}-\d{2})\b/g, nameOf: (name) => name ?? '', format: 'yyyy-MM-dd' },
  {
    pattern: /\b(\d{1,2})\/(\d{1,2})(?:\/(?:\d{2}){1,2})?\b/g,
    nameOf: (monthNumber, day) => `${Number(monthNumber)}/${Number(day)}`,
    format: 'L/d',
  },
]

/** People's own words with a comma for each day that they name; undefined when one is not the date. */
export function withoutDays(text: string, date: SiteDate): string | undefined {
  const day = DateTime.fromISO(date, { zone: 'utc', locale: 'en' })
  let rest = text
  for (const { pattern, nameOf, format } of forms) {
    const own = day.toFormat(format).toLowerCase()
    const names = [...rest.matchAll(pattern)].map(([, ...groups]) => nameOf(...groups))
    if (names.some((name) => name.toLowerCase() !== own)) return undefined
    rest = rest.replace(pattern, ',')
  }
  return rest
}
