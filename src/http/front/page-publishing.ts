import type { Request, Response } from 'express'
import { LRUCache } from 'lru-cache'
import type { TimeSource } from '../../clock.ts'
import type { LinkEntry } from '../../links/link-registry.ts'
import { brotliedQuickly, encodingsOf } from '../../representations/compression.ts'
import { encodedBody, etagOf, sizeOf } from '../../representations/encoded-body.ts'
import { queryOf } from '../server/urls.ts'
import { prepareResponse, sendPrepared, type PublishedResponse } from './prepared-response.ts'
import { responseKey } from './protocol.ts'
import { scopeOf, type Front } from './publishing.ts'

/** A page is rendered again after this time, because times and dates on it may have changed. */
const freshMs = 30_000

/** Limit for all pages of a site. */
const maxBytes = 16 * 1024 * 1024

/** Headers that belong to a single response. */
const ownHeaders = new Set([
  'x-request-id',
  'content-length',
  'etag',
  'vary',
  'date',
  'content-type',
  'board-time',
])

/** Headers that a 304 response repeats (RFC 9110 15.4.5), including the ones that board scripts read. */
const repeatedHeaders = new Set([
  'cache-control',
  'content-location',
  'expires',
  'access-control-allow-origin',
  'board-version',
  'board-read',
  'board-interval',
])

const htmlType = 'text/html; charset=utf-8'

/** Sends pages, and publishes them, so that the front answers the next requests. */
export type PagePublishing = {
  /**
   * Sends text with the headers that have been set, a strong ETag, and the best encoding. Without a
   * content type, the text is HTML.
   */
  readonly send: (request: Request, response: Response, text: string, page: Page) => Promise<void>
}

type Page = {
  readonly route: string
  readonly link: LinkEntry | undefined
  /** URL parameters that the page reads. A page with others is sent, but not published. */
  readonly parameters?: readonly string[]
  /** True if requests for the page are uses of the link. */
  readonly countsAsUse?: boolean
  /** Returns false once the page must no longer be sent, even as an outdated response. */
  readonly isAllowed?: (() => boolean) | undefined
}

type KeptPage = { readonly published: PublishedResponse; readonly isAllowed: () => boolean }

const isAlwaysAllowed = () => true

export function createPagePublishing(options: {
  /** Distinguishes sites that share a front. */
  readonly site: string
  readonly front: Front
  /** Calls the listener when the content of any page may have changed. */
  readonly onChange: (listener: () => void) => void
  readonly clock: TimeSource
}): PagePublishing {
  const { site, front, onChange, clock } = options
  const pages = new LRUCache<string, KeptPage>({
    maxSize: maxBytes,
    sizeCalculation: ({ published }) => sizeOf(published.encodings),
    dispose: (_page, key, reason) => {
      if (reason !== 'set') front.retire(key)
    },
  })
  let changes = 0
  onChange(() => {
    changes += 1
    for (const [key, { published, isAllowed }] of pages.entries().toArray()) {
      if (isAllowed()) front.publish(key, published, -Infinity)
      else pages.delete(key)
    }
  })

  /** Returns the previous page if the new one has the same bytes and headers. */
  async function pageOf(key: string, text: string, response: Response): Promise<PublishedResponse> {
    const before = pages.peek(key)?.published
    const bytes = Buffer.from(text)
    const page = { ...headersOf(response), lastModified: new Date(clock.now()).toUTCString() }
    const isSame =
      before?.encodings.identity.etag === etagOf(bytes) &&
      before.contentHeaders.join() === page.contentHeaders.join()
    if (isSame) return before
    const [encodings, br] = await Promise.all([encodingsOf(bytes), brotliedQuickly(bytes)])
    return { ...page, encodings: { ...encodings, br: encodedBody(br) } }
  }

  function isPublishable(
    { originalUrl }: Request,
    { statusCode }: Response,
    { link, parameters = [] }: Page,
  ): boolean {
    // The front never answers for ended links.
    const hasEnded = link !== undefined && clock.now() >= link.servesUntil
    // Anybody can make up any number of URLs, and each page would be compressed.
    const isMadeUp = [...queryOf(originalUrl).keys()].some((name) => !parameters.includes(name))
    return statusCode === 200 && !hasEnded && !isMadeUp
  }

  return {
    async send(request, response, text, page) {
      if (!isPublishable(request, response, page)) return void response.send(text)
      const { route, link, countsAsUse = false, isAllowed = isAlwaysAllowed } = page
      const scope = link && scopeOf(link)
      const key = responseKey(site, `page ${scope ?? ''} ${request.originalUrl}`)
      const changesBefore = changes
      const published = await pageOf(key, text, response)
      for (const name of response.getHeaderNames()) response.removeHeader(name)
      // A page that became outdated while it was compressed is sent, but not published.
      if (changes === changesBefore && isAllowed()) {
        pages.set(key, { published, isAllowed })
        front.publish(key, published, clock.now() + freshMs)
        const address = {
          site,
          key,
          isDownload: false,
          link: scope,
          editedAt: link?.link.editedAt,
          route,
          countsAsUse,
        }
        front.remember(request, response, address)
      }
      sendPrepared(
        request,
        response,
        prepareResponse(published, { isDownload: false }),
        clock.now(),
      )
    },
  }
}

function headersOf(response: Response): Omit<PublishedResponse, 'lastModified' | 'encodings'> {
  const headers = Object.entries(response.getHeaders()).filter(([name]) => !ownHeaders.has(name))
  const listOf = (isRepeated: boolean) =>
    headers
      .filter(([name]) => repeatedHeaders.has(name) === isRepeated)
      .flatMap(([name, value]) => [properName(name), String(value)])
  const contentType = String(response.getHeader('content-type') ?? htmlType)
  const contentHeaders = ['Content-Type', contentType, ...listOf(false)]
  return {
    commonHeaders: ['Vary', 'Accept-Encoding', ...listOf(true)],
    contentHeaders,
    downloadHeaders: contentHeaders,
    failedHeaders: ['Content-Type', 'text/plain; charset=utf-8', 'Cache-Control', 'no-store'],
    hasTime: response.hasHeader('board-time'),
  }
}

/** Returns `Cache-Control` for `cache-control`. */
function properName(name: string): string {
  return name.replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase())
}
