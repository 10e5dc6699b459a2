import { feedUrl } from '../../feeds/feed.ts'
import type { Site } from '../../feeds/site.ts'
import type { Representation } from '../../representations/representation.ts'
import type { Target } from '../../representations/target.ts'
import type { EncodedResponse, Fields } from '../responses/send-encoded.ts'
import type { FeedAddress } from './feed-address.ts'
import { contentDisposition } from './content-disposition.ts'

/** Shared caches revalidate every five minutes in the background (RFC 5861). */
const freshSeconds = 300
const staleIfErrorSeconds = 86_400
const freshness = `max-age=${freshSeconds}, stale-while-revalidate=${freshSeconds}, stale-if-error=${staleIfErrorSeconds}`

/** `Cache-Control` of public feeds. */
export const publicCaching = `public, ${freshness}`

/** Returns the response that serves a feed. */
export function feedResponse(
  { contentType, title, encodings, lastModified }: Representation,
  { target, isDownload }: FeedAddress,
  site: Site,
): EncodedResponse {
  return {
    lastModified: new Date(lastModified).toUTCString(),
    encodings,
    fields: [
      ...cacheControl(target),
      ...crossOrigin(target),
      ...secrecy(target),
      ['X-Content-Type-Options', 'nosniff'],
      ['Content-Type', contentType],
      ['Content-Disposition', contentDisposition(title, target.format, { isDownload })],
      ...hubLinks(target, site),
    ],
  }
}

/** Returns caching headers. Shared caches must not store private feeds. */
function cacheControl({ profile }: Target): Fields {
  return [['Cache-Control', profile === 'public' ? publicCaching : `private, ${freshness}`]]
}

/** Returns headers that keep private feeds out of search engines and their URLs out of `Referer`. */
function secrecy({ profile }: Target): Fields {
  if (profile === 'public') return []
  return [
    ['X-Robots-Tag', 'noindex'],
    ['Referrer-Policy', 'no-referrer'],
  ]
}

/** Returns headers that let scripts from any origin read public feeds. */
function crossOrigin({ profile }: Target): Fields {
  if (profile !== 'public') return []
  return [
    ['Access-Control-Allow-Origin', '*'],
    ['Access-Control-Expose-Headers', 'ETag'],
    ['Cross-Origin-Resource-Policy', 'cross-origin'],
  ]
}

/** Returns Link headers for WebSub discovery (WebSub 4), or none for feeds with options. */
function hubLinks({ feed, format, chosen, profile }: Target, site: Site): Fields {
  const hasHubs = format !== 'ics' && chosen.query === '' && profile === 'public'
  if (!hasHubs || site.hubs.length === 0) return []
  const self = `<${feedUrl(site.publicUrl, feed, format)}>; rel="self"`
  return [['Link', [...site.hubs.map((hub) => `<${hub}>; rel="hub"`), self].join(', ')]]
}
