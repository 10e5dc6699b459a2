import { request } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
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

/** Returns how many of a network's 20 requests are answered before the request of another one. */
async function answeredBefore(path: string, otherPath: string): Promise<number> {
  const service = await startTestService({
    environment: { TRUST_PROXY: '1' },
    sandbox: fewRecords,
  })
  onTestFinished(() => service[Symbol.asyncDispose]())
  await service.readAll()
  const answered: string[] = []
  async function get(path: string, client: string): Promise<void> {
    const headers = { 'X-Forwarded-For': client }
    const { statusCode, body } = await request(`${service.url}${path}`, { headers })
    expect([200, 404]).toContain(statusCode)
    await body.dump()
    answered.push(client)
  }
  const clients = [...Array.from({ length: 20 }, () => '192.0.2.1'), '198.51.100.1']
  // Connections are accepted one at a time.
  await Promise.all(clients.map((client) => get('/livez', client)))
  answered.length = 0
  await Promise.all(
    clients.map((client, index) => get(`${index < 20 ? path : otherPath}${index}`, client)),
  )
  return answered.indexOf('198.51.100.1')
}
