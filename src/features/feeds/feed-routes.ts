import type { Request, RequestHandler, Response } from 'express'
import { LRUCache } from 'lru-cache'
import type { Catalog } from '../../feeds/catalog.ts'
import { feedUrl, type Feed, type ServedFeed } from '../../feeds/feed.ts'
import { contentTypeOf, type FeedFormat, isCalendarFormat } from '../../feeds/formats.ts'
import { published } from '../../feeds/published.ts'
import { topicIdIn } from '../../feeds/topic-feed.ts'
import {
  noticeField,
  privateNotice,
  renderNotice,
  type FeedNotice,
} from '../../feeds/link-notice.ts'
import { siteIn, type Site } from '../../feeds/site.ts'
import { unknownParameters, unknownParametersValue } from '../../feeds/unknown-parameters.ts'
import { noneChosen, readOptions, type ChosenOptions } from '../../options/option.ts'
import { encodingsOf, type Representation } from '../../representations/encodings.ts'
import {
  forLink,
  inLanguage,
  isPlain,
  targetOf,
  type Target,
} from '../../representations/target.ts'
import { newFeedVariants, siteOf, type SiteContext } from '../../web/context.ts'
import { readLanguage } from '../../web/translation.ts'
import { linkPrefix, noteUse, type Viewer, viewerFrom } from '../../web/viewer.ts'
import { BadOption, PrivateFeed, validOptions } from '../../web/errors.ts'
import { createClientLimit, upTo, type ClientLimit } from '../../web/client-limit.ts'
import { contentDisposition, readDownload } from '../../web/content-disposition.ts'
import { privateFeedFields, publicFeedFields } from '../../web/route.ts'
import type { FeedUrl } from '../../web/site-cache.ts'
import { networkOf } from '../../front/client-address.ts'
import { acceptedCodings } from '../../front/accept-encoding.ts'
import { isRefetch, unknownParametersField } from '../../front/cache-fields.ts'
import { sendEncoded, type Fields } from '../../web/send-encoded.ts'
import { queryOf } from '../../web/urls.ts'

const noOwnText =
  'This feed link is not for a member, so it has no personal entries. Leave out show=personal.'

/** After a restart, the feeds of everyone behind a shared proxy must be rendered again. */
export const restartVariants = { burst: 300, oneMoreMs: 2_000 }
const restartMs = 60 * 60_000

/** Maximum number of notices in memory, which replace the content of closed feeds. */
const maxNotices = 100

/** Returns a function that limits new feeds with options, less strictly after a restart. */
function variantLimit({ restartedAt, clock }: SiteContext): ClientLimit {
  const firstLimit = createClientLimit(clock, restartVariants)
  const laterLimit = createClientLimit(clock, newFeedVariants)
  return (ip) => (clock.now() < restartedAt + restartMs ? firstLimit : laterLimit)(ip)
}

type ShownUrl = FeedUrl & {
  /** Lists the parameters that have no effect. Empty if there are none. */
  readonly unknownParameters: string
  /** True for a notice instead of a public feed that was made private. */
  readonly isPrivateNotice: boolean
}

function send(
  request: Request,
  response: Response,
  url: ShownUrl,
  representation: Representation,
  options: { readonly isKept: boolean; readonly changedAt?: number | undefined },
): void {
  const { site, siteCache, clock } = siteOf(response)
  // Headers set earlier are for pages and messages. Feeds have only the ones set below.
  for (const name of response.getHeaderNames()) response.removeHeader(name)
  const { changedAt = url.link?.link.editedAt } = options
  const { encodings } = representation
  const now = clock.now()
  // The response omits a time that is still in the future.
  const changesAt =
    representation.lastModified > now
      ? Math.max(representation.lastModified, changedAt ?? 0)
      : undefined
  if (options.isKept) siteCache.keepFeed(response, { ...url, changesAt })
  const lastModified = new Date(representation.lastModified).toUTCString()
  const encoded = { lastModified, encodings, fields: fieldsFor(url, representation, site) }
  sendEncoded(request, response, encoded, { changedAt, now })
}

/** Returns all header fields of a feed except those of an encoding. */
function fieldsFor(
  { target, isDownload, unknownParameters, isPrivateNotice }: ShownUrl,
  { contentType, title }: Representation,
  site: Site,
): Fields {
  return [
    ...(target.profile === 'public' ? publicFeedFields : privateFeedFields),
    ['X-Content-Type-Options', 'nosniff'],
    ['Content-Type', contentType],
    ['Content-Disposition', contentDisposition(title, target.format, { isDownload })],
    ...hubLinks(target, site),
    ...(isPrivateNotice ? [[noticeField, 'private'] as const] : []),
    ...(unknownParameters === '' ? [] : [[unknownParametersField, unknownParameters] as const]),
  ]
}

/** Returns Link headers for WebSub discovery (WebSub 4), or none for feeds with options. */
function hubLinks(target: Target, site: Site): Fields {
  const { feed, format, profile } = target
  const hasHubs = !isCalendarFormat(format) && isPlain(target) && profile === 'public'
  if (!hasHubs || site.hubs.length === 0) return []
  const self = `<${feedUrl(site.publicUrl, feed, format)}>; rel="self"`
  return [['Link', [...site.hubs.map((hub) => `<${hub}>; rel="hub"`), self].join(', ')]]
}

const noticesOf = (_site: SiteContext) =>
  new LRUCache<string, Promise<Representation>>(upTo(maxNotices))

/** Options have no effect on a notice, so few notices are rendered. */
function noticeFor(
  { feed, format, language }: Target,
  notice: FeedNotice,
  { site, clock, kept }: SiteContext,
): Promise<Representation> {
  const notices = kept(noticesOf)
  const lastModified = Math.min(clock.now(), notice.changedAt)
  const key = [notice.id, lastModified, feed.id, format, language].join(' ')
  const known = notices.get(key)
  if (known) return known
  const shown = { notice, site: siteIn(site, language) }
  const { body, title } = renderNotice(feed, format, shown)
  const about = { contentType: contentTypeOf(format), title, lastModified }
  const rendered = encodingsOf(body).then((encodings) => ({ ...about, encodings }))
  notices.set(key, rendered)
  return rendered
}

/**
 * Returns the target of a URL. Returns a notice instead of its content if the feed was public until
 * recently. Calendar apps get no notice, because they keep their entries on an error.
 */
function readableTarget(
  { feed, format }: FoundFeed,
  query: URLSearchParams,
  viewer: Viewer,
  { site, catalog, privateSince = {}, clock }: SiteContext,
): { readonly target: Target; readonly notice?: FeedNotice } {
  try {
    return { target: forLink(targetFor(feed, format, query, viewer), viewer.link?.link) }
  } catch (error) {
    const isForReaders = !viewer.link && !isCalendarFormat(format) && feed !== catalog.myFeeds
    if (!(error instanceof PrivateFeed) || !isForReaders) throw error
    const chosen = noneChosen(feed.options(format))
    const sources = feed.sourcesFrom(catalog.feeds, format, chosen)
    const ids = error.feedId === feed.id ? sources.map(({ id }) => id) : []
    const times = [error.feedId, ...ids].flatMap((id) => privateSince[id] ?? [])
    const language = siteIn(site, readLanguage(query, site))
    const notice = privateNotice(feed.id, Math.max(...times), language, clock.now())
    if (!notice) throw error
    const about = { chosen, format, profile: viewer.profile }
    return { target: targetOf(feed, [], about), notice }
  }
}

/** Passes requests for feeds to `serve`. */
export const findFeed =
  (serve: RequestHandler): RequestHandler =>
  (request, response, next) => {
    const found = feedAt(siteOf(response).catalog, request.path)
    if (!found) return next()
    response.locals['feed'] = found
    serve(request, response, next)
  }

/** Serves a feed publicly or under a feed link. The front caches most of them. */
export const sendFeed: RequestHandler = async (request, response) => {
  const context = siteOf(response)
  const { site, representations, topics, clock } = context
  const { originalUrl, ip = '', headers } = request
  const found = response.locals['feed'] as FoundFeed
  const { feed, format, isBelowLink } = found
  const route = `${isBelowLink ? linkPrefix : ''}/${feed.id}.${format}`
  response.locals['route'] = route
  const viewer = viewerFrom(response, 'feed')
  const { link, closed } = viewer
  const query = queryOf(originalUrl)
  const readable = readableTarget(found, query, viewer, context)
  const notice = closed?.notice ?? readable.notice
  const target = inLanguage(readable.target, readLanguage(query, site))
  const unknown = unknownParameters(query, Object.values(feed.options(format)))
  const url = {
    target,
    isDownload: readDownload(query),
    link,
    route,
    unknownParameters: unknownParametersValue(unknown),
    isPrivateNotice: readable.notice !== undefined,
  }
  if (notice) {
    const shown = await noticeFor(target, notice, context)
    const { changedAt } = readable.notice ?? {}
    return send(request, response, url, shown, { isKept: false, changedAt })
  }
  const topicId = topicIdIn(feed.id, target.chosen.values)
  if (topicId === undefined) {
    // A URL without options means the defaults, or the selection saved for the link.
    const isVariant = !isPlain(target) && originalUrl.includes('?')
    if (isVariant && !representations.isKnown(target)) context.kept(variantLimit)(ip)
    const representation = await representations.get(target, networkOf(ip))
    const acceptsBrotli = acceptedCodings(headers['accept-encoding']).includes('br')
    if (acceptsBrotli && !isRefetch(request)) representations.useBrotli(target)
    // A search is not kept if there are too many.
    return send(request, response, url, representation, { isKept: representations.isKnown(target) })
  }
  const topic = await topics.get(target, topicId)
  if (link) noteUse(link, clock.now(), headers['user-agent'])
  send(request, response, url, topic, { isKept: false })
}

type FoundFeed = {
  readonly feed: ServedFeed
  readonly format: FeedFormat
  readonly isBelowLink: boolean
}

/** Returns the feed at a path like `/events.ics`, also below a feed link. */
export function feedAt({ feeds, combinedFeeds }: Catalog, path: string): FoundFeed | undefined {
  const [, below, id, ending] = /^(\/l\/[^/]+)?\/([^/.]+)\.([a-z]+)$/.exec(path) ?? []
  const isNamed = (each: ServedFeed) => each.id === id
  const others = () => combinedFeeds.find(isNamed) ?? [published].find(isNamed)
  const feed = feeds.find(isNamed) ?? others()
  const format = feed?.formats.find((each) => each === ending)
  const isBelowLink = below !== undefined
  if (!feed || !format || (isBelowLink && feed.isPublicOnly)) return undefined
  return { feed, format, isBelowLink }
}

/** Returns true for the path of a public feed, which scripts from any origin may read. */
export function isOpenPath({ publicFeeds, catalog }: SiteContext, path: string): boolean {
  const { feed, isBelowLink = false } = feedAt(catalog, path) ?? {}
  if (!feed || isBelowLink) return false
  return feed.isForEveryone ?? publicFeeds.some(({ id }) => id === feed.id)
}

/** Throws `PrivateFeed` for a feed that the viewer may not read, and `BadOption` for invalid options. */
function targetFor(
  feed: ServedFeed,
  format: FeedFormat,
  query: URLSearchParams,
  { feeds: readable, profile, link }: Viewer,
): Target {
  if (feed.isForEveryone === false && !link) throw new PrivateFeed(feed, link)
  const targetWith = (sources: readonly Feed[], chosen: ChosenOptions) =>
    targetOf(feed, sources, { chosen, format, profile, memberId: link?.link.memberId })
  const offered = feed.sourcesFrom(readable, format, noneChosen(feed.options(format)))
  const saved = savedOptions(feed, format, query, link)
  if (saved) {
    const sources = feed.sourcesFrom(readable, format, saved)
    const allowed = sources.filter((source) => readable.includes(source))
    // The feed is empty if the link no longer includes any of the selected feeds but does offer
    // others.
    if (allowed.length > 0 || offered.length > 0) return targetWith(allowed, saved)
  }
  const reading = readOptions(feed.options(format, offered), query)
  if (!reading.ok && offered.length === 0) throw new PrivateFeed(feed, link)
  const chosen = validOptions(reading)
  const sources = feed.sourcesFrom(readable, format, chosen)
  const hidden = sources.find((source) => !readable.includes(source))
  if (hidden || offered.length === 0) throw new PrivateFeed(hidden ?? feed, link)
  const hasOwn = link?.link.memberId !== undefined && feed.hasPersonalEntries?.(format, sources)
  if (sources.length === 0 && !hasOwn) throw new BadOption(noOwnText)
  return targetWith(sources, chosen)
}

/** If the URL selects feeds, ignores the link's selection. Other options replace saved ones. */
function savedOptions(
  feed: ServedFeed,
  format: FeedFormat,
  query: URLSearchParams,
  link: Viewer['link'],
): ChosenOptions | undefined {
  const choice = link?.link.choice
  const text = choice && feed.savedQuery?.(choice, format)
  if (text === undefined || query.has('show')) return undefined
  const saved = [...new URLSearchParams(text)].filter(([name]) => !query.has(name))
  const reading = readOptions(feed.options(format), new URLSearchParams([...saved, ...query]))
  return reading.ok ? reading.chosen : undefined
}
