import type { Request, Response } from 'express'
import { LRUCache } from 'lru-cache'
import type { TimeSource } from '../clock.ts'
import {
  brotliedQuickly,
  gzipped,
  type ContentCoding,
  type Encodings,
  encodedBody,
  etagFor,
  etagOf,
} from '../representations/encodings.ts'
import { acceptedCodings } from '../front/accept-encoding.ts'
import { upTo } from './client-limit.ts'
import { queryOf } from './urls.ts'
import { sendEncoded } from './send-encoded.ts'
import type { Page, PageCache } from './site-cache.ts'

const maxKnown = 5_000

/** If the URL has parameters other than `parameters`, the front does not cache the page. */
export type SendPage = (
  request: Request,
  response: Response,
  body: string | Buffer,
  page: Page & { readonly parameters?: readonly string[] },
) => Promise<void>

/**
 * Returns a function that sends text with the headers set so far, a strong ETag, and the best
 * encoding. Without a content type, the text is HTML. Bytes are sent as they are.
 */
export function createSendPage(siteCache: PageCache, clock: TimeSource): SendPage {
  /** Time of each page's last change, as far as this process knows. */
  const known = new LRUCache<string, { etag: string; lastModified: string }>(upTo(maxKnown))

  function lastModifiedOf(url: string, etag: string): string {
    const before = known.get(url)
    if (before?.etag === etag) return before.lastModified
    const lastModified = new Date(clock.now()).toUTCString()
    known.set(url, { etag, lastModified })
    return lastModified
  }

  return async (request, response, body, page) => {
    const { originalUrl, headers } = request
    const { link, parameters = [] } = page
    const now = clock.now()
    // The front never caches responses of ended links.
    const hasEnded = link !== undefined && now >= link.servesUntil
    // Anyone can make up any number of URLs, and each page would be compressed.
    const isMadeUp = [...queryOf(originalUrl).keys()].some((name) => !parameters.includes(name))
    const isText = typeof body === 'string'
    // A strong ETag prevents compression.
    if (!isText) response.set('ETag', etagOf(body))
    if (response.statusCode !== 200 || hasEnded || isMadeUp) return void response.send(body)
    siteCache.keepPage(response, originalUrl, page)
    const bytes = isText ? Buffer.from(body) : body
    const etag = etagOf(bytes)
    const lastModified = lastModifiedOf(originalUrl, etag)
    if (!response.hasHeader('Content-Type')) response.type('html')
    // It would identify another request.
    response.removeHeader('X-Request-Id')
    const accepted = acceptedCodings(headers['accept-encoding'])
    const encodings = isText
      ? await encodingsFor(bytes, etag, accepted, headers['if-none-match'])
      : { identity: encodedBody(bytes, etag) }
    const encoded = { lastModified, fields: [], encodings }
    sendEncoded(request, response, encoded, { changedAt: link?.link.editedAt, now })
  }
}

/** Compresses a body for a client, unless the client already has it. */
async function encodingsFor(
  bytes: Buffer,
  etag: string,
  accepted: readonly ContentCoding[],
  ifNoneMatch = '',
): Promise<Encodings> {
  const identity = encodedBody(bytes, etag)
  const [best = 'identity'] = accepted
  if (best === 'identity' || ifNoneMatch.includes(etag.slice(1, -1))) return { identity }
  const compressed = await (best === 'br' ? brotliedQuickly(bytes) : gzipped(bytes))
  if (compressed.length >= bytes.length) return { identity }
  return { identity, [best]: encodedBody(compressed, etagFor(best, { of: etag })) }
}
