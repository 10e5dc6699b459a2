import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Encodings } from './content-coding.ts'
import { encodedBody, etagFor, inflatedBody } from './encoded-body.ts'

/** Higher levels take 1.6 times as long, and save only another 0.3 KB of 65 KB. */
const gzipLevel = 6

/** Only gzip is kept of bodies up to this size. Decompressing them takes less than a millisecond. */
const maxInflatedBytes = 256 * 1024

/**
 * Quality 11 takes seconds for more than half a megabyte. Quality 9 takes 0.1 seconds, but its output is
 * 15% larger.
 */
const brotliBest = { quality: 11, maxBytes: 512 * 1024 }
const brotliFast = { quality: 9 }
const brotliQuick = { quality: 5 }

const gzipInThreadPool = promisify(gzip)
const brotliInThreadPool = promisify(brotliCompress)

export function gzipped(bytes: Uint8Array): Promise<Buffer> {
  return gzipInThreadPool(bytes, { level: gzipLevel })
}

/** Returns a body and its gzip encoding, which is left out if it is not smaller. */
export async function encodingsOf(bytes: Buffer): Promise<Encodings> {
  const identity = encodedBody(bytes)
  const zipped = await gzipped(bytes)
  if (zipped.length >= bytes.length) return { identity }
  const gzip = encodedBody(zipped, etagFor('gzip', { of: identity.etag }))
  const isKept = bytes.length > maxInflatedBytes
  return { gzip, identity: isKept ? identity : inflatedBody(gzip, identity) }
}

/** Compresses text with brotli in a few milliseconds, for pages that change often. */
export function brotliedQuickly(bytes: Uint8Array): Promise<Buffer> {
  return brotliInThreadPool(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuick.quality },
  })
}

let brotliTurn: Promise<unknown> = Promise.resolve()

/**
 * Compresses text with brotli, which takes up to a second. Runs one job at a time, since DNS lookups and
 * file access share the thread pool.
 */
export function brotlied(bytes: Uint8Array): Promise<Buffer> {
  const made = brotliTurn.then(() => brotliedNow(bytes))
  brotliTurn = made.catch(() => undefined)
  return made
}

function brotliedNow(bytes: Uint8Array): Promise<Buffer> {
  const { length } = bytes
  const { quality } = length > brotliBest.maxBytes ? brotliFast : brotliBest
  return brotliInThreadPool(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: length,
    },
  })
}
