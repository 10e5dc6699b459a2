import { expect, onTestFinished, test } from 'vitest'
import { checkAddress } from '../../src/check/address-check.ts'
import {
  calendar,
  calendarType,
  feed,
  key,
  page,
  problem,
  problemsIn,
  reportOf,
  respond,
  startHttp,
} from './checked-address.ts'
import { startHttpsServer } from '../support/https-server.ts'
import type { RequestListener } from 'node:http'
import { faultyCertificate } from '../support/faulty-certificate.ts'

test('finds no problem with a feed that works', async () => {
  const { findings } = await reportOf(feed())
  expect(findings.map(({ check, state }) => `${check} ${state}`)).toEqual([
    'https ok',
    'certificate ok',
    'redirects ok',
    'content ok',
    'type ok',
    'size ok',
    'time ok',
    'compression ok',
    'unchanged ok',
  ])
})

test('follows a redirect to https only when asked to, and only on the same host', async () => {
  const server = await startHttpsServer(feed())
  onTestFinished(() => server[Symbol.asyncDispose]())
  const target = `${server.url}/events.ics`
  const { url } = await startHttp(respond(301, { Location: target }))
  const other = await startHttp(respond(301, { Location: 'https://127.0.0.1/events.ics' }))
  const options = { userAgent: 'test', now: Date.now, ca: [server.caPem] }
  const report = await checkAddress(url, { ...options, followsToHttps: true })
  expect(report.url).toBe(target)
  expect(problemsIn(report)).toEqual([problem('note', 'redirects', /Give people the https/)])
  const stays = await checkAddress(url, options)
  expect(problemsIn(stays)[1]).toEqual(problem('fault', 'redirects', /Use the https address/))
  const elsewhere = await checkAddress(other.url, { ...options, followsToHttps: true })
  expect(problemsIn(elsewhere)[1]).toEqual(problem('fault', 'redirects', /127\.0\.0\.1\/events/))
})

test.for([
  {
    location: 'https://login.example.org/?rd=1',
    says: /to https:\/\/login\.example\.org\/, which/,
  },
  { location: `/l/${key}/login`, says: /to https:\/\/localhost:\d+\/l\/…\/login, which/ },
  { location: '/events.ics', says: /redirects to itself/ },
  { location: 'https://[bad', says: /redirects to itself or to an invalid address/ },
])('finds a redirect to $location', async ({ location, says }) => {
  const report = await reportOf(respond(302, { Location: location }))
  expect(problemsIn(report)).toEqual([problem('fault', 'redirects', says)])
  expect(JSON.stringify(report.findings)).not.toContain(key)
})

test.for([
  { listener: respond(401), check: 'sign-in', says: /asks for a password/ },
  { listener: page('', 403), check: 'sign-in', says: /web page that refuses access/ },
  { listener: respond(404), check: 'status', says: /Nothing is at this address/ },
  { listener: respond(410), check: 'status', says: /The address is no longer available/ },
  { listener: respond(429), check: 'status', says: /limits requests/ },
  { listener: respond(502), check: 'status', says: /responds with 502\. Feedhouse is starting/ },
  { listener: respond(204), check: 'status', says: /responds with 204 instead of 200/ },
  { listener: respond(302), check: 'status', says: /responds with 302 instead of 200/ },
])('finds a response that is not a feed: $says', async ({ listener, check, says }) => {
  expect(problemsIn(await reportOf(listener))).toEqual([problem('fault', check, says)])
})

const signIn = '<title>Sign in</title><form><input type="password"></form>'

test.for([
  { html: signIn, says: /the web page “Sign in”, which asks for a password/ },
  { html: '<p>Checking your browser', says: /a web page instead of a feed/ },
])('finds a web page in place of a feed: $says', async ({ html, says }) => {
  const report = await reportOf(page(html))
  expect(problemsIn(report)).toEqual([problem('fault', 'sign-in', says)])
})

test('accepts a page that links to feeds, and returns the feeds on the same server', async () => {
  const links = ['a.ics', 'a.ics', '/b.ics', 'https://elsewhere.example/c.ics', 'http://[bad'].map(
    (href) => `<link rel="alternate" type="text/calendar" href="${href}">`,
  )
  const listener = page(`<title>Feeds</title>${links.join('')}`)
  const report = await reportOf(listener, { path: '/feeds/', isPageAllowed: true })
  const { origin } = new URL(report.url)
  expect(problemsIn(report)).toEqual([])
  expect(report.feeds).toEqual([`${origin}/feeds/a.ics`, `${origin}/b.ics`])
  const empty = await reportOf(page('<title>Feeds</title>'), { isPageAllowed: true })
  expect(problemsIn(empty)).toEqual([problem('fault', 'sign-in', /which names no feeds/)])
  const closed = await reportOf(page(signIn + links.join('')), { isPageAllowed: true })
  expect(problemsIn(closed)).toEqual([problem('fault', 'sign-in', /asks for a password/)])
})

const calendarOf = (bytes: number) => calendar.replace('END:', `X-A:${'a'.repeat(bytes)}\r\nEND:`)

test.for<{ name: string; listener: RequestListener; found: ReturnType<typeof problem> }>([
  {
    name: 'a wrong content type',
    listener: feed({ headers: { 'Content-Type': 'text/plain' } }),
    found: problem('fault', 'type', /is text\/plain instead of text\/calendar/),
  },
  {
    name: 'a calendar that is cut off',
    listener: feed({ body: calendar.slice(0, 30) }),
    found: problem('fault', 'content', /The calendar is damaged: END:VCALENDAR is missing/),
  },
  {
    name: 'a text that is not a feed',
    listener: feed({ body: 'Starting' }),
    found: problem('fault', 'content', /neither a calendar nor a feed/),
  },
  {
    name: 'a calendar that is too large for Google',
    listener: feed({ body: calendarOf(1_000_001) }),
    found: problem('fault', 'size', /1,001 kB\. Google Calendar fails above about 1,000 kB/),
  },
  {
    name: 'a response without compression',
    listener: feed({ body: calendarOf(3000), isPlain: true }),
    found: problem('note', 'compression', /not compressed/),
  },
  {
    name: 'a broken compression',
    listener: feed({ isPlain: true, headers: { 'Content-Encoding': 'gzip' } }),
    found: problem('fault', 'compression', /cannot be decompressed/),
  },
  {
    name: 'a missing ETag',
    listener: (_, response) => response.writeHead(200, calendarType).end(calendar),
    found: problem('fault', 'unchanged', /^ETag is missing/),
  },
  {
    name: 'an ETag without effect',
    listener: feed({ ignores: 'if-none-match' }),
    found: problem('fault', 'unchanged', /despite If-None-Match/),
  },
  {
    name: 'a date without effect',
    listener: feed({ ignores: 'if-modified-since' }),
    found: problem('fault', 'unchanged', /despite If-Modified-Since/),
  },
])('finds $name', async ({ listener, found }) => {
  expect(problemsIn(await reportOf(listener))).toEqual([found])
})

test('accepts a feed that changes between requests', async () => {
  let version = 0
  const report = await reportOf((request, response) => {
    version += 1
    feed({ ignores: 'if-none-match', headers: { ETag: `"${version}"` } })(request, response)
  })
  expect(problemsIn(report)).toEqual([])
})

test.for([
  {
    name: 'public',
    headers: { 'Cache-Control': 'public, max-age=300', 'X-Robots-Tag': 'noindex' },
    found: [problem('fault', 'privacy', /does not contain "private"/)],
  },
  {
    name: 'listed',
    headers: { 'Cache-Control': 'private' },
    found: [problem('fault', 'privacy', /does not contain "noindex"/)],
  },
  {
    name: 'private',
    headers: { 'Cache-Control': 'private, no-cache', 'X-Robots-Tag': 'noindex' },
    found: [],
  },
])('checks the headers of a $name feed link', async ({ headers, found }) => {
  const report = await reportOf(feed({ headers }), { path: `/l/${key}/events.ics` })
  expect(problemsIn(report)).toEqual(found)
})

const bodies = {
  rss: '<rss version="2.0"><channel></channel></rss>',
  atom: '<feed xmlns="http://www.w3.org/2005/Atom"></feed>',
  json: '{"version":"https://jsonfeed.org/version/1.1","items":[]}',
}

test.for<[format: keyof typeof bodies, type: string]>([
  ['rss', 'application/rss+xml'],
  ['rss', 'application/xml'],
  ['rss', 'text/xml'],
  ['atom', 'application/atom+xml'],
  ['atom', 'application/xml'],
  ['atom', 'text/xml'],
  ['json', 'application/feed+json'],
  ['json', 'application/json'],
])('accepts a feed (%s) with the content type %s', async ([format, type]) => {
  const listener = feed({ body: bodies[format], headers: { 'Content-Type': type } })
  expect(problemsIn(await reportOf(listener))).toEqual([])
})

const dayMs = 24 * 60 * 60_000

test.for([
  { fault: 'expired', says: /certificate has expired/ },
  { fault: 'not yet valid', says: /certificate is not valid yet/ },
  {
    fault: 'another host',
    says: /certificate is for another host name; check the name in the address/,
  },
  { fault: 'self-signed', says: /certificate is self-signed/ },
  { fault: 'unknown authority', says: /phones do not trust its certificate/ },
] as const)('finds a certificate that is $fault', async ({ fault, says }) => {
  const { caPem, ...certificate } = await faultyCertificate(fault)
  await using server = await startHttpsServer(feed(), certificate)
  const { findings } = await checkAddress(`${server.url}/l/${key}/events.ics`, {
    userAgent: 'test',
    now: Date.now,
    ...(caPem === undefined ? {} : { ca: [caPem] }),
  })
  expect(findings).toEqual([problem('fault', 'certificate', says)])
  expect(JSON.stringify(findings)).not.toContain(key)
})

test('warns of a certificate that expires soon', async () => {
  const report = await reportOf(feed(), { now: () => Date.now() + 36_500 * dayMs })
  expect(problemsIn(report)).toEqual([
    problem('note', 'certificate', /^The certificate expires on /),
  ])
})

test('finds an address without https', async () => {
  const { url } = await startHttp(feed())
  const report = await checkAddress(`${url}/a.ics`, { userAgent: 'test', now: Date.now })
  expect(problemsIn(report)).toEqual([problem('fault', 'https', /^The address is not encrypted/)])
})

test.for<{ name: string; listener: RequestListener; found: ReturnType<typeof problem> }>([
  {
    name: 'an endless body',
    listener(_, response) {
      response.writeHead(200, calendarType)
      const chunk = Buffer.alloc(64 * 1024, ' ')
      const send = () => {
        while (!response.destroyed && response.write(chunk));
      }
      response.on('drain', send)
      send()
    },
    found: problem('fault', 'size', /larger than 200 kB, so the rest was not read/),
  },
  {
    name: 'a small response that decompresses to a huge one',
    listener: feed({ body: ' '.repeat(5_000_000) }),
    found: problem('fault', 'size', /larger than 200 kB/),
  },
  {
    name: 'a server that never responds',
    listener: () => undefined,
    found: problem('fault', 'connection', /does not respond; open the port/),
  },
  {
    name: 'a body that never ends',
    listener: (_, response) => void response.writeHead(200, calendarType).write('BEGIN:'),
    found: problem('fault', 'connection', /does not respond/),
  },
  {
    name: 'a connection that is interrupted',
    listener(_, response) {
      response.writeHead(200, { 'Content-Length': '100' }).write('BEGIN:')
      response.destroy()
    },
    found: problem('fault', 'connection', /the connection was interrupted/),
  },
])('ends the check of $name', async ({ listener, found }) => {
  const limits = { timeoutMs: 1_000, maxBodyBytes: 200_000 }
  expect(problemsIn(await reportOf(listener, { limits }))).toEqual([found])
})

test('finds an unknown host, a closed port, and a port without https', async () => {
  const options = { userAgent: 'test', now: Date.now }
  const closed = await startHttp(respond(200))
  closed.stop()
  const plain = await startHttp(respond(200))
  const [unknown, refused, noTls] = await Promise.all(
    [
      'https://feedhouse.invalid/',
      `${closed.url}/`,
      `${plain.url.replace('http:', 'https:')}/`,
    ].map((url) => checkAddress(url, options)),
  )
  expect(unknown?.findings).toEqual([
    problem('fault', 'connection', /the host name (?:does not exist|cannot be looked up)/),
  ])
  expect(refused?.findings).toEqual([problem('fault', 'connection', /nothing is listening/)])
  expect(noTls?.findings).toEqual([problem('fault', 'https', /it does not use https there/)])
})

test.for([
  { name: 'redirects', plain: 'redirects', found: problem('ok', 'webcal', /redirects to https/) },
  { name: 'responds', plain: 'responds', found: problem('note', 'webcal', /does not redirect/) },
  { name: 'is closed', plain: 'closed', found: problem('note', 'webcal', /does not respond/) },
])('checks webcal: addresses without sending the key: the port $name', async ({ plain, found }) => {
  const requested: string[] = []
  const web = await startHttp((request, response) => {
    requested.push(request.url ?? '')
    const location = plain === 'redirects' ? { Location: 'https://localhost/' } : {}
    response.writeHead(plain === 'redirects' ? 301 : 200, location).end()
  })
  if (plain === 'closed') web.stop()
  const server = await startHttpsServer(feed())
  onTestFinished(() => server[Symbol.asyncDispose]())
  const { findings } = await checkAddress(`${server.url}/l/${key}/events.ics`, {
    userAgent: 'test',
    now: Date.now,
    ca: [server.caPem],
    limits: { webcalPort: web.port, httpsPort: Number(new URL(server.url).port) },
  })
  expect(findings.at(-1)).toEqual(found)
  expect(requested).toEqual(plain === 'closed' ? [] : ['/'])
})
