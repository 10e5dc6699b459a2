import { GIF } from 'image-size/types/gif'
import { JPG } from 'image-size/types/jpg'
import { PNG } from 'image-size/types/png'
import { WEBP } from 'image-size/types/webp'

/** Larger pictures would use up the memory of small players. */
export const maxPixels = 40_000_000

/** The decoder keeps some rows in memory, so wide pictures need much more memory than others. */
const maxSide = 16_384

/** Dimensions are near the beginning. Parsing more would let hostile files waste CPU time. */
const maxHeaderBytes = 256 * 1024

const formats = [
  { type: 'image/jpeg', start: /^\xff\xd8/, parser: JPG },
  { type: 'image/png', start: /^\x89PNG\r\n/, parser: PNG },
  { type: 'image/gif', start: /^GIF8[79]a/, parser: GIF },
  { type: 'image/webp', start: /^RIFF.{4}WEBPVP8/s, parser: WEBP },
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
    const format = formats.find(({ start }) => start.test(beginning))
    if (!format?.parser.validate(header)) return undefined
    const { type, parser } = format
    const { width, height, orientation = 1 } = parser.calculate(header)
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
