import express from 'express'
import supertest from 'supertest'
import { expect, test } from 'vitest'
import { markFromFront } from '../../src/front/cache-fields.ts'
import { createSendPage } from '../../src/web/send-page.ts'
import { securityHeaders } from '../../src/web/security-headers.ts'
import type { LinkEntry } from '../../src/links/link-registry.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { linkEntry, siteCacheWith } from '../support/site-cache.ts'

const ignore = () => undefined

const link = linkEntry()

/** Sends pages whose content the test sets. Paths below `/l/` are pages of a feed link. */
function pagesOf() {
  const clock = createFakeClock()
  const page = {
    html: 'a'.repeat(1_000),
    status: 200,
    change: ignore as () => void,
    linksChange: ignore as () => void,
    isAllowed: true,
    link: link as LinkEntry | undefined,
  }
  const purges: string[] = []
  const siteCache = siteCacheWith({
    front: {
      expire: (_site, names, staleMs) => void purges.push(`expire ${names.join()} ${staleMs}`),
      remove: (_site, tags) => void purges.push(`remove ${tags?.join() ?? 'all'}`),
      restart: () => undefined,
    },
    links: {
      byId: () => page.link,
      open: () => (page.link ? [page.link.link] : []),
      onChange: (listener) => void (page.linksChange = listener),
    },
    onChange: (listener) => void (page.change = listener),
    clock,
  })
  const sendPage = createSendPage(siteCache, clock)
  const application = express().use(securityHeaders(), async (request, response) => {
    if (request.headers['from-front']) markFromFront(request)
    response.status(page.status).set('Cache-Control', 'no-cache')
    const isPrivate = request.path.startsWith('/l/')
    await sendPage(request, response, page.html, {
      route: '/',
      parameters: ['limit'],
      link: isPrivate ? page.link : undefined,
      countsAsUse: isPrivate,
      isAllowed: () => page.isAllowed,
    })
  })
  const http = supertest(application)
  const ask = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    http
      .get(path)
      .set({ 'Accept-Encoding': 'identity', ...headers })
      .buffer(true)
      .parse((response, done) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => done(null, Buffer.concat(chunks)))
      })
  return {
    clock,
    page,
    purges,
    ask,
    /** Returns the fields for the front. */
    fieldsOf: async (path: string) => {
      const { headers } = await ask(path, { 'From-Front': '1' })
      return Object.fromEntries(
        Object.entries(headers)
          .filter(([name]) => name.startsWith('feedhouse-'))
          .map(([name, value]) => [name.slice('feedhouse-'.length), decodeURIComponent(value)]),
      )
    },
  }
}

test('sends a page with a strong ETag, and responds 304 to a client that has it', async () => {
  const { ask, clock } = pagesOf()
  await ask('/')
  await clock.advance(1000)
  const { headers } = await ask('/')
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-length': '1000',
    'cache-control': 'no-cache',
    vary: 'Accept-Encoding',
    etag: expect.stringMatching(/^"[\w-]{43}"$/),
    'content-security-policy': expect.stringContaining("default-src 'none'"),
  })
  for (const condition of [
    { 'If-None-Match': headers['etag'] ?? '' },
    { 'If-Modified-Since': headers['last-modified'] ?? '' },
  ]) {
    const again = await ask('/', condition)
    expect([again.status, again.headers['cache-control']]).toEqual([304, 'no-cache'])
    expect(again.headers).not.toHaveProperty('content-type')
  }
})

test('sends cache fields only to the front', async () => {
  const { ask, fieldsOf } = pagesOf()
  expect(JSON.stringify((await ask('/l/key/')).headers)).not.toContain('feedhouse')
  expect(await fieldsOf('/l/key/?limit=1')).toEqual({
    site: 'main',
    'cache-control': 'max-age=30, stale-while-revalidate=60, stale-if-error=604800',
    representation: 'page link:aaaabbbb@0-Infinity /l/key/?limit=1',
    tags: 'pages, watched, link:aaaabbbb@0-Infinity',
    use: '["/","aaaabbbb"]',
  })
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

test('accepts the ETag of any encoding that the client accepts', async () => {
  const { ask } = pagesOf()
  const { headers } = await ask('/', { 'Accept-Encoding': 'gzip' })
  const again = { 'Accept-Encoding': 'br, gzip', 'If-None-Match': headers['etag'] ?? '' }
  expect((await ask('/', again)).status).toBe(304)
  expect((await ask('/', { 'If-None-Match': headers['etag'] ?? '' })).status).toBe(200)
})

test('keeps the date of a page that is rendered again without changes', async () => {
  const { ask, clock, page } = pagesOf()
  const dateLater = async (ms: number) => {
    await clock.advance(ms)
    return (await ask('/')).headers['last-modified']
  }
  const startedAt = new Date(clock.now()).toUTCString()
  expect(await dateLater(0)).toBeUndefined()
  expect(await dateLater(1000)).toBe(startedAt)
  expect(await dateLater(60_000)).toBe(startedAt)
  page.html = 'b'
  const changedAt = new Date(clock.now()).toUTCString()
  expect(await dateLater(0)).toBeUndefined()
  expect(await dateLater(1000)).toBe(changedAt)
})

test('sends both of two changes in a second to a client that knows only the date', async () => {
  const { ask, clock, page } = pagesOf()
  let date = ''
  for (const html of ['a', 'b', 'c']) {
    page.html = html
    const { status, headers } = await ask('/', date === '' ? {} : { 'If-Modified-Since': date })
    expect(status).toBe(200)
    date = headers['last-modified'] ?? ''
    await clock.advance(400)
  }
  await clock.advance(600)
  date = (await ask('/')).headers['last-modified'] ?? ''
  expect((await ask('/', { 'If-Modified-Since': date })).status).toBe(304)
})

test('lets the front keep only successful pages', async () => {
  const { ask, page, fieldsOf } = pagesOf()
  page.status = 410
  expect(await ask('/')).toMatchObject({ status: 410, headers: { 'content-length': '1000' } })
  expect(await fieldsOf('/')).toEqual({})
})

test('lets the front keep a page only if it knows all parameters in the URL', async () => {
  const { page, ask, fieldsOf } = pagesOf()
  for (const [url, isKept] of [
    ['/?limit=1', true],
    ['/?junk=1', false],
    ['/?limit=1&junk=1', false],
  ] as const) {
    expect((await ask(url)).body.toString()).toBe(page.html)
    expect(Object.keys(await fieldsOf(url)).length > 0).toBe(isKept)
  }
})

test('removes a link’s responses when the link changes', async () => {
  const { page, purges, fieldsOf } = pagesOf()
  await fieldsOf('/l/key/')
  page.link = { ...link, link: { ...link.link, editedAt: 1 } }
  page.linksChange()
  expect(purges).toEqual(['remove link:aaaabbbb@0-Infinity'])
  await fieldsOf('/l/key/')
  page.link = undefined
  page.linksChange()
  expect(purges.slice(1)).toEqual(['remove link:aaaabbbb@1-Infinity'])
})

test('removes a page that is no longer allowed, and no others', async () => {
  const { page, purges, fieldsOf } = pagesOf()
  await fieldsOf('/a')
  page.change()
  expect(purges).toEqual(['expire pages 0'])
  page.isAllowed = false
  page.change()
  expect(purges.slice(1)).toEqual(['remove page  /a', 'expire pages 0'])
})

test('does not let the front keep a page that stops being allowed while it is rendered', async () => {
  const { page, fieldsOf } = pagesOf()
  page.isAllowed = false
  expect(await fieldsOf('/a')).toEqual({})
})
