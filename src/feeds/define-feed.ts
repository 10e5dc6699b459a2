import type { FeedOptionSet, OptionValues } from '../options/option.ts'
import type { Profile } from '../records/profile.ts'
import type { RecordOf } from '../records/read-records.ts'
import type { FeedResource } from '../records/resources.ts'
import { calendarFeed, type CalendarKind } from './calendar-feed.ts'
import type { AboutFeed, Feed, FeedFormat, FeedSource } from './feed.ts'
import { newsFeed, type ItemKind } from './news-feed.ts'

/** Definition of a feed with a calendar, items for feed readers, or both. */
export type FeedDefinition<R extends FeedResource> = AboutFeed<R> &
  (
    | { readonly calendar: CalendarKind<R>; readonly items?: ItemKind<R> }
    | { readonly calendar?: never; readonly items: ItemKind<R> }
  ) & { readonly choice?: RecordChoice<R> }

/** Options in every format that choose among the records of a feed. */
export type RecordChoice<R extends FeedResource> = {
  readonly options: FeedOptionSet
  /** Returns the records that match the options. Without options, returns all that the feed can show. */
  readonly chosenFrom: (
    records: readonly RecordOf[R][],
    values: OptionValues,
    profile: Profile,
  ) => readonly RecordOf[R][]
}

/** Creates a feed from its definition. */
export function defineFeed<R extends FeedResource>(definition: FeedDefinition<R>): Feed<R> {
  const { calendar, items, choice, ...about } = definition
  const kinds = [
    ...(calendar ? [calendarFeed(about, calendar)] : []),
    ...(items ? [newsFeed(about, items)] : []),
  ]
  const feed = kinds.reduce(inBothKinds)
  return choice ? withChoice(feed, choice) : feed
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

/**
 * Adds options that choose among the records. Pages and combined feeds have the default choice. The public
 * sees no records of a feed that is only for links.
 */
function withChoice<R extends FeedResource>(
  feed: Feed<R>,
  { options, chosenFrom }: RecordChoice<R>,
): Feed<R> {
  function chosen(
    source: FeedSource<R>,
    { profile, values = {} }: { readonly profile: Profile; readonly values?: OptionValues },
  ): FeedSource<R> {
    const isHidden = feed.isLinkOnly === true && profile === 'public'
    return { ...source, records: isHidden ? [] : chosenFrom(source.records, values, profile) }
  }
  const listed = feed.listed?.bind(feed)
  const eventFile = feed.eventFile?.bind(feed)
  const section = feed.section?.bind(feed)
  const newsItems = feed.newsItems?.bind(feed)
  const diagnose = feed.diagnose?.bind(feed)
  return {
    ...feed,
    options: (format) => ({ ...options, ...feed.options(format) }),
    render(source, request, renderers) {
      const {
        profile,
        chosen: { values },
      } = request
      return feed.render(chosen(source, { profile, values }), request, renderers)
    },
    overview(source, context) {
      const { profile, chosen: { values } = noValues } = context
      return feed.overview(chosen(source, { profile, values }), context)
    },
    page: (source, record, context) => feed.page(chosen(source, context), record, context),
    ...(listed && {
      listed: (source, range, context) => listed(chosen(source, context), range, context),
    }),
    ...(eventFile && {
      eventFile: (source, record, context, renderers) =>
        eventFile(chosen(source, context), record, context, renderers),
    }),
    ...(section && {
      section: (source, settings) => section(chosen(source, { profile: 'full' }), settings),
    }),
    ...(newsItems && {
      newsItems: (source, request) => newsItems(chosen(source, request), request),
    }),
    ...(diagnose && {
      diagnose: (source, now, renderers) =>
        diagnose(chosen(source, { profile: 'full' }), now, renderers),
    }),
  }
}

const noValues = { values: {} }
