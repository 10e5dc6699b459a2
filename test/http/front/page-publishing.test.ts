import express from 'express'
import supertest from 'supertest'
import { expect, test } from 'vitest'
import { createPagePublishing } from '../../../src/http/front/page-publishing.ts'
import type { Front } from '../../../src/http/front/publishing.ts'
import { createPublishedResponses } from '../../../src/http/front/published-responses.ts'
import { securityHeaders } from '../../../src/http/server/security-headers.ts'
import type { LinkEntry } from '../../../src/links/link-registry.ts'
import { createFakeClock } from '../../support/fake-clock.ts'

const link: LinkEntry = {
  link: {
    id: 'aaaabbbb',
    keyHash: '',
    label: 'Test',
    feedIds: ['news'],
    profile: 'members',
    createdAt: 0,
    expiresAt: undefined,
    revokedAt: undefined,
  },
  servesUntil: Infinity,
  noteUse: () => undefined,
  fetches: async () => [],
}

/** Publishes pages whose content the test sets. Paths below `/l/` are pages of a feed link. */
function pagesOf() {
  const clock = createFakeClock()
  const published = createPublishedResponses(clock)
  const page = {
    html: 'a'.repeat(1_000),
    status: 200,
    change: () => undefined as void,
    whileCompressing: () => undefined as void,
    isAllowed: true,
  }
  const front: Front = {
    ...published,
    remember: ({ url = '' }, _response, address) => published.remember(url, address),
    announce: () => undefined,
    done: async () => undefined,
    onUse: () => undefined,
  }
  published.setLinks('', new Map([['aaaabbbb members news 0', Infinity]]))
  const publishing = createPagePublishing({
    site: '',
    front,
    onChange: (listener) => void (page.change = listener),
    clock,
  })
  const application = express().use(securityHeaders(), async (request, response) => {
    response.status(page.status).set('Cache-Control', 'no-cache')
    const isPrivate = request.path.startsWith('/l/')
    const sent = publishing.send(request, response, page.html, {
      route: '/',
      parameters: ['limit'],
      link: isPrivate ? link : undefined,
      isAllowed: () => page.isAllowed,
    })
    page.whileCompressing()
    await sent
  })
  const http = supertest(application)
  return {
    clock,
    page,
    published,
    isPublished: (path: string) => published.find(path) !== undefined,
    ask: (path: string, headers: Readonly<Record<string, string>> = {}) =>
      http
        .get(path)
        .set({ 'Accept-Encoding': 'identity', ...headers })
        .buffer(true)
        .parse((response, done) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('end', () => done(null, Buffer.concat(chunks)))
        }),
  }
}

test('publishes a page with its headers and a strong ETag', async () => {
  const { ask, isPublished } = pagesOf()
  expect(isPublished('/')).toBe(false)
  const { headers } = await ask('/')
  expect(isPublished('/')).toBe(true)
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-length': '1000',
    'cache-control': 'no-cache',
    vary: 'Accept-Encoding',
    etag: expect.stringMatching(/^"[\w-]{43}"$/),
    'content-security-policy': expect.stringContaining("default-src 'none'"),
  })
  const again = await ask('/', { 'If-None-Match': headers['etag'] ?? '' })
  expect(again.status).toBe(304)
  expect(again.headers['cache-control']).toBe('no-cache')
})

test('compresses pages with gzip and brotli, each with its own ETag', async () => {
  const { ask, page } = pagesOf()
  const plain = await ask('/')
  const gzip = await ask('/', { 'Accept-Encoding': 'gzip' })
  const br = await ask('/', { 'Accept-Encoding': 'br' })
  for (const [coding, { body, headers }] of Object.entries({ gzip, br })) {
    expect(headers['content-encoding']).toBe(coding)
    // The client decompresses the body.
    expect(body.toString()).toBe(page.html)
  }
  expect(new Set([plain, gzip, br].map(({ headers }) => headers['etag'])).size).toBe(3)
})

test('makes all pages outdated when something changes, but keeps them for emergencies', async () => {
  const { ask, page, isPublished, published } = pagesOf()
  await ask('/')
  page.change()
  expect(isPublished('/')).toBe(false)
  expect(published.find('/', 'any')).toBeDefined()
  page.html = 'b'.repeat(1_000)
  expect((await ask('/')).body.toString()).toBe(page.html)
  expect(isPublished('/')).toBe(true)
})

test('does not publish a page whose records change while it is compressed', async () => {
  const { ask, page, isPublished } = pagesOf()
  page.whileCompressing = page.change
  await ask('/')
  expect(isPublished('/')).toBe(false)
})

test('renders a page again after 30 seconds, with the same ETag if it is the same', async () => {
  const { ask, clock, isPublished } = pagesOf()
  const first = await ask('/')
  await clock.advance(29_999)
  expect(isPublished('/')).toBe(true)
  await clock.advance(1)
  expect(isPublished('/')).toBe(false)
  expect((await ask('/')).headers['etag']).toBe(first.headers['etag'])
})

test('publishes only successful pages', async () => {
  const { ask, page, isPublished } = pagesOf()
  page.status = 410
  expect(await ask('/')).toMatchObject({ status: 410, headers: { 'content-length': '1000' } })
  expect(isPublished('/')).toBe(false)
})

test('publishes a page only if it knows all parameters in the URL', async () => {
  const { ask, page, isPublished } = pagesOf()
  const urls = ['/?limit=1', '/?junk=1', '/?limit=1&junk=1']
  for (const url of urls) expect((await ask(url)).body.toString()).toBe(page.html)
  expect(urls.map(isPublished)).toEqual([true, false, false])
})

test('serves the page of a feed link only while the link is open and unchanged', async () => {
  const { ask, isPublished, published } = pagesOf()
  await ask('/l/key/')
  expect(isPublished('/l/key/')).toBe(true)
  published.setLinks('', new Map([['aaaabbbb full news 1', Infinity]]))
  expect(isPublished('/l/key/')).toBe(false)
  expect(published.find('/l/key/', 'any')).toBeUndefined()
})

test('forgets the least recently requested pages', async () => {
  const { ask, page, isPublished } = pagesOf()
  page.html = 'a'.repeat(6 * 1024 * 1024)
  for (const path of ['/1', '/2', '/3']) await ask(path)
  expect(['/1', '/2', '/3'].map(isPublished)).toEqual([false, true, true])
})

test('retires a page that is no longer allowed when content changes, instead of keeping it', async () => {
  const { page, published, ask } = pagesOf()
  await ask('/a')
  page.change()
  expect(published.find('/a', 'any')).toBeDefined()
  page.isAllowed = false
  page.change()
  expect(published.find('/a', 'any')).toBeUndefined()
})

test('does not publish a page that stops being allowed while it is rendered', async () => {
  const { page, published, ask } = pagesOf()
  page.whileCompressing = () => (page.isAllowed = false)
  expect((await ask('/a')).status).toBe(200)
  expect(published.find('/a', 'any')).toBeUndefined()
})
