import { Agent, createServer, request as sendRequest } from 'node:http'
import type { RequestListener, ServerResponse } from 'node:http'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Clock } from '../../src/clock.ts'
import { clientAddress } from '../../src/front/client-address.ts'
import { frontLimits } from '../../src/hosting/front-process.ts'
import {
  connectToWorker,
  connectWith,
  type OriginConnection,
} from '../../src/front/origin-connection.ts'
import { connectToHost } from '../../src/front/host-connection.ts'
import { createOrigin } from '../../src/front/origin.ts'
import { createRequestBodies } from '../../src/front/request-bodies.ts'
import { createResponseCache, type ResponseCache } from '../../src/front/response-cache.ts'
import { createFakeClock, timesOf } from '../support/fake-clock.ts'
import { startHost } from '../support/host.ts'
import { serverOf, startHttpServer } from '../support/http-server.ts'
import { exchange, requestText } from '../support/raw-http.ts'
import { testDirectory } from '../support/service.ts'
import { waitFor } from '../support/wait-for.ts'

const respondWithStatus: RequestListener = ({ url = '' }, response) =>
  response.writeHead(Number(url.slice(1))).end()

/** Starts a worker that by default responds with the status in the path. */
async function startWorker(listener = respondWithStatus) {
  return connectToWorker(await listeningWorker(listener))
}

/** Starts a worker. Resolves to the path of its socket. */
async function listeningWorker(listener: RequestListener): Promise<string> {
  const socketPath = join(testDirectory(), 'worker')
  const worker = createServer(listener).listen(socketPath)
  await once(worker, 'listening')
  onTestFinished(() => {
    worker.close()
    worker.closeAllConnections()
  })
  return socketPath
}

/** Serves a worker or host, and notes what leaves the cache. */
async function originOf(connection: OriginConnection) {
  const removed: string[] = []
  const cache = { removeUrl: (key: string) => void removed.push(key) } as ResponseCache
  const origin = servingOrigin(connection, cache, createFakeClock())
  return { origin, removed, url: await startHttpServer(origin.listener) }
}

function servingOrigin(connection: OriginConnection, cache: ResponseCache, clock: Clock) {
  onTestFinished(() => connection.close())
  const origin = createOrigin(
    {
      limits: frontLimits.responseTimes,
      clock,
      times: timesOf(clock),
      cache,
      keyOf: ({ url = '' }) => url,
      addressOf: (request) => clientAddress(request, 1),
      isStopping: () => false,
      bodies: createRequestBodies({ report: () => undefined, addUnread: () => undefined }),
      admit: () => true,
    },
    { connect: () => connection, used: () => undefined },
  )
  origin.serving()
  return origin
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

/** Starts an origin with few places, whose worker never completes `/held`. */
async function fullOrigin(maxOpen: number) {
  const received: string[] = []
  const held: ServerResponse[] = []
  const socketPath = await listeningWorker(({ url = '' }, response) => {
    received.push(url)
    if (url === '/held') held.push(response)
    else response.end('ok')
  })
  const agent = new Agent()
  const connection = connectWith(agent, 2, (options) =>
    sendRequest({ ...options, socketPath, agent }),
  )
  const clock = createFakeClock()
  const origin = servingOrigin(connection, createResponseCache(timesOf(clock)), clock)
  let admitted = 0
  const { url } = await serverOf(
    (request, response) => {
      admitted += 1
      origin.listener(request, response)
    },
    { maxOpen },
  )
  return {
    received,
    release: () => void held[0]?.end('ok'),
    /** Sends a request. Resolves once it is admitted, to a function that awaits the response. */
    ask: async (address: string, path: string, method = 'GET') => {
      const before = admitted
      const headers = { 'X-Forwarded-For': address }
      const answer = exchange(url, requestText(path, { method, headers }))
      await waitFor(() => expect(admitted).toBe(before + 1))
      return async () => (await answer).status
    },
  }
}

test.for(['GET', 'DELETE'])('does not send a dropped %s to the worker', async (method) => {
  const { ask, received, release } = await fullOrigin(3)
  const first = await ask('192.0.2.1', '/held')
  await waitFor(() => expect(received).toEqual(['/held']))
  const second = await ask('192.0.2.1', '/second', method)
  const dropped = await ask('192.0.2.1', '/dropped', method)
  const other = await ask('198.51.100.1', '/other')
  expect([await dropped(), await other()]).toEqual([503, 200])
  const last = await ask('192.0.2.1', '/last', method)
  release()
  expect([await first(), await second(), await last()]).toEqual([200, 200, 200])
  expect(received).toEqual(['/held', '/other', '/second', '/last'])
})

test('keeps a fetch of a dropped request that another client waits for', async () => {
  const { ask, received, release } = await fullOrigin(3)
  const first = await ask('192.0.2.1', '/held')
  await waitFor(() => expect(received).toEqual(['/held']))
  const dropped = await ask('192.0.2.1', '/shared')
  const waiting = await ask('192.0.3.1', '/shared')
  const other = await ask('198.51.100.1', '/other')
  expect([await dropped(), await other()]).toEqual([503, 200])
  release()
  expect([await first(), await waiting()]).toEqual([200, 200])
})
