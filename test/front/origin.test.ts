import { createServer, type RequestListener } from 'node:http'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { frontLimits } from '../../src/hosting/front-process.ts'
import { connectToWorker, type OriginConnection } from '../../src/front/origin-connection.ts'
import { connectToHost } from '../../src/front/host-connection.ts'
import { createOrigin } from '../../src/front/origin.ts'
import { createRequestBodies } from '../../src/front/request-bodies.ts'
import type { ResponseCache } from '../../src/front/response-cache.ts'
import { createFakeClock, timesOf } from '../support/fake-clock.ts'
import { startHost } from '../support/host.ts'
import { startHttpServer } from '../support/http-server.ts'
import { testDirectory } from '../support/service.ts'

const respondWithStatus: RequestListener = ({ url = '' }, response) =>
  response.writeHead(Number(url.slice(1))).end()

/** Starts a worker that by default responds with the status in the path. */
async function startWorker(listener = respondWithStatus) {
  const socketPath = join(testDirectory(), 'worker')
  const worker = createServer(listener).listen(socketPath)
  await once(worker, 'listening')
  onTestFinished(() => {
    worker.close()
    worker.closeAllConnections()
  })
  return connectToWorker(socketPath)
}

/** Serves a worker or host, and notes what leaves the cache. */
async function originOf(connection: OriginConnection) {
  onTestFinished(() => connection.close())
  const removed: string[] = []
  const clock = createFakeClock()
  const origin = createOrigin(
    {
      limits: frontLimits.responseTimes,
      clock,
      times: timesOf(clock),
      cache: { removeUrl: (key: string) => void removed.push(key) } as ResponseCache,
      keyOf: ({ url = '' }) => url,
      addressOf: () => '192.0.2.1',
      isStopping: () => false,
      bodies: createRequestBodies({ report: () => undefined, addUnread: () => undefined }),
      admit: () => true,
    },
    { connect: () => connection, used: () => undefined },
  )
  origin.serving()
  return { origin, removed, url: await startHttpServer(origin.listener) }
}

test('drops the cached response of a URL that forwarded requests find withdrawn', async () => {
  const { removed, url } = await originOf(await startWorker())
  for (const status of [200, 401, 403, 404, 410, 412, 429, 500, 503]) {
    // The front does not answer requests with this condition itself.
    const response = await fetch(`${url}/${status}`, { headers: { 'If-Match': '"1"' } })
    expect(response.status).toBe(status)
  }
  expect(removed).toEqual(['/401', '/403', '/404', '/410'])
})

test('rejects a URL for which the response has large headers', async () => {
  const worker = await startWorker(({ url = '' }, response) =>
    response.writeHead(302, { Location: url.repeat(2) }).end(),
  )
  const { origin, url } = await originOf(worker)
  const urlForHosts = await startHttpServer(
    (request, response) => void origin.answerHost(request, response, '192.0.2.1'),
  )
  for (const base of [url, urlForHosts]) {
    for (const [length, status] of [
      [100, 302],
      [10_000, 431],
    ] as const) {
      const init = { method: 'POST', redirect: 'manual' } as const
      const response = await fetch(`${base}/${'a'.repeat(length)}`, init)
      expect(response.status).toBe(status)
    }
  }
})

test('rejects headers that another host would not accept with those of this host', async () => {
  const host = await startHost(['key'])
  const { url } = await originOf(connectToHost(host.url, () => ['key']))
  const seen = new Set<string>()
  for (let length = 15_000; length < 16_500; length += 50) {
    const headers = { 'If-Match': '"1"', 'X-Long': 'a'.repeat(length) }
    const response = await fetch(url, { headers })
    seen.add(`${response.status} ${await response.text()}`)
  }
  // The last one is from the server that receives the request.
  expect([...seen]).toEqual(['200 ok', '431 The request headers are too large.\n', '431 '])
})
