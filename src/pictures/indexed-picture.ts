import type { Palette } from './palettes.ts'

export type Size = { readonly width: number; readonly height: number }

/** Eight-bit samples, one per pixel for grays and three for other palettes. */
export type Raster = Size & { readonly samples: Uint8Array }

/** One palette index per pixel. */
export type IndexedPicture = Size & {
  readonly indexes: Uint8Array
  readonly colors: readonly (readonly [red: number, green: number, blue: number])[]
  readonly isGray: boolean
}

export type IndexedPalette = Exclude<Palette, { readonly kind: 'full' }>

/** Darker grays become ink, so that small text keeps its thin strokes. */
const inkThreshold = 160

/** Converts a drawing to palette indexes, without dithering, so that text has clean edges. */
export function indexedPicture(
  { width, height, samples }: Raster,
  palette: IndexedPalette,
): IndexedPicture {
  const indexes = new Uint8Array(width * height)
  const isGray = palette.kind === 'grays'
  const colors = colorsOf(palette)
  if (isGray) {
    const indexOf = grayIndexes(palette.levels)
    for (let at = 0; at < indexes.length; at += 1) indexes[at] = indexOf[samples[at] ?? 0] ?? 0
  } else {
    const indexOf = cornerIndexes(palette)
    for (let at = 0; at < indexes.length; at += 1) {
      indexes[at] = indexOf[cornerAt(samples, at * 3)] ?? 0
    }
  }
  return { width, height, indexes, colors, isGray }
}

function grayIndexes(levels: number): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, gray) =>
    levels === 2 ? Number(gray >= inkThreshold) : Math.round((gray / 255) * (levels - 1)),
  )
}

/** Returns palette indexes by corner of the RGB cube. Gray edges of text become ink, too. */
function cornerIndexes({ inks }: Extract<IndexedPalette, { kind: 'inks' }>): Uint8Array {
  const indexes = new Uint8Array(8)
  for (const [index, { drawn }] of inks.entries()) {
    indexes[cornerAt(Uint8Array.from(drawn), 0)] = index
  }
  return indexes
}

function cornerAt(samples: Uint8Array, at: number): number {
  const red = (samples[at] ?? 0) >= inkThreshold ? 4 : 0
  const green = (samples[at + 1] ?? 0) >= inkThreshold ? 2 : 0
  const blue = (samples[at + 2] ?? 0) >= inkThreshold ? 1 : 0
  return red | green | blue
}

export function colorsOf(palette: IndexedPalette): IndexedPicture['colors'] {
  if (palette.kind === 'inks') return palette.inks.map(({ color }) => color)
  return Array.from({ length: palette.levels }, (_, level) => {
    const gray = Math.round((level / (palette.levels - 1)) * 255)
    return [gray, gray, gray] as const
  })
}

/** Swaps dark and light grays, or only black and white if there are other colors. */
export function inverted(picture: IndexedPicture): IndexedPicture {
  const last = picture.isGray ? picture.colors.length - 1 : 1
  return {
    ...picture,
    indexes: picture.indexes.map((index) => (index > last ? index : last - index)),
  }
}

export type Rotation = 0 | 90 | 180 | 270

/** Turns a picture clockwise. */
export function rotated(picture: IndexedPicture, degrees: Rotation): IndexedPicture {
  if (degrees === 0) return picture
  const { width, height, indexes } = picture
  const turned = new Uint8Array(indexes.length)
  const [start, right, down] = {
    90: [height - 1, height, -1] as const,
    180: [width * height - 1, -1, -width] as const,
    270: [(width - 1) * height, -height, 1] as const,
  }[degrees]
  for (let y = 0, from = 0; y < height; y += 1) {
    for (let x = 0, to = start + y * down; x < width; x += 1, from += 1, to += right) {
      turned[to] = indexes[from] ?? 0
    }
  }
  const size = degrees === 180 ? { width, height } : { width: height, height: width }
  return { ...picture, ...size, indexes: turned }
}
