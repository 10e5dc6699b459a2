import type { Clock } from '../clock.ts'
import { feedUrl, type Feed, type FeedFormat, type Site } from '../feeds/feed.ts'
import type { Logger } from '../log.ts'
import type { Representations } from './representations.ts'

/** How often it is looked what has changed: several changes within make one ping. */
const lookMs = 30_000
const pingTimeoutMs = 10_000
const retryAfterMs = [10_000, 60_000]

type Topic = { readonly feed: Feed; readonly format: FeedFormat }

/**
 * Tells WebSub hubs when feeds have changed, until the signal: a POST with `hub.mode=publish` for
 * each feed and format. What a hub does not take is tried again twice, then told and given up.
 */
export async function publishToHubs(options: {
  readonly feeds: readonly Feed[]
  readonly site: Site
  readonly representations: Representations
  readonly clock: Clock
  readonly log: Logger
  readonly signal: AbortSignal
}): Promise<void> {
  const { feeds, site, clock, log, signal } = options
  const topics = feeds.flatMap((feed) =>
    feed.formats.filter((format) => format !== 'ics').map((format): Topic => ({ feed, format })),
  )
  const published = new Map<string, string>()

  async function changedTopics(): Promise<readonly string[]> {
    const changed: string[] = []
    for (const { feed, format } of topics) {
      const url = feedUrl(feed, format, site)
      const etag = await etagOf(options.representations, { feed, format })
      if (etag === undefined) continue
      if (published.has(url) && published.get(url) !== etag) changed.push(url)
      published.set(url, etag)
    }
    return changed
  }

  async function ping(hub: string, urls: readonly string[]): Promise<void> {
    for (const waitMs of [...retryAfterMs, undefined]) {
      const failure = await post(hub, urls, signal)
      if (failure === undefined || signal.aborted) return
      if (waitMs === undefined) {
        log.warn(
          { hub: new URL(hub).host, feeds: urls.length, failure },
          'a WebSub hub was not told',
        )
      } else {
        await clock.sleep(waitMs, signal).catch(() => undefined)
      }
    }
  }

  while (!signal.aborted) {
    const changed = await changedTopics()
    if (changed.length > 0) await Promise.all(site.hubs.map((hub) => ping(hub, changed)))
    await clock.sleep(lookMs, signal).catch(() => undefined)
  }
}

/** Undefined while there is nothing to show. */
async function etagOf(
  representations: Representations,
  { feed, format }: Topic,
): Promise<string | undefined> {
  const reading = feed.variant(new URLSearchParams(), format)
  if (!reading.ok) return undefined
  const representation = await representations
    .get(feed, reading.variant, format)
    .catch(() => undefined)
  return representation?.etag
}

/** Why it failed, in a word or a status; undefined when it did not. */
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
    return error instanceof Error ? error.name : 'unknown'
  }
}
