import { languages } from './messages.ts'

type Format = (date: Date) => string
type FormatWithYear = (date: Date, isYearShown?: boolean) => string

/** Formats for dates and times in a language and its region's order. They take UTC times. */
export type DateFormats = {
  /** Between the weekday and the date. */
  readonly afterWeekday: string
  readonly longWeekday: Format
  readonly shortWeekday: Format
  readonly shortMonth: Format
  /** `November` or `November 2026` */
  readonly month: FormatWithYear
  /** `Nov 28` or `28 Nov`; months with at most four letters are not abbreviated. */
  readonly day: FormatWithYear
  /** `Nov 28, 2026` or `28 Nov 2026`; all months are abbreviated. */
  readonly mediumDay: Format
  /** `November 28` or `28 November` */
  readonly fullDay: FormatWithYear
  /** `Saturday, November 28` or `Saturday 28 November` */
  readonly longDay: FormatWithYear
  /** `7:30 PM`, `7:30 pm`, `19:30` or `19 h 30` */
  readonly clock: Format
  readonly isDayFirst: boolean
}

const cache = new Map<string, DateFormats>()

/**
 * Returns the formats for a language. If Feedhouse does not support it, dates are in English like the
 * rest of the text, in the region's order.
 */
export function dateFormatsOf(language: string): DateFormats {
  const known = cache.get(language)
  if (known) return known
  const { language: spoken, region } = new Intl.Locale(language).maximize()
  const formats = createDateFormats(
    languages.some((each) => each === spoken) ? language : englishFor(language, `en-${region}`),
  )
  cache.set(language, formats)
  return formats
}

/**
 * Returns the English of a language's region, or one with the same order and clock if Intl has none,
 * as for Brazil and Mexico.
 */
function englishFor(language: string, regional: string): string {
  if (Intl.DateTimeFormat(regional).resolvedOptions().locale === regional) return regional
  const own = Intl.DateTimeFormat(language, { month: 'long', day: 'numeric', hour: 'numeric' })
  const { hour12 } = own.resolvedOptions()
  const types = own.formatToParts(0).map(({ type }) => type)
  if (types.indexOf('day') < types.indexOf('month')) return hour12 ? 'en-001' : 'en-150'
  return hour12 ? 'en-US' : 'en-JP'
}

function createDateFormats(locale: string): DateFormats {
  const isEnglish = locale.startsWith('en')
  const isFrench = locale.startsWith('fr')
  const formatter = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options })
    // Intl separates the time from AM and PM with a narrow space.
    const text = (date: Date) => format.format(date).replaceAll(/\s/g, ' ')
    return isFrench ? (date: Date) => asWrittenInFrench(text(date)) : text
  }
  const byMonth = (options: Intl.DateTimeFormatOptions) => {
    const short = formatter({ ...options, month: 'short' })
    const long = formatter({ ...options, month: 'long' })
    return (date: Date) => (isEnglish && isShortMonth(date) ? long : short)(date)
  }
  const withYear = (options: Intl.DateTimeFormatOptions, format = formatter) => {
    const [short, long] = [format(options), format({ ...options, year: 'numeric' })]
    return (date: Date, isYearShown = false) => (isYearShown ? long : short)(date)
  }
  const day = withYear({ day: 'numeric' }, byMonth)
  return {
    afterWeekday: isEnglish ? ', ' : ' ',
    longWeekday: formatter({ weekday: 'long' }),
    shortWeekday: formatter({ weekday: 'short' }),
    shortMonth: formatter({ month: 'short' }),
    month: withYear({ month: 'long' }),
    day,
    mediumDay: formatter({ month: 'short', day: 'numeric', year: 'numeric' }),
    fullDay: withYear({ month: 'long', day: 'numeric' }),
    longDay: withYear({ weekday: 'long', month: 'long', day: 'numeric' }),
    clock: formatter({ hour: 'numeric', minute: '2-digit' }),
    isDayFirst: /^\d/.test(day(new Date(0))),
  }
}

/** Formats `1er mars` and `19 h`, for which Intl has `1 mars` and `19 h 00`. */
function asWrittenInFrench(text: string): string {
  return text.replace(/\b1 (?=\p{L}{3})/u, '1er ').replace(/ h 00$/, ' h')
}

/** Returns true for June and July. May is equally short when abbreviated. */
function isShortMonth(date: Date): boolean {
  return date.getUTCMonth() === 5 || date.getUTCMonth() === 6
}
