import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { json } from 'node:stream/consumers'
import { crc32, deflateSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'
import { expect, test } from 'vitest'

const script = resolve(import.meta.dirname, 'resize-picture.ts')

/** A process that loads the library uses 80 MiB, and one that decoded the first picture 1,600 MiB. */
const maxPeakMib = 400

const resizedPng = 'webp 1200x1200, png 1920x1920'
const resizedJpeg = 'webp 1200x1200, jpeg 1920x1920'
const unchanged = 'unchanged, unchanged'

const cases: readonly (readonly [
  string,
  () => Buffer | Sharp | Promise<Buffer | Sharp>,
  string,
])[] = [
  ['a wide PNG', () => png(2_500_000, 16), 'refused'],
  ['a tall PNG', () => png(16, 2_500_000), 'refused'],
  ['a wide progressive JPEG', () => plain(65_500, 610).jpeg({ progressive: true }), 'refused'],
  ['a GIF with a wide frame', () => gifWithFrame(65_000, 300), unchanged],
  ['an SVG with the header of a WebP', () => svgAsWebp(), 'refused'],
  ['an AVIF', () => plain(64, 64).avif({ effort: 0 }), 'refused'],
  ['a TIFF', () => plain(64, 64).tiff(), 'refused'],
  ['a 16-bit PNG', () => png(6320, 6320, { depth: 16 }), resizedPng],
  [
    'a 16-bit PNG of the maximum width',
    () => png(16_384, 2440, { depth: 16 }),
    'webp 1200x179, png 1920x286',
  ],
  [
    'an interlaced 16-bit PNG',
    () => png(16_384, 1220, { depth: 16, isInterlaced: true }),
    'webp 1200x89, png 1920x143',
  ],
  [
    'a large interlaced 16-bit PNG',
    () => png(6320, 6320, { depth: 16, isInterlaced: true }),
    unchanged,
  ],
  ['a PNG with texts of 3 GB', () => png(2000, 2000, { chunks: texts(15) }), resizedPng],
  ['a PNG with a profile of 200 MB', () => png(2000, 2000, { chunks: [profile()] }), resizedPng],
  ['a PNG that is cut off', () => png(6320, 6320, { depth: 16 }).subarray(0, 30_000), unchanged],
  ['a JPEG', () => plain(6320, 6320).jpeg(), resizedJpeg],
  ['a CMYK JPEG', async () => (await inCmyk(2000, 2000)).jpeg(), resizedJpeg],
  [
    'a rotated progressive CMYK JPEG',
    async () => {
      const jpeg = { progressive: true, chromaSubsampling: '4:4:4' }
      return rotated(await (await inCmyk(4470, 4470)).jpeg(jpeg).toBuffer())
    },
    resizedJpeg,
  ],
  [
    'a large progressive JPEG',
    () => plain(6320, 6320).jpeg({ progressive: true, chromaSubsampling: '4:4:4' }),
    unchanged,
  ],
  [
    'a lossless WebP with transparency',
    () => gradient(6320, 6320).webp({ lossless: true, effort: 0 }),
    'webp 1200x1200, webp 1920x1920',
  ],
  ['a large GIF', () => plain(6320, 6320).gif({ effort: 1 }), unchanged],
  ['an animated GIF', animatedGif, unchanged],
  ['an animated WebP', animatedWebp, unchanged],
]

test.for(cases)('needs little memory for %s', async ([, make, results]) => {
  const made = await make()
  const bytes = Buffer.isBuffer(made) ? made : await made.toBuffer()
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(bytes)
  const result = (await json(child.stdout)) as { results: string; peakMib: number }
  expect(result.results).toBe(results)
  expect(result.peakMib).toBeLessThan(maxPeakMib)
})

function plain(width: number, height: number): Sharp {
  return sharp({
    create: { width, height, channels: 3, background: '#a00' },
    limitInputPixels: false,
  })
}

/** Returns a CMYK picture. Converting the colors of a large one takes seconds, so a small one is enlarged. */
async function inCmyk(width: number, height: number): Promise<Sharp> {
  const small = await plain(10, 10).toColourspace('cmyk').tiff({ compression: 'none' }).toBuffer()
  return sharp(small, { limitInputPixels: false })
    .pipelineColourspace('cmyk')
    .resize(width, height, { kernel: 'nearest', fit: 'fill' })
    .toColourspace('cmyk')
}

/** Adds an Exif segment to a JPEG, with which it is shown turned. sharp would convert CMYK to sRGB. */
function rotated(jpeg: Buffer): Buffer {
  // A TIFF header and a directory with one field: 0x112 is the orientation.
  const tiff = '4d4d002a00000008000101120003000000010006000000000000'
  const exif = Buffer.from(`ffe10022${Buffer.from('Exif\0\0').toString('hex')}${tiff}`, 'hex')
  return Buffer.concat([jpeg.subarray(0, 2), exif, jpeg.subarray(2)])
}

/** Returns a picture with more colors than a palette has. */
function gradient(width: number, height: number): Sharp {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <linearGradient id="g"><stop stop-color="red"/><stop offset="1" stop-opacity="0"/></linearGradient>
    <rect width="100%" height="100%" fill="url(#g)"/></svg>`
  return sharp(Buffer.from(svg), { limitInputPixels: false })
}

async function twoFrames(): Promise<Sharp> {
  const frames = ['#a00', '#0a0'].map((background) =>
    sharp({ create: { width: 1500, height: 1500, channels: 3, background } })
      .png()
      .toBuffer(),
  )
  return sharp(await Promise.all(frames), { join: { animated: true } })
}

/** Number of times that an animation repeats two frames. Encoding as many frames takes seconds. */
const repetitions = 30

async function animatedGif(): Promise<Buffer> {
  const gif = await (await twoFrames()).gif({ effort: 1 }).toBuffer()
  const start = gif.indexOf('21f904', 'hex') // Graphic Control Extension of the first frame
  const frames = gif.subarray(start, -1)
  return Buffer.concat([gif.subarray(0, start), ...repeated(frames), gif.subarray(-1)])
}

async function animatedWebp(): Promise<Buffer> {
  const webp = await (await twoFrames()).webp({ effort: 0 }).toBuffer()
  const start = webp.indexOf('ANMF')
  const whole = Buffer.concat([webp.subarray(0, start), ...repeated(webp.subarray(start))])
  whole.writeUInt32LE(whole.length - 8, 4)
  return whole
}

const repeated = (frames: Buffer) => Array.from({ length: repetitions }, () => frames)

/** Returns a GIF whose header has a smaller size than its frame. */
async function gifWithFrame(width: number, height: number): Promise<Buffer> {
  const gif = await plain(width, height).gif({ effort: 1 }).toBuffer()
  gif.writeUInt16LE(100, 6)
  gif.writeUInt16LE(100, 8)
  return gif
}

function svgAsWebp(): Buffer {
  return Buffer.from(
    'RIFF    WEBPVP8           @ @<svg xmlns="http://www.w3.org/2000/svg" width="9"/>',
  )
}

/** Returns a black PNG with four channels. All passes of interlacing have the same bytes in a row. */
function png(
  width: number,
  height: number,
  options: {
    readonly depth?: number
    readonly isInterlaced?: boolean
    readonly chunks?: readonly Buffer[]
  } = {},
): Buffer {
  const { depth = 8, isInterlaced = false, chunks = [] } = options
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  header.set([depth, 6, 0, 0, isInterlaced ? 1 : 0], 8)
  // Interlacing adds rows, each of which starts with a filter byte.
  const bytes = ((width * depth) / 2) * height + height * (isInterlaced ? 4 : 1)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    ...chunks,
    chunk('IDAT', deflateSync(Buffer.alloc(bytes), { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function texts(count: number): readonly Buffer[] {
  const text = deflateSync(Buffer.alloc(200_000_000), { level: 1 })
  return Array.from({ length: count }, (_, index) =>
    chunk('zTXt', Buffer.concat([Buffer.from(`${index}\0\0`), text])),
  )
}

function profile(): Buffer {
  const icc = deflateSync(Buffer.alloc(200_000_000), { level: 1 })
  return chunk('iCCP', Buffer.concat([Buffer.from('profile\0\0'), icc]))
}

function chunk(type: string, content: Buffer): Buffer {
  const bytes = Buffer.concat([Buffer.alloc(4), Buffer.from(type), content, Buffer.alloc(4)])
  bytes.writeUInt32BE(content.length)
  bytes.writeUInt32BE(crc32(bytes.subarray(4, -4)), bytes.length - 4)
  return bytes
}
