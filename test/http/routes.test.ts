import supertest from 'supertest'
import { afterAll, expect, test } from 'vitest'
import { textNames } from '../../src/config/text-settings.ts'
import { identityFrom, type IdentitySettings } from '../../src/feeds/identity.ts'
import { pageVariants } from '../../src/web/context.ts'
import { startTestService } from '../support/service.ts'
import { exchange, requestText } from '../support/raw-http.ts'
import { testSite } from '../support/site.ts'
import { siteApplication } from './site-application.ts'

const service = await startTestService({ publicFeedIds: ['events', 'news'] })
afterAll(() => service[Symbol.asyncDispose]())
const http = supertest(service.url)
await http.get('/events.ics').expect(200)

test('does not read private resources from the website', () => {
  expect(service.lines.filter((line) => line.includes('"calendar"'))).toEqual([])
  expect(service.lines.filter((line) => line.includes('"events"'))).not.toEqual([])
})

test('responds to a request for a private feed with 403, and explains how to get a feed link', async () => {
  const { text } = await http.get('/calendar.ics').expect(403)
  expect(text).toBe(
    'The feed "Calendar" is not public. If you have a feed link, look for it on the link\'s page. Otherwise, ask the organization\'s webmaster for one.\n',
  )
})

const missing = '/nothing /rental.rss /Rental.rss /events.ics/ /news/999999 /news/x /l/key/'

test.for(missing.split(' '))('responds to %s with 404', async (path) => {
  await http.get(path).expect(404)
})

test('responds to a malformed URL with 400 or 404, without a stack trace', async () => {
  const { text } = await http.get('/news/%ff').expect(400)
  expect(text).toBe('The request is invalid.\n')
})

test('lists public feeds with working URLs on a page', async () => {
  const { text } = await http
    .get('/feeds')
    .expect(200)
    .expect('Content-Type', /text\/html/)
  expect(text).toContain('Cedar Hollow Volunteer Fire Department')
  expect(text).toContain(`href="${service.url}/events.ics"`)
  expect(text).toContain(`href="webcal:${service.url.slice('http:'.length)}/events.ics"`)
  expect(text).toContain('<link rel="alternate" type="application/rss+xml"')
  expect(text).not.toContain('calendar.ics')
  for (const [, url = ''] of text.matchAll(/href="(http:[^"]+)"/g)) {
    expect((await fetch(url)).status).toBe(200)
  }
})

test('restricts a page’s scripts and form targets to its own origin', async () => {
  const { headers } = await http.get('/')
  const policy = headers['content-security-policy']
  const own = ['script-src', 'style-src', 'form-action'].map((name) => `${name} 'self'`)
  for (const rule of ["default-src 'none'", ...own, "frame-ancestors 'none'"]) {
    expect(policy?.split(';')).toContain(rule)
  }
})

test('limits how many option previews each client can request, but not the page itself', async () => {
  await using limited = await startTestService({ publicFeedIds: ['events'] })
  const ask = async (query: string) => (await fetch(`${limited.url}/${query}`)).status
  const statuses = []
  for (let alarm = 0; alarm < 61; alarm += 1)
    statuses.push(await ask(`feeds?feed=events&alarm=${alarm}`))
  expect(statuses).toEqual([...Array<number>(60).fill(200), 429])
  expect(await ask('feeds')).toBe(200)
})

test('serves /livez and /readyz', async () => {
  await http.get('/livez').expect(200, 'ok\n')
  await http.get('/readyz').expect(200, { ready: true, waitingFor: [] })
})

test('responds with 503 and Retry-After before the first read, and lists missing feeds at /readyz', async () => {
  await using cold = await startTestService({ sandbox: { apiEnabled: false } })
  const response = await fetch(`${cold.url}/events.ics`)
  expect([response.status, response.headers.get('answered-by')]).toEqual([503, 'Feedhouse'])
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(response.headers.get('cache-control')).toBe('no-store')
  await supertest(cold.url)
    .get('/readyz')
    .expect(503, {
      ready: false,
      waitingFor: ['calendar', 'events', 'rental', 'signup', 'news', 'announcements'],
    })
  await supertest(cold.url).get('/livez').expect(200)
})

/** Returns the version that the front gets when a site with this identity starts. */
async function versionWith(identity: IdentitySettings): Promise<string | undefined> {
  const site = { ...testSite, identity: identityFrom(identity, testSite.name) }
  await using application = siteApplication({ site })
  return application.versionInFront()
}

/** Texts that only pages show. */
const pageTexts = textNames.filter((name) => !(name in testSite))

test.for(pageTexts)(
  'after a restart, the front keeps responses only with the same %s',
  async (name) => {
    const red = { [name]: '#b3261e' }
    expect(await versionWith(red)).toBe(await versionWith(red))
    expect(await versionWith(red)).not.toBe(await versionWith({ [name]: '#1f5fbf' }))
  },
)

test.for([
  ['a condition', '', { 'If-Match': '*' }],
  ['another condition', '', { 'If-Unmodified-Since': '*' }],
  ['a body', '', { 'Content-Length': '1' }],
  ['an empty parameter', '?&', {}],
  ['an empty parameter after another', '?lang=es&', {}],
  ['an encoded letter', '?lang=e%73', {}],
  ['a fragment', '#a', {}],
] as const)(
  'limits requests of a client that bypass the cache with %s',
  async ([, target, headers]) => {
    await using service = await startTestService({ publicFeedIds: ['news'] })
    await fetch(`${service.url}/news.rss`)
    const ask = async (path: string, sent: Readonly<Record<string, string>> = {}) => {
      const body = 'Content-Length' in sent ? 'a' : ''
      return exchange(service.url, `${requestText(path, { headers: sent })}${body}`)
    }
    const statuses: number[] = []
    while (statuses.length <= pageVariants.burst) {
      statuses.push((await ask(`/${target}`, headers)).status)
    }
    expect(new Set(statuses.slice(0, -1))).toEqual(new Set([200]))
    expect(statuses.at(-1)).toBe(429)
    expect((await ask(`/news.rss${target}`, headers)).status).toBe(429)
    expect((await ask(`/livez${target}`, headers)).status).toBe(200)
    expect((await ask('/')).status).toBe(200)
  },
)
