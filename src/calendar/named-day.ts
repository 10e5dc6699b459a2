import { DateTime } from 'luxon'
import type { SiteDate } from '../records/site-time.ts'

const month =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?'
// Does not match `Dec 5-7`, which may mean days or hours.
const dayOfMonth = '(\\d{1,2})(?:st|nd|rd|th)?(?!\\d|-\\d)'
const year = '(?:,?\\s+(\\d{4})\\b)?'

type Names = readonly (string | undefined)[]

/**
 * Patterns for day names, each with a normalized form of the name. Without a year, they match any
 * year.
 */
const forms: readonly {
  readonly pattern: RegExp
  readonly nameOf: (groups: Names) => string
  readonly yearOf?: (groups: Names) => string | undefined
  readonly format: string
}[] = [
  {
    pattern: /\b(sun|mon|tue|wed|thu|fri|sat)(?:day|s|sday|nesday|r|rs|rsday|urday)?\b\.?/gi,
    nameOf: ([weekday = '']) => weekday,
    format: 'ccc',
  },
  {
    pattern: new RegExp(`\\b${month}\\s+${dayOfMonth}${year}`, 'gi'),
    nameOf: ([name = '', day]) => `${name.slice(0, 3)} ${Number(day)}`,
    yearOf: ([, , written]) => written,
    format: 'LLL d',
  },
  {
    pattern: new RegExp(`\\b${dayOfMonth}\\.?\\s+(?:of\\s+)?${month}${year}`, 'gi'),
    nameOf: ([day, name = '']) => `${name.slice(0, 3)} ${Number(day)}`,
    yearOf: ([, , written]) => written,
    format: 'LLL d',
  },
  {
    pattern: /\b(\d{4}-\d{2}-\d{2})\b/g,
    nameOf: ([name = '']) => name,
    format: 'yyyy-MM-dd',
  },
  {
    pattern: /\b(\d{1,2})\/(\d{1,2})(?:\/((?:\d{2}){1,2}))?\b/g,
    nameOf: ([monthNumber, day]) => `${Number(monthNumber)}/${Number(day)}`,
    yearOf: ([, , written]) => written,
    format: 'L/d',
  },
]

/**
 * Replaces the day names in free text with commas; returns undefined if one refers to another date.
 */
export function stripDayNames(text: string, date: SiteDate): string | undefined {
  const day = DateTime.fromISO(date, { zone: 'utc', locale: 'en' })
  let rest = text
  for (const { pattern, nameOf, yearOf, format } of forms) {
    const own = day.toFormat(format).toLowerCase()
    for (const [, ...groups] of rest.matchAll(pattern)) {
      const written = yearOf?.(groups) ?? ''
      if (nameOf(groups).toLowerCase() !== own || !date.slice(0, 4).endsWith(written)) {
        return undefined
      }
    }
    rest = rest.replace(pattern, ',')
  }
  return rest
}
