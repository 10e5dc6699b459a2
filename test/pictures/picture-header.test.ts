import { describe, expect, test } from 'vitest'
import { pictureTypeFrom } from '../../src/pictures/picture-header.ts'

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

const size = (width: number, height: number) => box('ispe', numbers(0, width, height))

const avif = (...properties: readonly Buffer[]) =>
  Buffer.concat([
    box('ftyp', Buffer.from('avif\0\0\0\0avif', 'latin1')),
    box('meta', numbers(0), box('iprp', box('ipco', ...properties))),
    Buffer.alloc(64),
  ])

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
  ['image/webp', webp],
  ['image/avif', avif(size(20, 10))],
] as const)('recognizes the format %s by the first bytes of a file', ([type, bytes]) => {
  expect(pictureTypeFrom(bytes)).toBe(type)
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
    ['an AVIF of 400 million pixels', avif(size(20_000, 20_000))],
    [
      'an AVIF of 400 million pixels that is cropped to a few',
      avif(size(20_000, 20_000), box('clap', numbers(1, 1, 19_999, 1, 0, 1, 0, 1))),
    ],
    ['an AVIF whose larger image is second', avif(size(20, 10), size(20_000, 20_000))],
    ['an AVIF with a zero-length box', avif(numbers(0, 0), size(20, 10))],
    ['a JPEG whose size is beyond 256 KiB', jpegWithSizeAt(300 * 1024)],
  ] as const)('%s', ([, bytes]) => {
    expect(pictureTypeFrom(bytes)).toBeUndefined()
  })
})

test.for([
  ['a JPEG of 8 MiB without a size', Buffer.concat([jpeg.subarray(0, 4), Buffer.alloc(2 ** 23)])],
  ['an AVIF of 12,000 sizes', avif(...Array.from({ length: 12_000 }, () => size(20, 10)))],
] as const)('parses %s in less than half a second', ([, bytes]) => {
  const before = process.cpuUsage()
  pictureTypeFrom(bytes)
  const { user, system } = process.cpuUsage(before)
  expect(user + system).toBeLessThan(500_000)
})

function jpegWithSizeAt(offset: number): Buffer {
  const parts: Buffer[] = [jpeg.subarray(0, 2)]
  for (let at = 2; at < offset; at += 60_002) {
    parts.push(Buffer.from('ffe1ea60', 'hex'), Buffer.alloc(59_998))
  }
  return Buffer.concat([...parts, jpeg.subarray(20)])
}
