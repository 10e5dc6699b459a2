import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { createWorkerHealth } from '../../src/front/health.ts'

type Health = ReturnType<typeof createWorkerHealth>

function requestFor(url: string, method = 'GET'): IncomingMessage {
  return Object.assign(new IncomingMessage(new Socket()), { url, method })
}

/** Returns the status with which the front answers, or undefined if it does not. */
function statusOf(send: Health['respond'], url: string, method?: string): number | undefined {
  const request = requestFor(url, method)
  const response = new ServerResponse(request)
  return send(request, response) ? response.statusCode : undefined
}

function servingWorker(): Health {
  const health = createWorkerHealth()
  health.serving()
  return health
}

test.for([
  { path: '/livez', method: 'GET', status: 200 },
  { path: '/livez?probe=1', method: 'HEAD', status: 200 },
  { path: '/livez', method: 'POST', status: undefined },
  // Below a path, only the worker knows whether a site exists.
  { path: '/unknown/livez', method: 'GET', status: undefined },
  { path: '/readyz', method: 'GET', status: undefined },
])('the front answers $method $path with $status without the worker', (each) => {
  const { respondForFront } = servingWorker()
  expect(statusOf(respondForFront, each.path, each.method)).toBe(each.status)
})

test.for([
  { path: '/readyz', status: 200, ready: 200 },
  { path: '/readyz', status: 503, ready: 503 },
  { path: '/ashton/readyz', status: 503, ready: 503 },
  { path: '/unknown/readyz', status: 404, ready: 200 },
  { path: '/other', status: 503, ready: 200 },
])('/readyz has status $ready after $status for $path', ({ path, status, ready }) => {
  const { note, respond: send } = servingWorker()
  note(requestFor(path), status)
  expect(statusOf(send, '/readyz')).toBe(ready)
})

test('is alive and ready once the worker serves, even while it is restarted', () => {
  const health = createWorkerHealth()
  const statuses = () => [
    statusOf(health.respondForFront, '/livez'),
    statusOf(health.respond, '/readyz'),
  ]
  expect(statuses()).toEqual([503, 503])
  health.exited()
  expect(statuses()).toEqual([503, 503])
  health.serving()
  health.exited()
  expect(statuses()).toEqual([200, 200])
})

test('leaves other requests to the worker', () => {
  const { respond: send } = servingWorker()
  expect(statusOf(send, '/ashton/livez')).toBe(200)
  for (const path of ['/', '/metrics', '/a/b/readyz']) {
    expect(statusOf(send, path)).toBeUndefined()
  }
  expect(statusOf(send, '/status', 'POST')).toBeUndefined()
})
