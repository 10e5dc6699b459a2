import { rmSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { sampleDatasetOn } from '../../src/sandbox/sample/sample-dataset.ts'
import { startTestHosting } from '../support/hosting.ts'
import { testPassword } from '../support/admin.ts'
import { waitFor, waitUntil } from '../support/wait-for.ts'

const cedar = 'https://feeds.cedarhollow.example'
const ashton = 'https://shared.example/ashton'
const milbrook = 'https://shared.example/milbrook'

/** The sample records, with the name of another department in the first event. */
const eventsOf = (name: string) => (today: string) => {
  const sample = sampleDatasetOn(today)
  const [first, ...others] = sample.events
  return { ...sample, events: first ? [{ ...first, title: `Muster of ${name}` }, ...others] : [] }
}

const threeSites = () =>
  startTestHosting({
    cedar: { publicUrl: cedar, datasetOn: eventsOf('cedar') },
    ashton: {
      publicUrl: ashton,
      datasetOn: eventsOf('ashton'),
      environment: { ADMIN_PASSWORD: testPassword, PUBLIC_FEEDS: 'events', DAV: 'yes' },
    },
    milbrook: {
      publicUrl: milbrook,
      datasetOn: eventsOf('milbrook'),
      environment: { ADMIN_PASSWORD: `${testPassword} of milbrook` },
    },
  })

test('serves each site’s feeds and pages at its own URL', async () => {
  const { ask, hosting } = await threeSites()
  for (const [name, address] of Object.entries({ cedar, ashton, milbrook })) {
    const calendar = await ask(`${address}/events.ics`)
    expect(calendar.status).toBe(200)
    expect(calendar.text.match(/Muster of \w+/g)).toEqual([`Muster of ${name}`])
    expect(calendar.text).toContain(`${address}/events.ics`.slice(0, 40))
    const again = await ask(`${address}/events.ics`, {
      headers: { 'if-none-match': String(calendar.headers['etag']) },
    })
    expect(again.status).toBe(304)
    const page = await ask(`${address}/`)
    expect(page.text).toContain(`<b dir="auto">${name}</b>`)
    expect(page.text).toContain(`${address}/events.ics`)
    const { pathname } = new URL(address)
    const assets = [...page.text.matchAll(/(?:href|src)="(\/[^"]*assets[^"]+)"/g)]
    expect(assets.length).toBeGreaterThan(1)
    for (const [, path = ''] of assets) {
      expect(path.startsWith(`${pathname.replace(/\/$/, '')}/assets/`)).toBe(true)
      expect((await ask(new URL(path, address).href)).status).toBe(200)
    }
  }
  expect((await ask(`${ashton}/news.rss`)).status).toBe(403)
  expect((await ask('https://shared.example/events.ics')).status).toBe(404)
  const accounts = await ask('https://shared.example/.well-known/caldav')
  expect([accounts.status, accounts.headers['location']]).toEqual([307, '/ashton/dav/'])
  expect((await ask(`${cedar}/.well-known/caldav`)).status).toBe(404)
  expect((await ask('https://elsewhere.example/events.ics')).text).toBe(
    'No site at this address.\n',
  )
  expect(new URL(hosting.url).hostname).toBe('127.0.0.1')
})

test('serves the complete board of a site under a path', async () => {
  const { ask } = await threeSites()
  const board = await ask(`${ashton}/board`)
  const parts = [...board.text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, path]) => path ?? '')
  expect(parts.length).toBeGreaterThan(3)
  for (const part of parts) {
    expect(part.startsWith('/ashton/assets/')).toBe(true)
    expect((await ask(`https://shared.example${part}`)).status).toBe(200)
  }
  const worker = await ask(`${ashton}/board/worker.js`)
  expect(worker.headers['service-worker-allowed']).toBe('/ashton/board')
})

test('gives each admin page its own password, cookie and links', async () => {
  const { ask } = await threeSites()
  const signIn = (address: string, password: string) =>
    ask(`${address}/admin/sign-in`, { form: { password } })
  expect((await signIn(milbrook, testPassword)).status).toBe(403)
  const { status, headers } = await signIn(ashton, testPassword)
  expect([status, headers['location']]).toEqual([303, '/ashton/admin'])
  const cookie = String(headers['set-cookie'])
  expect(cookie).toContain('__Secure-feedhouse=')
  expect(cookie).toContain('Path=/ashton/;')
  const [session = ''] = cookie.split(';')
  const page = await ask(`${ashton}/admin`, { headers: { cookie: session } })
  expect(page.text).toContain('action="/ashton/admin/links')
  expect(page.text).not.toMatch(/(?:href|action)="\/(?!ashton)/)
  expect((await ask(`${milbrook}/admin`, { headers: { cookie: session } })).text).toContain(
    'Sign in',
  )
  expect((await ask(`${cedar}/admin`)).status).toBe(404)
  const [, token = ''] = /name="token" value="([^"]+)"/.exec(page.text) ?? []
  const [, id = ''] = /name="id" value="([^"]+)"/.exec(page.text) ?? []
  const form = { token, label: 'Captain', profile: 'full', feeds: 'all', id }
  const made = await ask(`${ashton}/admin/links`, { form, headers: { cookie: session } })
  const [link = '', key = ''] =
    /https:\/\/shared\.example\/ashton\/l\/([a-z2-7]{32})\//.exec(made.text) ?? []
  expect((await ask(`${link}signup.ics`)).status).toBe(200)
  expect((await ask(`${milbrook}/l/${key}/signup.ics`)).status).toBe(404)
})

test.for([
  { start: 'the county page', settings: { COUNTY_NAME: 'Cedar County' }, path: '/county' },
  { start: 'the sites page', settings: { SITES_PASSWORD: 'long enough' }, path: '/sites' },
])('leads from the root of a host to $start', async ({ settings, path }) => {
  const SITES_URL = 'https://shared.example'
  const { ask, hosting } = await startTestHosting(
    { ashton: { publicUrl: ashton } },
    { environment: { SITES_FILE: 'sites.json', SITES_URL, ...settings } },
  )
  for (const root of [`${SITES_URL}/`, `${SITES_URL}/?utm_source=x`, `${hosting.url}/`]) {
    const { status, headers } = await ask(root)
    expect([status, headers['location']]).toEqual([302, `${SITES_URL}${path}`])
  }
  expect((await ask('https://elsewhere.example/')).status).toBe(404)
})

test('gives advice at the root of a host without a page, which reveals no site', async () => {
  const { ask, hosting } = await threeSites()
  for (const root of [new URL('/', ashton).href, `${hosting.url}/`]) {
    const { status, text } = await ask(root)
    expect([status, text]).toEqual([404, expect.stringContaining('Use the full address')])
    expect(text).not.toMatch(/ashton|milbrook|cedar/)
  }
})

describe('the other sites', () => {
  test('keep working while one website is down', async () => {
    const { ask, sandboxes, clock, hosting } = await threeSites()
    for (const address of [cedar, ashton]) await ask(`${address}/events.ics`)
    await sandboxes['ashton']?.[Symbol.asyncDispose]()
    await clock.advance(20 * 60_000)
    expect((await ask(`${ashton}/events.ics`)).text).toContain('Muster of ashton')
    const status = JSON.parse((await ask(`${hosting.url}/status`)).text)
    const failing = status.sites.filter(({ ok }: { ok: boolean }) => !ok)
    expect(failing.map(({ name }: { name: string }) => name)).toEqual(['ashton'])
    expect(status.ok).toBe(false)
    expect((await ask(`${hosting.url}/readyz`)).status).toBe(200)
  })

  test('keep working while one site’s store is damaged, and that site starts once its store is repaired', async () => {
    const { ask, clock, lines, fileOf, hosting } = await startTestHosting(
      { cedar: { publicUrl: cedar }, ashton: { publicUrl: ashton } },
      { prepare: (file) => writeFileSync(file('ashton'), 'no database '.repeat(500)) },
    )
    expect((await ask(`${cedar}/events.ics`)).status).toBe(200)
    const refused = await ask(`${ashton}/events.ics`)
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '60'])
    const told = lines.find((line) => line.includes('the site cannot be started')) ?? ''
    expect(JSON.parse(told)).toMatchObject({ site: 'ashton', level: 'error' })
    expect((await ask(`${hosting.url}/status`)).text).toContain('has not started')
    rmSync(fileOf('ashton'))
    await clock.advance(60_000)
    await waitUntil(async () => (await ask(`${ashton}/events.ics`)).status === 200)
  })
})

const settingsOf = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { publicUrl: `https://${name}.example` }]))

/** Changes to six sites, none of which can be started until `released` resolves. */
async function sixSites(lastClaimed = Promise.resolve()) {
  const opened: string[] = []
  const closed: string[] = []
  const released = Promise.withResolvers<void>()
  const names = Array.from({ length: 6 }, (_, index) => `site-${index}`)
  const { changeSites, hosting } = await startTestHosting(settingsOf([]), {
    environment: {
      REDIS_URL: 'redis://redis.example',
      SITES_FILE: 'sites.json',
      ADVERTISE_URL: 'http://127.0.0.1',
    },
    async changeStore(store, name) {
      opened.push(name)
      if (name === names.at(-1)) await lastClaimed
      const get: typeof store.documents.get = async (...id) => {
        await released.promise
        return store.documents.get(...id)
      }
      const dispose = async () => {
        closed.push(name)
        await store[Symbol.asyncDispose]()
      }
      const documents = { ...store.documents, get }
      return { ...store, documents, [Symbol.asyncDispose]: dispose }
    },
  })
  const serve = (some: readonly string[]) => changeSites(settingsOf(some))
  await serve(names)
  await waitFor(() => expect(opened.toSorted()).toEqual(names))
  return { serve, hosting, names, opened, closed, released }
}

describe('a host that starts many sites', () => {
  test('claims all of them before it starts them in turn', async () => {
    const { names, opened, released } = await sixSites()
    expect(opened.toSorted()).toEqual(names)
    released.resolve()
  })

  test('releases a site that it no longer has before its turn comes', async () => {
    const { serve, names, closed, released } = await sixSites()
    await serve(names.slice(0, 5))
    await waitFor(() => expect(closed).toEqual(['site-5']))
    released.resolve()
  })

  test('releases a site that it no longer has as soon as it has claimed it', async () => {
    const lastClaimed = Promise.withResolvers<void>()
    const { serve, names, closed, released } = await sixSites(lastClaimed.promise)
    await serve(names.slice(0, 5))
    lastClaimed.resolve()
    await waitFor(() => expect(closed).toEqual(['site-5']))
    released.resolve()
  })

  test('stops without starting the sites that are still waiting', async () => {
    const { hosting, closed, released } = await sixSites()
    const stopped = hosting[Symbol.asyncDispose]()
    await waitFor(() => expect(closed).toHaveLength(2))
    released.resolve()
    await stopped
    expect(closed).toHaveLength(6)
  })
})

test('names the site in the metrics of the server, and shows only that site in its own metrics', async () => {
  const { ask, hosting } = await threeSites()
  await ask(`${cedar}/events.ics`)
  const { text } = await ask(`${hosting.url}/metrics`)
  expect(text).toMatch(/^feedhouse_budget_left_calls\{window="day",site="ashton"\} 5000$/m)
  expect(text).toMatch(/^feedhouse_http_requests_total\{.*site="cedar"\} 1$/m)
  const own = (await ask(`${cedar}/metrics`)).text
  expect(own).toContain('feedhouse_budget_left_calls{window="day"}')
  expect(own).not.toContain('process_resident_memory_bytes')
  expect(own).not.toContain('ashton')
})
