import type { Raster, Size } from './indexed-picture.ts'

type Color = readonly [red: number, green: number, blue: number]

/** Shares of a pixel's error that are passed on to its neighbors (Floyd and Steinberg, 1976). */
const neighbors = [
  { right: 1, down: 0, share: 7 / 16 },
  { right: -1, down: 1, share: 3 / 16 },
  { right: 0, down: 1, share: 5 / 16 },
  { right: 1, down: 1, share: 1 / 16 },
] as const

/** Returns the index of the nearest color for each pixel of a photo, dithered if `isDithered`. */
export function nearestIndexes(
  photo: Raster,
  colors: readonly Color[],
  isDithered: boolean,
): Uint8Array {
  const indexes = new Uint8Array(photo.width * photo.height)
  const left = { ...photo, samples: new Float32Array(photo.samples) }
  for (let y = 0; y < photo.height; y += 1) convertRow(y, left, colors, isDithered, indexes)
  return indexes
}

function convertRow(
  y: number,
  { width, height, samples }: Size & { readonly samples: Float32Array },
  colors: readonly Color[],
  isDithered: boolean,
  indexes: Uint8Array,
): void {
  for (let x = 0, at = y * width; x < width; x += 1, at += 1) {
    const from = at * 3
    const pixel = [samples[from] ?? 0, samples[from + 1] ?? 0, samples[from + 2] ?? 0] as const
    const index = nearest(pixel, colors)
    indexes[at] = index
    if (!isDithered) continue
    const color = colors[index] ?? [0, 0, 0]
    for (const { right, down, share } of neighbors) {
      if (x + right < 0 || x + right >= width || y + down >= height) continue
      const to = (at + right + down * width) * 3
      samples[to] = (samples[to] ?? 0) + (pixel[0] - color[0]) * share
      samples[to + 1] = (samples[to + 1] ?? 0) + (pixel[1] - color[1]) * share
      samples[to + 2] = (samples[to + 2] ?? 0) + (pixel[2] - color[2]) * share
    }
  }
}

function nearest([red, green, blue]: Color, colors: readonly Color[]): number {
  let best = 0
  let least = Infinity
  for (let index = 0; index < colors.length; index += 1) {
    const [r, g, b] = colors[index] ?? [0, 0, 0]
    const distance = (red - r) ** 2 + (green - g) ** 2 + (blue - b) ** 2
    if (distance < least) {
      least = distance
      best = index
    }
  }
  return best
}
