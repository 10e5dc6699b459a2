import { createHash } from 'node:crypto'
import { z } from 'zod'
import { dayMs } from '../clock.ts'
import { CollectionUnavailable } from '../collections/collection.ts'
import type { Receiver } from '../channels/notice.ts'
import { feedUrl, type Feed, type ServedFeed } from '../feeds/feed.ts'
import { isCalendarFormat } from '../feeds/formats.ts'
import type { Site } from '../feeds/site.ts'
import { RenderingBusy } from '../representations/render-queue.ts'
import type { Representations } from '../representations/representations.ts'
import { plainTargets } from '../representations/target.ts'
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

  const urlOf = ({ feed, format }: (typeof topics)[number]) => feedUrl(site.publicUrl, feed, format)
  const urls = new Set(topics.map(urlOf))

  /** Errors of the feeds that could not be rendered at the latest check, by feed id. */
  let failures: ReadonlyMap<string, unknown> = new Map()

  /** Logs feeds that cannot be rendered, unless the previous check failed with the same error. */
  function report(latest: typeof failures): void {
    for (const [feed, error] of latest) {
      if (String(failures.get(feed)) === String(error)) continue
      log.error({ err: error, feed }, 'a feed cannot be rendered for hubs')
    }
    failures = latest
  }

  async function etagsByUrl(): Promise<Readonly<Record<string, string>>> {
    const failed = new Map<string, unknown>()
    const known = await Promise.all(
      topics.map(async (topic) => {
        const url = urlOf(topic)
        try {
          return [[url, (await representations.get(topic)).encodings.identity.etag] as const]
        } catch (error) {
          // Hubs are still notified of the other feeds.
          const isExpected =
            error instanceof CollectionUnavailable || error instanceof RenderingBusy
          if (!isExpected) failed.set(topic.feed.id, error)
          return []
        }
      }),
    )
    report(failed)
    return Object.fromEntries(known.flat())
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
      return {
        state: { ...before, published: { ...before.published, ...latest } },
        items,
        // A hub would announce the address of a feed that is private now.
        review: (url) => (urls.has(url) ? { item: url } : 'withdrawn'),
      }
    },
    messageFrom: (changed) => ({ type: 'publish', urls: [...new Set(changed)] }),
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

async function post(hub: string, urls: readonly string[], signal: AbortSignal) {
  const body = new URLSearchParams([
    ['hub.mode', 'publish'],
    ...urls.map((url): [string, string] => ['hub.url', url]),
  ])
  const response = await fetch(hub, { method: 'POST', body, redirect: 'manual', signal })
  await response.body?.cancel()
  return { status: response.status, headers: response.headers, text: '' }
}
