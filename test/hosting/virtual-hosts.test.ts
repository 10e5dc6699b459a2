import { once } from 'node:events'
import { request as send, type RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { mountAt, createSiteSwitch, wellKnownSites } from '../../src/hosting/virtual-hosts.ts'
import { startHttpServer } from '../support/http-server.ts'

const saying =
  (name: string): RequestListener =>
  ({ url }, response) =>
    void response.end(`${name} ${url}`)

/** Returns a function that requests a host and path, and returns the response. */
async function askerOf(listener: RequestListener) {
  const { port } = new URL(await startHttpServer(listener))
  return async (host: string, path: string, others: Readonly<Record<string, string>> = {}) => {
    const request = send({ port, path, headers: { Host: host, ...others } }).end()
    const [response] = await once(request, 'response')
    const { location } = response.headers
    return location === undefined ? text(response) : `${response.statusCode} ${location}`
  }
}

const nothing = 'No site at this address.\n'

const places = {
  own: 'https://feeds.cedarhollow.example',
  port: 'http://localhost:8080',
  ashton: 'https://shared.example/ashton',
  milbrook: 'https://shared.example/milbrook',
}
const sites = Object.entries(places).map(([name, publicUrl]) => {
  return { publicUrl, listener: saying(name) }
})

test.for([
  ['feeds.cedarhollow.example', '/events.ics?past=3', 'own /events.ics?past=3'],
  ['FEEDS.cedarhollow.example', '/', 'own /'],
  ['feeds.cedarhollow.example:443', '/ashton/', 'own /ashton/'],
  ['localhost:8080', '/', 'port /'],
  ['localhost', '/', 'process /'],
  ['feeds.cedarhollow.example.', '/', 'own /'],
  ['elsewhere.example', 'http://feeds.cedarhollow.example/news.rss?a', 'own /news.rss?a'],
  ['elsewhere.example', 'http://Shared.example:80/ashton/', 'ashton /'],
  ['shared.example', 'http://feeds.cedarhollow.example', 'own /'],
  ['feeds.cedarhollow.example', '*', 'own *'],
  ['127.0.0.1:8080', '/status', 'process /status'],
  ['[::1]:8080', '/status', 'process /status'],
  ['feedhouse-1:8080', '/metrics', 'process /metrics'],
  ['shared.example', '/ashton/events.ics?past=3', 'ashton /events.ics?past=3'],
  ['shared.example', '/milbrook/', 'milbrook /'],
  ['shared.example', '/milbrook', '308 /milbrook/'],
  ['shared.example', '/milbrook?x=/y', '308 /milbrook/?x=/y'],
  ['shared.example', '/milbrook//evil.example', 'milbrook //evil.example'],
  ['shared.example', '/milbrooks/events.ics', nothing],
  ['shared.example', '/events.ics', nothing],
  ['shared.example', '/status', nothing],
  ['elsewhere.example', '/ashton/', nothing],
  ['elsewhere.example', '//shared.example/ashton/', nothing],
])('several sites respond to %s%s with "%s"', async ([host = '', path = '', answer]) => {
  const ask = await askerOf(createSiteSwitch(sites, saying('process')))
  expect(await ask(host, path)).toBe(answer)
})

test.for(['x', '127.0.0.1', 'localhost'])(
  'does not serve process-wide pages at %s through a proxy',
  async (host) => {
    const ask = await askerOf(createSiteSwitch([], saying('process')))
    const forwarded = { 'X-Forwarded-For': '192.0.2.1' }
    expect(await ask(host, '/status', forwarded)).toBe(nothing)
    expect(await ask(host, '/status')).toBe('process /status')
  },
)

test.for([
  ['/feeds/events.ics', 'only /events.ics'],
  ['http://www.example.org/feeds/events.ics', 'only /events.ics'],
  ['/feeds', '308 /feeds/'],
  ['/feeds?feed=news', '308 /feeds/?feed=news'],
  ['/events.ics', 'only /events.ics'],
  ['/feedsx', 'only /feedsx'],
])(
  'responds to %s with "%s" on every host if there is a single site under a path',
  async ([path = '', answer]) => {
    const publicUrl = 'https://www.example.org/feeds'
    const ask = await askerOf(mountAt({ publicUrl, listener: saying('only') }))
    expect(await ask('127.0.0.1', path)).toBe(answer)
  },
)

test('mounts a site without a path at absolute targets too', async () => {
  const ask = await askerOf(
    mountAt({ publicUrl: 'https://www.example.org', listener: saying('only') }),
  )
  expect(await ask('127.0.0.1', 'http://other.example/news?a')).toBe('only /news?a')
  expect(await ask('127.0.0.1', '/news?a')).toBe('only /news?a')
})

test.for([
  ['one.example', '/.well-known/caldav', '307 /only/dav/'],
  ['one.example:443', '/.well-known/carddav?x', '307 /only/dav/'],
  ['root.example', '/.well-known/caldav', 'root /.well-known/caldav'],
  [
    'two.example',
    '/.well-known/carddav',
    expect.stringContaining('Several organizations share this address'),
  ],
  ['one.example', '/.well-known/other', nothing],
  ['one.example', '/.well-known/caldav/x', nothing],
  ['none.example', '/.well-known/caldav', nothing],
  ['elsewhere.example', '/.well-known/caldav', nothing],
] as const)('leads clients from %s%s to accounts: %s', async ([host, path, answer]) => {
  const withAccounts = [
    'https://one.example/only',
    'https://root.example',
    'https://root.example/below',
    'https://two.example/a',
    'https://two.example/b',
  ]
  const mounted = [...withAccounts, 'https://none.example/x', 'https://one.example/other'].map(
    (publicUrl) => ({ publicUrl, listener: saying(new URL(publicUrl).host.split('.')[0] ?? '') }),
  )
  const listener = createSiteSwitch(
    [...mounted, ...wellKnownSites(withAccounts)],
    saying('process'),
  )
  const ask = await askerOf(listener)
  expect(await ask(host, path)).toEqual(answer)
})
