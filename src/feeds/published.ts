import type { OrganizationEntries } from '../calendar/merged-calendars.ts'
import { chosenFrom } from '../options/option.ts'
import { siteDateAt } from '../records/site-time.ts'
import { boardOf, type BoardItem } from '../signage/board-item.ts'
import { asSummary, itemsShownAt, type FeedItem } from '../syndication/feed-item.ts'
import { combinedCalendarOptions, renderCombinedCalendar } from './combined-calendar.ts'
import { isCalendar, type ServedFeed } from './feed.ts'
import { feedMessages } from './messages.ts'
import { isNews } from './week-content.ts'

/** Maximum number of items from each news feed. */
const maxItems = 20

const calendarOptions = { pastDays: 30, futureDays: 180, busy: false }

/**
 * A site's public entries and news for the county page, which may be on a host with another version.
 * A change that an older version would misread needs a new feed id.
 */
export type Published = {
  readonly name: string
  /** The site's color. Older versions send none. */
  readonly color?: string
  /** Ids of its public feeds. */
  readonly feedIds: readonly string[]
  readonly calendar: OrganizationEntries
  readonly news: readonly FeedItem[]
  /** Upcoming entries, each event once. */
  readonly items: readonly BoardItem[]
}

/** The entries of all public feeds, before they are rendered as a calendar or as news. */
export const published: ServedFeed = {
  id: 'published',
  textIn: (language) => ({ title: feedMessages(language).combined.all.title, summary: '' }),
  formats: ['json'],
  isForEveryone: true,
  isPublicOnly: true,
  options: () => ({}),
  sourcesFrom: (readable) => readable.filter((feed) => isCalendar(feed) || isNews(feed)),
  *render(sources, request, renderers) {
    const { site } = renderers
    const context = { ...request, site, values: {} }
    const calendars = sources.filter(({ feed }) => isCalendar(feed))
    const chosen = chosenFrom(combinedCalendarOptions([], []), calendarOptions)
    const about = { id: 'all', isForEveryone: true } as const
    const calendarRequest = { ...request, format: 'ics', chosen } as const
    const calendar = yield* renderCombinedCalendar(about, calendars, calendarRequest, renderers)
    const news = []
    for (const { feed, source } of sources.filter(({ feed }) => isNews(feed))) {
      const drafts = feed.newsItems ? yield* feed.newsItems(source, context) : []
      news.push(itemsShownAt(drafts, { ...request, limit: maxItems }))
    }
    const boards = calendars.map(({ feed, source }) => feed.overview(source, context))
    const { timeZone } = site
    const content: Published = {
      name: site.name,
      color: site.identity.color,
      feedIds: sources.map(({ feed: { id } }) => id),
      calendar: {
        timeZone,
        year: Number(siteDateAt(request.now, timeZone).slice(0, 4)),
        entries: calendar.entries,
      },
      news: news.flatMap(({ items }) => items.map(asSummary)),
      items: boardOf(
        boards.flatMap(({ board }) => board),
        sources.map(({ feed }) => feed),
      ),
    }
    return {
      contentType: 'application/json',
      body: Buffer.from(JSON.stringify(content)),
      title: site.name,
      validFrom: Math.max(...[calendar, ...news].map(({ validFrom }) => validFrom)),
      validUntil: Math.min(...[calendar, ...news, ...boards].map(({ validUntil }) => validUntil)),
    }
  },
}
