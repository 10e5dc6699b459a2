import { boardEntries } from '../../feeds/feed-overview.ts'
import { accentType } from '../../feeds/accent-color.ts'
import { readOptions, type Option, type SelectField, type ValueType } from '../../options/option.ts'
import type { Distance } from '../../signage/board-item.ts'
import { flag, ids, oneOf, someOf, text, wholeNumber } from '../../options/value-types.ts'
import { languageFrom } from './board-languages.ts'

/** Display options of a board, from its query string. */
export type BoardOptions = {
  /** Ids of feeds. */
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
  /** Replaces the site's name. */
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

type BoardValues = Omit<BoardOptions, 'show' | 'hasChanges' | 'hasMotion' | 'hasQrCode'> & {
  readonly changes: boolean
  readonly motion: '0' | '1'
  readonly qr: boolean
}

/** An option, with its field in the form for new boards, if it has one. */
type BoardOption<T> = Option<T> & { readonly field?: SelectField }

type BoardOptionSet = { readonly [Name in keyof BoardValues]: BoardOption<BoardValues[Name]> }

/** Options in a board's URL, except `show`. */
export const boardOptions: BoardOptionSet = {
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
  changes: {
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
  qr: {
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
  motion: {
    name: 'motion',
    type: oneOf(['1', '0']),
    defaultValue: '1',
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
 * have to be named. Messages about invalid values name only the feeds in `offered`.
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

export type BoardReading =
  | { readonly ok: true; readonly options: BoardOptions }
  | { readonly ok: false; readonly reason: string }

/**
 * Reads a board's options. The `show` option can name only these feeds, of which messages name only those
 * in `offered`. Ignores other parameters.
 */
export function readBoardOptions(
  query: URLSearchParams,
  feeds: readonly ListedFeed[],
  offered: readonly ListedFeed[] = feeds,
): BoardReading {
  const reading = readOptions(boardOptionsFor(feeds, offered), query)
  if (!reading.ok) return reading
  const { motion, changes: hasChanges, qr: hasQrCode, title, ...options } = reading.chosen.values
  return {
    ok: true,
    options: {
      ...options,
      title: title || undefined,
      hasChanges,
      hasMotion: motion === '1',
      hasQrCode,
    },
  }
}
