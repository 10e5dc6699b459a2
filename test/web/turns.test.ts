import { request } from 'undici'
import { expect, test } from 'vitest'
import { fewRecords } from '../support/few-records.ts'
import { startTestService } from '../support/service.ts'

test.for([
  ['pages', '/agenda?n='],
  ['missing pages', '/missing'],
  ['boards', '/board?title=T'],
  ['feeds', '/events.ics?alarm=1'],
])('lets other networks have their turn between %s of one network', async ([, path = '']) => {
  expect(await answeredBefore(path, path)).toBeLessThan(6)
})

test.for(['/agenda?n=', '/month/2026-03?n='])(
  'lets other networks have their turn before a page of many entries is complete: %s',
  async (path) => {
    expect(await answeredBefore(path, '/missing')).toBe(0)
  },
)

test('makes a picture for another network wait only for the drawing in progress', async () => {
  await using service = await startedService()
  const size = 'size=1600x1600&colors=full'
  const picture = (name: string, client: string) =>
    get(`${service.url}/board.png?${size}&title=${name}`, client)
  await picture('first', '203.0.113.1')
  const networks = 5
  const drawn: string[] = []
  const many = Array.from({ length: 20 }, async (_, index) => {
    await picture(String(index), `192.0.${index % networks}.1`)
    drawn.push(String(index))
  })
  await Promise.all(many.slice(0, networks))
  const before = drawn.length
  await picture('other', '198.51.100.1')
  // One is in progress, and another can start before the request has been read.
  expect(drawn.length - before).toBeLessThanOrEqual(2)
  await Promise.all(many)
})

/** Returns how many of a network's 20 requests are answered before the request of another one. */
async function answeredBefore(path: string, otherPath: string): Promise<number> {
  await using service = await startedService()
  const answered: string[] = []
  async function ask(path: string, client: string): Promise<void> {
    await get(`${service.url}${path}`, client)
    answered.push(client)
  }
  const clients = [...Array.from({ length: 20 }, () => '192.0.2.1'), '198.51.100.1']
  // Connections are accepted one at a time.
  await Promise.all(clients.map((client) => ask('/livez', client)))
  answered.length = 0
  await Promise.all(
    clients.map((client, index) => ask(`${index < 20 ? path : otherPath}${index}`, client)),
  )
  return answered.indexOf('198.51.100.1')
}

async function startedService() {
  const service = await startTestService({
    environment: { TRUST_PROXY: '1' },
    sandbox: fewRecords,
  })
  await service.readAll()
  return service
}

async function get(url: string, client: string): Promise<void> {
  const { statusCode, body } = await request(url, { headers: { 'X-Forwarded-For': client } })
  expect([200, 404]).toContain(statusCode)
  await body.dump()
}
