import { crc32, deflateSync } from 'node:zlib'
import { PNG } from 'pngjs'
import { expect, test } from 'vitest'
import { makeImage, openPicture, requireImage } from '../../src/pictures/image-library.ts'

test('makes one image at a time, and rejects further ones while 200 are waiting', async () => {
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>()
  const { promise: started, resolve: start } = Promise.withResolvers<void>()
  const first = makeImage(async () => {
    start()
    await finished
  })
  await started
  let made = 0
  const waiting = Array.from({ length: 200 }, () => makeImage(async () => (made += 1)))
  expect(await makeImage(async () => 'an image')).toBeUndefined()
  await expect(requireImage(async () => 'an image')).rejects.toMatchObject({ kind: 'busy' })
  expect(made).toBe(0)
  finish()
  await Promise.all([first, ...waiting])
  expect(made).toBe(200)
  expect(await makeImage(async () => 'an image')).toBe('an image')
})

test('lets networks take turns, even while 200 images for others are waiting', async () => {
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>()
  const { promise: started, resolve: start } = Promise.withResolvers<void>()
  const made: string[] = []
  const first = makeImage(async () => {
    start()
    await finished
  }, '192.0.2')
  await started
  const make = (network: string) => makeImage(async () => made.push(network), network)
  const many = Array.from({ length: 200 }, () => make('192.0.2'))
  expect(await make('192.0.2')).toBeUndefined()
  const other = make('198.51.100')
  finish()
  await Promise.all([first, ...many, other])
  expect(made).toHaveLength(201)
  expect(made.slice(0, 2)).toContain('198.51.100')
})

function pngChunk(type: string, content: Buffer): Buffer {
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  const typed = Buffer.concat([Buffer.from(type), content])
  length.writeUInt32BE(content.length)
  checksum.writeUInt32BE(crc32(typed))
  return Buffer.concat([length, typed, checksum])
}

test('does not decompress text in a PNG, which can be much longer than the file', async () => {
  const png = PNG.sync.write(new PNG({ width: 4, height: 3 }))
  const text = Buffer.concat([Buffer.from('a\0\0'), deflateSync(Buffer.alloc(30_000_000))])
  const texts = Array.from({ length: 50 }, () => pngChunk('zTXt', text))
  const start = png.indexOf('IDAT') - 4
  const end = png.indexOf('IEND') - 4
  const parts = [png.subarray(0, start), png.subarray(start, end), png.subarray(end)]
  const long = Buffer.concat(parts.flatMap((part) => [part, ...texts]).slice(0, -texts.length))
  const before = process.cpuUsage()
  const made = await makeImage(async (sharp) => {
    const { image } = await openPicture(sharp, long)
    return image.png().toBuffer({ resolveWithObject: true })
  })
  expect(made?.info).toMatchObject({ width: 4, height: 3 })
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1000).toBeLessThan(1500)
})
