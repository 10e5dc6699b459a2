import { expect, test } from 'vitest'
import { standardCatalog } from '../../../src/feeds/catalog.ts'
import { collectionTitle } from '../../../src/features/admin/status-page.ts'
import { sampleDatasetOn } from '../../../src/sandbox/sample/sample-dataset.ts'
import { adminEnvironment, createAdmin, sharedAdmin } from '../../support/admin.ts'
import { fewRecords } from '../../support/few-records.ts'
import { startTestService } from '../../support/service.ts'
import { waitFor } from '../../support/wait-for.ts'

const { service, admin } = sharedAdmin()

/** Starts a service whose website loses news stories, and signs in to its admin page. */
async function startHeldNews() {
  const dataset = sampleDatasetOn('2026-03-05')
  const website = { news: Infinity }
  const service = await startTestService({
    environment: adminEnvironment,
    publicFeedIds: ['news'],
    sandbox: { datasetOn: () => ({ ...dataset, news: dataset.news.slice(0, website.news) }) },
  })
  const { see, submit } = await createAdmin(service.url).signIn()
  const page = () => see('/admin/status')
  await service.readAll()

  return {
    service,
    page,
    versionIn: (text: string) => /name="version" value="([^"]+)"/.exec(text)?.[1] ?? '',
    /** Submits a form for the news records. */
    decide: (decision: 'accept' | 'hold', version = '') =>
      submit(`/admin/collections/news/${decision}`, { version }),
    /**
     * Leaves only this many news stories on the website, and returns the admin page once the change
     * is held.
     */
    async lose(left: number) {
      website.news = left
      await service.clock.advance(6 * 60_000)
      return waitFor(async () => {
        const text = await page()
        expect(text).toContain(`no longer has most of the records in news (${left} instead of `)
        return text
      })
    },
    news: async () => (await service.status()).collections.find(({ name }) => name === 'news'),
    audited: () => service.lines.flatMap((line) => /"(held records [^"]+)"/.exec(line)?.[1] ?? []),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
}

test('shows held records, and lets the admin keep holding or publish them', async () => {
  await using held = await startHeldNews()
  expect(await held.page()).toContain('Everything has been read and is up to date.')
  const text = await held.lose(0)
  expect(text).toContain('action="/admin/collections/news/accept"')
  expect(text).toContain('action="/admin/collections/news/hold"')
  await held.decide('hold')
  const keptHeld = await held.page()
  expect(keptHeld).toContain('held by operator request')
  expect(keptHeld).toContain('Held on request')
  expect(keptHeld).not.toContain('action="/admin/collections/news/hold"')
  await held.decide('accept', held.versionIn(keptHeld))
  expect(await held.news()).toMatchObject({ records: 0, held: null })
  expect(held.audited()).toEqual(['held records kept on hold', 'held records accepted'])
})

test('publishes only the version that the page showed, and only once', async () => {
  await using held = await startHeldNews()
  const opened = await held.lose(3)
  await held.lose(0)
  const refused = await held.decide('accept', held.versionIn(opened))
  expect(refused.status).toBe(409)
  expect(refused.text).toContain('news records have changed since you opened this page')
  expect(refused.text).toContain('published records with 0.')
  expect(await held.news()).toMatchObject({ held: { records: 0 } })
  expect(held.audited()).toEqual([])
  const version = held.versionIn(refused.text)
  expect((await held.decide('accept', version)).status).toBe(303)
  expect(await held.news()).toMatchObject({ records: 0, held: null })
  for (const decision of ['accept', 'hold'] as const) {
    const { status, text } = await held.decide(decision, version)
    expect([decision, status]).toEqual([decision, 409])
    expect(text).toContain('The news records are no longer held')
  }
  expect(held.audited()).toEqual(['held records accepted'])
})

/** Returns the numbers in the table behind a chart, the latest first. */
const numbersIn = (text: string, id: string) => {
  const [, table = ''] =
    new RegExp(`<figure[^>]*"${id}"[^]*?<tbody>([^]*?)</tbody>`).exec(text) ?? []
  return [...table.matchAll(/<td>(\d+)<\/td>/g)].map(([, count]) => Number(count))
}

test('draws the API calls of each hour and the changes of each day, with the numbers in tables', async () => {
  const website = { startTime: '08:00:00' }
  const dataset = sampleDatasetOn('2026-03-05')
  const changed = <Event extends { readonly startDate: string }>(event: Event) =>
    event.startDate === '2026-04-12' ? { ...event, ...website } : event
  await using own = await startTestService({
    environment: adminEnvironment,
    publicFeedIds: ['events'],
    sandbox: { datasetOn: () => ({ ...dataset, events: dataset.events.map(changed) }) },
  })
  await own.readAll()
  const { see } = await createAdmin(own.url).signIn()
  const before = await see('/admin/status')
  const { used } = (await own.status()).budget.day
  expect(used).toBeGreaterThan(0)
  expect(numbersIn(before, 'calls-chart')).toEqual([used, ...Array.from({ length: 23 }, () => 0)])
  expect(before).toContain('last 30 days: none</figcaption>')
  expect(before).toMatch(/<title>[^<]+: \d+ API calls<\/title>/)
  // The API calls, and the ages of the records in the one feed.
  expect(before.match(/<rect /g)).toHaveLength(48)
  expect(numbersIn(before, 'ages-chart')).toEqual(Array.from({ length: 24 }, () => 0))

  website.startTime = '09:00:00'
  // The same day at the site, but the next day in UTC.
  await own.clock.leap(11 * 60 * 60_000)
  await waitFor(async () => {
    const after = await see('/admin/status')
    expect(numbersIn(after, 'changes-chart')).toEqual([1, ...Array.from({ length: 29 }, () => 0)])
    expect(numbersIn(after, 'calls-chart')[11]).toBe(used)
    expect(Math.max(...numbersIn(after, 'ages-chart'))).toBe(660)
  })
})

test('draws the apps that read feed links on each day, of all links and of one', async () => {
  const { clock, addLink } = service()
  const link = await addLink({ label: 'Readers' })
  const { see } = await admin().signIn()
  const id = /links\/([a-z2-7]{8})/.exec(await see('/admin'))?.[1] ?? ''
  const read = (agent: string) => fetch(`${link}calendar.ics`, { headers: { 'user-agent': agent } })
  await read('Google-Calendar-Importer')
  await read('iOS/18.0 (22A3354) dataaccessd/1.0')
  // Uses are stored every minute.
  await clock.advance(61_000)
  for (const path of ['/admin/status', `/admin/links/${id}`]) {
    await waitFor(async () => {
      const text = await see(path)
      expect(numbersIn(text, 'readers-chart')[0]).toBe(2)
      expect(text).toMatch(/<td>(?:Apple 1, Google 1|Google 1, Apple 1)<\/td>/)
    })
  }
})

test('starts with a light for the status, whose details have their own page', async () => {
  await service().readAll()
  const { see } = await admin().signIn()
  const [first, details] = await Promise.all(['/admin', '/admin/status'].map(see))
  expect(first).toMatch(/class="health" data-health="(?:good|bad)" href="\/admin\/status"/)
  expect(first).not.toContain('API calls')
  expect(details).toContain('API calls to the website')
  expect(details).toContain('<strong>Announcements</strong> <small class="muted">announce</small>')
})

test('does not show a starting site as failing', async () => {
  await using cold = await startTestService({ sandbox: fewRecords, environment: adminEnvironment })
  const { see } = await createAdmin(cold.url).signIn()
  const first = await see('/admin')
  expect(first).toContain('data-health="starting"')
  expect(first).toMatch(
    /<strong>Starting\.<\/strong> Feedhouse is reading [\w, ]+ for the first time/,
  )
  const details = await see('/admin/status')
  expect(details).toMatch(/data-health="starting"><.*> Status: starting<\/h1>/)
  expect(details).not.toContain('class="fault"')
})

test.for(standardCatalog.keptResources)('has a title for the records of %s', (resource) => {
  expect(collectionTitle(standardCatalog.feeds, resource, 'en-US')).toMatch(/^[A-Z]/)
})
