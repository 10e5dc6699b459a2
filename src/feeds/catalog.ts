import { subsetOption } from '../calendar/calendar-options.ts'
import { placesOf } from '../calendar/sign-up-recipe.ts'
import { calendarFeed } from './calendar-feed.ts'
import { eventTime } from './event-time.ts'
import type { Feed, FeedFormat } from './feed.ts'
import { newsFeed } from './news-feed.ts'
import type { FeedLink } from '../links/feed-link.ts'
import type { FeedResource } from '../records/resources.ts'
import { oneLine } from '../records/plain-text.ts'
import { itemsFromAnnouncements } from '../syndication/announcement-items.ts'
import { itemsFromEvents } from '../syndication/event-items.ts'
import { itemsFromNews } from '../syndication/news-items.ts'

const calendar = calendarFeed('calendar', {
  title: 'Calendar',
  summary: 'Drills, meetings and duty of the members.',
  partOption: subsetOption('calendar', {
    example: 'calendar=3,4',
    meaning: 'only these calendars',
  }),
})

const aboutEvents = {
  title: 'Events',
  summary: 'What is on for the public, as the website announces it.',
}

const events = inBothKinds(
  calendarFeed('events', aboutEvents),
  newsFeed('events', {
    id: 'events',
    ...aboutEvents,
    itemsFrom: (records, source) =>
      itemsFromEvents(records, source, (event) => eventTime(event, source.timeZone)),
  }),
)

const rental = calendarFeed('rental', {
  title: 'Rentals',
  summary: 'When halls and rooms are taken.',
  partOption: subsetOption('type', { example: 'type=1,2', meaning: 'only these rental types' }),
})

const signup = calendarFeed('signup', {
  title: 'Sign-ups',
  summary: 'What people can sign up for, and how many places are open.',
  placesOf,
})

const news = newsFeed('news', {
  id: 'news',
  title: 'News',
  summary: 'News stories, newest first.',
  itemsFrom: itemsFromNews,
  choice: {
    isShown: ({ deployed }) => deployed,
    isFeatured: ({ featured }) => featured,
    categoryOf: ({ categoryId, category }) => ({ id: categoryId, name: oneLine(category) }),
  },
})

const announcements = newsFeed('announce', {
  id: 'announcements',
  title: 'Announcements',
  summary: 'Announcements of the website, each until it expires.',
  itemsFrom: itemsFromAnnouncements,
})

export const feeds: readonly Feed[] = [calendar, events, rental, signup, news, announcements]

export const feedIds: readonly string[] = feeds.map((feed) => feed.id)

/** Those that a feed link gives; all of them where it names none. */
export function feedsOf({ feedIds: ids }: Pick<FeedLink, 'feedIds'>): readonly Feed[] {
  return ids ? feeds.filter(({ id }) => ids.includes(id)) : feeds
}

/** One feed of a resource, as a calendar and as items for feed readers; its pages are the calendar's. */
function inBothKinds<R extends FeedResource>(calendarKind: Feed<R>, newsKind: Feed<R>): Feed<R> {
  const kindOf = (format: FeedFormat) =>
    calendarKind.formats.includes(format) ? calendarKind : newsKind
  return {
    ...calendarKind,
    formats: [...calendarKind.formats, ...newsKind.formats],
    options: (format) => kindOf(format).options(format),
    render: (source, request, renderers) =>
      kindOf(request.format).render(source, request, renderers),
  }
}
