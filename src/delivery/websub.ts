import { createHash } from 'node:crypto'
import { z } from 'zod'
import { dayMs } from '../clock.ts'
import { CollectionUnavailable } from '../collections/collection.ts'
import type { Receiver } from '../channels/notice.ts'
import { feedUrl, type Feed, type ServedFeed } from '../feeds/feed.ts'
import { isCalendarFormat } from '../feeds/formats.ts'
import type { Site } from '../feeds/site.ts'
import type { Logger } from '../log.ts'
import { RenderingBusy } from '../representations/render-queue.ts'
import type { Representations } from '../representations/representations.ts'
import { plainTargets, type Target } from '../representations/target.ts'
import { queuesSchema } from './notifications/delivery-queue.ts'
import { runOutbox, type OutboxContext } from './notifications/outbox.ts'
import { deliveryOf } from './notifications/webhook.ts'

/** How often to check for changes. Changes within one interval are sent in a single ping. */
const pollIntervalMs = 30_000

const limits = {
  waiting: 500,
  /** By then, feed readers have fetched the feeds themselves. */
  maxAgeMs: dayMs,
  itemsPerMessage: 100,
  messagesAtOnce: 1,
  gapMs: 0,
}

const stored = z.object({
  /** ETags of the feeds when they were last sent, by URL. */
  published: z.record(z.string(), z.string()).readonly(),
  queues: queuesSchema(z.string()),
})

type PublishOptions = OutboxContext & {
  readonly feeds: readonly Feed[]
  readonly combinedFeeds: readonly ServedFeed[]
  readonly site: Site
  readonly representations: Representations
}

/** Notifies WebSub hubs of changed feeds in each format (`hub.mode=publish`) until aborted. */
export async function publishToHubs(options: PublishOptions): Promise<void> {
  const { feeds, combinedFeeds, site, representations, clock, log } = options
  const topics = plainTargets(feeds, combinedFeeds, 'public').filter(
    ({ format }) => !isCalendarFormat(format),
  )

  async function etagsByUrl(): Promise<Readonly<Record<string, string>>> {
    const etags = await Promise.all(topics.map((topic) => etagOf(representations, topic, log)))
    const known = topics.flatMap((topic, index) => {
      const etag = etags[index]
      const url = feedUrl(site.publicUrl, topic.feed, topic.format)
      return etag === undefined ? [] : [[url, etag] as const]
    })
    return Object.fromEntries(known)
  }

  await runOutbox<string, z.infer<typeof stored>, Ping>(options, {
    bucket: 'websub',
    schema: stored,
    initial: { published: {}, queues: {} },
    receivers: site.hubs.map((url) => createHub(url, clock.now)),
    intervalMs: pollIntervalMs,
    limits,
    async plan(before) {
      const latest = await etagsByUrl()
      const items = Object.keys(latest).filter((url) => {
        const etag = before.published[url]
        return etag !== undefined && etag !== latest[url]
      })
      return { state: { ...before, published: { ...before.published, ...latest } }, items }
    },
    messageFrom: (urls) => ({ type: 'publish', urls: [...new Set(urls)] }),
  })
}

type Ping = { readonly type: 'publish'; readonly urls: readonly string[] }

function createHub(hubUrl: string, now: () => number): Receiver<Ping> {
  const digest = createHash('sha256').update(hubUrl).digest('hex')
  return {
    id: `hub-${digest.slice(0, 12)}`,
    label: `WebSub hub at ${new URL(hubUrl).host}`,
    send: ({ urls }, signal) => deliveryOf((limit) => post(hubUrl, urls, limit), signal, now),
  }
}

/** Resolves to undefined if the feed is unavailable, so that hubs are still notified of others. */
async function etagOf(
  representations: Representations,
  topic: Target,
  log: Logger,
): Promise<string | undefined> {
  try {
    return (await representations.get(topic)).encodings.identity.etag
  } catch (error) {
    const isExpected = error instanceof CollectionUnavailable || error instanceof RenderingBusy
    if (!isExpected)
      log.error({ err: error, feed: topic.name }, 'a feed cannot be rendered for hubs')
    return undefined
  }
}

async function post(hub: string, urls: readonly string[], signal: AbortSignal) {
  const body = new URLSearchParams([
    ['hub.mode', 'publish'],
    ...urls.map((url): [string, string] => ['hub.url', url]),
  ])
  const response = await fetch(hub, { method: 'POST', body, redirect: 'manual', signal })
  await response.body?.cancel()
  return { status: response.status, headers: response.headers, text: '' }
}
