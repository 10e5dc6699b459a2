import { every, type Clock } from '../clock.ts'
import { CollectionUnavailable } from '../collections/collection.ts'
import { feedUrl, type Feed, type ServedFeed } from '../feeds/feed.ts'
import { isCalendarFormat } from '../feeds/formats.ts'
import type { Site } from '../feeds/site.ts'
import type { Logger } from '../log.ts'
import type { Representations } from '../representations/representations.ts'
import { plainTargets, type Target } from '../representations/target.ts'

/** How often to check for changes. Changes within one interval are sent in a single ping. */
const pollIntervalMs = 30_000
const pingTimeoutMs = 10_000
const retryAfterMs = [10_000, 60_000]

type PublishOptions = {
  readonly feeds: readonly Feed[]
  readonly combinedFeeds: readonly ServedFeed[]
  readonly site: Site
  readonly representations: Representations
  readonly clock: Clock
  readonly log: Logger
  readonly signal: AbortSignal
}

/** Notifies WebSub hubs of changed feeds in each format (`hub.mode=publish`) until aborted. */
export async function publishToHubs(options: PublishOptions): Promise<void> {
  const { feeds, combinedFeeds, site, representations, clock, log, signal } = options
  const topics = plainTargets(feeds, combinedFeeds, 'public').filter(
    ({ format }) => !isCalendarFormat(format),
  )
  const hubs = site.hubs.map((url) => createHub(url, options))
  const published = new Map<string, string>()

  async function changedTopics(): Promise<readonly string[]> {
    const changed: string[] = []
    for (const topic of topics) {
      const url = feedUrl(site.publicUrl, topic.feed, topic.format)
      const etag = await etagOf(representations, topic)
      if (etag === undefined) continue
      if (published.has(url) && published.get(url) !== etag) changed.push(url)
      published.set(url, etag)
    }
    return changed
  }

  await every(clock, pollIntervalMs, signal, async () => {
    const changed = await changedTopics().catch((error: unknown) => {
      log.error({ err: error }, 'checking for feeds to publish to WebSub hubs failed')
      return []
    })
    for (const hub of hubs) hub.notify(changed)
  })
  await Promise.all(hubs.map((hub) => hub.settled()))
}

/** Creates a client for one hub. It sends one ping at a time and retries a failed ping twice. */
function createHub(hubUrl: string, { clock, log, signal }: PublishOptions) {
  const waiting = new Set<string>()
  let notifying: Promise<void> | undefined

  async function ping(urls: readonly string[]): Promise<void> {
    for (const waitMs of [...retryAfterMs, undefined]) {
      const failure = await post(hubUrl, urls, signal)
      if (failure === undefined || signal.aborted) return
      if (waitMs === undefined) {
        const hub = new URL(hubUrl).host
        log.warn({ hub, feeds: urls, failure }, 'notifying a WebSub hub failed')
      } else {
        await clock.sleep(waitMs, signal).catch(() => undefined)
      }
    }
  }

  async function notifyAll(): Promise<void> {
    while (waiting.size > 0 && !signal.aborted) {
      const urls = [...waiting]
      waiting.clear()
      await ping(urls)
    }
  }

  return {
    notify(urls: readonly string[]): void {
      for (const url of urls) waiting.add(url)
      notifying ??= notifyAll().finally(() => {
        notifying = undefined
      })
    },
    settled: () => notifying ?? Promise.resolve(),
  }
}

/** Returns undefined if the collection is unavailable. */
async function etagOf(
  representations: Representations,
  topic: Target,
): Promise<string | undefined> {
  try {
    return (await representations.get(topic)).encodings.identity.etag
  } catch (error) {
    if (error instanceof CollectionUnavailable) return undefined
    throw error
  }
}

/** Returns an error code or HTTP status on failure, or undefined on success. */
async function post(
  hub: string,
  urls: readonly string[],
  signal: AbortSignal,
): Promise<string | undefined> {
  const body = new URLSearchParams([
    ['hub.mode', 'publish'],
    ...urls.map((url): [string, string] => ['hub.url', url]),
  ])
  try {
    const response = await fetch(hub, {
      method: 'POST',
      body,
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(pingTimeoutMs)]),
    })
    await response.body?.cancel()
    return response.ok ? undefined : String(response.status)
  } catch (error) {
    return failureOf(error)
  }
}

/** `ECONNREFUSED`, `TimeoutError`, ... */
function failureOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const { cause } = error
  return cause instanceof Error && 'code' in cause ? String(cause.code) : error.name
}
