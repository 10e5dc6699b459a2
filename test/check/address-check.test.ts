import { expect, onTestFinished, test } from 'vitest'
import { checkAddress } from '../../src/check/address-check.ts'
import {
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
  { listener: respond(410), check: 'status', says: /The address has ended/ },
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

test('accepts a page that names feeds, and returns those on the same server', async () => {
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
