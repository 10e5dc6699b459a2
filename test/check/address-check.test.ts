import { expect, test } from 'vitest'
import { checkAddress } from '../../src/check/address-check.ts'
import type { AddressFinding } from '../../src/check/response-check.ts'
import {
  calendar,
  calendarType,
  feed,
  key,
  page,
  problem,
  problemsIn,
  redirect,
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

const signIn = '<title>Sign in</title><form><input type="password"></form>'
const calendarOf = (bytes: number) => calendar.replace('END:', `X-A:${'a'.repeat(bytes)}\r\nEND:`)

test('follows a redirect to https only when asked to, and only on the same host', async () => {
  const server = await startHttpsServer(feed())
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

test('returns at most 24 feeds of a page', async () => {
  const links = Array.from(
    { length: 30 },
    (_, index) => `<link rel="alternate" type="text/calendar" href="/${index}.ics">`,
  )
  const { feeds, url } = await reportOf(page(links.join('')), { isPageAllowed: true })
  const first = Array.from({ length: 24 }, (_, index) => new URL(`/${index}.ics`, url).href)
  expect(feeds).toEqual(first)
})

type Case = readonly [
  check: string,
  says: RegExp,
  listener: RequestListener,
  state?: AddressFinding['state'],
]

test.for<Case>([
  [
    'redirects',
    /to https:\/\/login\.example\.org\/, which/,
    redirect('https://login.example.org/?rd=1'),
  ],
  ['redirects', /to https:\/\/localhost:\d+\/l\/…\/login, which/, redirect(`/l/${key}/login`)],
  ['redirects', /redirects to itself/, redirect('/events.ics')],
  ['redirects', /redirects to itself or to an invalid address/, redirect('https://[bad')],
  ['sign-in', /asks for a password/, respond(401)],
  ['sign-in', /web page that refuses access/, page('', 403)],
  ['sign-in', /the web page “Sign in”, which asks for a password/, page(signIn)],
  ['sign-in', /a web page instead of a feed/, page('<p>Checking your browser')],
  ['status', /Nothing is at this address/, respond(404)],
  ['status', /The address is no longer available/, respond(410)],
  ['status', /limits requests/, respond(429)],
  ['status', /responds with 502\. Feedhouse is starting/, respond(502)],
  ['status', /responds with 204 instead of 200/, respond(204)],
  ['status', /responds with 302 instead of 200/, respond(302)],
  [
    'type',
    /is text\/plain instead of text\/calendar/,
    feed({ headers: { 'Content-Type': 'text/plain' } }),
  ],
  [
    'content',
    /The calendar is damaged: END:VCALENDAR is missing/,
    feed({ body: calendar.slice(0, 30) }),
  ],
  ['content', /neither a calendar nor a feed/, feed({ body: 'Starting' })],
  [
    'size',
    /1,001 kB\. Google Calendar fails above about 1,000 kB/,
    feed({ body: calendarOf(1_000_001) }),
  ],
  ['compression', /not compressed/, feed({ body: calendarOf(3000), isPlain: true }), 'note'],
  [
    'compression',
    /cannot be decompressed/,
    feed({ isPlain: true, headers: { 'Content-Encoding': 'gzip' } }),
  ],
  [
    'unchanged',
    /^ETag is missing/,
    (_, response) => response.writeHead(200, calendarType).end(calendar),
  ],
  ['unchanged', /despite If-None-Match/, feed({ ignores: 'if-none-match' })],
  ['unchanged', /despite If-Modified-Since/, feed({ ignores: 'if-modified-since' })],
])('finds a problem with %s: %s', async ([check, says, listener, state = 'fault']) => {
  const report = await reportOf(listener)
  expect(problemsIn(report)).toEqual([problem(state, check, says)])
  expect(JSON.stringify(report.findings)).not.toContain(key)
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
  ['public, max-age=300', 'noindex', /does not contain "private"/],
  ['private', undefined, /does not contain "noindex"/],
  ['private, no-cache', 'noindex', undefined],
] as const)('checks a feed link with Cache-Control: %s and X-Robots-Tag: %s', async (each) => {
  const [cacheControl, robots, says] = each
  const headers = { 'Cache-Control': cacheControl, ...(robots && { 'X-Robots-Tag': robots }) }
  const report = await reportOf(feed({ headers }), { path: `/l/${key}/events.ics` })
  expect(problemsIn(report)).toEqual(says ? [problem('fault', 'privacy', says)] : [])
})

test.for([
  ['<rss version="2.0"><channel></channel></rss>', 'application/rss+xml application/xml text/xml'],
  [
    '<feed xmlns="http://www.w3.org/2005/Atom"></feed>',
    'application/atom+xml application/xml text/xml',
  ],
  [
    '{"version":"https://jsonfeed.org/version/1.1","items":[]}',
    'application/feed+json application/json',
  ],
] as const)('accepts %s with each of the content types %s', async ([body, types]) => {
  for (const type of types.split(' ')) {
    const listener = feed({ body, headers: { 'Content-Type': type } })
    expect(problemsIn(await reportOf(listener))).toEqual([])
  }
})

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
  const server = await startHttpsServer(feed(), certificate)
  const { findings } = await checkAddress(`${server.url}/l/${key}/events.ics`, {
    userAgent: 'test',
    now: Date.now,
    ...(caPem === undefined ? {} : { ca: [caPem] }),
  })
  expect(findings).toEqual([problem('fault', 'certificate', says)])
  expect(JSON.stringify(findings)).not.toContain(key)
})

test('warns of a certificate that expires soon', async () => {
  const report = await reportOf(feed(), { now: () => Date.parse('2126-01-01') })
  expect(problemsIn(report)).toEqual([
    problem('note', 'certificate', /^The certificate expires on /),
  ])
})

test('warns of a short-lived certificate only in the last quarter of its validity', async () => {
  const { caPem = '', ...certificate } = await faultyCertificate('short-lived')
  const { url } = await startHttpsServer(feed(), certificate)
  const problemsWith = async (leftDays: number) => {
    const now = () => Date.now() + (5 - leftDays) * 24 * 60 * 60_000
    return problemsIn(await checkAddress(`${url}/a.ics`, { userAgent: 'test', now, ca: [caPem] }))
  }
  expect(await problemsWith(2)).toEqual([])
  expect(await problemsWith(1)).toEqual([
    problem('note', 'certificate', /^The certificate expires on /),
  ])
})

test('finds an address without https', async () => {
  const { url } = await startHttp(feed())
  const report = await checkAddress(`${url}/a.ics`, { userAgent: 'test', now: Date.now })
  expect(problemsIn(report)).toEqual([problem('fault', 'https', /^The address is not encrypted/)])
})

/** Sends spaces without end. */
const endless: RequestListener = (_, response) => {
  response.writeHead(200, calendarType)
  const chunk = Buffer.alloc(64 * 1024, ' ')
  const send = () => {
    while (!response.destroyed && response.write(chunk));
  }
  response.on('drain', send)
  send()
}

const interrupted: RequestListener = (_, response) => {
  response.writeHead(200, { 'Content-Length': '100' }).write('BEGIN:')
  response.destroy()
}

const stalled: RequestListener = (_, response) =>
  void response.writeHead(200, calendarType).write('BEGIN:')

test.for<[name: string, ...Case]>([
  ['an endless body', 'size', /larger than 200 kB, so the rest was not read/, endless],
  [
    'a small response that is huge when decompressed',
    'size',
    /larger than 200 kB/,
    feed({ body: ' '.repeat(5_000_000) }),
  ],
  [
    'a server that never responds',
    'connection',
    /does not respond; open the port/,
    () => undefined,
  ],
  ['a body that never ends', 'connection', /does not respond/, stalled],
  ['an interrupted connection', 'connection', /the connection was interrupted/, interrupted],
  [
    'a server that switches protocols',
    'connection',
    /the connection was interrupted/,
    (_, { socket }) =>
      socket?.write(
        'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: a\r\n\r\n',
      ),
  ],
])('ends the check of %s', async ([, check, says, listener]) => {
  const limits = { timeoutMs: 1_000, maxBodyBytes: 200_000 }
  const report = await reportOf(listener, { limits })
  expect(problemsIn(report)).toEqual([problem('fault', check, says)])
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
  const { findings } = await checkAddress(`${server.url}/l/${key}/events.ics`, {
    userAgent: 'test',
    now: Date.now,
    ca: [server.caPem],
    limits: { webcalPort: web.port, httpsPort: Number(new URL(server.url).port) },
  })
  expect(findings.at(-1)).toEqual(found)
  expect(requested).toEqual(plain === 'closed' ? [] : ['/'])
})

const withUnknown = (value: string) => feed({ headers: { 'Feedhouse-Unknown-Parameters': value } })

test.for([
  [
    '"alram";suggestion="alarm", "foo"',
    '“alram” in the address has no effect. Did you mean “alarm”? “foo” in the address has no effect.',
  ],
  [String.raw`"a\"b\\c"`, String.raw`“a"b\c” in the address has no effect.`],
] as const)('reports the unknown parameters %s', async ([value, sentence]) => {
  const { findings } = await reportOf(withUnknown(value))
  expect(findings.filter(({ state }) => state !== 'ok')).toEqual([
    { check: 'parameters', state: 'note', sentence },
  ])
})

test.for(['', 'alram', `"${'a'.repeat(41)}"`, '"\x9b31m"', '"a'])(
  'ignores the header value %j, which Feedhouse never sends',
  async (value) => {
    expect(problemsIn(await reportOf(withUnknown(value)))).toEqual([])
  },
)

test.for([
  ['es', 'El parámetro “alram” de la dirección no tiene ningún efecto. ¿Quiso decir “alarm”?'],
  ['fr', 'Le paramètre « alram » de l’adresse n’a aucun effet. Vouliez-vous dire « alarm »?'],
  ['de', '„alram“ in der Adresse hat keine Wirkung. Meinten Sie „alarm“?'],
] as const)('reports unknown parameters in the language %s', async ([language, suggested]) => {
  const report = await reportOf(withUnknown('"alram";suggestion="alarm", "foo"'), { language })
  const plain = suggested.replace('alram', 'foo').replace(/(?<=\.).*/, '')
  expect(problemsIn(report).map(({ sentence }) => sentence)).toEqual([`${suggested} ${plain}`])
})

test.for([
  ['es', 'La dirección no está cifrada', 'calendario con 0 elementos'],
  ['fr', 'L’adresse n’est pas chiffrée', 'calendrier avec 0 élément.'],
  ['de', 'Die Adresse ist nicht verschlüsselt', 'Kalender mit 0 Einträgen'],
] as const)('describes findings in the language %s', async ([language, fault, complete]) => {
  const { url } = await startHttp(feed())
  const options = { userAgent: 'test', now: Date.now, language }
  const { findings } = await checkAddress(url, options)
  const text = findings.map(({ sentence }) => sentence).join('\n')
  expect(text).toContain(fault)
  expect(text).toContain(complete)
})
