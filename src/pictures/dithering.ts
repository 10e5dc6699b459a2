import type { Steps } from '../steps.ts'
import type { Raster } from './indexed-picture.ts'

type Color = readonly [red: number, green: number, blue: number]

/** Shares of a pixel's error that are passed on to its neighbors (Floyd and Steinberg, 1976). */
const neighbors = [
  { right: 1, down: 0, share: 7 / 16 },
  { right: -1, down: 1, share: 3 / 16 },
  { right: 0, down: 1, share: 5 / 16 },
  { right: 1, down: 1, share: 1 / 16 },
] as const

/** Returns the index of the nearest color for each pixel of a photo, dithered if `isDithered`. */
export function* nearestIndexes(
  { width, height, samples }: Raster,
  colors: readonly Color[],
  isDithered: boolean,
): Steps<Uint8Array> {
  const left = new Float32Array(samples)
  const indexes = new Uint8Array(width * height)
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, at += 1) {
      const pixel = [left[at * 3] ?? 0, left[at * 3 + 1] ?? 0, left[at * 3 + 2] ?? 0] as const
      const index = nearest(pixel, colors)
      indexes[at] = index
      if (!isDithered) continue
      const color = colors[index] ?? [0, 0, 0]
      for (const { right, down, share } of neighbors) {
        if (x + right < 0 || x + right >= width || y + down >= height) continue
        const to = (at + right + down * width) * 3
        left[to] = (left[to] ?? 0) + (pixel[0] - color[0]) * share
        left[to + 1] = (left[to + 1] ?? 0) + (pixel[1] - color[1]) * share
        left[to + 2] = (left[to + 2] ?? 0) + (pixel[2] - color[2]) * share
      }
    }
    yield
  }
  return indexes
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
