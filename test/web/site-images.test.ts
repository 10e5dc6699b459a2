import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import express from 'express'
import { PNG } from 'pngjs'
import supertest from 'supertest'
import { expect, test } from 'vitest'
import { identityFrom, type IdentitySettings } from '../../src/feeds/identity.ts'
import { createSiteImages } from '../../src/web/site-images.ts'
import { createLogger } from '../../src/log.ts'
import { contextWith } from '../support/context.ts'
import { fewRecords } from '../support/few-records.ts'
import { startTestService, testDirectory } from '../support/service.ts'
import { testSite } from '../support/site.ts'

const svg = (color: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9H0z" fill="${color}"/></svg>`

const pngOf = (bytes: Buffer) => {
  const { width, data } = PNG.sync.read(bytes)
  const center = 2 * width * width + 2 * width
  return { width, center: data.toString('hex', center, center + 4) }
}

function imagesOf(
  identity: IdentitySettings,
  fetchPicture = async () => undefined as { type: string; bytes: Buffer } | undefined,
) {
  let now = 0
  const lines: string[] = []
  const site = { ...testSite, identity: identityFrom(identity, testSite.name) }
  const log = createLogger('warn', { write: (line) => lines.push(line) })
  const images = createSiteImages(
    contextWith({ site, fetchPicture, clock: { now: () => now }, log }),
  )
  const application = express()
    .get('/assets/site-:version/:file', images.send)
    .get('/icon-:size.png', images.sendIcon)
    .get('/favicon.ico', images.sendFavicon)
  const http = supertest(application)
  return { ...images, http, lines, advance: (ms: number) => void (now += ms) }
}

test('names its icons, manifest and preview on public pages', async () => {
  await using service = await startTestService({
    sandbox: fewRecords,
    identity: { place: 'Ashton, NY' },
  })
  await service.readAll()
  const home = await (await fetch(`${service.url}/`)).text()
  const linked = (pattern: RegExp) => new URL(pattern.exec(home)?.[1] ?? '', service.url)
  for (const pattern of [
    /rel="icon" href="([^"]+)" sizes="32x32"/,
    /rel="apple-touch-icon" href="([^"]+)"/,
    /property="og:image" content="([^"]+)"/,
  ]) {
    const response = await fetch(linked(pattern))
    expect(response.headers.get('content-type')).toBe('image/png')
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  }
  const response = await fetch(linked(/rel="manifest" href="([^"]+)"/))
  expect(response.headers.get('content-type')).toContain('application/manifest+json')
  const manifest = (await response.json()) as { icons: { src: string; sizes: string }[] }
  expect(manifest).toMatchObject({ name: service.sandbox.siteName, start_url: '/', id: '/' })
  for (const { src, sizes } of manifest.icons) {
    const icon = await fetch(new URL(src, service.url))
    const { width } = pngOf(Buffer.from(await icon.arrayBuffer()))
    expect(`${width}x${width}`).toBe(sizes)
  }
  expect((await fetch(`${service.url}/favicon.ico`)).headers.get('content-type')).toBe('image/png')
})

test('shows no preview and no manifest below feed links', async () => {
  await using service = await startTestService({ sandbox: fewRecords })
  await service.readAll()
  const link = await service.addLink({})
  const [entry = ''] = /events\/\d+/.exec(await (await fetch(link)).text()) ?? []
  for (const path of ['', entry]) {
    const response = await fetch(`${link}${path}`)
    expect(response.headers.get('x-robots-tag')).toBe('noindex')
    expect(await response.text()).not.toMatch(/og:|twitter:|rel="manifest"|name="description"/)
  }
})

test('serves the icons that feeds name at paths that never change', async () => {
  await using service = await startTestService({ sandbox: fewRecords, publicFeedIds: ['news'] })
  await service.readAll()
  const widthOf = async (pattern: RegExp, path: string) => {
    const [, url = ''] = pattern.exec(await (await fetch(`${service.url}${path}`)).text()) ?? []
    expect(url).toMatch(/\/icon-\d+\.png$/)
    const icon = await fetch(new URL(new URL(url).pathname, service.url))
    expect(icon.headers.get('cache-control')).toBe('public, max-age=86400')
    return pngOf(Buffer.from(await icon.arrayBuffer())).width
  }
  expect(await widthOf(/<image>.*<url>(.+)<\/url>/s, '/news.rss')).toBe(144)
  expect(await widthOf(/<logo>(.+)<\/logo>/, '/news.atom')).toBe(512)
  expect(await widthOf(/<icon>(.+)<\/icon>/, '/news.atom')).toBe(32)
  expect(await widthOf(/"icon":"([^"]+)"/, '/news.json')).toBe(512)
  expect(await widthOf(/"favicon":"([^"]+)"/, '/news.json')).toBe(32)
  expect((await fetch(`${service.url}/icon-33.png`)).status).toBe(404)
})

test('draws icons from the logo’s file, at a path that changes with the file', async () => {
  const logo = join(testDirectory(), 'logo.svg')
  writeFileSync(logo, svg('#0f0'))
  const first = imagesOf({ logo })
  const { body } = await first.http.get(String(first.pathOf('icon-192.png'))).expect(200)
  expect(pngOf(body)).toEqual({ width: 192, center: '00ff00ff' })
  writeFileSync(logo, svg('#00f'))
  expect(imagesOf({ logo }).pathOf('icon-192.png')).not.toBe(first.pathOf('icon-192.png'))
})

test('shows the initials and logs a warning if the logo’s file is not a picture', async () => {
  const logo = join(testDirectory(), 'logo.png')
  writeFileSync(logo, '<html>')
  const { http, pathOf, lines } = imagesOf({ logo, color: '#b3261e' })
  expect(lines.join('')).toContain('SITE_LOGO is not a picture')
  const { body } = await http.get(String(pathOf('icon-32.png'))).expect(200)
  expect(PNG.sync.read(body).data.toString('hex', 0, 4)).toBe('b3261eff')
})

test('fetches a logo from its URL once a day, and again soon if that fails', async () => {
  let fetches = 0
  let picture: { type: string; bytes: Buffer } | undefined
  const { http, pathOf, advance } = imagesOf(
    { logo: 'https://www.example.org/logo.png' },
    async () => {
      fetches += 1
      return picture
    },
  )
  const ask = () => http.get(String(pathOf('icon-32.png'))).expect(200)
  expect((await ask()).headers['cache-control']).toBe('public, max-age=300')
  picture = { type: 'image/svg+xml', bytes: Buffer.from(svg('#00f')) }
  await ask()
  expect(fetches).toBe(1)
  advance(300_000)
  const { headers, body } = await ask()
  expect(headers['cache-control']).toBe('public, max-age=86400')
  expect(pngOf(body).center).toBe('0000ffff')
  await Promise.all([ask(), ask()])
  expect(fetches).toBe(2)
})
