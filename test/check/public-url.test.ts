import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openProbe } from '../../src/store/service-signals.ts'
import { checkPublicUrl } from '../../src/check/public-url.ts'
import { respondStarting } from '../../src/http/server/starting.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { faultyCertificate } from '../support/faulty-certificate.ts'
import { startHttpsServer } from '../support/https-server.ts'
import { startTestService, temporaryDirectory } from '../support/service.ts'

const feed = { path: '/events.ics', mediaType: 'text/calendar' }

async function startProxy(
  listener: (...args: Parameters<RequestListener>) => void | Promise<void>,
) {
  const server = createServer((request, response) => void listener(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stop = () => {
    server.close()
    server.closeAllConnections()
  }
  onTestFinished(stop)
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop }
}

/** Returns the finding for a URL whose responses do not come from Feedhouse. */
const findingAt = (publicUrl: string, caPem?: string) =>
  checkPublicUrl({ publicUrl, proxies: 1, probeKey: 'unknown', feed, caPem })

/** Returns the finding for a service behind a proxy that changes its request headers. */
async function findingBehind(
  proxies: number,
  change: (headers: IncomingHttpHeaders) => Record<string, string>,
) {
  const directory = temporaryDirectory()
  const file = join(directory.path, 'store.sqlite')
  const service = await startTestService({
    environment: { TRUST_PROXY: String(proxies) },
    storeFileIn: () => file,
  })
  await service.readAll()
  const store = openSqliteStore(file, service.clock.now)
  onTestFinished(async () => {
    await store[Symbol.asyncDispose]()
    await service[Symbol.asyncDispose]()
    directory[Symbol.dispose]()
  })
  const proxy = await startProxy(async ({ url, headers }, response) => {
    const proxied = await fetch(`${service.url}${url}`, { headers: change(headers) })
    const contentType = proxied.headers.get('content-type') ?? ''
    response.writeHead(proxied.status, { 'content-type': contentType })
    response.end(Buffer.from(await proxied.arrayBuffer()))
  })
  const probeKey = await openProbe(store.documents, {
    now: service.clock.now(),
    random: randomBytes,
  })
  return checkPublicUrl({ publicUrl: proxy.url, proxies, probeKey, feed })
}

const own = '198.51.100.4'
const appended = (headers: IncomingHttpHeaders) => ({
  'x-forwarded-for': `${String(headers['x-forwarded-for'])}, ${own}`,
})
const replaced = () => ({ 'x-forwarded-for': own })
const unchanged = (headers: IncomingHttpHeaders) => ({
  'x-forwarded-for': String(headers['x-forwarded-for']),
})

test.for([
  { name: 'a proxy that appends the client’s IP address', proxies: 1, change: appended },
  { name: 'a proxy that replaces forged headers', proxies: 1, change: replaced },
  { name: 'no proxy', proxies: 0, change: unchanged },
])('finds the service behind $name', async ({ proxies, change }) => {
  expect(await findingBehind(proxies, change)).toEqual({
    check: 'PUBLIC_URL',
    ok: true,
    sentence: expect.stringMatching(/ leads to this Feedhouse\.$/),
  })
})

test.for([
  { proxies: 0, change: appended, says: /^TRUST_PROXY is 0, but 1 proxy passes .* to 1\.$/ },
  { proxies: 0, change: replaced, says: /^TRUST_PROXY is 0, but 1 proxy passes .* to 1\.$/ },
  { proxies: 2, change: appended, says: /^TRUST_PROXY is 2, but only 1 .* to 1\.$/ },
  { proxies: 1, change: unchanged, says: /^TRUST_PROXY is 1, but no proxy .* to 0\.$/ },
])('detects a wrong TRUST_PROXY setting: $says', async ({ proxies, change, says }) => {
  expect(await findingBehind(proxies, change)).toMatchObject({
    ok: false,
    sentence: expect.stringMatching(says),
  })
})

const redirectTo =
  (location: string): RequestListener =>
  (_, response) =>
    response.writeHead(302, { location }).end()

const respond =
  (status: number, contentType = 'text/plain'): RequestListener =>
  (_, response) =>
    response.writeHead(status, { 'content-type': contentType }).end('<p>')

const sendJson =
  (json: string): RequestListener =>
  (_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(json)

test.for([
  { listener: redirectTo('https://127.0.0.1/'), says: /redirects to .* to the https URL/ },
  { listener: redirectTo('https://login.example/a'), says: /to https:\/\/login\.example.*sign-in/ },
  { listener: redirectTo('https://login.example/a'), says: /redirects to \S+example\/a\. Set/ },
  {
    listener: redirectTo('/oauth2/sign_in'),
    says: /^\S+ redirects to \S+\d\/oauth2\/sign_in\. If/,
  },
  { listener: redirectTo('http://[bad'), says: /redirects to an invalid URL/ },
  { listener: respondStarting, says: /^Feedhouse itself responds with 503/ },
  { listener: sendJson('{}'), says: /does not lead to this Feedhouse \(it responded with 200\)/ },
  {
    listener: sendJson('no JSON'),
    says: /does not lead to this Feedhouse \(it responded with 200\)/,
  },
  { listener: respond(401), says: /asks for a password/ },
  { listener: respond(502), says: /responds with 502: the proxy works/ },
  { listener: respond(200, 'text/html'), says: /^PUBLIC_URL returns a web page/ },
  { listener: respond(403, 'text/html; charset=utf-8'), says: /^PUBLIC_URL returns a web page/ },
  {
    listener: respond(404, 'text/html'),
    says: /does not lead to this Feedhouse \(it responded with 404\)/,
  },
])('detects a response that is not from the service: $says', async ({ listener, says }) => {
  const { url } = await startProxy(listener)
  expect(await findingAt(url)).toMatchObject({
    check: 'PUBLIC_URL',
    ok: false,
    sentence: expect.stringMatching(says),
  })
})

test('detects a redirect to a sign-in page on the same https host', async () => {
  await using server = await startHttpsServer(redirectTo('/login?rd=1'))
  expect(await findingAt(server.url, server.caPem)).toMatchObject({
    ok: false,
    sentence: `PUBLIC_URL redirects to ${server.url}/login. If that is a sign-in page, exclude the URLs of the feeds from it, because calendar apps cannot sign in.`,
  })
})

test('reads only the start of an endless response', async () => {
  const { url } = await startProxy((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const chunk = Buffer.alloc(64 * 1024, ' ')
    const send = () => {
      while (!response.destroyed && response.write(chunk));
    }
    response.on('drain', send)
    send()
  })
  expect((await findingAt(url)).sentence).toMatch(/does not lead to this Feedhouse/)
})

test('detects a proxy that changes the Content-Type of feeds', async () => {
  const { url } = await startProxy(({ url: path, headers }, response) => {
    const isFeed = path === feed.path
    const probe = { client: own, forwarded: [headers['x-forwarded-for'], own] }
    response.setHeader('content-type', isFeed ? 'text/plain' : 'application/json')
    response.end(isFeed ? 'BEGIN:VCALENDAR' : JSON.stringify(probe))
  })
  expect((await findingAt(url)).sentence).toMatch(
    /events\.ics responds with 200 and text\/plain instead of 200 and text\/calendar/,
  )
})

test('detects a port that refuses connections', async () => {
  const { url, stop } = await startProxy(respond(200))
  stop()
  expect((await findingAt(url)).sentence).toMatch(
    /\(ECONNREFUSED\): nothing is listening on its port/,
  )
})

test.for([
  { fault: 'expired', says: /certificate has expired/ },
  { fault: 'self-signed', says: /certificate is self-signed/ },
  { fault: 'unknown authority', says: /phones do not trust its certificate/ },
] as const)('detects a certificate that is $fault', async ({ fault, says }) => {
  await using server = await startHttpsServer(respond(200), await faultyCertificate(fault))
  expect((await findingAt(server.url)).sentence).toMatch(says)
})

const respondAsService: RequestListener = ({ url, headers }, response) => {
  const probe = { client: own, forwarded: [headers['x-forwarded-for'], own] }
  response.setHeader('content-type', url === feed.path ? feed.mediaType : 'application/json')
  response.end(JSON.stringify(probe))
}

test('notes that phones must trust a certificate of the authority in SITE_CA_FILE', async () => {
  await using server = await startHttpsServer(respondAsService)
  expect(await findingAt(server.url, server.caPem)).toMatchObject({
    ok: true,
    sentence: expect.stringMatching(
      / leads to this Feedhouse\. Its certificate is from the authority in SITE_CA_FILE, so only phones/,
    ),
  })
})

test('detects other faults of a certificate of the authority in SITE_CA_FILE', async () => {
  const certificate = await faultyCertificate('another host')
  await using server = await startHttpsServer(respondAsService, certificate)
  const sentenceWith = async (caPem?: string) => (await findingAt(server.url, caPem)).sentence
  expect(await sentenceWith(certificate.caPem)).toMatch(/certificate is for another host name/)
  expect(await sentenceWith(server.caPem)).toMatch(/phones do not trust its certificate/)
})

test('detects a plain HTTP server at an https URL', async () => {
  const { url } = await startProxy(respond(200))
  expect((await findingAt(url.replace('http:', 'https:'))).sentence).toContain('not use https')
})
