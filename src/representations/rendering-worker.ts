/*
 * Entry point of the rendering thread. Stores the collections it receives and runs tasks in order.
 */
import { parentPort } from 'node:worker_threads'
import type { Collection } from '../collections/collection.ts'
import { feeds } from '../feeds/catalog.ts'
import type { FeedOverview } from '../feeds/feed-overview.ts'
import {
  createRenderers,
  type Feed,
  type FeedRequest,
  type RenderedFeed,
  type RenderedPage,
  type Renderers,
} from '../feeds/feed.ts'
import type { Site } from '../feeds/site.ts'
import type { FeedDiagnosis } from './rendering.ts'

type Resource = Collection['resource']

/** The parts of a collection that rendering needs. */
type Source = {
  readonly records: Collection['records'][number][]
  readonly ledger: Map<number, LedgerEntry>
  readonly changedAt: number
}

type LedgerEntry = Collection['ledger'] extends ReadonlyMap<number, infer Entry> ? Entry : never

export type Task =
  | {
      readonly kind: 'render'
      readonly feedId: string
      readonly request: FeedRequest
    }
  | {
      readonly kind: 'overview'
      readonly feedId: string
      readonly request: Omit<FeedRequest, 'format'>
    }
  | {
      readonly kind: 'page'
      readonly feedId: string
      readonly record: { readonly id: number; readonly url: string }
      readonly request: Omit<FeedRequest, 'format' | 'chosen'>
    }
  | { readonly kind: 'review'; readonly feedId: string; readonly now: number }

/**
 * A site is sent before its collections. A collection is sent as a header, followed by slices of its
 * records and ledger.
 */
export type Message = { readonly siteId: number } & (
  | { readonly kind: 'site'; readonly site: Site }
  | { readonly kind: 'collection'; readonly resource: Resource; readonly changedAt: number }
  | { readonly kind: 'records'; readonly resource: Resource; readonly slice: Source['records'] }
  | {
      readonly kind: 'ledger'
      readonly resource: Resource
      readonly slice: readonly (readonly [number, LedgerEntry])[]
    }
  | (Task & { readonly id: number })
)

export type Reply =
  | { readonly id: number; readonly result: Result }
  | { readonly id: number; readonly error: unknown }

type Result = RenderedFeed | FeedOverview | RenderedPage | FeedDiagnosis | undefined

type KnownSite = { readonly renderers: Renderers; readonly sources: Map<Resource, Source> }

const sites = new Map<number, KnownSite>()

function siteOf(siteId: number): KnownSite {
  const site = sites.get(siteId)
  if (!site) throw new TypeError(`unknown site ${siteId}`)
  return site
}

function sourceOf({ sources }: KnownSite, resource: Resource): Source {
  const source = sources.get(resource)
  if (!source) throw new TypeError(`no records for ${resource}`)
  return source
}

function feedOf(id: string): Feed {
  const feed = feeds.find((each) => each.id === id)
  if (!feed) throw new TypeError(`unknown feed ${id}`)
  return feed
}

function resultOf(site: KnownSite, task: Task): Result {
  const { renderers } = site
  const feed = feedOf(task.feedId)
  const source = sourceOf(site, feed.resource)
  if (task.kind === 'review') return feed.diagnose?.(source, task.now, renderers)
  if (task.kind === 'overview') {
    return feed.overview(source, { site: renderers.site, ...task.request })
  }
  if (task.kind === 'page') {
    return feed.page(source, task.record, { site: renderers.site, ...task.request })
  }
  return feed.render(source, task.request, renderers)
}

function replyTo(siteId: number, { id, ...task }: Task & { readonly id: number }): Reply {
  try {
    return { id, result: resultOf(siteOf(siteId), task) }
  } catch (error) {
    return { id, error }
  }
}

parentPort?.on('message', (message: Message) => {
  const { siteId } = message
  switch (message.kind) {
    case 'site':
      sites.set(siteId, { renderers: createRenderers(message.site), sources: new Map() })
      return
    case 'collection':
      siteOf(siteId).sources.set(message.resource, {
        records: [],
        ledger: new Map(),
        changedAt: message.changedAt,
      })
      return
    case 'records':
      sourceOf(siteOf(siteId), message.resource).records.push(...message.slice)
      return
    case 'ledger':
      for (const [id, entry] of message.slice) {
        sourceOf(siteOf(siteId), message.resource).ledger.set(id, entry)
      }
      return
    case 'render':
    case 'overview':
    case 'page':
    case 'review':
      parentPort?.postMessage(replyTo(siteId, message))
  }
})
