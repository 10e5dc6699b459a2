import { feedUrl } from '../../feeds/feed.ts'
import type { Site } from '../../feeds/site.ts'
import type { Representation } from '../../representations/representation.ts'
import type { Target } from '../../representations/target.ts'
import type { Head, PublishedResponse } from '../front/prepared-response.ts'
import { contentDisposition } from './content-disposition.ts'

/** Shared caches revalidate every five minutes in the background (RFC 5861). */
const freshSeconds = 300
const staleIfErrorSeconds = 86_400
const freshness = `max-age=${freshSeconds}, stale-while-revalidate=${freshSeconds}, stale-if-error=${staleIfErrorSeconds}`

/** `Cache-Control` of public feeds. */
export const publicCaching = `public, ${freshness}`

/** Returns the response that serves a feed. */
export function feedResponse(
  representation: Representation,
  target: Target,
  site: Site,
): PublishedResponse {
  const { contentType, title, encodings } = representation
  const lastModified = new Date(representation.lastModified).toUTCString()
  const contentHeaders = (isDownload: boolean) => [
    'Content-Type',
    contentType,
    'X-Content-Type-Options',
    'nosniff',
    'Content-Disposition',
    contentDisposition(title, target.format, { isDownload }),
    ...hubLinks(target, site),
  ]
  return {
    lastModified,
    encodings,
    commonHeaders: [
      'Last-Modified',
      lastModified,
      'Vary',
      'Accept-Encoding',
      ...cacheControl(target),
      ...crossOrigin(target),
      ...secrecy(target),
    ],
    contentHeaders: contentHeaders(false),
    downloadHeaders: contentHeaders(true),
    failedHeaders: [
      'Content-Type',
      'text/plain; charset=utf-8',
      'Cache-Control',
      'no-store',
      ...crossOrigin(target),
      'X-Content-Type-Options',
      'nosniff',
      ...secrecy(target),
    ],
    hasTime: false,
  }
}

/** Returns caching headers. Shared caches must not store private feeds. */
function cacheControl({ profile }: Target): Head {
  return ['Cache-Control', profile === 'public' ? publicCaching : `private, ${freshness}`]
}

/** Returns headers that keep private feeds out of search engines and their URLs out of `Referer`. */
function secrecy({ profile }: Target): Head {
  return profile === 'public' ? [] : ['X-Robots-Tag', 'noindex', 'Referrer-Policy', 'no-referrer']
}

/** Returns headers that let scripts from any origin read public feeds. */
function crossOrigin({ profile }: Target): Head {
  if (profile !== 'public') return []
  return [
    'Access-Control-Allow-Origin',
    '*',
    'Access-Control-Expose-Headers',
    'ETag',
    'Cross-Origin-Resource-Policy',
    'cross-origin',
  ]
}

/** Returns Link headers for WebSub discovery (WebSub 4), or none for feeds with options. */
function hubLinks({ feed, format, chosen, profile }: Target, site: Site): Head {
  const hasHubs = format !== 'ics' && chosen.query === '' && profile === 'public'
  if (!hasHubs || site.hubs.length === 0) return []
  const self = `<${feedUrl(site.publicUrl, feed, format)}>; rel="self"`
  return ['Link', [...site.hubs.map((hub) => `<${hub}>; rel="hub"`), self].join(', ')]
}
