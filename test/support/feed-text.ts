import { atOnce } from '../../src/steps.ts'
import { createTopicReplies } from '../../src/collections/topic-replies.ts'
import type { Collection } from '../../src/collections/collection.ts'
import { applyReading, type CollectionCopy } from '../../src/collections/copy/collection-copy.ts'
import { feeds } from '../../src/feeds/catalog.ts'
import { forum } from '../../src/feeds/catalog/news-feeds.ts'
import { renderTopic } from '../../src/feeds/topic-feed.ts'
import { createLogger } from '../../src/log.ts'
import { databaseItem } from '../../src/records/custom-database.ts'
import { createRenderers, type Feed, type FeedSource } from '../../src/feeds/feed.ts'
import type { FeedFormat } from '../../src/feeds/formats.ts'
import type { Site } from '../../src/feeds/site.ts'
import type { Profile } from '../../src/records/profile.ts'
import { databaseIdFrom, endpointOf, type FeedResource } from '../../src/records/resources.ts'
import type { sampleDatasetOn } from '../../src/sandbox/sample/sample-dataset.ts'
import { chosenOptions } from './chosen-options.ts'
import { createFakeClock } from './fake-clock.ts'
import { testSite } from './site.ts'

/**
 * Returns the collection of a resource after the website has been read several times, an hour
 * apart.
 */
export async function collectionAfter<R extends FeedResource>(
  resource: R,
  readings: readonly (readonly unknown[])[],
  start: number,
): Promise<Collection<R>> {
  let kept: CollectionCopy<R> | undefined
  for (const [index, items] of readings.entries()) {
    const reading = { items: async () => items, calls: 1, days: undefined }
    const change = await applyReading(resource, kept, reading, start + index * 3_600_000)
    kept = change.kept
  }
  if (!kept) throw new TypeError('no reading')
  return kept.collection
}

/**
 * Returns the items in the sample as they are stored. Sign-up sheets include their details, and
 * topics of the forum have the number of their replies.
 */
export function itemsOf(
  sample: ReturnType<typeof sampleDatasetOn>,
  resource: FeedResource,
): readonly unknown[] {
  const endpoint = endpointOf(resource)
  if (endpoint === 'training') {
    const [, list = 'membercerts'] = resource.split('/')
    return sample.training.flatMap((record) => {
      const { type, restrictedTo, ...item } = { restrictedTo: [], ...record }
      return type === list && restrictedTo.length === 0 ? [item] : []
    })
  }
  if (resource === 'discuss') {
    return sample.discuss.map(({ text: _text, replies, ...topic }) => ({
      replyCount: replies.length,
      ...topic,
    }))
  }
  const databaseId = databaseIdFrom(resource)
  if (databaseId !== undefined) {
    const { fields = [], records = [] } = sample.databases.find(({ id }) => id === databaseId) ?? {}
    return records.map((record) => databaseItem(record, fields))
  }
  if (endpoint !== 'signup') return sample[endpoint]
  return sample.signup.map(({ groups, contact, ...sheet }) => ({
    ...sheet,
    details: { sheet: { ...sheet, contact }, groups },
  }))
}

export type RenderOptions = {
  readonly now: number
  readonly format?: FeedFormat
  readonly profile?: Profile
  /** Query string, like `calendar=3&alarm=30`. */
  readonly query?: string
  readonly site?: Site
}

/** Returns one of the feeds that every site has. */
export function feedWith(feedId: string): Feed {
  const feed = feeds.find(({ id }) => id === feedId)
  if (!feed) throw new TypeError(`there is no feed ${feedId}`)
  return feed
}

/** Renders one of the feeds that every site has, without using caches. */
export function renderFeed(
  feedId: string,
  source: FeedSource<FeedResource>,
  options: RenderOptions,
) {
  return renderAnyFeed(feedWith(feedId), source, options)
}

/** Renders the replies to a topic in the forum, without using caches. */
export async function renderReplies(
  {
    topics,
    replies,
  }: { readonly topics: readonly unknown[]; readonly replies: readonly unknown[] },
  options: RenderOptions & { readonly topicId: number },
): Promise<string> {
  const { now, topicId, format = 'rss', profile = 'members', query = '', site = testSite } = options
  const forumCopy = await collectionAfter('discuss', [topics], now)
  const { read } = createTopicReplies({
    dataService: { readAll: () => Promise.resolve({ items: replies, calls: 1, envelope: noPage }) },
    collections: { read: () => Promise.resolve(forumCopy as never) },
    siteTimeZone: site.timeZone,
    clock: createFakeClock(now),
    log: createLogger('silent'),
  })
  const chosen = chosenOptions(forum, format, `topic=${topicId}&${query}`)
  const request = { format, profile, now, chosen }
  return atOnce(renderTopic(await read(topicId), request, createRenderers(site))).body.toString()
}

const noPage = {
  endpoint: 'discuss',
  domain: '',
  generated: '',
  startRow: 1,
  totalCount: 0,
  items: [],
}

/** Renders a feed without using caches. */
export function renderAnyFeed(
  feed: Feed,
  source: FeedSource<FeedResource>,
  options: RenderOptions,
) {
  const { now, format = 'ics', profile = 'public', query = '', site = testSite } = options
  const request = { format, profile, now, chosen: chosenOptions(feed, format, query) }
  const rendered = atOnce(feed.renderSource(source, request, createRenderers(site)))
  return { ...rendered, text: rendered.body.toString() }
}
