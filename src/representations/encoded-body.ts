import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import type { ContentCoding, EncodedBody, Encodings } from './content-coding.ts'

/** Ends of the ETags of encodings. */
const suffixes: Readonly<Record<ContentCoding, string>> = { br: '-br', gzip: '-gzip', identity: '' }

/** Recently decompressed bodies by ETag, for clients that do not accept gzip. */
const inflated = new LRUCache<string, Buffer>({
  maxSize: 8 * 1024 * 1024,
  sizeCalculation: ({ length }) => length,
})

export function encodedBody(made: Buffer, etag = etagOf(made)): EncodedBody {
  const bytes = withoutSpareRoom(made)
  return { bytes, length: bytes.length, etag }
}

/** Returns a body that is decompressed from its gzip encoding when its bytes are read. */
export function inflatedBody(
  gzip: EncodedBody,
  { length, etag }: Pick<EncodedBody, 'length' | 'etag'>,
): EncodedBody {
  return {
    length,
    etag,
    isInflated: true,
    get bytes() {
      const recent = inflated.get(etag)
      if (recent) return recent
      const bytes = gunzipSync(gzip.bytes)
      inflated.set(etag, bytes)
      return bytes
    },
  }
}

/** Returns the strong ETag of an unencoded body. */
export function etagOf(bytes: Buffer): string {
  return `"${createHash('sha256').update(bytes).digest('base64url')}"`
}

/**
 * Returns the ETag of an encoding, given that of another one. It is known before the body is compressed, so
 * clients that have any encoding are up to date.
 */
export function etagFor(
  coding: ContentCoding,
  { of, coding: known = 'identity' }: { readonly of: string; readonly coding?: ContentCoding },
): string {
  const unencoded = of.replace(`${suffixes[known]}"`, '"')
  return unencoded.replace(/"$/, `${suffixes[coding]}"`)
}

/** Returns the size of everything that is kept, in bytes. */
export function sizeOf(encodings: Encodings): number {
  const kept = Object.values(encodings).filter(({ isInflated }) => !isInflated)
  return kept.reduce((size, { length }) => size + length, 0)
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
