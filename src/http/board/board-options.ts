import { boardEntries } from '../../feeds/feed-overview.ts'
import { accentType } from '../../feeds/accent-color.ts'
import { readOptions, type OptionSet, type ValueType } from '../../options/option.ts'
import type { Distance } from '../../signage/board.ts'
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
  readonly rows: number
  /** Number of text lines that fit on a page at this distance. */
  readonly lines: number
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

/** Text lines per page. At ten meters, a title may wrap to two lines. */
const linesThatFit: Readonly<Record<Distance, number>> = { 3: 21, 5: 21, 10: 8 }

/** Distances in meters, and the words that stood for them before. */
const distances: Readonly<Record<string, Distance>> = { 3: 3, 5: 5, 10: 10, near: 5, far: 10 }

const meters: ValueType<Distance> = {
  read: ([given = '']) => (Object.hasOwn(distances, given) ? distances[given] : undefined),
  format: String,
  expected: () => '3, 5 or 10 meters, like distance=5',
  documented: '`3`, `5`, `10`',
}

const maxTitleLength = 80

type BoardValues = Omit<
  BoardOptions,
  'show' | 'lines' | 'hasChanges' | 'hasMotion' | 'hasQrCode'
> & {
  readonly changes: boolean
  readonly motion: '0' | '1'
  readonly qr: boolean
}

/** Options in a board's URL, except `show`. */
export const boardOptions: OptionSet<BoardValues> = {
  theme: { name: 'theme', type: oneOf(['dark', 'light', 'auto']), defaultValue: 'dark' },
  limit: { name: 'limit', type: wholeNumber(1, boardEntries), defaultValue: boardEntries },
  rotate: { name: 'rotate', type: wholeNumber(5, 300), defaultValue: 12 },
  rows: { name: 'rows', type: wholeNumber(3, 12), defaultValue: 7 },
  distance: { name: 'distance', type: meters, defaultValue: 3 },
  inches: { name: 'inches', type: wholeNumber(10, 200), defaultValue: 55 },
  accent: { name: 'accent', type: accentType, defaultValue: undefined },
  duty: { name: 'duty', type: ids, defaultValue: [] },
  lang: {
    name: 'lang',
    type: text(languageFrom, { expected: 'a language, like en, en-GB or es' }),
    defaultValue: 'en-US',
  },
  title: {
    name: 'title',
    type: text((title) => (title.length <= maxTitleLength ? title : undefined), {
      expected: `at most ${maxTitleLength} characters`,
    }),
    defaultValue: undefined,
  },
  changes: { name: 'changes', type: flag, defaultValue: false },
  motion: { name: 'motion', type: oneOf(['1', '0']), defaultValue: '1' },
  qr: { name: 'qr', type: flag, defaultValue: true },
}

export type BoardReading =
  | { readonly ok: true; readonly options: BoardOptions }
  | { readonly ok: false; readonly reason: string }

/**
 * Reads a board's options. The `show` option can name only feeds in `feedIds`. Ignores other parameters.
 */
export function readBoardOptions(query: URLSearchParams, feedIds: readonly string[]): BoardReading {
  const show = { name: 'show', type: someOf(feedIds), defaultValue: feedIds }
  const reading = readOptions({ show, ...boardOptions }, query)
  if (!reading.ok) return reading
  const { motion, changes: hasChanges, qr: hasQrCode, title, ...options } = reading.chosen.values
  const lines = linesThatFit[options.distance]
  return {
    ok: true,
    options: {
      ...options,
      lines,
      title: title || undefined,
      hasChanges,
      hasMotion: motion === '1',
      hasQrCode,
    },
  }
}
