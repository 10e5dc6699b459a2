import supertest from 'supertest'
import { expect, test } from 'vitest'
import { createServerPages } from '../../../src/http/monitoring/server-pages.ts'
import { createRejections } from '../../../src/http/server/rejections.ts'
import { createLogger } from '../../../src/log.ts'
import { createFakeClock } from '../../support/fake-clock.ts'

test('lets requests run between the sites of a status', async () => {
  const order: string[] = []
  const site = (name: string) => ({
    name,
    publicUrl: undefined,
    async status() {
      order.push(name)
      // Runs before the next site, like a request that arrives now.
      setImmediate(() => order.push('request'))
      return { ok: true, sentences: [] }
    },
    metrics: async () => undefined,
  })
  const { listener } = createServerPages({
    sites: () => [site('ashton'), site('burwick')],
    otherMakers: () => [],
    order: () => [],
    faults: () => [],
    rejections: createRejections(createFakeClock(), createLogger('silent')),
    frontFigures: () => undefined,
    isStopping: () => false,
  })
  await supertest(listener).get('/status').expect(200)
  expect(order.slice(0, 3)).toEqual(['ashton', 'request', 'burwick'])
})
