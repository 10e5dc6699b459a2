import { noneChosen, readOptions } from '../../options/option.ts'
import {
  partQuery,
  type FeedPart,
  feedUrl,
  isCalendar,
  publicFeedUrl,
  type Feed,
  type ServedFeed,
} from '../../feeds/feed.ts'
import { formats, type FeedFormat } from '../../feeds/formats.ts'
import { feedMessages } from '../../feeds/messages.ts'
import { withLanguage, type Site } from '../../feeds/site.ts'
import { momentInWords } from '../../records/date-words.ts'
import { siteTimeAt } from '../../records/site-time.ts'
import { calendarServices } from '../../web/calendar-services.ts'
import { optionsFormFor, type OptionsForm } from '../../web/feed-options-form.ts'
import { pageMessages } from '../../web/messages.ts'
import type { PageRequest } from '../../web/page-handler.ts'
import { qrCodeOf } from '../../web/qr-code.ts'
import { countMatches, searchedBy } from '../../web/search-matches.ts'

const entriesShown = 3

const labelOf = (format: FeedFormat, { language }: Site) =>
  formats[format].label ?? pageMessages(language).follow.feeds.calendarAddress

/** Returns a section for each available feed. Options in the query apply to the feed named by `feed`. */
export function feedSections(page: PageRequest) {
  const { viewer, offered, query } = page
  const isRequested = query.get('feed') === page.context.catalog.allFeeds.id
  // A link's page has a section for the feeds that the link combines.
  const combined = viewer.link && !isRequested ? [] : combinedSections(page, isRequested ? 1 : 2)
  const sections = combined.some(isCalendar) ? [...combined, ...offered] : [...offered, ...combined]
  return Promise.all(sections.map((feed) => sectionOf(page, feed)))
}

async function sectionOf(page: PageRequest, feed: ServedFeed) {
  const { viewer, offered: readable } = page
  const { site, collections, overviews } = page.context
  const { base, profile } = viewer
  const { id } = feed
  const { title } = feed.textIn(site.language)
  const single = readable.find((each) => each.id === id)
  const overview = single && overviews.of(single, profile)
  const collection = single && collections.copyOf(single.resource)
  const { titled } = feedMessages(site.language)
  const { parts = [], entries = [] } = overview ?? {}
  const changedAt = collection && siteTimeAt(collection.changedAt, site.timeZone)
  // A static host has separate feeds for parts instead of options.
  const composer = site.isStatic
    ? undefined
    : optionsFormFor(feed, { base, parts, language: site.language, readable }, page.query)
  const addresses = addressesOf(feed, base, composer, site)
  return {
    id,
    title,
    summary: summaryOf(feed, composer, site.language),
    addresses,
    services: servicesOf(addresses, titled(site.name, composer?.partName ?? title)),
    composer,
    matches: composer ? countMatches(page, searchedBy(feed, composer, readable)) : [],
    parts: composer || !single ? [] : parts.map((part) => partOf(site, single, part)),
    changed: changedAt && momentInWords(changedAt, undefined, site.language),
    entries: entries
      .slice(0, entriesShown)
      .map((entry) => ({ ...entry, path: `${id}/${entry.recordId}` })),
    /** Opens this section, with the selected options, on a phone. */
    qrCode: await qrCodeOf(`${base}/feeds${composer?.pageQuery ?? ''}#${id}`),
  }
}

function partOf(site: Site, feed: Feed, part: FeedPart) {
  const { name } = part
  const addresses = feed.formats.map((format) => {
    const url = publicFeedUrl(site, feed, format, partQuery(part))
    return { format, label: labelOf(format, site), url, download: url }
  })
  return {
    title: name,
    addresses,
    services: servicesOf(addresses, feedMessages(site.language).titled(site.name, name)),
  }
}

function addressesOf(
  feed: ServedFeed,
  base: string,
  composer: OptionsForm | undefined,
  site: Site,
) {
  const { fault, queries = {} } = composer ?? {}
  const formats = composer && !fault ? feed.formats.filter((each) => each in queries) : feed.formats
  return formats.map((format) => {
    const url = feedUrl(base, feed, format, withLanguage(queries[format] ?? '', site))
    const download = composer ? `${url}${url.includes('?') ? '&' : '?'}download=1` : url
    return { format, label: labelOf(format, site), url, download }
  })
}

function servicesOf(
  addresses: readonly { readonly format: FeedFormat; readonly url: string }[],
  name: string,
) {
  const calendar = addresses.find(({ format }) => format === 'ics')
  return calendar && calendarServices(calendar.url, name)
}

/** Returns the feed that combines all others, in the formats that at least `min` feeds have. */
function combinedSections({ context: { site, catalog }, offered }: PageRequest, min: number) {
  const { allFeeds: feed } = catalog
  const formats = feed.formats.filter((format) => sourcesIn(feed, offered, format).length >= min)
  if (formats.length === 0) return []
  const { everythingForReaders } = pageMessages(site.language).follow.feeds
  if (isCalendar({ formats })) return [{ ...feed, formats }]
  const text = { ...feed.textIn(site.language), summary: everythingForReaders }
  return [{ ...feed, formats, textIn: () => text }]
}

export const sourcesIn = (feed: ServedFeed, readable: readonly Feed[], format: FeedFormat) =>
  feed.sourcesFrom(readable, format, noneChosen(feed.options(format)))

function summaryOf(feed: ServedFeed, composer: OptionsForm | undefined, language: string): string {
  const { summary } = feed.textIn(language)
  const query = composer?.queries.ics
  if (query === undefined) return summary
  const reading = readOptions(feed.options('ics'), new URLSearchParams(query))
  return (reading.ok ? feed.summaryWith?.(reading.chosen, language) : undefined) ?? summary
}

export function combinedForReaders({ context, viewer, offered }: PageRequest) {
  return context.catalog.combinedFeeds.filter(
    (feed) =>
      (viewer.link ? feed.isPublicOnly !== true : feed.isForEveryone) &&
      // Feeds with calendars have their own section, and repeat items of the others in a list.
      !isCalendar(feed) &&
      sourcesIn(feed, offered, 'rss').length > 0,
  )
}
