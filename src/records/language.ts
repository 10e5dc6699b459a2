import { dateFormatsOf } from './date-formats.ts'

/** Language of a website's text, and of what Feedhouse adds to it, unless `SITE_LANGUAGE` is set. */
export const defaultLanguage = 'en-US'

/** What determines how a site's times are written. */
export type SiteTimes = { readonly timeZone: string; readonly language: string }

export const maxTagLength = 35

/** Intl maps unknown region numbers to this code. */
const unknownRegion = 'ZZ'

const regionNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

/**
 * Returns the language and region of a BCP 47 tag (`de`, `de-AT`), or undefined if Intl cannot
 * format dates in it. Keeps a script that differs from the region's default (`sr-Latn-RS`). Drops
 * variants and extensions, because a tag can have any number of them.
 */
export function languageFrom(tag: string): string | undefined {
  const locale = localeFrom(tag)
  if (!locale) return undefined
  const { language, script, region } = locale
  if (Intl.DateTimeFormat.supportedLocalesOf(language).length === 0) return undefined
  if (region === undefined) return language
  if (region === unknownRegion || regionNames.of(region) === undefined) return undefined
  const short = `${language}-${region}`
  if (script === undefined || new Intl.Locale(short).maximize().script === script) return short
  const long = `${language}-${script}-${region}`
  return Intl.DateTimeFormat(long).resolvedOptions().locale.includes(script) ? long : undefined
}

/** Adds the region that a script implies, because it determines how Chinese dates are written. */
function localeFrom(tag: string): Intl.Locale | undefined {
  if (tag.length > maxTagLength) return undefined
  try {
    const locale = new Intl.Locale(tag)
    return locale.script === undefined ? locale : locale.maximize()
  } catch {
    return undefined
  }
}

/** TypeScript does not know this method yet. */
type WithWeekInfo = Intl.Locale & { readonly getWeekInfo: () => { readonly firstDay: number } }

/** Returns the first day of the week: 1 for Monday to 7 for Sunday. */
export function firstWeekday(language: string): number {
  return (new Intl.Locale(language) as WithWeekInfo).getWeekInfo().firstDay
}

export type Weekday = { readonly name: string; readonly short: string }

/** Returns the names of the weekdays, in the order of the language's calendars. */
export function weekdaysIn(language: string): readonly Weekday[] {
  const first = firstWeekday(language)
  return Array.from({ length: 7 }, (_, index) => weekdayIn(language, first + index))
}

/** Returns the names of a weekday, counting from 7 for Sunday or 1 for Monday. */
export function weekdayIn(language: string, number: number): Weekday {
  const { longWeekday, shortWeekday } = dateFormatsOf(language)
  // February 1, 2026 is a Sunday.
  const day = new Date(Date.UTC(2026, 1, 1 + number))
  return { name: longWeekday(day), short: shortWeekday(day) }
}
