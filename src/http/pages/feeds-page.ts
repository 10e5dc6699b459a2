import { DateTime } from 'luxon'
import { isCombined, type AddressedFeed, type CombinedFeed } from '../../feeds/combined-feed.ts'
import { noFeedOptions, readFeedOptions } from '../../feeds/feed-options.ts'
import { partQuery, type FeedPart, type OverviewEntry } from '../../feeds/feed-overview.ts'
import { feedUrl, publicFeedUrl, type Feed, type FeedFormat } from '../../feeds/feed.ts'
import { nameOf } from '../../feeds/site.ts'
import type { SiteContext } from '../context.ts'
import type { Viewer } from '../feeds/viewer.ts'
import { calendarServices, type CalendarServices } from './calendar-services.ts'
import { optionsFormFor, type Composer } from './feed-options-form.ts'
import { qrCodeOf } from './qr-code.ts'

const entriesShown = 3

/** Section for a feed on the page with all feeds. */
export type FeedSection = PartOfSection & {
  readonly id: string
  readonly summary: string
  /** Time of the last change, formatted for display. */
  readonly changed: string | undefined
  readonly entries: readonly (OverviewEntry & { readonly path: string })[]
  /** Undefined on static hosts, where parts are separate feeds instead. */
  readonly composer: Composer | undefined
  readonly parts: readonly PartOfSection[]
  /** QR code that opens this section, with the chosen options, on a phone. */
  readonly qrCode: string
}

/** Part of a feed with its own URLs. */
export type PartOfSection = {
  readonly title: string
  readonly addresses: readonly FeedPageAddress[]
  readonly services: CalendarServices | undefined
}

export type FeedPageAddress = {
  readonly format: FeedFormat
  readonly label: string
  readonly url: string
  readonly download: string
}

const labels: Readonly<Record<FeedFormat, string>> = {
  ics: 'Calendar address',
  rss: 'RSS',
  atom: 'Atom',
  json: 'JSON Feed',
}

function servicesOf(addresses: readonly FeedPageAddress[], name: string) {
  const calendar = addresses.find(({ format }) => format === 'ics')
  return calendar && calendarServices(calendar.url, name)
}

export type FeedsPage = {
  /**
   * Returns a section for each available feed, after one for a public calendar that combines several. Options in the query apply to the feed named by `feed`.
   */
  readonly sectionsFor: (viewer: Viewer, query: URLSearchParams) => Promise<readonly FeedSection[]>
}

export function createFeedsPage(context: SiteContext): FeedsPage {
  const { site, catalog, collections, overviews, isOffered } = context

  const timeInWords = (instant: number) =>
    DateTime.fromMillis(instant, { zone: site.timeZone, locale: 'en' }).toFormat(
      'LLLL d, yyyy, h:mm a',
    )

  function partOf(feed: Feed, part: FeedPart): PartOfSection {
    const { name } = part
    const addresses = feed.formats.map((format) => {
      const url = publicFeedUrl(site, feed, format, partQuery(part))
      return { format, label: labels[format], url, download: url }
    })
    return { title: name, addresses, services: servicesOf(addresses, `${nameOf(site)}: ${name}`) }
  }

  /** Returns a section without records. Parts of the feed appear in the form for its options. */
  async function emptySectionOf(
    feed: AddressedFeed,
    { base }: Viewer,
    query: URLSearchParams,
    parts: readonly FeedPart[] = [],
  ): Promise<FeedSection> {
    const { id, title } = feed
    const composer = site.isStatic ? undefined : optionsFormFor(feed, { base, parts }, query)
    const addresses = addressesOf(feed, base, composer)
    return {
      id,
      title,
      summary: summaryOf(feed, composer),
      addresses,
      composer,
      services: servicesOf(addresses, `${nameOf(site)}: ${composer?.partName ?? title}`),
      parts: [],
      changed: undefined,
      entries: [],
      qrCode: await qrCodeOf(`${base}/feeds${composer?.pageQuery ?? ''}#${id}`),
    }
  }

  async function sectionOf(
    feed: Feed,
    viewer: Viewer,
    query: URLSearchParams,
  ): Promise<FeedSection> {
    const overview = overviews.of(feed, viewer.profile)
    const offered = overview?.parts ?? []
    const section = await emptySectionOf(feed, viewer, query, offered)
    const collection = collections.copyOf(feed.resource)
    return {
      ...section,
      parts: section.composer ? [] : offered.map((part) => partOf(feed, part)),
      changed: collection && timeInWords(collection.changedAt),
      entries: (overview?.entries ?? []).slice(0, entriesShown).map((entry) => ({
        ...entry,
        path: `${feed.id}/${entry.recordId}`,
      })),
    }
  }

  /** Returns the calendars for everyone that combine several of these feeds. */
  const combinedCalendars = (readable: readonly Feed[]) =>
    catalog.combinedFeeds.filter(
      (feed) =>
        feed.isForEveryone &&
        feed.formats.includes('ics') &&
        feed.sourcesFrom(readable, 'ics', noFeedOptions(feed, 'ics')).length > 1,
    )

  return {
    sectionsFor(viewer, query) {
      const readable = viewer.feeds.filter(isOffered)
      // The page of a link has a section for the feeds that the link combines.
      const combined = viewer.link ? [] : combinedCalendars(readable)
      return Promise.all([
        ...combined.map((feed) => emptySectionOf(feed, viewer, query)),
        ...readable.map((feed) => sectionOf(feed, viewer, query)),
      ])
    },
  }
}

/** Returns the summary of a feed with the chosen options. */
function summaryOf(feed: AddressedFeed, composer: Composer | undefined): string {
  const query = composer?.queries.ics
  if (query === undefined || !isCombined(feed)) return feed.summary
  const reading = readFeedOptions(feed, 'ics', new URLSearchParams(query))
  return (reading.ok ? feed.summaryWith?.(reading.chosen) : undefined) ?? feed.summary
}

function addressesOf(
  feed: AddressedFeed,
  base: string,
  composer: Composer | undefined,
): readonly FeedPageAddress[] {
  return feed.formats.map((format) => {
    const url = feedUrl(base, feed, format, composer?.queries[format])
    const download = `${url}${url.includes('?') ? '&' : '?'}download=1`
    return { format, label: labels[format], url, download: composer ? download : url }
  })
}

/** Returns the combined feeds for feed readers that have something to combine. */
export function combinedForReaders(
  combinedFeeds: readonly CombinedFeed[],
  readable: readonly Feed[],
  hasLink: boolean,
): readonly CombinedFeed[] {
  return combinedFeeds.filter(
    (feed) =>
      (feed.isForEveryone || hasLink) &&
      // My feeds have their own section, and repeat items of the others in a list.
      !('savedQuery' in feed) &&
      feed.formats.includes('rss') &&
      feed.sourcesFrom(readable, 'rss', noFeedOptions(feed, 'rss')).length > 0,
  )
}
