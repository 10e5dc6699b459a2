import { boardEntries } from '../../feeds/feed.ts'
import { accentType } from '../../feeds/identity.ts'
import { websiteLanguageOf, type Site } from '../../feeds/site.ts'
import type { Option, ValuesOf, ValueType } from '../../options/option.ts'
import { defaultLanguage, languageFrom } from '../../records/language.ts'
import type { Distance } from '../../signage/board-item.ts'
import { flag, ids, oneOf, someOf, text, wholeNumber } from '../../options/value-types.ts'

export type BoardOptions = ValuesOf<ReturnType<typeof boardOptionsFor>>

/** Viewing distances in meters, by value or former name. */
const distances: Readonly<Record<string, Distance>> = { 3: 3, 5: 5, 10: 10, near: 5, far: 10 }

const meters: ValueType<Distance> = {
  read: ([given = '']) => (Object.hasOwn(distances, given) ? distances[given] : undefined),
  format: String,
  expected: () => '3, 5 or 10 meters, like distance=5',
}

export const maxTitleLength = 80

/** A board option. The form for new screens offers it if it has choices. The default's value is empty. */
export type BoardOption = Option<unknown> & { readonly choices?: readonly string[] }

const defaultInches = 55

/** Options in a board's URL, except `show`. */
export const boardOptions = {
  theme: {
    name: 'theme',
    type: oneOf(['dark', 'light', 'auto']),
    defaultValue: 'dark',
    choices: ['', 'light', 'auto'],
  },
  accent: {
    name: 'accent',
    type: accentType,
    defaultValue: undefined,
    choices: ['', 'b22222', 'd2691e', '2e8b57', '4169e1', '6a5acd'],
  },
  distance: {
    name: 'distance',
    type: meters,
    defaultValue: 3,
    choices: ['', '5', '10'],
  },
  inches: {
    name: 'inches',
    type: wholeNumber(10, 200),
    defaultValue: defaultInches,
    choices: ['32', '43', '', '65', '75', '86'],
  },
  rotate: {
    name: 'rotate',
    type: wholeNumber(5, 300),
    defaultValue: 12,
    choices: ['8', '', '20', '30'],
  },
  /** Maximum number of items per feed. */
  limit: { name: 'limit', type: wholeNumber(1, boardEntries), defaultValue: boardEntries },
  /** Maximum number of entries per page. */
  rows: { name: 'rows', type: wholeNumber(3, 12), defaultValue: undefined },
  duty: { name: 'duty', type: ids, defaultValue: [] },
  hasChanges: { name: 'changes', type: flag, defaultValue: false, choices: ['', '1'] },
  lang: {
    name: 'lang',
    type: text(languageFrom, 'a language, like en, en-GB or es'),
    defaultValue: defaultLanguage,
    choices: ['', 'en-US', 'en-GB', 'de', 'es', 'fr'],
  },
  /** Replaces the site's name, unless it is empty. */
  title: {
    name: 'title',
    type: text(
      (title) => (title.length <= maxTitleLength ? title : undefined),
      `at most ${maxTitleLength} characters`,
    ),
    defaultValue: undefined,
  },
  hasQrCode: { name: 'qr', type: flag, defaultValue: true, choices: ['', '0'] },
  hasMotion: { name: 'motion', type: flag, defaultValue: true, choices: ['', '0'] },
} satisfies Readonly<Record<string, BoardOption>>

type ListedFeed = { readonly id: string; readonly isNamedOnly?: boolean }

/**
 * Returns the options of a board that shows some of these feeds. By default, it shows all that do
 * not have to be named explicitly, in the website's language. Messages about an invalid `show` mention only the feeds in
 * `offered`.
 */
export function boardOptionsFor(
  feeds: readonly ListedFeed[],
  site: Site,
  offered: readonly ListedFeed[] = feeds,
) {
  return withBoardOptions(boardOptions, feeds, site, offered)
}

/** Adds `show` and the default language to options. */
export function withBoardOptions<Own extends { readonly lang: (typeof boardOptions)['lang'] }>(
  own: Own,
  feeds: readonly ListedFeed[],
  site: Site,
  offered: readonly ListedFeed[],
) {
  const messages = offered.length === 0 ? noFeeds : someOf(idsOf(offered))
  const defaultValue = idsOf(feeds.filter(({ isNamedOnly }) => !isNamedOnly))
  const type: ValueType<readonly string[]> = {
    ...someOf(idsOf(feeds)),
    expected: (name, texts) => messages.expected(name, texts),
  }
  const lang = { ...own.lang, defaultValue: websiteLanguageOf(site) }
  return { show: { name: 'show', type, defaultValue }, ...own, lang }
}

const idsOf = (feeds: readonly ListedFeed[]) => feeds.map(({ id }) => id)

const noFeeds = { expected: () => 'left out, because there are no feeds to show' }
