import { feedUrl } from '../feeds/feed.ts'
import { isCalendarFormat } from '../feeds/formats.ts'
import type { Site } from '../feeds/site.ts'
import type { LinkEntry } from '../links/link-registry.ts'
import type { Representation } from '../representations/representation.ts'
import { isPlain, type Target } from '../representations/target.ts'
import { unknownParametersField } from '../front/cache-fields.ts'
import type { EncodedResponse, Fields } from './send-encoded.ts'
import { contentDisposition } from './content-disposition.ts'

/** Shared caches revalidate every five minutes in the background (RFC 5861). */
const freshSeconds = 300
const staleIfErrorSeconds = 86_400
const freshness = `max-age=${freshSeconds}, stale-while-revalidate=${freshSeconds}, stale-if-error=${staleIfErrorSeconds}`

/** Header of the notice that replaces a public feed that was made private. */
export const noticeField = 'Feedhouse-Notice'

/** Lets scripts from any origin read public feeds. */
export const publicFields: Fields = [
  ['Cache-Control', `public, ${freshness}`],
  ['Access-Control-Allow-Origin', '*'],
  ['Access-Control-Expose-Headers', `ETag, ${unknownParametersField}`],
  ['Cross-Origin-Resource-Policy', 'cross-origin'],
]

/** Keep private feeds out of shared caches and search engines, and their URLs out of `Referer`. */
const privateFields: Fields = [
  ['Cache-Control', `private, ${freshness}`],
  ['X-Robots-Tag', 'noindex'],
  ['Referrer-Policy', 'no-referrer'],
]

export type FeedUrl = {
  readonly target: Target
  readonly isDownload: boolean
  readonly link: LinkEntry | undefined
  /** Route pattern for logs and metrics. */
  readonly route: string
  /** Lists the parameters that have no effect. Empty if there are none. */
  readonly unknownParameters?: string
  /** True for a notice instead of a public feed that was made private. */
  readonly isPrivateNotice?: boolean
}

export function feedResponse(
  { contentType, title, encodings, lastModified }: Representation,
  { target, isDownload, unknownParameters = '', isPrivateNotice }: Omit<FeedUrl, 'link' | 'route'>,
  site: Site,
): EncodedResponse {
  return {
    lastModified: new Date(lastModified).toUTCString(),
    encodings,
    fields: [
      ...(target.profile === 'public' ? publicFields : privateFields),
      ['X-Content-Type-Options', 'nosniff'],
      ['Content-Type', contentType],
      ['Content-Disposition', contentDisposition(title, target.format, { isDownload })],
      ...hubLinks(target, site),
      ...(isPrivateNotice ? [[noticeField, 'private'] as const] : []),
      ...(unknownParameters === '' ? [] : [[unknownParametersField, unknownParameters] as const]),
    ],
  }
}

/** Returns Link headers for WebSub discovery (WebSub 4), or none for feeds with options. */
function hubLinks(target: Target, site: Site): Fields {
  const { feed, format, profile } = target
  const hasHubs = !isCalendarFormat(format) && isPlain(target) && profile === 'public'
  if (!hasHubs || site.hubs.length === 0) return []
  const self = `<${feedUrl(site.publicUrl, feed, format)}>; rel="self"`
  return [['Link', [...site.hubs.map((hub) => `<${hub}>; rel="hub"`), self].join(', ')]]
}
