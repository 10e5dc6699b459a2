import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { openFrontedServer } from '../../support/fronted-server.ts'
import { exchange, requestText, send } from '../../support/raw-http.ts'
import { propfind, startDavService } from './account.ts'

/* Requests that could confuse the front or the worker about the resource or the client. */

const resources = new AsyncDisposableStack()
afterAll(() => resources.disposeAsync())

type Headers = Readonly<Record<string, string>>

/** A request without a body, or with one. Lines end in `\r\n`. */
type Sent = { readonly method?: string; readonly headers?: Headers; readonly body?: string }

const chunked = (body: string) => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`

describe.each([
  ['a worker', {}],
  ['the front', { openServer: openFrontedServer }],
])('%s', async (_, options) => {
  const service = resources.use(await startDavService(options))
  const account = await service.addAccount({ profile: 'full', feedIds: ['events'] })
  const other = await service.addAccount({ profile: 'full' })
  const events = `${account.calendars}events/`
  const listed = await account.find(events, '1', 'D:getetag')
  const file = listed.responses[1]?.href ?? ''

  /** Sends a request exactly as it is, with the account's password. */
  async function ask(target: string, { method = 'PROPFIND', headers = {}, body = '' }: Sent = {}) {
    const own = { Authorization: account.authorization, Depth: '0' }
    const text = requestText(target, { method, headers: { ...own, ...headers } })
    return exchange(service.url, `${text}${body}`)
  }

  test.each([
    ['the root', '/dav/', 207],
    ['the root without a slash', '/dav', 207],
    ['a query', `/dav/${account.id}/?a=/dav/${other.id}/`, 207],
    ['an encoded letter', `/dav/${account.id}/calendars/%65vents/`, 207],
    ['repeated slashes', `/dav//${account.id}//calendars//events//`, 207],
    ['an absolute URL', `http://feeds.example/dav/${account.id}/`, 207],
    ["another account's URL", `/dav/${other.id}/`, 404],
    ['an absolute URL of another account', `http://feeds.example/dav/${other.id}/`, 404],
    ['a dot segment', `/dav/${account.id}/../${other.id}/`, 404],
    ['several dot segments', `${events}../../../${other.id}/calendars/`, 404],
    ['an encoded dot segment', `/dav/${account.id}/%2e%2e/${other.id}/`, 404],
    ['a dot segment that is encoded twice', `/dav/${account.id}/%252e%252e/${other.id}/`, 404],
    ['an encoded slash', `/dav/${account.id}%2Fcalendars/`, 404],
    ['a slash that is encoded twice', `/dav/${account.id}%252Fcalendars/`, 404],
    ['encoded dots and slashes', `/dav/${account.id}%2f..%2f${other.id}%2f`, 404],
    ['a backslash', `/dav/${account.id}\\..\\${other.id}\\`, 404],
    ['a null character', `/dav/${account.id}%00/`, 404],
    ['invalid UTF-8', '/dav/%ff/', 404],
    ['an invalid escape', '/dav/%zz/', 404],
    ['parameters of a segment', `/dav/${account.id};x/`, 404],
    ['upper case', `/dav/${account.id.toUpperCase()}/`, 404],
    ['a file below a file', `${file}/x`, 404],
    ['a property of objects', `/dav/${account.id}/calendars/__proto__/`, 404],
    ['a dot segment before the root', '/x/../dav/', 405],
    ['a dot segment within a link', `/l/${account.key}/../../dav/`, 405],
    ['two slashes at the start', '//dav/', 405],
    ['another spelling of the root', '/DAV/', 405],
    ['an encoded root', '/%64av/', 405],
  ])('PROPFIND of %s is answered for the account or not at all', async (_, target, status) => {
    const answer = await ask(target)
    expect(answer.status).toBe(status)
    expect(answer.body.toString()).not.toContain(other.id)
  })

  test.each(['GET', 'HEAD', 'PROPFIND', 'REPORT', 'PUT', 'DELETE', 'PROPPATCH', 'MKCOL', 'X'])(
    '%s requires the password at every form of the URL',
    async (method) => {
      const { key } = account
      for (const target of [
        '/dav/',
        `/dav/${account.id}/`,
        file,
        `http://feeds.example${file}`,
        `/dav/%2e%2e/dav/${account.id}/`,
      ]) {
        for (const authorization of [
          '',
          'Basic',
          'Basic Og==',
          `Bearer ${key}`,
          `Basic ${key}`,
          account.authorization.replace('Basic', 'Digest'),
          `${account.authorization}, ${account.authorization}`,
          other.authorization.slice(0, -8),
        ]) {
          const headers = { Authorization: authorization }
          const { status, body } = await ask(target, { method, headers })
          // The parser of HTTP rejects unknown methods.
          expect([400, 401, 429]).toContain(status)
          expect(body.toString()).not.toContain('BEGIN:')
          await service.clock.advance(60_000)
        }
      }
    },
  )

  test.each([
    ['COPY', { Destination: `/dav/${account.id}/calendars/copy/`, Overwrite: 'T' }],
    ['COPY', { Destination: `/dav/${other.id}/calendars/events/`, Depth: 'infinity' }],
    ['MOVE', { Destination: 'http://elsewhere.example/dav/', Overwrite: 'F' }],
    ['MOVE', { Destination: '../../..', Overwrite: 'T' }],
    ['DELETE', { Depth: 'infinity', 'If-Match': '*' }],
    ['PUT', { 'If-None-Match': '*', 'Content-Range': 'bytes 0-1/2' }],
    ['LOCK', { Timeout: 'Infinite', Depth: 'infinity' }],
    ['UNLOCK', { 'Lock-Token': '<urn:uuid:x>' }],
    ['MKCOL', {}],
    ['MKCALENDAR', {}],
    ['ACL', {}],
    ['PATCH', {}],
    ['POST', { 'X-HTTP-Method-Override': 'DELETE' }],
    ['POST', { 'Content-Type': 'application/x-www-form-urlencoded' }],
  ] as const)('%s with %j changes nothing', async (method, headers) => {
    for (const target of [events, file, '/dav/']) {
      expect((await ask(target, { method, headers })).status).toBe(403)
    }
    expect((await account.find(events, '1', 'D:getetag')).text).toBe(listed.text)
  })

  test.each([
    ['0', 207],
    ['1', 207],
    ['infinity', 403],
    ['2', 403],
    ['-1', 403],
    ['1,noroot', 403],
    ['', 403],
    ['0, infinity', 403],
  ])('PROPFIND with depth "%s" is answered with %i', async (depth, status) => {
    expect((await ask('/dav/', { headers: { Depth: depth } })).status).toBe(status)
  })

  test.each([
    [{ Host: 'elsewhere.example' }],
    [{ Host: 'elsewhere.example:1"<script>' }],
    [{ 'X-Forwarded-Host': 'elsewhere.example', 'X-Forwarded-Proto': 'gopher' }],
    [{ Forwarded: 'host=elsewhere.example' }],
    [{ 'X-Original-URL': `/dav/${other.id}/`, 'X-Rewrite-URL': `/dav/${other.id}/` }],
  ])('%j does not end up in an answer', async (headers) => {
    const answer = await ask('/dav/', { headers: { ...headers, Depth: '1' } })
    expect(answer.status).toBe(207)
    expect(answer.body.toString()).not.toContain('elsewhere')
    const { headers: wellKnown } = await ask('/.well-known/caldav', { method: 'GET', headers })
    expect(wellKnown['location']).toBe('/dav/')
  })

  const wanted = propfind('D:displayname')
  const large = 10 * 1024 * 1024

  test.each([
    ['chunks', { 'Transfer-Encoding': 'chunked' }, chunked(wanted), 207],
    ['a length', { 'Content-Length': String(wanted.length) }, wanted, 207],
    ['an invalid chunk', { 'Transfer-Encoding': 'chunked' }, 'x\r\n\r\n', 400],
    ['two lengths', { 'Content-Length': '1, 2' }, 'xx', 400],
    ['a negative length', { 'Content-Length': '-1' }, '', 400],
    [
      'a length and chunks',
      { 'Content-Length': '5', 'Transfer-Encoding': 'chunked' },
      chunked(wanted),
      400,
    ],
    ['an unknown transfer coding', { 'Transfer-Encoding': 'x' }, '', 400],
  ] as const)('answers a body with %s', async (_, headers, body, status) => {
    expect((await ask('/dav/', { headers, body })).status).toBe(status)
  })

  test.each([
    ['gzip', gzipSync(wanted), 207],
    ['gzip', Buffer.from('not gzip'), 400],
    ['gzip', gzipSync(wanted).subarray(0, 20), 400],
    ['gzip', gzipSync(Buffer.alloc(large)), 413],
    ['gzip, gzip', gzipSync(gzipSync(wanted)), 415],
    ['unknown', Buffer.from(wanted), 415],
    ['identity', Buffer.alloc(large), 413],
  ])('answers a body encoded with %s', async (encoding, body, status) => {
    const answer = await fetch(`${service.url}/dav/`, {
      method: 'PROPFIND',
      headers: {
        Authorization: account.authorization,
        Depth: '0',
        'Content-Encoding': encoding,
      },
      body,
    })
    expect(answer.status).toBe(status)
  })

  test('answers before a client that waits for 100 Continue sends its body', async () => {
    const headers = { Expect: '100-continue', 'Content-Length': String(wanted.length) }
    const own = { ...headers, Authorization: account.authorization, Depth: '0' }
    const request = requestText('/dav/', { method: 'PROPFIND', headers: own })
    const text = (await send(service.url, `${request}${wanted}`)).toString()
    expect(text).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 207 /)
    const wrong = requestText('/dav/', { method: 'PROPFIND', headers })
    expect((await send(service.url, wrong)).toString()).toContain('HTTP/1.1 401 ')
  })
})
