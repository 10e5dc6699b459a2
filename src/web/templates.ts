import { extname, resolve } from 'node:path'
import { Eta } from 'eta'
import type { Response } from 'express'
import { minuteMs, type TimeSource } from '../clock.ts'
import { todayAt, websiteLanguageOf, type Translated } from '../feeds/site.ts'
import {
  clockOn,
  dayInWords,
  dayParts,
  daysInWords,
  firstDayOf,
  lastDayOf,
  monthInWords,
  shortDayInWords,
  spanInWords,
  spanOnTwoLines,
  timeBesideDay,
  type TimeSpan,
} from '../records/date-words.ts'
import { escapeHtml } from '../text/html.ts'
import { pseudoLanguage, spokenLanguage, spokenTag } from '../records/messages.ts'
import type { TextPart } from '../search/marks.ts'
import type { SiteMonth } from '../records/site-month.ts'
import { siteDateAt, siteTimeAt, type SiteDate } from '../records/site-time.ts'

export const templates = resolve(import.meta.dirname, '../../templates')

/** Matches comments on lines of their own, with types in JSDoc, which browsers do not need. */
const comment = /^[ \t]*\/\*[^]*?\*\/\n/gm

export const withoutComments = (text: string): string => text.replaceAll(comment, '')

/** Shared by all sites in the process. */
const eta = new Eta({ views: templates, autoTrim: false, cache: true })

/** Renders a template from `templates/`. Escapes values by default. */
export type RenderPage = (template: string, shown: object) => string

export function createRenderPage(always: object): RenderPage {
  return (template, shown) => eta.render(`./${template}`, { ...always, ...shown })
}

/** `lang` is the attribute for the language of the text, empty if it is that of the page. */
export function textWords(lang: string) {
  const own = ` dir="auto"${lang}`
  const marked = (text: string) => `<span${own}>${escapeHtml(text)}</span>`
  return {
    /** Attributes for elements that contain text from the website. */
    own,
    /** Returns an element that contains text from the website. */
    marked,
    /** Returns HTML with matching parts in `mark` elements. */
    highlighted: (parts: readonly TextPart[]) =>
      parts
        .map(({ text, isMatch }) => {
          const escaped = escapeHtml(text)
          return isMatch ? `<mark>${escaped}</mark>` : escaped
        })
        .join(''),
    /** Joins texts to a line of HTML. Text from the website is passed in arrays. */
    line: (...parts: readonly (string | readonly [string] | undefined)[]) =>
      parts
        .flatMap((part = '') => {
          const [text, isOwn] = typeof part === 'string' ? [part, false] : [part[0], lang !== '']
          return text === '' ? [] : isOwn ? marked(text) : escapeHtml(text)
        })
        .join(' · '),
  }
}

/** Creates the date functions for templates, relative to the site's current date. */
export function createPageWords(
  site: Translated & { readonly timeZone: string },
  clock: TimeSource,
) {
  let known: { readonly minute: number; readonly day: SiteDate | undefined } | undefined
  /** Days begin at full minutes. Cached, because lists ask for each entry. */
  const today = () => {
    const now = clock.now()
    const minute = Math.floor(now / minuteMs)
    if (known?.minute !== minute) known = { minute, day: todayAt(site, now) }
    return known.day
  }
  const { language } = site
  const pageLanguage = spokenTag(language)
  const websiteLanguage = websiteLanguageOf(site)
  const lang = pageLanguage === websiteLanguage ? '' : ` lang="${websiteLanguage}"`
  const isEnglish = spokenLanguage(language) === 'en' && language !== pseudoLanguage
  return {
    ...textWords(lang),
    language: pageLanguage,
    /** Attributes for elements with English-only text. */
    english: isEnglish ? '' : ' lang="en"',
    /** Returns HTML of English-only text. */
    inEnglish: (text: string) =>
      isEnglish ? escapeHtml(text) : `<span lang="en">${escapeHtml(text)}</span>`,
    number: (value: number) => value.toLocaleString(pageLanguage),
    dayAt: (instant: number) => dayInWords(siteDateAt(instant, site.timeZone), today(), language),
    /** The site's day and time at an instant, such as `Today, 10:05 AM`. */
    momentAt: (instant: number) =>
      spanInWords(
        { allDay: false, start: siteTimeAt(instant, site.timeZone), end: undefined },
        today(),
        language,
      ),
    /** `Nov 28`, with the year unless it is this year. */
    shortDay: (date: SiteDate) => shortDayInWords(date, today(), language),
    days: (first: SiteDate, last: SiteDate) => daysInWords(first, last, today(), language),
    month: (month: SiteMonth) => monthInWords(month, today(), language),
    monthAndYear: (month: SiteMonth) => monthInWords(month, undefined, language),
    /** The time of an entry on one of its days, or an empty string if it lasts all of that day. */
    clockOn: (span: TimeSpan, day: SiteDate) => clockOn(span, day, language),
    when: (span: TimeSpan) => spanInWords(span, today(), language),
    /** The time of an entry next to a tile with its day, or with the first day of the list. */
    besideDay: (span: TimeSpan, firstListed: SiteDate) =>
      timeBesideDay(span, today(), { firstListed, language }),
    onTwoLines: (span: TimeSpan) => spanOnTwoLines(span, today(), language),
    /** Weekday, month and day of the month on which an entry starts, for a tile. */
    startParts: ({ start }: TimeSpan) => dayParts(start.slice(0, 10), language),
    /** The same of today for an entry that has started and not ended before today. */
    nextParts: (span: TimeSpan) => {
      const day = today()
      const isRunning = day !== undefined && firstDayOf(span) < day && lastDayOf(span) >= day
      return dayParts(isRunning ? day : firstDayOf(span), language)
    },
  }
}

const yearSeconds = 31_536_000

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
}

/**
 * Sends a file whose path contains a content hash, so that caches may keep it. A page from before a
 * change, or from another replica, has a different hash. It gets the current file, which must not
 * be cached under that hash.
 */
export function sendAsset(
  response: Response,
  { name, bytes }: { readonly name: string; readonly bytes: Buffer },
  { isCurrent, freshMs = Infinity }: { readonly isCurrent: boolean; readonly freshMs?: number },
): void {
  const caching =
    freshMs === Infinity
      ? `public, max-age=${yearSeconds}, immutable`
      : `public, max-age=${Math.max(0, Math.round(freshMs / 1000))}`
  response
    .set('Cache-Control', isCurrent ? caching : 'no-store')
    // Boards and lists may be embedded in frames, some of which have an opaque origin.
    .set('Cross-Origin-Resource-Policy', 'cross-origin')
    .set('Access-Control-Allow-Origin', '*')
    .set('Content-Type', contentTypes[extname(name)] ?? '')
    .send(bytes)
}
