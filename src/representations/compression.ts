import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** What is gained above 6 is not worth the time (0.3 KB of 65 KB for 1.6 times as long). */
const gzipLevel = 6

/** Above half a megabyte 11 takes seconds for what 9 does in a tenth of one, 15 % larger. */
const brotliBest = { quality: 11, maxBytes: 512 * 1024 }
const brotliFast = { quality: 9 }

const gzipInThreadPool = promisify(gzip)
const brotliInThreadPool = promisify(brotliCompress)

export function gzipped(bytes: Uint8Array): Promise<Buffer> {
  return gzipInThreadPool(bytes, { level: gzipLevel })
}

let brotliTurn: Promise<unknown> = Promise.resolve()

/**
 * Of text; takes up to a second. One after the other, whoever wants it: the thread pool, which is the
 * process's, is needed for names of hosts and files, too.
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
