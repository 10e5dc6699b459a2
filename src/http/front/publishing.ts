import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TimeSource } from '../../clock.ts'
import type { LinkEntry, LinkRegistry } from '../../links/link-registry.ts'
import type { FeedLink } from '../../links/feed-link.ts'
import { sizeOf } from '../../representations/encoded-body.ts'
import type { Representation } from '../../representations/representation.ts'
import type { Representations } from '../../representations/representations.ts'
import type { FeedAddress, FeedResponses } from '../feeds/feed-address.ts'
import { noteUse } from '../feeds/viewer.ts'
import type { RequestLog } from '../monitoring/request-log.ts'
import { responseKey, type Address, type Use } from './protocol.ts'
import type { PublishedResponses } from './published-responses.ts'

/** A site's view of the front, where it publishes responses and learns how often they are sent. */
export type Front = Pick<PublishedResponses, 'publish' | 'retire' | 'retireSite' | 'setLinks'> & {
  /** Remembers what the URL of a request stands for. */
  readonly remember: (request: IncomingMessage, response: ServerResponse, address: Address) => void
  /** Remembers what a URL stands for before anyone requests it. */
  readonly announce: (host: string, path: string, address: Address) => void
  /** Resolves once the front has done everything that it was asked to do before. */
  readonly done: () => Promise<void>
  /** Calls the listener for each use of a site's responses. */
  readonly onUse: (site: string, listener: (use: Use, count: number) => void) => void
}

/** Publishes the feeds of a site that clients have requested, and some before that. */
export type Publishing = {
  readonly remember: (
    request: IncomingMessage,
    response: ServerResponse,
    address: FeedAddress,
  ) => void
}

export type PublishingOptions = {
  /** Distinguishes sites that share a front. */
  readonly site: string
  readonly front: Front
  readonly representations: Pick<Representations, 'rendered' | 'onChange' | 'recordUse'>
  readonly feedResponses: FeedResponses
  readonly early: EarlyFeeds
  readonly links: Pick<LinkRegistry, 'byId' | 'isLoaded'> & {
    readonly open: () => readonly FeedLink[]
    readonly onChange: (listener: () => void) => void
  }
  readonly requestLog: Pick<RequestLog, 'answered'>
  readonly clock: TimeSource
}

/** Public feeds to publish before anyone requests them, the most important ones first. */
export type EarlyFeeds = {
  readonly feeds: readonly {
    readonly target: FeedAddress['target']
    readonly host: string
    readonly path: string
    readonly route: string
  }[]
  /** Maximum total size. Feeds beyond it are published when they are requested. */
  readonly maxBytes: number
}

/** Publishes each early or requested feed, now and whenever its bytes change. */
export function createPublishing(options: PublishingOptions): Publishing {
  const { site, front, representations, feedResponses, early, links, requestLog, clock } = options
  /** Targets by key. */
  const followed = new Map<string, FeedAddress['target']>()
  const keyOf = (target: FeedAddress['target']) => responseKey(site, target.name)
  /** Sizes by key of feeds published before the first request; 0 until they are published. */
  const earlyBytes = new Map<string, number>()

  /** Returns true for an early feed that is now beyond the size limit. */
  function holdBack(key: string, representation: Representation): boolean {
    const bytesBefore = earlyBytes.get(key)
    if (bytesBefore === undefined) return false
    const size = sizeOf(representation.encodings)
    const total = earlyBytes.values().reduce((sum, bytes) => sum + bytes, size - bytesBefore)
    const isHeldBack = total > early.maxBytes
    earlyBytes.set(key, isHeldBack ? 0 : size)
    if (isHeldBack && bytesBefore > 0) front.retire(key)
    return isHeldBack
  }

  function publish(target: FeedAddress['target']): void {
    const key = keyOf(target)
    if (!followed.has(key)) return
    const latest = representations.rendered(target)
    if (latest) {
      const { representation, validUntil } = latest
      if (holdBack(key, representation)) return
      front.publish(key, feedResponses.responseOf(target, representation), validUntil)
    } else {
      followed.delete(key)
      front.retire(key)
    }
  }

  function announceEarly(): void {
    for (const { target, host, path, route } of early.feeds) {
      const key = keyOf(target)
      followed.set(key, target)
      earlyBytes.set(key, 0)
      if (representations.rendered(target)) publish(target)
      front.announce(host, path, {
        site,
        key,
        isDownload: false,
        link: undefined,
        editedAt: undefined,
        route,
        countsAsUse: true,
      })
    }
  }

  function publishLinks(): void {
    // Until then, the front keeps the links of an earlier maker.
    if (!links.isLoaded()) return
    const entries = links.open().flatMap(({ id }) => links.byId(id) ?? [])
    front.setLinks(site, new Map(entries.map((entry) => [scopeOf(entry), entry.servesUntil])))
  }

  representations.onChange(publish)
  links.onChange(publishLinks)
  publishLinks()
  announceEarly()
  front.onUse(site, ({ address, method, status, userAgent }, count) => {
    const { key, link, route, countsAsUse } = address
    requestLog.answered({ route, method, status, userAgent }, count)
    const target = followed.get(key)
    if (target) representations.recordUse(target)
    const entry = countsAsUse && link !== undefined ? links.byId(linkIdIn(link)) : undefined
    if (entry) noteUse(entry, clock.now(), userAgent)
  })
  return {
    remember(request, response, { target, isDownload, link, route }) {
      const key = keyOf(target)
      if (earlyBytes.delete(key) || !followed.has(key)) {
        followed.set(key, target)
        publish(target)
      }
      if (!followed.has(key)) return
      front.remember(request, response, {
        site,
        key,
        isDownload,
        link: link && scopeOf(link),
        editedAt: link?.link.editedAt,
        route,
        countsAsUse: true,
      })
    },
  }
}

/** Identifies a link and what it may read, so that a URL is resolved again if the link is edited. */
export function scopeOf({ link: { id, profile, feedIds, editedAt = 0 } }: LinkEntry): string {
  return `${id} ${profile} ${feedIds?.join(',') ?? '*'} ${editedAt}`
}

function linkIdIn(scope: string): string {
  return scope.split(' ', 1)[0] ?? ''
}
