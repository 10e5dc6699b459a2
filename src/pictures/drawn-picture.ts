import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { nearestIndexes } from './dithering.ts'
import { openPicture, requireImage, type Sharp } from './image-library.ts'
import {
  colorsOf,
  indexedPicture,
  inverted,
  rotated,
  type IndexedPicture,
  type Raster,
  type Rotation,
  type Size,
} from './indexed-picture.ts'
import { paletteFor, type ColorCount } from './palettes.ts'
import { bmpOf, fullColorBmpOf, pngOf } from './picture-files.ts'

export type PictureFormat = 'png' | 'bmp'

/** A photo in a drawing, which fills its box. */
export type Photo = Size & { readonly left: number; readonly top: number; readonly bytes: Buffer }

export type Drawing = Size & {
  /** Uses the `drawn` colors of the palette. */
  readonly svg: string
  readonly photo: Photo | undefined
}

export type DrawingForm = {
  readonly colors: ColorCount
  readonly format: PictureFormat
  readonly isDithered: boolean
  readonly rotation: Rotation
  /** True for light text on black, except in full color. */
  readonly isInverted: boolean
}

const maxCachedBytes = 16 * 1024 * 1024

/** Files by their content, for all sites in the process. */
const files = new LRUCache<string, Buffer>({
  maxSize: maxCachedBytes,
  sizeCalculation: ({ length }) => length,
})

/** Draws a picture as a file, once for equal drawings. Rejects with `NoImage`, or if drawing fails. */
export function drawnPicture(drawing: Drawing, form: DrawingForm): Promise<Buffer> {
  const key = keyOf(drawing, form)
  return requireImage(async (sharp) => {
    const file = files.get(key) ?? (await draw(sharp, drawing, form))
    files.set(key, file)
    return file
  })
}

function keyOf({ svg, photo, ...size }: Drawing, form: DrawingForm): string {
  const { bytes, ...box } = photo ?? { bytes: '' }
  const hash = createHash('sha256').update(JSON.stringify([svg, size, box, form]))
  return hash.update(bytes).digest('base64url')
}

async function draw(sharp: Sharp, drawing: Drawing, form: DrawingForm): Promise<Buffer> {
  const { svg, photo, ...size } = drawing
  const palette = paletteFor(form.colors)
  const { rotation, format } = form
  const space = palette.kind === 'grays' ? 'b-w' : 'srgb'
  const raster = await rasterOf(sharp(Buffer.from(svg)).removeAlpha().toColourspace(space), size)
  const photoRaster = photo && (await photoIn(sharp, photo))
  if (palette.kind !== 'full') {
    const drawn = indexedPicture(raster, palette)
    const picture = form.isInverted ? inverted(drawn) : drawn
    if (photo && photoRaster) {
      const indexes = nearestIndexes(photoRaster, colorsOf(palette), form.isDithered)
      paste(indexes, photo, picture.indexes, picture, 1)
    }
    return fileOf(rotated(picture, rotation), format)
  }
  if (photo && photoRaster) paste(photoRaster.samples, photo, raster.samples, raster, 3)
  const image = sharp(raster.samples, { raw: { ...size, channels: 3 } }).rotate(rotation)
  if (format === 'png') return image.png().toBuffer()
  const isUpright = rotation === 90 || rotation === 270
  const turned = isUpright ? { width: size.height, height: size.width } : size
  return fullColorBmpOf(await rasterOf(image, turned))
}

const fileOf = (picture: IndexedPicture, format: PictureFormat) =>
  format === 'png' ? pngOf(picture) : bmpOf(picture)

type Image = ReturnType<Sharp>

async function rasterOf(image: Image, { width, height }: Size): Promise<Raster> {
  return { width, height, samples: await image.raw().toBuffer() }
}

/** Returns a photo cropped to its box, or undefined if it is broken. */
async function photoIn(sharp: Sharp, photo: Photo): Promise<Raster | undefined> {
  const { width, height, bytes } = photo
  try {
    const { image } = await openPicture(sharp, bytes)
    const fitted = image.resize({ width, height, fit: 'cover' }).flatten({ background: '#ffffff' })
    return await rasterOf(fitted.toColourspace('srgb'), { width, height })
  } catch {
    return undefined
  }
}

/** Copies the rows of a photo into a picture. */
function paste(
  from: Uint8Array,
  { left, top, width, height }: Photo,
  to: Uint8Array,
  picture: Size,
  channels: number,
): void {
  for (let y = 0; y < height; y += 1) {
    const row = from.subarray(y * width * channels, (y + 1) * width * channels)
    to.set(row, ((top + y) * picture.width + left) * channels)
  }
}
