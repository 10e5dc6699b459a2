import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { followEnvironment } from '../support/following.ts'
import { openFrontedServer } from '../support/fronted-server.ts'
import { readAnswer, requestText } from '../support/raw-http.ts'
import { sharedService } from '../support/shared-service.ts'

/* The front does not wait for a body that nobody would read. */

const withNothing = sharedService({ openServer: openFrontedServer })
const withEverything = sharedService({
  openServer: openFrontedServer,
  environment: { ...followEnvironment, ADMIN_PASSWORD: 'correct horse', DAV: 'yes' },
})

const form = 'application/x-www-form-urlencoded'
const own = { Host: 'feeds.example', Origin: 'http://feeds.example' }
const wrongPassword = { Authorization: `Basic ${btoa('abcdefgh:wrong')}` }

/** Sends a request with only the start of its body, and resolves to the status. */
async function statusWithout(
  url: string,
  path: string,
  { method = 'POST', type = form, length = 100, headers = {} as Readonly<Record<string, string>> },
): Promise<number> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  const body = { 'Content-Type': type, 'Content-Length': String(length) }
  socket.write(`${requestText(path, { method, headers: { ...own, ...body, ...headers } })}a`)
  const [answer] = (await once(socket, 'data')) as [Buffer]
  return readAnswer(answer).status
}

test.for([
  ['email', '/follow', {}, 404],
  ['notifications', '/follow/device', { type: 'application/json' }, 404],
  ['the admin page', '/admin/sign-in', {}, 405],
  ['accounts', '/dav/', { method: 'PROPFIND', type: 'text/xml', length: 1_000_000 }, 405],
  ['an unknown page', '/nothing', { length: 1_000_000_000 }, 405],
  ['a feed', '/events.ics', { method: 'GET' }, 200],
] as const)('answers before the body without %s', async ([, path, request, status]) => {
  const { url, readAll } = withNothing()
  await readAll()
  const host = { Host: new URL(url).host, Origin: url }
  expect(await statusWithout(url, path, { headers: host, ...request })).toBe(status)
})

test.for([
  ['from another site', '/follow', { headers: { Origin: 'http://other.example' } }, 403],
  ['under an unknown link', '/l/unknown/', {}, 404],
  ['without signing in', '/admin/settings', { type: 'multipart/form-data; boundary=a' }, 303],
  ['with a wrong password', '/dav/', { method: 'REPORT', headers: wrongPassword }, 401],
  ['that is too large', '/follow', { length: 200_000 }, 413],
  [
    'that is too large for notifications',
    '/follow/device',
    { type: 'application/json', length: 9_000 },
    413,
  ],
] as const)('answers before the body of a request %s', async ([, path, request, status]) => {
  const { url } = withEverything()
  expect(await statusWithout(url, path, request)).toBe(status)
})

test('counts a form once, and logs it once', async () => {
  const { url, lines } = withEverything()
  const body = 'address=a@example.org&feed=events&changes=1'
  const before = lines.length
  const answer = await fetch(`${url}/follow`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'Content-Type': form, Origin: 'http://feeds.example' },
    body,
  })
  expect(answer.status).toBe(303)
  expect(lines.slice(before).filter((line) => line.includes('"answered"'))).toHaveLength(1)
})
