import { newsItemsOf, withText, type FeedId, type Found } from '../../feeds/feed.ts'
import { foundItem, frontPictureOf } from '../../feeds/news-feed.ts'
import { prepareSearch } from '../../feeds/prepare-search.ts'
import { chosenFrom, readOptions, type ValuesOf } from '../../options/option.ts'
import { ids, text, wholeNumber } from '../../options/value-types.ts'
import { readSiteMonth, type SiteMonth } from '../../records/site-month.ts'
import { instantFromSiteTime, siteDateAt } from '../../records/site-time.ts'
import { markedParts, snippetOf } from '../../search/marks.ts'
import { searchOptions } from '../../search/search-options.ts'
import { emptySearch, isEmptySearch } from '../../search/search.ts'
import { validOptions } from '../../web/errors.ts'
import { pageMessages } from '../../web/messages.ts'
import { documentFeeds } from '../../web/archives.ts'
import { linksOf, storiesFrom } from '../../web/item-lists.ts'
import { feedIn, type ItemRequest, type PageRequest } from '../../web/page-handler.ts'

const storiesPerPage = 20

const storiesAlike = 3

const maxPages = 500

const newsOptions = {
  categories: { name: 'category', type: ids, defaultValue: [] },
  month: {
    name: 'month',
    type: text(readSiteMonth, 'a year and a number, like 2026-11'),
    defaultValue: undefined,
  },
  search: searchOptions.search,
  page: { name: 'page', type: wholeNumber(1, maxPages), defaultValue: 1 },
}

type NewsOptions = ValuesOf<typeof newsOptions>

/** Shows `/news` and similar pages, which are lists with categories, an archive and a search. */
export async function showNews(page: PageRequest) {
  const feed = feedIn(page)
  const { context, request, viewer, offered, query, now, render } = page
  const { site, basePath, collections, overviews, pictures, searchLimit } = context
  if (!feed?.newsItems || !offered.includes(feed)) return undefined
  const { values: chosen } = validOptions(readOptions(newsOptions, query))
  const { profile, base } = viewer
  const { parts } = await overviews.read(feed, profile)
  const source = await collections.read(feed.resource)
  const { categories, search, page: number } = chosen
  const searchContext = { site, profile, now, values: { categories } }
  const isSearch = !isEmptySearch(search)
  if (isSearch) searchLimit(request.ip ?? '')
  const searchable = isSearch && (await prepareSearch(feed, source, searchContext))
  const drafts = searchable
    ? feed.found(searchable, emptySearch, searchContext).flatMap(({ item }) => item.draft ?? [])
    : newsItemsOf(feed, source, searchContext)
  const ranks = searchable ? ranksOf(feed.found(searchable, search, searchContext)) : undefined
  const { stories, ...found } = storiesIn(drafts, { ...chosen, ranks }, { now, ...site })
  // A static host has no thumbnails. Browsers may be at a URL other than the public one, so URLs
  // have only a path.
  const fronts = site.isStatic ? [] : stories.map((story) => frontPictureOf(story.pictures))
  const hosted = pictures.hosted(fronts, basePath, 'thumbnail')
  const urlWith = (changes: Partial<NewsOptions>) =>
    urlFor(feed, { ...chosen, page: 1, ...changes })
  return render('items/news', {
    ...found,
    feed: withText(feed, site.language),
    lists: documentFeeds.includes(feed.id)
      ? offered
          .filter(({ id }) => documentFeeds.includes(id))
          .map((each) => withText(each, site.language))
      : [],
    chosen,
    searched: ranks && (query.get('q') ?? ''),
    stories: stories.map((story, index) => ({
      story,
      picture: hosted[index]?.pictureUrl,
      title: markedParts(story.title, search),
      summary: ranks
        ? snippetOf(foundItem(feed, story, site).text, search)
        : markedParts(story.summary, search),
    })),
    categories: [
      {
        id: undefined,
        name: pageMessages(site.language).entries.all,
        url: urlWith({ categories: [] }),
        isOn: categories.length === 0,
      },
      ...parts.map(({ id, name }) => ({
        id,
        name,
        url: urlWith({ categories: [id] }),
        isOn: categories.length === 1 && categories[0] === id,
      })),
    ],
    months: found.months.map((each) => ({ ...each, url: urlWith({ month: each.month }) })),
    allUrl: urlFor(feed, {}),
    everyMonthUrl: urlWith({ month: undefined }),
    newer: number > 1 ? urlWith({ page: number - 1 }) : undefined,
    older: found.hasMore ? urlWith({ page: number + 1 }) : undefined,
    feedUrl: urlFor({ id: `${feed.id}.rss` }, { categories, search }),
    alternates: linksOf(feed, base, site),
  })
}

/** Previous and next stories, and others in the category. Undefined for other items. */
export async function storiesAround({ context, feed, id, viewer, now }: ItemRequest) {
  const { site, collections, overviews } = context
  if (feed.boardRole !== 'story' || !feed.newsItems) return undefined
  const { profile } = viewer
  const source = await collections.read(feed.resource)
  const stories = shownStories(newsItemsOf(feed, source, { values: {}, profile, site }), now)
  const index = stories.findIndex(({ recordId }) => recordId === id)
  const category = stories[index]?.make().category ?? ''
  const latest = overviews.of(feed, profile)?.board ?? []
  const alike = latest.filter(
    (item) => category !== '' && item.category === category && item.id !== `${feed.id}-${id}`,
  )
  return {
    newer: linkTo(stories[index - 1]),
    older: index < 0 ? undefined : linkTo(stories[index + 1]),
    category,
    alike: storiesFrom(context, alike, storiesAlike, 'thumbnail'),
  }
}

const ranksOf = (found: readonly Found[]) =>
  new Map(found.map(({ rank, item }) => [item.record.id, rank]))

function urlFor({ id }: FeedId, options: Partial<NewsOptions>): string {
  const { query } = chosenFrom(newsOptions, options)
  return query === '' ? id : `${id}?${query}`
}

type Draft = ReturnType<typeof newsItemsOf>[number]

type StoryChoice = {
  readonly month: SiteMonth | undefined
  readonly page: number
  /** Ranks in a search by record id. If set, only these stories are shown, best matches first. */
  readonly ranks?: ReadonlyMap<number, number> | undefined
}

/** Returns the chosen stories, newest first, and the months that have any. */
export function storiesIn(
  drafts: readonly Draft[],
  { month, ranks, page }: StoryChoice,
  { now, timeZone }: { readonly now: number; readonly timeZone: string },
) {
  const shown = shownStories(drafts, now)
  const byMonth = monthsOf(shown, timeZone)
  const inMonth = month === undefined ? shown : (byMonth.get(month) ?? [])
  const rankOf = ({ recordId }: Draft) => ranks?.get(recordId) ?? 0
  const found = ranks
    ? inMonth
        .filter(({ recordId }) => ranks.has(recordId))
        .toSorted((a, b) => rankOf(a) - rankOf(b))
    : inMonth
  const first = (page - 1) * storiesPerPage
  return {
    stories: found.slice(first, first + storiesPerPage).map((draft) => draft.make()),
    count: found.length,
    hasMore: found.length > first + storiesPerPage,
    months: [...byMonth].map(([name, { length }]) => ({ month: name, count: length })),
  }
}

function monthsOf(newestFirst: readonly Draft[], timeZone: string) {
  const months = new Map<SiteMonth, Draft[]>()
  let stories: Draft[] = []
  let monthStart = Infinity
  for (const draft of newestFirst) {
    if (draft.publishedAt < monthStart) {
      const month = siteDateAt(draft.publishedAt, timeZone).slice(0, 7)
      // Converting the time of every story would take longer than the search.
      monthStart = instantFromSiteTime(`${month}-01T00:00:00`, timeZone)
      stories = []
      months.set(month, stories)
    }
    stories.push(draft)
  }
  return months
}

const linkTo = (draft: Draft | undefined) => draft && { id: draft.recordId, title: draft.title() }

function shownStories(drafts: readonly Draft[], now: number): readonly Draft[] {
  return drafts
    .filter(({ publishedAt, expiresAt }) => publishedAt <= now && now < expiresAt)
    .toSorted((a, b) => b.publishedAt - a.publishedAt || b.recordId - a.recordId)
}
