import type {
  IncomingHttpHeaders,
  IncomingMessage,
  RequestListener,
  ServerResponse,
} from 'node:http'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openProbe } from '../../src/store/service-signals.ts'
import { checkPublicUrl } from '../../src/check/public-url.ts'
import { respondStarting } from '../../src/front/starting.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { page, redirect, respond, startHttp } from './checked-address.ts'
import { faultyCertificate } from '../support/faulty-certificate.ts'
import { fewRecords } from '../support/few-records.ts'
import { startHttpsServer } from '../support/https-server.ts'
import { startTestService, testDirectory } from '../support/service.ts'

const feed = { path: '/events.ics', mediaType: 'text/calendar' }

/** Returns the finding for a URL whose responses do not come from Feedhouse. */
const findingAt = (publicUrl: string, caPem?: string) =>
  checkPublicUrl({ publicUrl, proxies: 1, probeKey: 'unknown', feed, caPem })

/** Returns the finding for a service behind a proxy that changes its request headers. */
async function findingBehind(
  proxies: number,
  change: (headers: IncomingHttpHeaders) => Record<string, string>,
) {
  const file = join(testDirectory(), 'store.sqlite')
  const service = await startTestService({
    sandbox: fewRecords,
    environment: { TRUST_PROXY: String(proxies) },
    storeFileIn: () => file,
  })
  await service.readAll()
  const store = openSqliteStore(file, service.clock.now)
  onTestFinished(async () => {
    await store[Symbol.asyncDispose]()
    await service[Symbol.asyncDispose]()
  })
  const forward = async ({ url, headers }: IncomingMessage, response: ServerResponse) => {
    const proxied = await fetch(`${service.url}${url}`, { headers: change(headers) })
    const contentType = proxied.headers.get('content-type') ?? ''
    response.writeHead(proxied.status, { 'content-type': contentType })
    response.end(Buffer.from(await proxied.arrayBuffer()))
  }
  const proxy = await startHttp((request, response) => void forward(request, response))
  const probeKey = await openProbe(store.documents, service.clock.now())
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

const found = / leads to this Feedhouse\.$/

test.for([
  { proxies: 1, change: appended, says: found },
  { proxies: 1, change: replaced, says: found },
  { proxies: 0, change: unchanged, says: found },
  { proxies: 0, change: appended, says: /^TRUST_PROXY is 0, but 1 proxy passes .* to 1\.$/ },
  { proxies: 0, change: replaced, says: /^TRUST_PROXY is 0, but 1 proxy passes .* to 1\.$/ },
  { proxies: 2, change: appended, says: /^TRUST_PROXY is 2, but only 1 .* to 1\.$/ },
  { proxies: 1, change: unchanged, says: /^TRUST_PROXY is 1, but no proxy .* to 0\.$/ },
])('compares TRUST_PROXY with the proxies in front: $says', async ({ proxies, change, says }) => {
  expect(await findingBehind(proxies, change)).toMatchObject({
    check: 'PUBLIC_URL',
    ok: says === found,
    sentence: expect.stringMatching(says),
  })
})

const sendJson =
  (json: string): RequestListener =>
  (_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(json)

const elsewhere = (status: number) =>
  new RegExp(`does not lead to this Feedhouse \\(it responded with ${status}\\)`)

test.for<[says: RegExp, listener: RequestListener]>([
  [/redirects to .* to the https URL/, redirect('https://localhost/')],
  [/to https:\/\/login\.example.*sign-in/, redirect('https://login.example/a')],
  [/redirects to \S+example\/a\. Set/, redirect('https://login.example/a')],
  [/^\S+ redirects to \S+\d\/oauth2\/sign_in\. If/, redirect('/oauth2/sign_in')],
  [/redirects to an invalid URL/, redirect('http://[bad')],
  [/^Feedhouse itself responds with 503/, respondStarting],
  [elsewhere(200), sendJson('{}')],
  [elsewhere(200), sendJson('no JSON')],
  [elsewhere(404), page('', 404)],
  [/asks for a password/, respond(401)],
  [/responds with 502: the proxy works/, respond(502)],
  [/^PUBLIC_URL returns a web page/, page('')],
  [/^PUBLIC_URL returns a web page/, respond(403, { 'Content-Type': 'text/html; charset=utf-8' })],
])('detects a response that is not from the service: %s', async ([says, listener]) => {
  const { url } = await startHttp(listener)
  expect(await findingAt(url)).toMatchObject({
    check: 'PUBLIC_URL',
    ok: false,
    sentence: expect.stringMatching(says),
  })
})

test('detects a redirect to a sign-in page on the same https host', async () => {
  const server = await startHttpsServer(redirect('/login?rd=1'))
  expect(await findingAt(server.url, server.caPem)).toMatchObject({
    ok: false,
    sentence: `PUBLIC_URL redirects to ${server.url}/login. If that is a sign-in page, exclude the URLs of the feeds from it, because calendar apps cannot sign in.`,
  })
})

const respondAsService =
  (mediaType: string): RequestListener =>
  ({ url, headers }, response) => {
    const probe = { client: own, forwarded: [headers['x-forwarded-for'], own] }
    response.setHeader('content-type', url === feed.path ? mediaType : 'application/json')
    response.end(JSON.stringify(probe))
  }

test('detects a proxy that changes the Content-Type of feeds', async () => {
  const { url } = await startHttp(respondAsService('text/plain'))
  expect((await findingAt(url)).sentence).toMatch(
    /events\.ics responds with 200 and text\/plain instead of 200 and text\/calendar/,
  )
})

test('notes that phones must trust a certificate from the authority in SITE_CA_FILE', async () => {
  const server = await startHttpsServer(respondAsService(feed.mediaType))
  expect(await findingAt(server.url, server.caPem)).toMatchObject({
    ok: true,
    sentence: expect.stringMatching(
      / leads to this Feedhouse\. Its certificate is from the authority in SITE_CA_FILE, so only phones/,
    ),
  })
})

test('detects other faults of a certificate from the authority in SITE_CA_FILE', async () => {
  const certificate = await faultyCertificate('another host')
  const server = await startHttpsServer(respondAsService(feed.mediaType), certificate)
  const sentenceWith = async (caPem?: string) => (await findingAt(server.url, caPem)).sentence
  expect(await sentenceWith(certificate.caPem)).toMatch(/certificate is for another host name/)
  expect(await sentenceWith(server.caPem)).toMatch(/phones do not trust its certificate/)
})
