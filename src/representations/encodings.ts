import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gunzip, gunzipSync, gzip } from 'node:zlib'
import { LRUCache } from 'lru-cache'

/** HTTP content codings (RFC 9110 8.4.1), best compression first. */
export const contentCodings = ['br', 'gzip', 'identity'] as const

export type ContentCoding = (typeof contentCodings)[number]

type EncodedBody = {
  readonly bytes: Buffer
  readonly length: number
  /** Strong ETag. Equal bytes have the same ETag on every replica. */
  readonly etag: string
  /** True if only its gzip encoding is kept, from which its bytes are decompressed. */
  readonly isInflated?: boolean
}

/** A body's encodings. A coding is present only if its result is smaller than that of the next coding. */
export type Encodings = Readonly<Partial<Record<ContentCoding, EncodedBody>>> & {
  readonly identity: EncodedBody
}

/** A feed in one format (RFC 9110 3.2), ready to serve. */
export type Representation = {
  readonly contentType: string
  /** Plain-text title of the feed. */
  readonly title: string
  /**
   * Milliseconds since the epoch. It is in the future if another replica's clock is ahead, or this
   * one's used to be. It is omitted until then, because a client may have this time with older bytes.
   */
  readonly lastModified: number
  readonly encodings: Encodings
}

const suffixes: Readonly<Record<ContentCoding, string>> = { br: '-br', gzip: '-gzip', identity: '' }

/** Higher levels take 1.6 times as long, and save only another 0.3 KB of 65 KB. */
const gzipLevel = 6

/**
 * Bodies up to this size, such as all calendars, are kept only as gzip, which takes up to two
 * milliseconds to decompress.
 */
const maxInflatedBytes = 1024 * 1024

/** Quality 11 takes seconds above half a megabyte. Quality 9 takes 0.1 seconds for 15% larger output. */
const maxBestBytes = 512 * 1024
const brotliQuality = { best: 11, fast: 9, quick: 5 }

const gzipInThreadPool = promisify(gzip)
const gunzipInThreadPool: (bytes: Uint8Array) => Promise<Buffer> = promisify(gunzip)
const brotliInThreadPool = promisify(brotliCompress)

/** Recently decompressed bodies by ETag, for clients that do not accept gzip. */
const inflated = new LRUCache<string, Buffer>({
  maxSize: 8 * 1024 * 1024,
  sizeCalculation: ({ length }) => length,
})

/** Returns a body and its gzip encoding, which is omitted if it is not smaller. */
export async function encodingsOf(bytes: Buffer): Promise<Encodings> {
  const identity = encodedBody(bytes)
  const zipped = await gzipped(bytes)
  if (zipped.length >= bytes.length) return { identity }
  const gzip = encodedBody(zipped, etagFor('gzip', { of: identity.etag }))
  const isKept = bytes.length > maxInflatedBytes
  return { gzip, identity: isKept ? identity : inflatedBody(gzip, identity) }
}

/** Takes up to a second. Returns the same representation if brotli does not save anything. */
export async function withBrotli(representation: Representation): Promise<Representation> {
  const { identity, gzip } = representation.encodings
  // Reading `identity.bytes` would keep the decompressed bytes in memory.
  const compressed = await brotlied(gzip ? await gunzipInThreadPool(gzip.bytes) : identity.bytes)
  if (compressed.length >= (gzip ?? identity).length) return representation
  const br = encodedBody(compressed, etagFor('br', { of: identity.etag }))
  return { ...representation, encodings: { ...representation.encodings, br } }
}

export function encodedBody(made: Buffer, etag = etagOf(made)): EncodedBody {
  const bytes = withoutSpareRoom(made)
  return { bytes, length: bytes.length, etag }
}

/** Returns a body that is decompressed from its gzip encoding when its bytes are read. */
function inflatedBody(gzip: EncodedBody, { length, etag }: EncodedBody): EncodedBody {
  return {
    length,
    etag,
    isInflated: true,
    get bytes() {
      const recent = inflated.get(etag)
      if (recent) return recent
      const bytes = withoutSpareRoom(gunzipSync(gzip.bytes))
      inflated.set(etag, bytes)
      return bytes
    },
  }
}

/** Returns the strong ETag of an unencoded body. */
export function etagOf(bytes: Buffer): string {
  return `"${createHash('sha256').update(bytes).digest('base64url')}"`
}

/** Does not need the compressed body, so a copy in any encoding can be recognized as current. */
export function etagFor(
  coding: ContentCoding,
  { of, coding: known = 'identity' }: { readonly of: string; readonly coding?: ContentCoding },
): string {
  const unencoded = of.replace(`${suffixes[known]}"`, '"')
  return unencoded.replace(/"$/, `${suffixes[coding]}"`)
}

/** Returns the total size of a representation's bytes in memory. */
export function sizeOf(encodings: Encodings): number {
  const kept = Object.values(encodings).filter(({ isInflated }) => !isInflated)
  return kept.reduce((size, { length }) => size + length, 0)
}

/** Copies small views of large buffers, such as zlib returns, so that the buffers can be freed. */
function withoutSpareRoom(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength <= 2 * bytes.length) return bytes
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(copy)
  return copy
}

export function gzipped(bytes: Uint8Array): Promise<Buffer> {
  return gzipInThreadPool(bytes, { level: gzipLevel })
}

/** Compresses text with brotli in a few milliseconds, for pages that change often. */
export function brotliedQuickly(bytes: Uint8Array): Promise<Buffer> {
  return brotliInThreadPool(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality.quick },
  })
}

/** Compresses text with brotli, which takes up to a second. */
export function brotlied(bytes: Uint8Array): Promise<Buffer> {
  const { length } = bytes
  const quality = length > maxBestBytes ? brotliQuality.fast : brotliQuality.best
  return brotliInThreadPool(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: length,
    },
  })
}
