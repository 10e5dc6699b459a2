import { Router, type Request, type Response } from 'express'
import type { AddressedFeed } from '../../feeds/combined-feed.ts'
import type { FeedFormat } from '../../feeds/feed.ts'
import { topicIdIn } from '../../feeds/topic-feed.ts'
import { renderLinkNotice, type LinkNotice } from '../../feeds/link-notice.ts'
import { representationOf, type Representation } from '../../representations/representation.ts'
import type { Target } from '../../representations/target.ts'
import type { SiteContext } from '../context.ts'
import { noteUse, prefixes, type Viewer, viewerFrom } from './viewer.ts'
import { BadOption, TooManyRequests } from '../server/errors.ts'
import { createClientLimit } from '../server/client-limit.ts'
import type { FeedAddress } from './feed-address.ts'
import { feedResponse } from './feed-response.ts'
import { sendEncoded } from '../responses/send-encoded.ts'
import { targetFor } from './target-for.ts'
import { queryOf } from '../server/urls.ts'

/** Burst and refill interval for new feed variants, per client. */
const variants = { maxConcurrent: 30, oneMoreMs: 2_000 }

/**
 * Serves `/{feed}.{format}` with the feed's options, publicly and under feed links. The front has
 * already responded to most of these requests.
 */
export function feedRoutes(context: SiteContext): Router {
  const { site, catalog, representations, topics, clock, siteCache } = context
  const feeds = [...catalog.feeds, ...catalog.combinedFeeds]
  const variantLimit = createClientLimit(clock, variants)
  const router = Router({ caseSensitive: true, strict: true })

  /** Throws `TooManyRequests` if a client requests too many new variants. */
  function limitVariants({ target }: FeedAddress, url: string, client: string): void {
    // A URL without options stands for the defaults, or for the choice saved for the link.
    const { query, values } = target.chosen
    const isVariant =
      query !== '' && url.includes('?') && topicIdIn(target.feed.id, values) === undefined
    if (!isVariant || representations.isKnown(target)) return
    const waitMs = variantLimit.take(client)
    if (waitMs !== undefined) throw new TooManyRequests('too many variants', waitMs)
  }

  /** Sends a feed without the headers for pages. */
  function send(
    request: Request,
    response: Response,
    address: FeedAddress,
    representation: Representation,
    { isKept } = { isKept: true },
  ): void {
    for (const name of response.getHeaderNames()) response.removeHeader(name)
    if (isKept) siteCache.keepFeed(response, address)
    const changedAt = address.link?.link.editedAt
    const encoded = feedResponse(representation, address, site)
    sendEncoded(request, response, encoded, { changedAt, now: clock.now() })
  }

  /** Returns the notice that replaces a feed of a paused or ended link. */
  async function noticeFor({ feed, format }: Target, notice: LinkNotice): Promise<Representation> {
    const now = clock.now()
    const { body, title, validFrom } = renderLinkNotice(feed, format, { notice, site })
    return representationOf(body, { format, title, lastModified: Math.min(now, validFrom) })
  }

  for (const prefix of prefixes) {
    for (const [feed, format] of feeds.flatMap((feed) =>
      feed.formats.map((format) => [feed, format] as const),
    )) {
      const route = `${prefix}${pathOf(feed, format)}`
      router.get(route, async (request, response) => {
        const { originalUrl, ip = '', headers } = request
        const viewer = viewerFrom(response, 'feed')
        const { link, closed } = viewer
        const address = readAddress(originalUrl, feed, format, { viewer, route })
        if (closed) {
          const notice = await noticeFor(address.target, closed.notice)
          return send(request, response, address, notice, { isKept: false })
        }
        limitVariants(address, originalUrl, ip)
        const { target } = address
        const topicId = topicIdIn(feed.id, target.chosen.values)
        const isKept = topicId === undefined
        const representation = await (isKept
          ? representations.get(target)
          : topics.get(target, topicId))
        if (link && !isKept) noteUse(link, clock.now(), headers['user-agent'])
        send(request, response, address, representation, { isKept })
      })
    }
  }
  return router
}

/** Returns the paths of public feeds, which scripts from any origin may read. */
export function openPaths({ publicFeeds, catalog }: SiteContext): ReadonlySet<string> {
  const combined = catalog.combinedFeeds.filter(({ isForEveryone }) => isForEveryone)
  return new Set(
    [...publicFeeds, ...combined].flatMap((feed) =>
      feed.formats.map((format) => pathOf(feed, format)),
    ),
  )
}

function pathOf(feed: AddressedFeed, format: FeedFormat): string {
  return `/${feed.id}.${format}`
}

/**
 * Parses a feed URL. Throws `BadOption` for invalid options, and `PrivateFeed` for a feed that the viewer
 * may not read.
 */
function readAddress(
  url: string,
  feed: AddressedFeed,
  format: FeedFormat,
  { viewer, route }: { readonly viewer: Viewer; readonly route: string },
): FeedAddress {
  const query = queryOf(url)
  const target = targetFor(feed, format, { query, viewer })
  const download = query.get('download') ?? '0'
  if (!['0', '1'].includes(download)) throw new BadOption('download must be 0 or 1.')
  return { target, isDownload: download === '1', link: viewer.link, route }
}
