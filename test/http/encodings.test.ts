import { once } from 'node:events'
import { request, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService } from '../support/service.ts'

let service: Awaited<ReturnType<typeof startTestService>>

beforeAll(async () => {
  service = await startTestService({ publicFeedIds: ['events', 'news'] })
})

afterAll(async () => {
  await service[Symbol.asyncDispose]()
})

/** As it comes, where `fetch` would decode it. */
async function ask(path: string, headers: OutgoingHttpHeaders = {}, method = 'GET') {
  const sent = request(`${service.url}${path}`, { method, headers, agent: false }).end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) }
}

test.for(['/news.rss', '/news.atom', '/news.json', '/events.ics'])(
  '%s is answered compressed to who asks for it, the same bytes inside',
  async (path) => {
    const plain = await ask(path)
    const zipped = await ask(path, { 'Accept-Encoding': 'br, gzip' })
    expect(plain.headers).not.toHaveProperty('content-encoding')
    expect(zipped.headers).toMatchObject({
      'content-encoding': 'gzip',
      'content-type': plain.headers['content-type'],
      'content-length': String(zipped.body.length),
      'last-modified': plain.headers['last-modified'],
    })
    expect(gunzipSync(zipped.body)).toEqual(plain.body)
    expect(zipped.body.length).toBeLessThan(plain.body.length / 2)
    for (const { headers } of [plain, zipped]) expect(headers.vary).toBe('Accept-Encoding')
    expect(zipped.headers.etag).not.toBe(plain.headers.etag)
  },
)

test('each encoding is validated by its own tag', async () => {
  const zip = { 'Accept-Encoding': 'gzip' }
  const { headers: plain } = await ask('/news.rss')
  const { headers: zipped } = await ask('/news.rss', zip)
  const unchanged = await ask('/news.rss', { ...zip, 'If-None-Match': zipped.etag })
  expect(unchanged.status).toBe(304)
  expect(unchanged.headers).toMatchObject({ etag: zipped.etag, vary: 'Accept-Encoding' })
  expect(unchanged.headers).not.toHaveProperty('content-encoding')
  expect(unchanged.headers).not.toHaveProperty('content-length')
  expect((await ask('/news.rss', { 'If-None-Match': zipped.etag })).status).toBe(200)
  expect((await ask('/news.rss', { ...zip, 'If-None-Match': plain.etag })).status).toBe(200)
})

test.for(['gzip', 'identity'])('HEAD has the headers of the %s GET and no body', async (coding) => {
  const headers = { 'Accept-Encoding': coding }
  const get = await ask('/news.rss', headers)
  const head = await ask('/news.rss', headers, 'HEAD')
  expect({ ...head.headers, date: '' }).toEqual({ ...get.headers, date: '' })
  expect(head.body).toHaveLength(0)
})
