import { Router } from 'express'
import type { Feed, FeedFormat } from '../feeds/feed.ts'
import type { Representations } from '../representations/representations.ts'
import { targetOf } from '../representations/target.ts'
import { BadOption } from './bad-option.ts'
import type { FeedAddress, FeedAnswers } from './feed-address.ts'
import { sendFeed } from './feed-answer.ts'
import type { HotPath } from './hot-path.ts'
import { PrivateFeed } from './private-feed.ts'
import { TooManyVariants } from './too-many-variants.ts'
import type { VariantLimit } from './variant-limit.ts'

/** `/{feed}.{format}` for every feed of the catalogue, with its options, where the hot path has none. */
export function feedRoutes(options: {
  readonly feeds: readonly Feed[]
  readonly publicFeeds: readonly Feed[]
  readonly representations: Pick<Representations, 'get' | 'isKnown'>
  readonly variantLimit: VariantLimit
  readonly hotPath: Pick<HotPath, 'remember'>
  readonly feedAnswers: FeedAnswers
}): Router {
  const { feeds, publicFeeds, representations, variantLimit, hotPath, feedAnswers } = options
  const router = Router({ caseSensitive: true, strict: true })

  /** What somebody has had made already may be had as often as one likes. */
  function limitVariants({ target }: FeedAddress, client: string): void {
    if (target.variant.query === '' || representations.isKnown(target)) return
    const waitMs = variantLimit.take(client)
    if (waitMs !== undefined) throw new TooManyVariants(waitMs)
  }

  for (const feed of feeds) {
    for (const format of feed.formats) {
      router.get(pathOf(feed, format), async (request, response) => {
        if (!publicFeeds.includes(feed)) throw new PrivateFeed(feed.title)
        const { originalUrl, ip = '' } = request
        const address = readAddress(originalUrl, feed, format)
        limitVariants(address, ip)
        const representation = await representations.get(address.target)
        hotPath.remember(originalUrl, address)
        // As the hot path would: what else every answer carries is for pages.
        for (const name of response.getHeaderNames()) response.removeHeader(name)
        sendFeed(request, response, feedAnswers.answerOf(address, representation))
      })
    }
  }
  return router
}

/** Where anyone reads feeds, also scripts of other pages. */
export function openPaths(publicFeeds: readonly Feed[]): ReadonlySet<string> {
  return new Set(publicFeeds.flatMap((feed) => feed.formats.map((format) => pathOf(feed, format))))
}

function pathOf(feed: Feed, format: FeedFormat): string {
  return `/${feed.id}.${format}`
}

/** Throws `BadOption` for options that cannot be. */
function readAddress(url: string, feed: Feed, format: FeedFormat): FeedAddress {
  const start = url.indexOf('?')
  const query = new URLSearchParams(start === -1 ? '' : url.slice(start))
  const reading = feed.variant(query, format)
  if (!reading.ok) throw new BadOption(reading.reason)
  const download = query.get('download') ?? '0'
  if (!['0', '1'].includes(download)) throw new BadOption('download must be 0 or 1.')
  const target = targetOf(feed, reading.variant, format)
  return { target, isDownload: download === '1', route: pathOf(feed, format) }
}
