import { createServer, IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { createHealthFallback } from '../../../src/http/front/health.ts'

function requestFor(url: string): IncomingMessage {
  return Object.assign(new IncomingMessage(new Socket()), { url })
}

test.for([
  { path: '/readyz', status: 200, ready: 200 },
  { path: '/readyz', status: 503, ready: 503 },
  { path: '/unknown/readyz', status: 404, ready: 200 },
  { path: '/other', status: 503, ready: 200 },
])('/readyz has status $ready after $status for $path', async ({ path, status, ready }) => {
  const { note, listener } = createHealthFallback((_request, response) => response.end())
  note(requestFor(path), status)
  await using server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(ready)
})

test('stays ready while a restarted maker is not ready yet', () => {
  const { note, makerExited } = createHealthFallback((_request, response) => response.end())
  const readyz = requestFor('/readyz')
  expect(note(readyz, 200)).toBe(false)
  makerExited()
  expect(note(readyz, 503)).toBe(true)
  expect(note(readyz, 200)).toBe(false)
  expect(note(readyz, 503)).toBe(false)
})
