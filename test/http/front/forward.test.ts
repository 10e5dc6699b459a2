import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createForwarding } from '../../../src/http/front/forward.ts'
import { temporaryDirectory } from '../../support/service.ts'
import { serverOf } from '../../support/http-server.ts'

async function listenOn(server: Server, path: string): Promise<void> {
  server.listen(path)
  await once(server, 'listening')
  onTestFinished(() => void server.close())
}

/** Starts a front that forwards to a maker with this listener. */
async function forwardTo(maker: RequestListener) {
  const directory = temporaryDirectory()
  onTestFinished(() => directory[Symbol.dispose]())
  const socketPath = join(directory.path, 'maker')
  await listenOn(createServer(maker), socketPath)
  const forwarding = createForwarding({
    socketPath,
    staleAfterMs: { recent: 60_000, health: 60_000, status: 60_000, any: 60_000 },
    received: () => undefined,
    sendRecent: () => false,
    sendStale: () => false,
    sendHealth: () => false,
    unanswered: (_request, response) => response.writeHead(502).end(),
    unreachable: (_request, response) => response.writeHead(504).end(),
  })
  onTestFinished(forwarding.close)
  return (await serverOf(forwarding.listener)).url
}

test('sends a request again, once, if its site has been replaced', async () => {
  const asked: string[] = []
  const url = await forwardTo(({ url: path = '' }, response) => {
    asked.push(path)
    if (asked.length === 1 || path === '/down') response.setHeader('feedhouse-repeat', '1')
    response.writeHead(asked.length === 1 || path === '/down' ? 503 : 200).end('text')
  })
  const first = await fetch(`${url}/events.ics?past=7`)
  expect([first.status, await first.text()]).toEqual([200, 'text'])
  expect(asked).toEqual(['/events.ics?past=7', '/events.ics?past=7'])
  const down = await fetch(`${url}/down`)
  expect([down.status, down.headers.get('feedhouse-repeat')]).toEqual([503, null])
  expect(asked.slice(2)).toEqual(['/down', '/down'])
})

test('does not repeat a form', async () => {
  let count = 0
  const url = await forwardTo((request, response) => {
    count += 1
    request.resume()
    response.writeHead(503, { 'feedhouse-repeat': '1' }).end()
  })
  expect((await fetch(url, { method: 'POST', body: 'a=b' })).status).toBe(503)
  expect(count).toBe(1)
})
