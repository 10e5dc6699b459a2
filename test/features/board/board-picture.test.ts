import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import jsQR from 'jsqr'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { BoardItem } from '../../../src/signage/board-item.ts'
import { newPictures } from '../../../src/features/board/board-request.ts'
import { maxBodyBytes } from '../../../src/front/cached-fetch.ts'
import { drawnPicture } from '../../../src/pictures/drawn-picture.ts'
import { qrCodeOf } from '../../../src/web/qr-code.ts'
import { adminEnvironment, createAdmin } from '../../support/admin.ts'
import {
  busyWeek,
  drawingFor,
  emergency,
  pictureFor,
  storyWithPhoto,
} from '../../support/board-picture.ts'
import { esphomePixels, inkplatePixels, trmnlFault } from '../../support/display-clients.ts'
import { fewRecords } from '../../support/few-records.ts'
import { openFrontedServer } from '../../support/fronted-server.ts'
import { exchangeUrl } from '../../support/raw-http.ts'
import { startTestService } from '../../support/service.ts'
import { sharedService } from '../../support/shared-service.ts'

const photo = readFileSync(
  join(import.meta.dirname, '../../../src/sandbox/sample/files/engine-1.jpg'),
)

const service = sharedService({ openServer: openFrontedServer })

async function ask(path: string, { headers = {}, method = 'GET', base = service().url } = {}) {
  const url = `${base}${path}`
  return { url, ...(await exchangeUrl(url, headers, method)) }
}

/** Returns the dark pixels of a picture by row. */
async function darkPixels(file: Buffer) {
  const { data, info } = await sharp(file)
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true })
  expect(info.channels).toBe(1)
  return Array.from({ length: info.height }, (_, y) =>
    Array.from({ length: info.width }, (__, x) => (data[y * info.width + x] ?? 0) < 128),
  )
}

test('TRMNL shows the picture with a quick refresh, as PNG and as BMP', async () => {
  for (const path of ['/board.png', '/board.png?size=800x480&colors=2', '/board/800x480-2.png']) {
    const response = await ask(path)
    expect([path, response.status, trmnlFault(response)]).toEqual([path, 200, undefined])
  }
  expect(trmnlFault(await ask('/board/800x480-2.bmp'))).toBeUndefined()
  expect(trmnlFault(await ask('/board/800x480-4.png'))).toBe('2 bits')
})

test('Inkplate and ESPHome draw the same pixels from the BMP as other programs from the PNG', async () => {
  const response = await ask('/board/800x480-2.bmp')
  expect(response.headers['content-type']).toBe('image/bmp')
  const expected = await darkPixels((await ask('/board/800x480-2.png')).body)
  expect(expected.flat().filter(Boolean).length).toBeGreaterThan(5_000)
  expect(inkplatePixels(response)).toEqual(expected)
  expect(esphomePixels(response)).toEqual(expected)
})

test('ESPHome, and all other clients with an ETag, download a picture only when it changes', async () => {
  const first = await ask('/board/400x304-2.png')
  const { etag = '' } = first.headers
  expect(etag).toMatch(/^"[\w-]{43}"$/)
  const known = { 'If-None-Match': etag, 'Accept-Encoding': 'gzip, br' }
  // The website is read again in the meantime.
  await service().clock.leap(20 * 60_000)
  await service().readAll()
  const again = await ask('/board/400x304-2.png', { headers: known })
  expect([again.status, again.body.length, again.headers['etag']]).toEqual([304, 0, etag])
  expect(again.headers['expires']).toBe(first.headers['expires'])
})

test('e-readers get eight bits of gray', async () => {
  const { body } = await ask('/board.png?size=758x1024&colors=16')
  expect([...body.subarray(24, 26)]).toEqual([8, 0])
  expect(await sharp(body).metadata()).toMatchObject({ width: 758, height: 1024, channels: 1 })
})

test.for([
  ['3', 3],
  ['6', 6],
  ['7', 7],
  ['4', 4],
  ['2', 2],
] as const)('with colors=%s, a picture with a photo has only %d colors', async ([colors, most]) => {
  const draw = (query: string) =>
    pictureFor({ items: storyWithPhoto, photo, query: `colors=${colors}${query}` })
  const file = await draw('')
  const pixels = await sharp(file).removeAlpha().toColourspace('srgb').raw().toBuffer()
  const found = new Set<string>()
  for (let at = 0; at < pixels.length; at += 3) found.add(pixels.toString('hex', at, at + 3))
  expect(found.size).toBeLessThanOrEqual(most)
  expect(found.size).toBeGreaterThan(most / 2)
  expect((await draw('&dither=0')).length).toBeLessThan(file.length)
  expect((await draw('&rotate=180&theme=dark')).length).toBeGreaterThan(file.length / 2)
})

test.for(['2', '7', '16', 'full'])(
  'with %s colors, a QR code is black on white in the dark theme, too',
  async (colors) => {
    const code = await qrCodeOf('https://cedarhollow.example/')
    const query = `colors=${colors}&theme=dark`
    const file = await pictureFor({ items: busyWeek, code, query })
    const { data, info } = await sharp(file)
      .ensureAlpha()
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true })
    const pixels = new Uint8ClampedArray(data)
    const found = jsQR.default(pixels, info.width, info.height, { inversionAttempts: 'dontInvert' })
    expect(found?.data).toBe('https://cedarhollow.example/')
  },
)

test.for(['2', '7', '16'])(
  'with %s colors, an emergency looks the same in both themes',
  async (colors) => {
    const draw = (theme: string) =>
      pictureFor({ items: [emergency], query: `colors=${colors}&theme=${theme}` })
    expect((await draw('dark')).equals(await draw('light'))).toBe(true)
  },
)

test('shows the photo of the first story', async () => {
  const { body } = await ask('/board.json?show=news')
  const items = JSON.parse(body.toString()) as readonly BoardItem[]
  const pictured = items.find(({ pictureUrl }) => pictureUrl !== null)
  const query = `show=news&q=${encodeURIComponent(`"${pictured?.title}"`)}`
  const dithered = await ask(`/board.png?${query}`)
  expect(dithered.status).toBe(200)
  expect(dithered.body.equals((await ask(`/board.png?${query}&dither=0`)).body)).toBe(false)
})

test('a quarter turn changes the layout, but not the size', async () => {
  const { body } = await ask('/board.png?size=800x480&rotate=90')
  const upright = await ask('/board.png?size=480x800')
  expect(await sharp(body).metadata()).toMatchObject({ width: 800, height: 480 })
  expect(await darkPixels(await sharp(body).rotate(270).png().toBuffer())).toEqual(
    await darkPixels(upright.body),
  )
})

test('sends whole files with exact headers, whatever encodings a client accepts', async () => {
  for (const path of ['/board.png', '/board/800x480-2.bmp', '/board/800x480-2.bmp?cache=1']) {
    const { headers, body } = await ask(path, { headers: { 'Accept-Encoding': 'gzip, br' } })
    expect(headers).toMatchObject({ 'content-length': String(body.length) })
    expect(headers).not.toHaveProperty('content-encoding')
    expect(headers).not.toHaveProperty('transfer-encoding')
    expect(headers['content-type']).toBe(path.includes('.bmp') ? 'image/bmp' : 'image/png')
    const head = await ask(path, { method: 'HEAD' })
    expect([head.status, head.body.length]).toEqual([200, 0])
    expect(head.headers['content-length']).toBe(headers['content-length'])
  }
})

const sides =
  'size must be WIDTHxHEIGHT in pixels, each from 100 to 2560, with at most 2,700,000 pixels in all, like size=800x480.'

test.for([
  ['/board.png?size=1x1', sides],
  ['/board.png?size=10000x10000', sides],
  ['/board.png?size=800', sides],
  ['/board.png?size=2560x1055', sides],
  ['/board/99x480-2.png', sides],
  ['/board/800x480-2.png?size=800x480', 'size appears more than once.'],
  ['/board.png?colors=5', 'colors must be 2 or 3 or 4 or 6 or 7 or 16 or full.'],
  ['/board/800x480-8.bmp', 'colors must be 2 or 3 or 4 or 6 or 7 or 16 or full.'],
  ['/board.png?rotate=12', 'rotate must be the degrees 0, 90, 180 or 270 on pictures.'],
  ['/board.png?dither=yes', 'dither must be 0 or 1.'],
  ['/board.png?distance=0.1', 'distance must be a number from 0.2 to 10.'],
  ['/board.png?show=everything', 'show must be one or more of '],
] as const)('%s is a bad request: %s', async ([path, reason]) => {
  const { status, headers, body } = await ask(path)
  expect([status, headers['content-type']]).toEqual([400, 'text/plain; charset=utf-8'])
  expect(body.toString()).toMatch(reason)
})

test('a client can request only some new pictures at once, and known ones at any time', async () => {
  await using station = await startTestService({ sandbox: fewRecords, publicFeedIds: ['events'] })
  await fetch(`${station.url}/events.ics`)
  const statusOf = async (title: number) =>
    (await ask(`/board.png?size=100x100&title=${title}`, { base: station.url })).status
  const statuses: number[] = []
  for (let title = 1; title <= newPictures.burst; title += 1) statuses.push(await statusOf(title))
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect([await statusOf(11), await statusOf(1)]).toEqual([429, 200])
  await station.clock.leap(newPictures.oneMoreMs)
  expect(await statusOf(11)).toBe(200)
})

test.for(['/board/800x480.png', '/board/a.png', '/board/800x480-2.gif', '/board/800x480-.png'])(
  '%s does not exist',
  async (path) => {
    expect((await ask(path)).status).toBe(404)
  },
)

test('shows the feeds of a link, without a QR code and only to its holder', async () => {
  await using station = await startTestService({ sandbox: fewRecords, publicFeedIds: ['events'] })
  await fetch(`${station.url}/events.ics`)
  const at = (path: string, base = station.url) => ask(path, { base })
  expect((await at('/board.png?show=rental')).status).toBe(403)
  expect((await at('/board/800x480-2.png?show=rental')).status).toBe(403)
  expect((await at('/l/nobody/board.png')).status).toBe(404)
  const link = (await station.addLink({ profile: 'full', feedIds: ['rental'] })).replace(/\/$/, '')
  await fetch(`${link}/rental.ics`)
  for (const path of ['/board.png?qr=1', '/board/800x480-2.png', '/board/800x480-2.bmp']) {
    const { status, headers } = await at(path, link)
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'cache-control': 'private, no-cache',
      'x-robots-tag': 'noindex',
    })
    expect(headers).not.toHaveProperty('access-control-allow-origin')
  }
  const [withCode, without] = [await at('/board.png?qr=1', link), await at('/board.png', link)]
  expect(withCode.body.equals(without.body)).toBe(true)
  const open = [await at('/board.png?qr=1'), await at('/board.png')]
  expect(open[0]?.body.equals(open[1]?.body ?? Buffer.alloc(0))).toBe(false)
})

test('an emergency text replaces the picture, and its end is when the picture expires', async () => {
  await using station = await startTestService({
    sandbox: fewRecords,
    publicFeedIds: ['events'],
    environment: adminEnvironment,
    openServer: openFrontedServer,
  })
  await fetch(`${station.url}/events.ics`)
  const before = await ask('/board.png', { base: station.url })
  const { submit } = await createAdmin(station.url).signIn()
  const form = {
    title: 'Boil water',
    text: 'Until further notice.',
    until: '2026-03-05T10:30',
    screens: 'on',
  }
  await submit('/admin/screens', form)
  const known = { 'If-None-Match': before.headers['etag'] ?? '' }
  const shown = await ask('/board.png', { base: station.url, headers: known })
  expect(shown.status).toBe(200)
  expect(shown.headers['expires']).toBe('Thu, 05 Mar 2026 15:30:00 GMT')
  const dark = (await darkPixels(shown.body)).flat()
  expect(dark.filter(Boolean).length).toBeGreaterThan(dark.length / 2)
})

test('is drawn again as soon as it has expired', async () => {
  await using station = await startTestService({
    sandbox: fewRecords,
    publicFeedIds: ['events'],
    openServer: openFrontedServer,
  })
  await fetch(`${station.url}/events.ics`)
  const expiryOf = async () => {
    const { headers } = await ask('/board.png', { base: station.url })
    return Date.parse(headers['expires'] ?? '')
  }
  const expiresAt = await expiryOf()
  await station.clock.leap(expiresAt - 10_000 - station.clock.now())
  expect(await expiryOf()).toBe(expiresAt)
  await station.clock.leap(11_000)
  expect(await expiryOf()).toBeGreaterThan(expiresAt)
})

test('responds with 503 before the first read, so that displays keep their picture', async () => {
  await using cold = await startTestService({ sandbox: { apiEnabled: false } })
  const { status, headers } = await ask('/board.png', { base: cold.url })
  expect([status, headers['retry-after'] === undefined]).toEqual([503, false])
})

function drawOnce() {
  const { drawing, form } = drawingFor({ items: busyWeek, query: 'title=Once' })
  return drawnPicture(drawing, form)
}

test('draws equal content only once, even for concurrent requests', async () => {
  const [first, ...others] = await Promise.all([drawOnce(), drawOnce(), drawOnce()])
  for (const other of [...others, await drawOnce()]) expect(other).toBe(first)
})

test('rejects if drawing fails', async () => {
  const { drawing, form } = drawingFor({ items: busyWeek })
  await expect(drawnPicture({ ...drawing, svg: '<svg' }, form)).rejects.toThrow('Input buffer')
})

test('keeps the largest file, and the front keeps it, too', async () => {
  const { drawing, form } = drawingFor({ query: 'size=1055x2559&colors=full' }, 'bmp')
  const file = await drawnPicture(drawing, form)
  expect(file.length).toBeGreaterThan(8_100_000)
  expect(file.length).toBeLessThan(maxBodyBytes)
  expect(await drawnPicture(drawing, form)).toBe(file)
})

test('draws the rest if a photo is broken', async () => {
  const { drawing, form } = drawingFor({ items: busyWeek, query: 'size=400x300' })
  const box = { left: 10, top: 10, width: 50, height: 40 }
  const photo = { ...box, bytes: Buffer.from('GIF89a broken') }
  const file = await drawnPicture({ ...drawing, photo }, form)
  expect(file).toEqual(await pictureFor({ items: busyWeek, query: 'size=400x300' }))
})
