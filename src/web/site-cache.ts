import type { ServerResponse } from 'node:http'
import { LRUCache } from 'lru-cache'
import type { TimeSource } from '../clock.ts'
import type { LinkEntry } from '../links/link-registry.ts'
import type { OpenLinks } from '../links/link-service.ts'
import type { Representations } from '../representations/representations.ts'
import type { Target } from '../representations/target.ts'
import { noteUse } from './viewer.ts'
import type { EmergencyTexts } from '../site/emergency-text.ts'
import type { PublicReaders } from './public-readers.ts'
import type { RequestLog } from './request-log.ts'
import { isFromFront, setCacheFields, type CacheFields } from '../front/cache-fields.ts'
import type { SitePurges, Use } from '../front/protocol.ts'
import { upTo } from './client-limit.ts'

/**
 * Feeds are revalidated after this time, even if a purge was lost. This also shows which feeds are
 * in use, and which collections.
 */
export const maxFeedAgeMs = 5 * 60_000

/** A page is rendered again after this time, because dates and times on it may have changed. */
export const pageAgeMs = 30_000

export const stalePeriods = {
  /** At midnight, for example, the feeds of all sites become outdated at the same time. */
  staleWhileRevalidateMs: 60_000,
  /** Feeds and pages stay available while the worker is down. */
  staleIfErrorMs: 7 * 24 * 60 * 60_000,
  /**
   * How long pages with an emergency text stay available, but never past the text's end. Another
   * replica may clear the text while the worker is down.
   */
  emergencyMs: 15 * 60_000,
}

/** Tag of pages, which become outdated with every change. */
const pagesTag = 'pages'

/** Tag of pages that are removed when the site starts again, because they may no longer be allowed. */
const watchedTag = 'watched'

/** Number of pages that are removed as soon as they are no longer allowed. */
const maxWatched = 5_000

export type FeedUrl = {
  readonly target: Target
  readonly isDownload: boolean
  readonly link: LinkEntry | undefined
  /** Route pattern for logs and metrics. */
  readonly route: string
  /** When the content last changed, if that is later than now by this machine's clock. */
  readonly changesAt?: number | undefined
}

export type Page = {
  readonly route: string
  readonly link: LinkEntry | undefined
  /** True if requests for the page count as uses of the link. */
  readonly countsAsUse?: boolean
  /** Returns false once the page must no longer be sent, even as an outdated response. */
  readonly isAllowed?: (() => boolean) | undefined
  /** When the page changes because of the time, in milliseconds since the epoch. */
  readonly validUntil?: number | undefined
}

export type PageCache = {
  readonly keepPage: (response: ServerResponse, url: string, page: Page) => void
}

export type SiteCache = PageCache & {
  readonly used: (use: Use, count: number) => void
  /** Lets the front keep the responses of the site's previous process that are still allowed. */
  readonly resume: () => void
  readonly keepFeed: (response: ServerResponse, url: FeedUrl) => void
}

/** Label of a response, which the front returns with each use. */
type UseLabel = readonly [route: string, link: string | null, publicFeed?: string]

/** Tells the front which of a site's responses it may cache, and purges changed ones. */
export function createSiteCache(options: {
  readonly site: string
  readonly front: SitePurges
  /** Version of the settings that responses depend on. */
  readonly version: string
  readonly representations: Pick<Representations, 'rendered' | 'onChange'>
  readonly links: OpenLinks & { readonly onChange: (listener: () => void) => void }
  readonly emergency: EmergencyTexts
  /** Calls the listener when the content of any page may have changed. */
  readonly onChange: (listener: () => void) => void
  readonly requestLog: { readonly answered: RequestLog['answered'] }
  readonly publicReaders: Pick<PublicReaders, 'note'>
  readonly clock: TimeSource
}): SiteCache {
  const { site, front, representations, links, onChange, requestLog, clock } = options
  const { emergency, publicReaders } = options
  const watched = new LRUCache<string, () => boolean>({
    ...upTo(maxWatched),
    dispose: (_isAllowed, name, reason) => {
      if (reason !== 'set') front.remove(site, [name])
    },
  })
  /** Tags of links for which the front may have responses. */
  const keptTags = new Set<string>()

  const currentTags = () => links.open().flatMap(({ id }) => linkTagsOf(links.byId(id)))

  function removeChangedLinks(): void {
    const current = new Set(currentTags())
    const removed = [...keptTags].filter((tag) => !current.has(tag))
    for (const tag of removed) keptTags.delete(tag)
    if (removed.length > 0) front.remove(site, removed)
  }

  function record([, link]: UseLabel, userAgent: string | undefined): void {
    const entry = link === null ? undefined : links.byId(link)
    if (entry) noteUse(entry, clock.now(), userAgent)
  }

  representations.onChange(({ name }, { isEvicted }) => {
    // The front would fetch an evicted feed again, which would evict another one, and so on.
    const staleMs = isEvicted ? 0 : stalePeriods.staleWhileRevalidateMs
    front.expire(site, [name, downloadOf(name)], staleMs)
  })
  links.onChange(removeChangedLinks)
  // An outdated page would show an ended text, or hide a new one.
  emergency.onChange(() => front.remove(site, [pagesTag]))
  onChange(() => {
    for (const [name, isAllowed] of watched.entries().toArray()) {
      if (!isAllowed()) watched.delete(name)
    }
    front.expire(site, [pagesTag], 0)
  })

  function keep(
    response: ServerResponse,
    label: UseLabel,
    link: LinkEntry | undefined,
    about: Pick<CacheFields, 'representation' | 'tags' | 'maxAgeMs' | 'timeField' | 'changedAt'> &
      Partial<Pick<CacheFields, 'staleWhileRevalidateMs' | 'staleIfErrorMs'>>,
  ): void {
    // The link may have ended or changed while its feed was being rendered, so its tag has already
    // been purged.
    const hasEnded = link !== undefined && clock.now() >= link.servesUntil
    if (hasEnded || !isFromFront(response.req)) {
      // The front counts only the uses of cached responses.
      return record(label, response.req.headers['user-agent'])
    }
    const linkTags = linkTagsOf(link)
    for (const tag of linkTags) keptTags.add(tag)
    setCacheFields(response, {
      changedAt: link?.link.editedAt,
      ...stalePeriods,
      ...about,
      site,
      tags: [...about.tags, ...linkTags],
      use: JSON.stringify(label),
      hasReaders: label[2] !== undefined,
      until: link?.servesUntil,
    })
  }

  return {
    used: ({ use, method, status, userAgent, isReader }, count) => {
      const label = JSON.parse(use) as UseLabel
      const [, , publicFeed] = label
      if (isReader && publicFeed !== undefined) publicReaders.note(publicFeed, userAgent, count)
      requestLog.answered({ route: label[0], method, status, userAgent }, count)
      record(label, userAgent)
    },
    resume: () => {
      const tags = currentTags()
      for (const tag of tags) keptTags.add(tag)
      front.restart(site, options.version, [pagesTag, ...tags])
      // An emergency text may have been stored in the meantime.
      if (emergency.current()) front.remove(site, [pagesTag])
      else front.expire(site, [pagesTag], 0)
    },
    keepFeed: (response, url) => {
      const { target, isDownload, link, route, changesAt } = url
      const { name } = target
      const validUntil = representations.rendered(target)?.validUntil ?? -Infinity
      const label: UseLabel = link ? [route, link.link.id] : [route, null, target.feed.id]
      keep(response, label, link, {
        representation: isDownload ? downloadOf(name) : name,
        tags: [],
        maxAgeMs: Math.min(maxFeedAgeMs, validUntil - clock.now()),
        ...(changesAt !== undefined && { changedAt: changesAt }),
      })
    },
    keepPage: (response, url, page) => {
      const { route, link, countsAsUse, isAllowed } = page
      if (isAllowed?.() === false) return
      const used = countsAsUse ? (link?.link.id ?? null) : null
      const representation = `page ${linkTagsOf(link).join('')} ${url}`
      if (isAllowed && isFromFront(response.req)) watched.set(representation, isAllowed)
      const timeField = response.hasHeader('Board-Time') ? 'Board-Time' : undefined
      const text = emergency.current()
      const tags = isAllowed || text ? [pagesTag, watchedTag] : [pagesTag]
      const leftMs = Math.min(page.validUntil ?? Infinity, text?.until ?? Infinity) - clock.now()
      const maxAgeMs = Math.min(pageAgeMs, leftMs)
      const staleMs = Math.min(stalePeriods.staleWhileRevalidateMs, leftMs - maxAgeMs)
      const about = { representation, tags, maxAgeMs, staleWhileRevalidateMs: staleMs, timeField }
      const ifErrorMs = Math.min(stalePeriods.emergencyMs, leftMs - maxAgeMs)
      keep(response, [route, used], link, { ...about, ...(text && { staleIfErrorMs: ifErrorMs }) })
    },
  }
}

/** Lets the front cache pages that do not belong to a feed link, until the site is purged. */
export function createPageCache(site: string): PageCache {
  return {
    keepPage(response, url, { route }) {
      setCacheFields(response, {
        ...stalePeriods,
        site,
        representation: `page ${url}`,
        tags: [],
        maxAgeMs: pageAgeMs,
        use: JSON.stringify([route, null] satisfies UseLabel),
      })
    },
  }
}

function downloadOf(name: string): string {
  return `${name} download`
}

/** Returns a link's current tag. Each edit changes the tag. */
function linkTagsOf(entry: LinkEntry | undefined): readonly string[] {
  if (!entry) return []
  const { link, servesUntil } = entry
  return [`link:${link.id}@${link.editedAt ?? 0}-${servesUntil}`]
}
