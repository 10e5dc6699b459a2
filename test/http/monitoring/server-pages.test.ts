import supertest from 'supertest'
import { expect, test } from 'vitest'
import { createServerPages, type HostedSite } from '../../../src/http/monitoring/server-pages.ts'
import { createRejections } from '../../../src/http/server/rejections.ts'
import { createLogger } from '../../../src/log.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { waitFor } from '../../support/wait-for.ts'

const pagesOf = (sites: readonly HostedSite[]) =>
  createServerPages({
    sites: () => sites,
    otherWorkers: () => [],
    otherHosts: () => [],
    titles: () => new Map(),
    faults: () => [],
    rejections: createRejections(createFakeClock(), createLogger('silent')),
    frontFigures: () => undefined,
    isStopping: () => false,
  })

test('lets requests run between the sites of a status', async () => {
  const order: string[] = []
  const site = (name: string) => ({
    name,
    publicUrl: undefined,
    async status() {
      order.push(name)
      // Runs before the next site, like a request that arrives now.
      setImmediate(() => order.push('request'))
      return { ok: true, state: 'ok' as const, sentences: [] }
    },
    metrics: async () => undefined,
  })
  const { listener } = pagesOf([site('ashton'), site('burwick')])
  await supertest(listener).get('/status').expect(200)
  expect(order.slice(0, 3)).toEqual(['ashton', 'request', 'burwick'])
})

test('sends the previous status while a site takes long to report its own', async () => {
  const { promise: never } = Promise.withResolvers<undefined>()
  let calls = 0
  const { listener } = pagesOf([
    {
      name: 'ashton',
      publicUrl: undefined,
      status: async () => ((calls += 1) === 1 ? { ok: true, state: 'ok', sentences: [] } : never),
      metrics: async () => undefined,
    },
  ])
  await waitFor(async () => {
    const { body } = await supertest(listener).get('/status')
    expect(calls).toBe(2)
    expect(body).toMatchObject({ ok: true, sites: [{ name: 'ashton', ok: true }] })
  })
})
