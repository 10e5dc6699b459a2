import { PNG } from 'pngjs'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { nearestIndexes } from '../../src/pictures/dithering.ts'
import { indexedPicture, inverted, rotated } from '../../src/pictures/indexed-picture.ts'
import { colorCounts, drawnColorNear, paletteFor } from '../../src/pictures/palettes.ts'
import { bmpOf, fullColorBmpOf, pngOf } from '../../src/pictures/picture-files.ts'

const indexedCounts = colorCounts.filter((count) => count !== 'full')

/** Returns a picture whose width is not a multiple of eight, with all colors of a palette. */
function sampleOf(count: (typeof indexedCounts)[number]) {
  const palette = paletteFor(count)
  if (palette.kind === 'full') throw new Error('full color has no palette')
  const [width, height] = [13, 5]
  const grays = Array.from({ length: width * height }, (_, index) => (index * 37) % 256)
  const corners = (palette.kind === 'inks' ? palette.inks : []).map(({ drawn }) => drawn)
  const samples = Uint8Array.from(
    palette.kind === 'grays'
      ? grays
      : grays.flatMap((_, index) => corners[index % corners.length] ?? []),
  )
  return indexedPicture({ width, height, samples }, palette)
}

const depths = { 2: [1, 0], 3: [2, 3], 4: [2, 0], 6: [4, 3], 7: [4, 3], 16: [8, 0] } as const

test.for(indexedCounts)('a PNG with %s colors has exactly these colors', async (count) => {
  const picture = sampleOf(count)
  const file = await pngOf(picture)
  expect([...file.subarray(24, 29)]).toEqual([...depths[count], 0, 0, 0])
  const colors = Array.from(picture.indexes).flatMap((index) => picture.colors[index] ?? [])
  const { data, width, height } = PNG.sync.read(file)
  expect([width, height]).toEqual([13, 5])
  expect([...data].filter((_, index) => index % 4 < 3)).toEqual(colors)
  const bySharp = await sharp(file).removeAlpha().toColourspace('srgb').raw().toBuffer()
  expect([...bySharp]).toEqual(colors)
})

/** Reads an uncompressed BMP into rows of colors. */
function readBmp(file: Buffer): { readonly bits: number; readonly pixels: readonly number[] } {
  expect(file.readUInt32LE(2)).toBe(file.length)
  const [start, width, height] = [10, 18, 22].map((at) => file.readUInt32LE(at)) as [
    number,
    number,
    number,
  ]
  const bits = file.readUInt16LE(28)
  const length = Math.ceil((width * bits) / 32) * 4
  expect(file.length).toBe(start + length * height)
  const pixels = Array.from({ length: height }, (_, row) =>
    Array.from({ length: width }, (__, x) => {
      const at = start + (height - 1 - row) * length
      if (bits === 24) return [...file.subarray(at + x * 3, at + x * 3 + 3)].toReversed()
      const byte = file[at + Math.floor((x * bits) / 8)] ?? 0
      const index = bits === 1 ? (byte >> (7 - (x % 8))) & 1 : byte
      return [...file.subarray(54 + index * 4, 57 + index * 4)].toReversed()
    }),
  )
  return { bits, pixels: pixels.flat(2) }
}

test.for(indexedCounts)('a BMP with %s colors has the same pixels as the PNG', async (count) => {
  const picture = sampleOf(count)
  const { bits, pixels } = readBmp(bmpOf(picture))
  expect(bits).toBe(count === '2' ? 1 : 8)
  const { data } = PNG.sync.read(await pngOf(picture))
  expect(pixels).toEqual([...data].filter((_, index) => index % 4 < 3))
})

test.for(['4', '16'] as const)('a BMP with %s grays needs no palette', async (count) => {
  const picture = sampleOf(count)
  const file = bmpOf(picture)
  const start = file.readUInt32LE(10)
  const values = Array.from({ length: picture.height }, (_, row) => {
    const at = start + (picture.height - 1 - row) * 16
    return [...file.subarray(at, at + picture.width)]
  })
  const { data } = PNG.sync.read(await pngOf(picture))
  expect(values.flat()).toEqual([...data].filter((_, index) => index % 4 === 0))
})

test('a BMP in full color has the same pixels', () => {
  const samples = Uint8Array.from({ length: 5 * 3 * 3 }, (_, index) => index * 5)
  expect(readBmp(fullColorBmpOf({ width: 5, height: 3, samples })).pixels).toEqual([...samples])
})

test('black is 0 and white is the last gray, or 1 among inks', () => {
  for (const count of indexedCounts) {
    const { colors, isGray } = sampleOf(count)
    expect(colors[0]).toEqual([0, 0, 0])
    expect(colors[isGray ? colors.length - 1 : 1]).toEqual([255, 255, 255])
  }
})

test.for([90, 180, 270] as const)('turns a picture clockwise by %d degrees', (degrees) => {
  // 0 1 2
  // 3 4 5
  const base = { colors: [], isGray: true }
  const picture = { ...base, width: 3, height: 2, indexes: Uint8Array.of(0, 1, 2, 3, 4, 5) }
  const turned = rotated(picture, degrees)
  const expected = {
    90: [2, 3, [3, 0, 4, 1, 5, 2]],
    180: [3, 2, [5, 4, 3, 2, 1, 0]],
    270: [2, 3, [2, 5, 1, 4, 0, 3]],
  }[degrees]
  expect([turned.width, turned.height, [...turned.indexes]]).toEqual(expected)
})

test('inverts all grays, but only black and white among inks', () => {
  const grays = { ...sampleOf('4'), indexes: Uint8Array.of(0, 1, 2, 3) }
  expect([...inverted(grays).indexes]).toEqual([3, 2, 1, 0])
  const inks = { ...sampleOf('6'), indexes: Uint8Array.of(0, 1, 2, 5) }
  expect([...inverted(inks).indexes]).toEqual([1, 0, 2, 5])
})

test('gray edges of text become ink, so that thin strokes stay', () => {
  const palette = paletteFor('2')
  if (palette.kind !== 'grays') throw new Error('two colors are grays')
  const samples = Uint8Array.of(0, 150, 159, 160, 255)
  expect([...indexedPicture({ width: 5, height: 1, samples }, palette).indexes]).toEqual([
    0, 0, 0, 1, 1,
  ])
})

test('dithering keeps the average brightness of a photo', () => {
  const [width, height] = [40, 40]
  const samples = new Uint8Array(width * height * 3).fill(64)
  const colors = [
    [0, 0, 0],
    [255, 255, 255],
  ] as const
  const indexes = nearestIndexes({ width, height, samples }, colors, true)
  const average = (indexes.reduce((sum, index) => sum + index, 0) / indexes.length) * 255
  expect(Math.abs(average - 64)).toBeLessThan(4)
  expect(new Set(nearestIndexes({ width, height, samples }, colors, false))).toEqual(new Set([0]))
})

test.for([
  ['3', '#b22222', '#ff0000'],
  ['3', '#4169e1', undefined],
  ['6', '#4169e1', '#0000ff'],
  ['6', '#2e8b57', '#00ff00'],
  ['6', '#808080', undefined],
  ['7', '#d2691e', '#ff00ff'],
  ['2', '#b22222', undefined],
  ['full', '#b22222', '#b22222'],
] as const)('with %s colors, a calendar in %s has the ink %s', ([count, color, expected]) => {
  expect(drawnColorNear(paletteFor(count), color)).toBe(expected)
})
