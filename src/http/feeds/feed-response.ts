import type { IncomingMessage, ServerResponse } from 'node:http'
import { feedUrl } from '../../feeds/feed.ts'
import type { Site } from '../../feeds/site.ts'
import type {
  ContentCoding,
  EncodedBody,
  Representation,
} from '../../representations/representation.ts'
import type { Target } from '../../representations/target.ts'
import { acceptedCodings } from './accept-encoding.ts'
import { evaluate, type Selection } from './conditional.ts'
import { contentDisposition } from './content-disposition.ts'

/** Shared caches revalidate every five minutes in the background (RFC 5861). */
const freshSeconds = 300
const staleIfErrorSeconds = 86_400
const freshness = `max-age=${freshSeconds}, stale-while-revalidate=${freshSeconds}, stale-if-error=${staleIfErrorSeconds}`

/** A representation with its prebuilt response heads. */
export type FeedResponse = {
  readonly preconditionFailed: Prepared
  readonly selectionFor: (accepted: readonly ContentCoding[]) => Selection<PreparedEncoding>
}

type Prepared = { readonly head: Head; readonly bytes: Buffer }

type PreparedEncoding = Prepared & EncodedBody & { readonly notModifiedHead: Head }

/** Alternating header names and values, which Node sends unchanged. */
type Head = string[]

const failedText = Buffer.from('The feed does not match the conditions in the request.\n')

export function feedResponse(
  representation: Representation,
  target: Target,
  { site, isDownload }: { readonly site: Site; readonly isDownload: boolean },
): FeedResponse {
  const { contentType, title, encodings } = representation
  const lastModified = new Date(representation.lastModified).toUTCString()
  const commonHeaders = [
    'Last-Modified',
    lastModified,
    'Vary',
    'Accept-Encoding',
    ...cacheControl(target),
    ...crossOrigin(target),
    ...secrecy(target),
  ]
  const contentHeaders = [
    'Content-Type',
    contentType,
    'X-Content-Type-Options',
    'nosniff',
    'Content-Disposition',
    contentDisposition(title, target.format, { isDownload }),
    ...hubLinks(target, site),
  ]
  const prepared = ({ bytes, etag }: EncodedBody, coding: ContentCoding): PreparedEncoding => ({
    bytes,
    etag,
    head: [
      'ETag',
      etag,
      ...commonHeaders,
      ...contentHeaders,
      ...(coding === 'identity' ? [] : ['Content-Encoding', coding]),
      'Content-Length',
      String(bytes.length),
    ],
    notModifiedHead: ['ETag', etag, ...commonHeaders],
  })
  const { gzip, br } = encodings
  const identity = prepared(encodings.identity, 'identity')
  const byCoding = {
    identity,
    gzip: gzip && prepared(gzip, 'gzip'),
    br: br && prepared(br, 'br'),
  }
  const selections = new WeakMap<readonly ContentCoding[], Selection<PreparedEncoding>>()
  return {
    preconditionFailed: {
      head: [
        'Content-Type',
        'text/plain; charset=utf-8',
        'Cache-Control',
        'no-store',
        'Content-Length',
        String(failedText.length),
        ...crossOrigin(target),
        'X-Content-Type-Options',
        'nosniff',
        ...secrecy(target),
      ],
      bytes: failedText,
    },
    selectionFor(accepted) {
      const cached = selections.get(accepted)
      if (cached) return cached
      const [best = identity, ...others] = accepted.flatMap((coding) => byCoding[coding] ?? [])
      const selection: Selection<PreparedEncoding> = { accepted: [best, ...others], lastModified }
      selections.set(accepted, selection)
      return selection
    },
  }
}

/** Responds to a GET or HEAD request. Replaces any headers that are already set. */
export function sendFeed(
  { headers, method }: IncomingMessage,
  response: ServerResponse,
  answer: FeedResponse,
): void {
  const selection = answer.selectionFor(acceptedCodings(headers['accept-encoding']))
  const outcome = evaluate(headers, selection)
  const { status } = outcome
  if (status === 304) {
    response.writeHead(status, outcome.encoding.notModifiedHead).end()
    return
  }
  const { head, bytes } = status === 200 ? outcome.encoding : answer.preconditionFailed
  response.writeHead(status, head).end(method === 'HEAD' ? undefined : bytes)
}

/** Returns caching headers. Shared caches must not store private feeds. */
function cacheControl({ profile }: Target): Head {
  return ['Cache-Control', `${profile === 'public' ? 'public' : 'private'}, ${freshness}`]
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
