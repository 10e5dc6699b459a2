import { boardEntries } from '../../feeds/feed.ts'
import { accentType } from '../../feeds/identity.ts'
import type { Option, SelectField, ValueType } from '../../options/option.ts'
import type { Distance } from '../../signage/board-item.ts'
import { flag, ids, oneOf, someOf, text, wholeNumber } from '../../options/value-types.ts'

export type BoardOptions = {
  readonly show: readonly string[]
  readonly theme: 'dark' | 'light' | 'auto'
  /** Seconds per page. */
  readonly rotate: number
  /** Maximum number of items per feed. */
  readonly limit: number
  /** Maximum number of entries per page. */
  readonly rows: number | undefined
  readonly distance: Distance
  /** Diagonal of the screen. */
  readonly inches: number
  /** Six hexadecimal digits that replace the site's color. */
  readonly accent: string | undefined
  /** Ids of calendars that say who is on duty. */
  readonly duty: readonly number[]
  /** BCP 47 tag: a language, optionally with a region. */
  readonly lang: string
  /** Replaces the site's name, unless it is empty. */
  readonly title: string | undefined
  /** True to list the changes of the last 24 hours. */
  readonly hasChanges: boolean
  /** True to fade between pages. */
  readonly hasMotion: boolean
  /** True to show a QR code for subscribing, on public boards. */
  readonly hasQrCode: boolean
}

/** Distances in meters, and the words that stood for them before. */
const distances: Readonly<Record<string, Distance>> = { 3: 3, 5: 5, 10: 10, near: 5, far: 10 }

const meters: ValueType<Distance> = {
  read: ([given = '']) => (Object.hasOwn(distances, given) ? distances[given] : undefined),
  format: String,
  expected: () => '3, 5 or 10 meters, like distance=5',
  documented: '`3`, `5`, `10`',
}

export const maxTitleLength = 80

/** An option, with its field in the form for new boards, if it has one. */
type BoardOption<T> = Option<T> & { readonly field?: SelectField }

/** Options in a board's URL, except `show`. */
export const boardOptions: {
  readonly [Name in keyof Omit<BoardOptions, 'show'>]: BoardOption<BoardOptions[Name]>
} = {
  theme: {
    name: 'theme',
    type: oneOf(['dark', 'light', 'auto']),
    defaultValue: 'dark',
    field: {
      label: 'Theme',
      choices: [
        ['', 'dark'],
        ['light', 'light'],
        ['auto', 'as the device prefers'],
      ],
    },
  },
  accent: {
    name: 'accent',
    type: accentType,
    defaultValue: undefined,
    field: {
      label: 'Accent color',
      choices: [
        ['', 'the site’s color'],
        ['b22222', 'red'],
        ['d2691e', 'orange'],
        ['2e8b57', 'green'],
        ['4169e1', 'blue'],
        ['6a5acd', 'purple'],
      ],
    },
  },
  distance: {
    name: 'distance',
    type: meters,
    defaultValue: 3,
    field: {
      label: 'Readable from',
      choices: [
        ['', '3 meters (10 feet)'],
        ['5', '5 meters (16 feet)'],
        ['10', '10 meters (33 feet)'],
      ],
    },
  },
  inches: {
    name: 'inches',
    type: wholeNumber(10, 200),
    defaultValue: 55,
    field: {
      label: 'Size of the screen',
      choices: [
        ['32', '32 inches'],
        ['43', '43 inches'],
        ['', '55 inches'],
        ['65', '65 inches'],
        ['75', '75 inches'],
        ['86', '86 inches'],
      ],
    },
  },
  rotate: {
    name: 'rotate',
    type: wholeNumber(5, 300),
    defaultValue: 12,
    field: {
      label: 'Seconds per page',
      choices: [
        ['8', '8'],
        ['', '12'],
        ['20', '20'],
        ['30', '30'],
      ],
    },
  },
  limit: { name: 'limit', type: wholeNumber(1, boardEntries), defaultValue: boardEntries },
  rows: { name: 'rows', type: wholeNumber(3, 12), defaultValue: undefined },
  duty: { name: 'duty', type: ids, defaultValue: [] },
  hasChanges: {
    name: 'changes',
    type: flag,
    defaultValue: false,
    field: {
      label: 'Changes of the last 24 hours',
      choices: [
        ['', 'not listed'],
        ['1', 'listed'],
      ],
    },
  },
  lang: {
    name: 'lang',
    type: text(languageFrom, { expected: 'a language, like en, en-GB or es' }),
    defaultValue: 'en-US',
    field: {
      label: 'Language',
      choices: [
        ['', 'English (United States)'],
        ['en-GB', 'English (United Kingdom)'],
        ['de', 'German'],
        ['es', 'Spanish'],
        ['fr', 'French'],
      ],
    },
  },
  title: {
    name: 'title',
    type: text((title) => (title.length <= maxTitleLength ? title : undefined), {
      expected: `at most ${maxTitleLength} characters`,
    }),
    defaultValue: undefined,
  },
  hasQrCode: {
    name: 'qr',
    type: flag,
    defaultValue: true,
    field: {
      label: 'QR code for subscribing',
      choices: [
        ['', 'shown on public boards'],
        ['0', 'not shown'],
      ],
    },
  },
  hasMotion: {
    name: 'motion',
    type: flag,
    defaultValue: true,
    field: {
      label: 'Pages',
      choices: [
        ['', 'fade'],
        ['0', 'change at once'],
      ],
    },
  },
}

type ListedFeed = { readonly id: string; readonly isNamedOnly?: boolean }

/**
 * Returns the options of a board that shows some of these feeds. By default, it shows all that do not
 * have to be named. Messages about an invalid `show` name only the feeds in `offered`.
 */
export function boardOptionsFor(
  feeds: readonly ListedFeed[],
  offered: readonly ListedFeed[] = feeds,
) {
  const messages = offered.length === 0 ? noFeeds : someOf(idsOf(offered))
  const defaultValue = idsOf(feeds.filter(({ isNamedOnly }) => !isNamedOnly))
  const type: ValueType<readonly string[]> = {
    ...someOf(idsOf(feeds)),
    expected: (name, texts) => messages.expected(name, texts),
  }
  return { show: { name: 'show', type, defaultValue }, ...boardOptions }
}

function idsOf(feeds: readonly ListedFeed[]): readonly string[] {
  return feeds.map(({ id }) => id)
}

const noFeeds = { expected: () => 'left out, because there are no feeds to show' }

const maxTagLength = 35

/** Intl maps unknown region numbers to this code. */
const unknownRegion = 'ZZ'

const regionNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

/**
 * Returns the language and region of a BCP 47 tag (`de`, `de-AT`); undefined if Intl cannot format dates
 * in it. Keeps a script that differs from the region's default (`sr-Latn-RS`). Drops variants and
 * extensions, because their number is unlimited.
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
