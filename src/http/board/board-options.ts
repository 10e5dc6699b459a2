import { boardEntries } from '../../feeds/feed-overview.ts'
import { readOptions, type OptionSet } from '../../options/option.ts'
import { flag, oneOf, someOf, text, wholeNumber } from '../../options/value-types.ts'
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
  /** Viewing distance: about 5 or 10 m. */
  readonly distance: 'near' | 'far'
  /** BCP 47 tag: a language, optionally with a region. */
  readonly lang: string
  /** Replaces the site's name. */
  readonly title: string | undefined
  /** True to list the changes of the last 24 hours. */
  readonly hasChanges: boolean
  /** True to fade between pages. */
  readonly hasMotion: boolean
}

/** Text lines per page. With `far`, a title may wrap to two lines. */
const linesThatFit = { near: 21, far: 8 }
const maxTitleLength = 80

type BoardValues = Omit<BoardOptions, 'show' | 'lines' | 'hasChanges' | 'hasMotion'> & {
  readonly changes: boolean
  readonly motion: '0' | '1'
}

/** Options in a board's URL, except `show`. */
export const boardOptions: OptionSet<BoardValues> = {
  theme: { name: 'theme', type: oneOf(['dark', 'light', 'auto']), defaultValue: 'dark' },
  limit: { name: 'limit', type: wholeNumber(1, boardEntries), defaultValue: boardEntries },
  rotate: { name: 'rotate', type: wholeNumber(5, 300), defaultValue: 12 },
  rows: { name: 'rows', type: wholeNumber(3, 12), defaultValue: 7 },
  distance: { name: 'distance', type: oneOf(['near', 'far']), defaultValue: 'near' },
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
  const { motion, changes: hasChanges, title, ...options } = reading.chosen.values
  const lines = linesThatFit[options.distance]
  return {
    ok: true,
    options: {
      ...options,
      lines,
      title: title || undefined,
      hasChanges,
      hasMotion: motion === '1',
    },
  }
}
