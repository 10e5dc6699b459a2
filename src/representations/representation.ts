import { contentTypeOf, type FeedFormat } from '../feeds/formats.ts'
import {
  brotlied,
  encodedBody,
  encodingsOf,
  etagFor,
  gunzipped,
  type Encodings,
} from './encodings.ts'

/** A feed in one format (RFC 9110 3.2), ready to serve. */
export type Representation = {
  readonly contentType: string
  /** Plain-text title of the feed. */
  readonly title: string
  /** Milliseconds since the epoch. */
  readonly lastModified: number
  readonly encodings: Encodings
}

export async function representationOf(
  bytes: Buffer,
  about: Pick<Representation, 'title' | 'lastModified'> & {
    readonly format: FeedFormat
    readonly contentType?: string | undefined
  },
): Promise<Representation> {
  const { format, contentType = contentTypeOf(format), ...rest } = about
  return { ...rest, contentType, encodings: await encodingsOf(bytes) }
}

/** Takes up to a second. Returns the same representation if brotli does not save anything. */
export async function withBrotli(representation: Representation): Promise<Representation> {
  const { identity, gzip } = representation.encodings
  // Reading the identity's bytes would keep them for other readers.
  const compressed = await brotlied(gzip ? await gunzipped(gzip.bytes) : identity.bytes)
  if (compressed.length >= (gzip ?? identity).length) return representation
  const br = encodedBody(compressed, etagFor('br', { of: identity.etag }))
  return { ...representation, encodings: { ...representation.encodings, br } }
}
