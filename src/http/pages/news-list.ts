import type { Feed } from '../../feeds/feed.ts'
import { noneChosen, readOptions, type OptionSet } from '../../options/option.ts'
import { ids, text, wholeNumber } from '../../options/value-types.ts'
import { readSiteMonth, type SiteMonth } from '../../records/month-grid.ts'
import { siteDateAt } from '../../records/site-time.ts'
import { BadOption } from '../server/errors.ts'

export const storiesPerPage = 20

/** Searching more titles than this would take too long. */
const maxSearched = 2_000

const maxPages = 500
const maxSearchLength = 100

/** Options in the URL of the list. */
export type NewsOptions = {
  readonly categories: readonly number[]
  readonly month: SiteMonth | undefined
  readonly search: string
  readonly page: number
}

const newsOptions: OptionSet<NewsOptions> = {
  categories: { name: 'category', type: ids, defaultValue: [] },
  month: {
    name: 'month',
    type: text(readSiteMonth, { expected: 'a year and a number, like 2026-11', documented: '' }),
    defaultValue: undefined,
  },
  search: {
    name: 'q',
    type: text((words) => (words.length <= maxSearchLength ? words.trim() : undefined), {
      expected: `at most ${maxSearchLength} characters`,
      documented: '',
    }),
    defaultValue: '',
  },
  page: { name: 'page', type: wholeNumber(1, maxPages), defaultValue: 1 },
}

/** Reads the options of the list. Throws `BadOption` for invalid values. */
export function readNewsOptions(query: URLSearchParams): NewsOptions {
  const reading = readOptions(newsOptions, query)
  if (!reading.ok) throw new BadOption(reading.reason)
  return reading.chosen.values
}

/** Returns the relative address of the list with some options replaced. */
export function newsAddress(options: NewsOptions, changes: Partial<NewsOptions>): string {
  const { categories, month = '', search, page } = { ...options, ...changes }
  const pairs = [
    ['category', categories.join(',')],
    ['month', month],
    ['q', encodeURIComponent(search)],
    ['page', page === 1 ? '' : String(page)],
  ].filter(([, value]) => value !== '')
  return pairs.length === 0 ? 'news' : `news?${pairs.map((pair) => pair.join('=')).join('&')}`
}

export const noNewsOptions: NewsOptions = noneChosen(newsOptions).values

type Draft = ReturnType<NonNullable<Feed['newsItems']>>[number]

/** Returns the stories that match the options, newest first, and the months that have any. */
export function storiesIn(
  drafts: readonly Draft[],
  { month, search, page }: NewsOptions,
  { now, timeZone }: { readonly now: number; readonly timeZone: string },
) {
  const shown = drafts
    .filter(({ publishedAt, expiresAt }) => publishedAt <= now && now < expiresAt)
    .toSorted((a, b) => b.publishedAt - a.publishedAt || b.recordId - a.recordId)
  const byMonth = Map.groupBy(shown, ({ publishedAt }) =>
    siteDateAt(publishedAt, timeZone).slice(0, 7),
  )
  const inMonth = month === undefined ? shown : (byMonth.get(month) ?? [])
  const found = search === '' ? inMonth : inMonth.slice(0, maxSearched).filter(titleHas(search))
  const first = (page - 1) * storiesPerPage
  return {
    stories: found.slice(first, first + storiesPerPage).map((draft) => draft.make()),
    count: found.length,
    hasMore: found.length > first + storiesPerPage,
    months: [...byMonth].map(([name, { length }]) => ({ month: name, count: length })),
  }
}

/** Returns a filter for titles that contain all words, ignoring case and accents. */
function titleHas(search: string): (draft: Draft) => boolean {
  const words = plain(search).split(/\s+/)
  return (draft) => {
    const title = plain(draft.title())
    return words.every((word) => title.includes(word))
  }
}

function plain(value: string): string {
  return value.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}
