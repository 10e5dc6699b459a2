import { NoImage, openPicture, requireImage, type Sharp } from './image-library.ts'
import { readPictureHeader } from './picture-header.ts'
import type { Picture } from './picture-source.ts'

/**
 * Maximum widths in pixels, about twice the displayed width, because most screens have two pixels
 * for each CSS pixel. `phone` is the smaller copy for pages and embeds.
 */
export const pictureWidths = { thumbnail: 240, phone: 720, page: 1200, board: 1920 } as const

export type PictureUse = keyof typeof pictureWidths

/** Visually lossless for photos at these sizes, and much smaller than a camera's JPEG. */
const quality = 78

/** Results for cached pictures: at most one per use, and none larger than the original. */
const results = new WeakMap<Picture, Map<PictureUse, Promise<Picture>>>()

/**
 * Resizes a picture to its display size. The result is a WebP image, except on boards, whose
 * players expect the original format. Returns the original picture if it is smaller or animated, or
 * if it cannot be resized within the limits on memory and time. Rejects with `NoImage` if too many
 * images are waiting. `network` is that of the client.
 */
export function resizedPicture(
  picture: Picture,
  use: PictureUse,
  network?: string,
): Promise<Picture> {
  const known = results.get(picture) ?? new Map<PictureUse, Promise<Picture>>()
  results.set(picture, known)
  const result = known.get(use) ?? resize(picture, use, network)
  known.set(use, result)
  result.catch(() => known.delete(use))
  return result
}

/** Returns the size at which a picture is served, or undefined if it is unknown. */
export function sizeFor(picture: Picture, use: PictureUse) {
  const size = readPictureHeader(picture.bytes)
  return size && limitedSize(size, use)
}

export function limitedSize(
  { width, height }: { readonly width: number; readonly height: number },
  use: PictureUse,
) {
  const shown = Math.min(width, pictureWidths[use])
  return { width: shown, height: Math.max(1, Math.round((height * shown) / width)) }
}

async function resize(
  picture: Picture,
  use: PictureUse,
  network: string | undefined,
): Promise<Picture> {
  const keepsFormat = use === 'board'
  const size = readPictureHeader(picture.bytes)
  if (keepsFormat && (size?.width ?? 0) <= pictureWidths[use]) return picture
  const drawing = requireImage((sharp) => draw(sharp, picture, use, keepsFormat), network)
  const resized = await drawing.catch((error: unknown) => {
    if (error instanceof NoImage && error.kind === 'busy') throw error
    return undefined
  })
  return resized && resized.bytes.length < picture.bytes.length ? resized : picture
}

async function draw(
  sharp: Sharp,
  { type, bytes }: Picture,
  use: PictureUse,
  keepsFormat: boolean,
): Promise<Picture | undefined> {
  const { image, pages } = await openPicture(sharp, bytes)
  if (pages > 1) return undefined
  const scaled = image.resize({ width: pictureWidths[use], withoutEnlargement: true })
  if (keepsFormat) return { type, bytes: await scaled.toBuffer() }
  return { type: 'image/webp', bytes: await scaled.webp({ quality }).toBuffer() }
}
