import sharp from 'sharp'
import { expect, test } from 'vitest'
import { makeImage } from '../../src/pictures/image-library.ts'
import { resizedPicture, sizeFor } from '../../src/pictures/resized-picture.ts'

/** Returns a picture with a gradient and some noise, like a photo. */
async function photo(width: number, height: number, orientation = 1) {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 20 }
  const image = sharp({ create: { width, height, channels: 3, background: '#888', noise } })
  const bytes = await image.withMetadata({ orientation }).jpeg({ quality: 95 }).toBuffer()
  return { type: 'image/jpeg', bytes }
}

const sizeOf = async (bytes: Buffer) => {
  const { width, height, format } = await sharp(bytes).metadata()
  return { width, height, format }
}

const large = photo(2400, 1600)

test.for([
  { use: 'thumbnail', size: { width: 240, height: 160, format: 'webp' } },
  { use: 'phone', size: { width: 720, height: 480, format: 'webp' } },
  { use: 'page', size: { width: 1200, height: 800, format: 'webp' } },
  { use: 'board', size: { width: 1920, height: 1280, format: 'jpeg' } },
] as const)('fits a large photo into the width for a $use', async ({ use, size }) => {
  const picture = await large
  const resized = await resizedPicture(picture, use)
  expect(await sizeOf(resized.bytes)).toEqual(size)
  expect(resized.type).toBe(`image/${size.format}`)
  expect(resized.bytes.length).toBeLessThan(picture.bytes.length)
  expect(sizeFor(picture, use)).toEqual({ width: size.width, height: size.height })
  expect(await resizedPicture(picture, use)).toBe(resized)
})

test('turns a photo that was taken upright, and removes its position from the file', async () => {
  const picture = await photo(800, 600, 6)
  const { bytes } = await resizedPicture(picture, 'page')
  expect(await sizeOf(bytes)).toEqual({ width: 600, height: 800, format: 'webp' })
  expect(sizeFor(picture, 'page')).toEqual({ width: 600, height: 800 })
  expect((await sharp(bytes).metadata()).exif).toBeUndefined()
})

test('keeps a small picture for boards, and one that would become larger', async () => {
  const small = await photo(800, 600)
  expect(await resizedPicture(small, 'board')).toBe(small)
  const tiny = await sharp({ create: { width: 1, height: 1, channels: 3, background: '#fff' } })
    .gif()
    .toBuffer()
  const picture = { type: 'image/gif', bytes: tiny }
  expect(await resizedPicture(picture, 'page')).toBe(picture)
})

test('keeps an animated picture', async () => {
  const frames = await Promise.all(
    ['#c00', '#00c'].map((background) =>
      sharp({ create: { width: 300, height: 300, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  )
  const bytes = await sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer()
  const picture = { type: 'image/gif', bytes }
  expect(await resizedPicture(picture, 'thumbnail')).toBe(picture)
})

test('keeps a picture that is cut off', async () => {
  const { type, bytes } = await photo(1600, 1200)
  const picture = { type, bytes: bytes.subarray(0, 2000) }
  expect(await resizedPicture(picture, 'page')).toBe(picture)
})

test('does not keep the original of a picture because many others are waiting', async () => {
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>()
  const network = '192.0.2'
  const others = Array.from({ length: 201 }, () => makeImage(() => finished, network))
  const picture = await photo(800, 600)
  await expect(resizedPicture(picture, 'thumbnail', network)).rejects.toMatchObject({
    kind: 'busy',
  })
  finish()
  await Promise.all(others)
  const { bytes } = await resizedPicture(picture, 'thumbnail', network)
  expect(await sizeOf(bytes)).toEqual({ width: 240, height: 180, format: 'webp' })
})
