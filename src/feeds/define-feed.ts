import type { FeedResource } from '../records/resources.ts'
import { calendarFeed, type CalendarKind } from './calendar-feed.ts'
import type { AboutFeed, Feed, FeedFormat } from './feed.ts'
import { newsFeed, type ItemKind } from './news-feed.ts'

/** Definition of a feed with a calendar, items for feed readers, or both. */
export type FeedDefinition<R extends FeedResource> = AboutFeed<R> &
  (
    | { readonly calendar: CalendarKind<R>; readonly items?: ItemKind<R> }
    | { readonly calendar?: never; readonly items: ItemKind<R> }
  )

/** Creates a feed from its definition. */
export function defineFeed<R extends FeedResource>(definition: FeedDefinition<R>): Feed<R> {
  const { calendar, items, ...about } = definition
  if (!calendar) return newsFeed(about, items)
  const asCalendar = calendarFeed(about, calendar)
  return items ? inBothKinds(asCalendar, newsFeed(about, items)) : asCalendar
}

/** Combines a calendar and a news feed into one feed. Pages and boards show the calendar. */
function inBothKinds<R extends FeedResource>(calendarKind: Feed<R>, newsKind: Feed<R>): Feed<R> {
  const kindOf = (format: FeedFormat) =>
    calendarKind.formats.includes(format) ? calendarKind : newsKind
  return {
    ...calendarKind,
    formats: [...calendarKind.formats, ...newsKind.formats],
    options: (format) => kindOf(format).options(format),
    newsItems: (source, request) => newsKind.newsItems?.(source, request) ?? [],
    render: (source, request, renderers) =>
      kindOf(request.format).render(source, request, renderers),
  }
}
