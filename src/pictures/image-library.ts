import { join } from 'node:path'
import type sharpLibrary from 'sharp'
import { createDrawingQueue } from './drawing-queue.ts'
import { isAcceptedSize, maxPixels } from './picture-header.ts'

/** The sharp library, which is loaded when the first image is created. */
export type Sharp = typeof sharpLibrary

export const imageLimits = {
  /** Larger pictures are not decoded if their format requires all pixels to be in memory at once. */
  maxPixelsInMemory: 20_000_000,
  timeoutSeconds: 5,
}

const pngSignature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

/** Images are created one at a time for all sites, because decoded pictures use a lot of memory. */
const queue = createDrawingQueue()

/** Configuration that excludes the system's fonts, so that images are the same on every server. */
export const fontsFile = join(import.meta.dirname, 'fonts.conf')

let loading: Promise<Sharp | undefined> | undefined

/** Loads the library. Resolves to undefined on platforms that it does not support. */
function load(): Promise<Sharp | undefined> {
  loading ??= import('sharp').then(
    ({ default: sharp }) => {
      sharp.cache(false)
      sharp.concurrency(1)
      return sharp
    },
    () => undefined,
  )
  return loading
}

/**
 * Thrown if too many images are waiting, the library does not support this platform, or the thread
 * crashed.
 */
export class NoImage extends Error {
  override readonly name = 'NoImage'
  readonly kind: 'busy' | 'unsupported' | 'crashed'

  constructor(kind: NoImage['kind'], options?: ErrorOptions) {
    super(`no image can be created: ${kind}`, options)
    this.kind = kind
  }
}

type Work<T> = (sharp: Sharp) => Promise<T>

/**
 * Creates an image for a client on this network, in the order of `createDrawingQueue`. Rejects with
 * `NoImage`, or with the error of the task.
 */
export async function requireImage<T>(work: Work<T>, network = ''): Promise<T> {
  if (queue.isBusy(network)) throw new NoImage('busy')
  return queue.add(network, async () => {
    const sharp = await load()
    if (!sharp) throw new NoImage('unsupported')
    return work(sharp)
  })
}

/** Makes an image. Resolves to undefined if that fails, for example because the source is broken. */
export const makeImage = <T>(work: Work<T>, network?: string): Promise<T | undefined> =>
  requireImage(work, network).catch(() => undefined)

/** Types of PNG chunks with text, which can be a thousand times as long once decompressed. */
const textChunks = new Set(['tEXt', 'zTXt', 'iTXt'].map((type) => Buffer.from(type).readUInt32BE()))

/** Removes the text from a PNG, because the decoder would decompress all of it first. */
function withoutText(picture: Buffer): Buffer {
  if (!picture.subarray(0, pngSignature.length).equals(pngSignature)) return picture
  const kept: Buffer[] = []
  let start = 0
  let end: number
  for (let at = pngSignature.length; at + 12 <= picture.length; at = end) {
    // A length, a type, the content and a checksum.
    end = at + 12 + picture.readUInt32BE(at)
    if (!textChunks.has(picture.readUInt32BE(at + 4))) continue
    kept.push(picture.subarray(start, at))
    start = end
  }
  return start === 0 ? picture : Buffer.concat([...kept, picture.subarray(start)])
}

/**
 * Opens a picture for resizing, with its number of pages. Rejects pictures whose decoding would take too
 * much memory. `density` applies to vector graphics.
 */
export async function openPicture(sharp: Sharp, picture: Buffer, density = 72) {
  const image = sharp(withoutText(picture), {
    limitInputPixels: maxPixels,
    sequentialRead: true,
    density,
  })
  const { width, height, format, isProgressive, pages = 1 } = await image.metadata()
  const isInMemory = isProgressive || format === 'gif'
  if (
    !isAcceptedSize(width, height) ||
    (isInMemory && width * height > imageLimits.maxPixelsInMemory)
  ) {
    throw new RangeError(`pictures of ${width} x ${height} pixels are not decoded`)
  }
  return { image: image.autoOrient().timeout({ seconds: imageLimits.timeoutSeconds }), pages }
}
