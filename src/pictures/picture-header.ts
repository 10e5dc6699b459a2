import { imageSize } from 'image-size'

/** Larger pictures would use up the memory of small players. */
export const maxPixels = 40_000_000

/** The decoder keeps some rows in memory, so wide pictures need much more memory than others. */
const maxSide = 16_384

/** Dimensions are near the beginning. Parsing more would let hostile files waste CPU time. */
const maxHeaderBytes = 256 * 1024

const signatures = [
  { type: 'image/jpeg', start: /^\xff\xd8/ },
  { type: 'image/png', start: /^\x89PNG\r\n/ },
  { type: 'image/gif', start: /^GIF8[79]a/ },
  { type: 'image/webp', start: /^RIFF.{4}WEBPVP8/s },
]

type PictureHeader = { readonly type: string; readonly width: number; readonly height: number }

/**
 * Reads a picture's media type, because names and headers may be wrong, and its size as displayed.
 * Returns undefined for other types, broken headers and pictures that are too large.
 */
export function readPictureHeader(picture: Buffer): PictureHeader | undefined {
  const header = picture.subarray(0, maxHeaderBytes)
  try {
    const beginning = header.toString('latin1', 0, 15)
    const type = signatures.find(({ start }) => start.test(beginning))?.type
    if (type === undefined) return undefined
    const { width, height, orientation = 1 } = imageSize(header)
    if (!isAcceptedSize(width, height)) return undefined
    // Cameras store portrait pictures as rotated landscape ones.
    return orientation >= 5 ? { type, width: height, height: width } : { type, width, height }
  } catch {
    // The library throws for broken input.
    return undefined
  }
}

export function isAcceptedSize(width: number, height: number): boolean {
  const pixels = width * height
  return pixels > 0 && pixels <= maxPixels && Math.max(width, height) <= maxSide
}
