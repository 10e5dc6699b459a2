import { Router, type Request, type Response } from 'express'
import { feedUrl, type Feed, type Site } from '../feeds/feed.ts'
import type { Representation } from '../representations/representation.ts'
import type { Representations } from '../representations/representations.ts'
import { acceptedEncoding } from './accept-encoding.ts'
import { isNotModified } from './conditional.ts'
import { BadOption } from './bad-option.ts'
import { PrivateFeed } from './private-feed.ts'

/** A cache in between asks anew every five minutes, without making anyone wait (RFC 5861). */
const freshSeconds = 300
const staleIfErrorSeconds = 86_400
const cacheControl = `public, max-age=${freshSeconds}, stale-while-revalidate=${freshSeconds}, stale-if-error=${staleIfErrorSeconds}`

/** `/{feed}.{format}` for every feed of the catalogue, with its options. */
export function feedRoutes(
  feeds: readonly Feed[],
  publicFeeds: readonly Feed[],
  representations: Representations,
  site: Site,
): Router {
  const router = Router({ caseSensitive: true, strict: true })
  for (const feed of feeds) {
    for (const format of feed.formats) {
      router.get(`/${feed.id}.${format}`, async (request, response) => {
        if (!publicFeeds.includes(feed)) throw new PrivateFeed(feed.title)
        const reading = feed.variant(queryOf(request), format)
        if (!reading.ok) throw new BadOption(reading.reason)
        const representation = await representations.get(feed, reading.variant, format)
        if (format !== 'ics' && site.hubs.length > 0 && reading.variant.query === '') {
          response.set('Link', hubLinks(site.hubs, feedUrl(feed, format, site)))
        }
        sendRepresentation(request, response, representation)
      })
    }
  }
  return router
}

/** What WebSub reads of an answer (WebSub 4); of a feed with options nobody is told. */
function hubLinks(hubs: readonly string[], self: string): string {
  return [...hubs.map((hub) => `<${hub}>; rel="hub"`), `<${self}>; rel="self"`].join(', ')
}

function queryOf({ url }: Request): URLSearchParams {
  const start = url.indexOf('?')
  return new URLSearchParams(start === -1 ? '' : url.slice(start))
}

function sendRepresentation(
  { method, headers }: Request,
  response: Response,
  representation: Representation,
): void {
  const { contentType, lastModified } = representation
  const { coding, bytes, etag } = acceptedEncoding(headers['accept-encoding'], representation)
  response.set({
    ETag: etag,
    'Last-Modified': new Date(lastModified).toUTCString(),
    'Cache-Control': cacheControl,
    Vary: 'Accept-Encoding',
    'Access-Control-Allow-Origin': '*',
    'Cross-Origin-Resource-Policy': 'cross-origin',
  })
  if (isNotModified(headers, { etag, lastModified })) {
    response.status(304).end()
    return
  }
  if (coding !== 'identity') response.set('Content-Encoding', coding)
  response.set({ 'Content-Type': contentType, 'Content-Length': String(bytes.length) })
  response.end(method === 'HEAD' ? undefined : bytes)
}
