import { describe, expect, test } from 'vitest'
import { readPictureHeader } from '../../src/pictures/picture-header.ts'

function box(type: string, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents)
  const head = Buffer.alloc(8, type.padStart(8), 'latin1')
  head.writeUInt32BE(8 + content.length)
  return Buffer.concat([head, content])
}

const numbers = (...values: readonly number[]) =>
  Buffer.concat(
    values.map((value) => {
      const bytes = Buffer.alloc(4)
      bytes.writeUInt32BE(value)
      return bytes
    }),
  )

const png = (width: number, height: number) =>
  Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    box('IHDR', numbers(width, height)).fill(13, 3, 4),
    Buffer.alloc(16),
  ])

const jpeg = Buffer.concat([
  Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'),
  Buffer.from('ffc0001108000a001403012200021101031101', 'hex'),
])

const gif = Buffer.from('GIF89a\x14\0\x0a\0\0\0\0', 'latin1')

const webp = Buffer.from('RIFF\x1a\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x13\0\0\x09\0\0', 'latin1')

test.for([
  ['image/jpeg', jpeg],
  ['image/png', png(20, 10)],
  ['image/gif', gif],
  ['image/gif', Buffer.from(gif.toString('latin1').replace('89a', '87a'), 'latin1')],
  ['image/webp', webp],
] as const)('recognizes the format %s by the first bytes of a file', ([type, bytes]) => {
  expect(readPictureHeader(bytes)).toEqual({ type, width: 20, height: 10 })
})

describe('rejects', () => {
  test.for([
    ['an empty file', Buffer.alloc(0)],
    ['an HTML page', Buffer.from('<!doctype html>')],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    ['a bitmap', Buffer.from('BM'.padEnd(40, '\x01'), 'latin1')],
    ['a TIFF', Buffer.from('II*\0'.padEnd(200, '\x01'), 'latin1')],
    ['a PNG without a size', png(0, 10)],
    ['a PNG of 400 million pixels', png(20_000, 20_000)],
    ['a PNG of 20,000 pixels in width', png(20_000, 10)],
    ['a PNG of 20,000 pixels in height', png(10, 20_000)],
    ['a JPEG whose size is beyond 256 KiB', jpegWithSizeAt(300 * 1024)],
  ] as const)('%s', ([, bytes]) => {
    expect(readPictureHeader(bytes)).toBeUndefined()
  })
})

test('parses a JPEG of 8 MiB without a size in less than half a second', () => {
  const before = process.threadCpuUsage()
  readPictureHeader(Buffer.concat([jpeg.subarray(0, 4), Buffer.alloc(2 ** 23)]))
  const { user, system } = process.threadCpuUsage(before)
  expect(user + system).toBeLessThan(500_000)
})

function jpegWithSizeAt(offset: number): Buffer {
  const parts: Buffer[] = [jpeg.subarray(0, 2)]
  for (let at = 2; at < offset; at += 60_002) {
    parts.push(Buffer.from('ffe1ea60', 'hex'), Buffer.alloc(59_998))
  }
  return Buffer.concat([...parts, jpeg.subarray(20)])
}
