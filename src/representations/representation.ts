import { createHash } from 'node:crypto'
import { contentTypes, type FeedFormat } from '../feeds/feed.ts'
import { brotlied, gzipped } from './compression.ts'
import type { EncodedBody, Encodings } from './content-coding.ts'

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
  about: { readonly format: FeedFormat; readonly title: string; readonly lastModified: number },
): Promise<Representation> {
  const { format, title, lastModified } = about
  const zipped = await gzipped(bytes)
  return {
    contentType: contentTypes[format],
    title,
    lastModified,
    encodings: {
      identity: encodedBody(bytes),
      ...(zipped.length < bytes.length ? { gzip: encodedBody(zipped) } : {}),
    },
  }
}

/** Adds brotli, which takes up to a second; returns the same representation if brotli saves nothing. */
export async function withBrotli(representation: Representation): Promise<Representation> {
  const { identity, gzip: zipped = identity } = representation.encodings
  const compressed = await brotlied(identity.bytes)
  if (compressed.length >= zipped.bytes.length) return representation
  const br = encodedBody(compressed)
  return { ...representation, encodings: { ...representation.encodings, br } }
}

/** Returns the size of all encodings in bytes. */
export function sizeOf({ encodings }: Representation): number {
  return Object.values(encodings).reduce((size, { bytes }) => size + bytes.length, 0)
}

function encodedBody(made: Buffer): EncodedBody {
  const bytes = withoutSpareRoom(made)
  return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` }
}

/**
 * Copies the bytes if they are a small view of a large buffer, so that the buffer can be freed. zlib
 * returns such views.
 */
function withoutSpareRoom(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength <= 2 * bytes.length) return bytes
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(copy)
  return copy
}
