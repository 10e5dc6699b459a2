import { afterAll, describe, expect, test } from 'vitest'
import { exchange, requestText } from '../support/raw-http.ts'
import { startTestService } from '../support/service.ts'

const service = await startTestService({ publicFeedIds: ['events', 'news'] })
afterAll(() => service[Symbol.asyncDispose]())
// From here on, the hot path serves the URL.
await exchange(service.url, requestText('/events.ics'))

const ask = (method: string, target: string, headers: Record<string, string> = {}) =>
  exchange(service.url, requestText(target, { method, headers }))

describe.for(['/events.ics', '/', '/livez', '/nothing'])('%s', (target) => {
  test.for(['POST', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND', 'REPORT', 'MKCALENDAR'])(
    'rejects %s with 405 and an Allow header',
    async (method) => {
      const { status, headers, body } = await ask(method, target)
      expect(status).toBe(405)
      expect(headers).toMatchObject({ allow: 'GET, HEAD', 'cache-control': 'no-store' })
      expect(body.toString()).toBe('Only GET and HEAD are allowed here.\n')
    },
  )

  test('OPTIONS returns the allowed methods', async () => {
    const { status, headers, body } = await ask('OPTIONS', target)
    expect([status, headers['allow'], body.length]).toEqual([204, 'GET, HEAD', 0])
  })
})

test('OPTIONS * returns the allowed methods', async () => {
  expect(await ask('OPTIONS', '*')).toMatchObject({ status: 204, headers: { allow: 'GET, HEAD' } })
})

test('rejects CONNECT with 405 and closes the connection', async () => {
  const answer = await ask('CONNECT', 'example.org:443')
  expect(answer).toMatchObject({
    status: 405,
    headers: { allow: 'GET, HEAD', connection: 'close' },
  })
})

test('lets scripts from any origin read a public feed, including with conditional requests', async () => {
  const preflight = {
    Origin: 'https://www.example.org',
    'Access-Control-Request-Method': 'GET',
    'Access-Control-Request-Headers': 'if-none-match',
  }
  const { headers } = await ask('OPTIONS', '/news.json?limit=3', preflight)
  expect(headers).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET, HEAD',
    'access-control-allow-headers': '*',
    'access-control-max-age': '86400',
  })
})

test.for(['/', '/status', '/calendar.ics', '/nothing'])(
  'does not let scripts from other origins read %s',
  async (target) => {
    const { headers } = await ask('OPTIONS', target)
    expect(headers).not.toHaveProperty('access-control-allow-origin')
    expect((await ask('GET', target)).headers).not.toHaveProperty('access-control-allow-origin')
  },
)
