import { imageSize } from 'image-size'

/** Larger pictures exhaust the memory of small players. */
const maxPixels = 40_000_000

/** Dimensions are near the beginning. Parsing more would let hostile files waste CPU time. */
const maxHeaderBytes = 256 * 1024

/** Supported types and how to recognize them by their first bytes. */
const signatures: readonly { readonly type: string; readonly isAt: (header: Buffer) => boolean }[] =
  [
    { type: 'image/jpeg', isAt: (header) => header.readUInt16BE(0) === 0xffd8 },
    {
      type: 'image/png',
      isAt: (header) => header.toString('latin1', 0, 8) === '\x89PNG\r\n\x1a\n',
    },
    { type: 'image/gif', isAt: (header) => /^GIF8[79]a/.test(header.toString('latin1', 0, 6)) },
    {
      type: 'image/webp',
      isAt: (header) => /^RIFF.{4}WEBPVP8/s.test(header.toString('latin1', 0, 15)),
    },
    { type: 'image/avif', isAt: (header) => header.toString('latin1', 4, 12) === 'ftypavif' },
  ]

/**
 * Determines a picture's media type from its first bytes, because names and headers may be wrong.
 * Returns undefined for other types, broken headers and pictures with too many pixels.
 */
export function pictureTypeFrom(picture: Buffer): string | undefined {
  const header = picture.subarray(0, maxHeaderBytes)
  try {
    const type = signatures.find(({ isAt }) => isAt(header))?.type
    if (type === undefined) return undefined
    const pixels = type === 'image/avif' ? avifPixels(header) : pixelsOf(header)
    return pixels > 0 && pixels <= maxPixels ? type : undefined
  } catch {
    // Reading past the end throws, and image-size throws for broken input.
    return undefined
  }
}

/** Returns a picture's width and height as it is shown, or undefined if they are unknown. */
export function pictureSizeFrom(
  picture: Buffer,
): { readonly width: number; readonly height: number } | undefined {
  try {
    const header = picture.subarray(0, maxHeaderBytes)
    if (pictureTypeFrom(picture) === undefined) return undefined
    if (signatures.at(-1)?.isAt(header)) return undefined
    const { width, height, orientation = 1 } = imageSize(header)
    // Cameras store pictures that were taken upright as rotated ones.
    return orientation >= 5 ? { width: height, height: width } : { width, height }
  } catch {
    return undefined
  }
}

function pixelsOf(header: Buffer): number {
  const { width, height } = imageSize(header)
  return width * height
}

/**
 * Returns the pixel count of the largest image in an AVIF file. `image-size` takes quadratic time in the
 * number of boxes, and returns the size of a cropped region instead of the whole image.
 */
function avifPixels(header: Buffer): number {
  const meta = boxesIn(header).find(({ type }) => type === 'meta')
  const properties = boxesIn(meta?.content.subarray(4))
    .filter(({ type }) => type === 'iprp')
    .flatMap(({ content }) => boxesIn(content))
    .filter(({ type }) => type === 'ipco')
    .flatMap(({ content }) => boxesIn(content))
  return properties
    .filter(({ type }) => type === 'ispe')
    .map(({ content }) => content.readUInt32BE(4) * content.readUInt32BE(8))
    .reduce((max, pixels) => Math.max(max, pixels), 0)
}

type Box = { readonly type: string; readonly content: Buffer }

/** Returns the complete boxes (ISO/IEC 14496-12, 4.2). */
function boxesIn(buffer: Buffer = Buffer.alloc(0)): readonly Box[] {
  const boxes: Box[] = []
  for (let start = 0; start + 8 <= buffer.length;) {
    const end = start + buffer.readUInt32BE(start)
    if (end < start + 8 || end > buffer.length) break
    const type = buffer.toString('latin1', start + 4, start + 8)
    boxes.push({ type, content: buffer.subarray(start + 8, end) })
    start = end
  }
  return boxes
}
