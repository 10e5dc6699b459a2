import { afterAll, expect, test } from 'vitest'
import { startTestService } from '../../support/service.ts'

const service = await startTestService({ publicFeedIds: ['events'] })
afterAll(() => service[Symbol.asyncDispose]())
const link = await service.addLink({ profile: 'full' })
await fetch(`${link}events.ics`)

test.for([
  '',
  'board?show=events',
  'board.json?show=events',
  'board.rss?show=events',
  'board/concerto.json?show=events',
  'board/worker.js',
  'embed/events',
  'events.ics',
  'events.rss',
  'feeds.opml',
])('keeps %s under a feed link out of shared caches', async (path) => {
  const { status, headers } = await fetch(`${link}${path}`)
  expect(status).toBe(200)
  expect(headers.get('cache-control')).toMatch(/^private, /)
})

test.for(['board?rows=x', 'nothing', 'events/999999'])(
  'prevents caching of errors at %s under a feed link',
  async (path) => {
    const { status, headers } = await fetch(`${link}${path}`)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(headers.get('cache-control')).toBe('no-store')
  },
)

test('clears the browser storage of boards under an ended link', async () => {
  const response = await fetch(`${service.url}/l/nobody/board`, {
    headers: { Accept: 'text/html' },
  })
  expect(response.status).toBe(404)
  const [, path = ''] = /<script type="module" src="([^"]+)"/.exec(await response.text()) ?? []
  expect((await fetch(`${service.url}${path}`)).status).toBe(200)
  expect(response.headers.get('content-security-policy')).toContain("script-src 'self'")
})
