import type { FeedOptionSet, OptionValues } from '../options/option.ts'
import type { Profile } from '../records/profile.ts'
import type { RecordOf } from '../records/read-records.ts'
import type { FeedResource } from '../records/resources.ts'
import { calendarFeed, type CalendarKind } from './calendar-feed.ts'
import type { AboutFeed, Feed, FeedContent, FeedSource, SelectRecords } from './feed.ts'
import type { FeedFormat } from './formats.ts'
import { textIn } from './messages.ts'
import type { FeedMessages } from './messages/en.ts'
import { newsFeed, type ItemKind } from './news-feed.ts'

/** By default, the texts are the messages with the feed's id. */
type About<R extends FeedResource> =
  AboutFeed<R> | (Omit<AboutFeed<R>, 'textIn'> & { readonly id: keyof FeedMessages['feeds'] })

type FeedDefinition<R extends FeedResource> = About<R> &
  (
    | { readonly calendar: CalendarKind<R>; readonly items?: ItemKind<R> }
    | { readonly calendar?: never; readonly items: ItemKind<R> }
  ) & { readonly choice?: RecordChoice<R> }

/** Options in every format that choose among the records of a feed. */
type RecordChoice<R extends FeedResource> = {
  readonly options: FeedOptionSet
  /** Without options, returns all records that the feed can show. */
  readonly chosenFrom: (
    records: readonly RecordOf[R][],
    values: OptionValues,
    profile: Profile,
  ) => readonly RecordOf[R][]
}

/**
 * Creates a feed from its definition. Pages and combined feeds use the default selection of
 * records. If a feed's selection is only for links, the public sees no records.
 */
export function defineFeed<R extends FeedResource>(definition: FeedDefinition<R>): Feed<R> {
  const { calendar, items, choice, ...given } = definition
  const about: AboutFeed<R> = 'textIn' in given ? given : { ...given, textIn: textIn(given.id) }
  const select: SelectRecords<R> = (source, { profile, values = {} }) => {
    if (!choice) return source
    const isHidden = about.isLinkOnly === true && profile === 'public'
    return {
      ...source,
      records: isHidden ? [] : choice.chosenFrom(source.records, values, profile),
    }
  }
  const kinds = [
    ...(calendar ? [calendarFeed(about, calendar, select)] : []),
    ...(items ? [newsFeed(about, items, select)] : []),
  ]
  const content = kinds.reduce(inBothKinds)
  const optionsByFormat = new Map<FeedFormat, FeedOptionSet>()
  return {
    ...content,
    options(format) {
      const options = optionsByFormat.get(format) ?? {
        ...choice?.options,
        ...content.options(format),
      }
      optionsByFormat.set(format, options)
      return options
    },
    sourcesFrom: (readable) => readable.filter(({ id }) => id === about.id),
    render([shown], request, renderers) {
      if (!shown) throw new TypeError(`no records to render ${about.id} from`)
      return content.renderSource(shown.source as FeedSource<R>, request, renderers)
    },
  }
}

/** Combines a calendar and a news feed into one feed. Pages and boards show the calendar. */
function inBothKinds<R extends FeedResource>(
  calendarKind: FeedContent<R>,
  newsKind: FeedContent<R>,
): FeedContent<R> {
  const kindOf = (format: FeedFormat) =>
    calendarKind.formats.includes(format) ? calendarKind : newsKind
  return {
    ...calendarKind,
    formats: [...calendarKind.formats, ...newsKind.formats],
    options: (format) => kindOf(format).options(format),
    searchable: (source, context) => kindOf(context.format ?? 'ics').searchable(source, context),
    *newsItems(source, request) {
      return newsKind.newsItems ? yield* newsKind.newsItems(source, request) : []
    },
    renderSource: (source, request, renderers) =>
      kindOf(request.format).renderSource(source, request, renderers),
  }
}
