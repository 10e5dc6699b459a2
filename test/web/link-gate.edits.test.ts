import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { editLink, type LinkEdit } from '../../src/links/link-edits.ts'
import { storedLinks } from '../../src/links/stored-links.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { lintCalendar } from '../support/calendar-lint.ts'
import { feedUrlsUnder } from '../support/feed-urls.ts'
import { fewRecords } from '../support/few-records.ts'
import { exchangeUrl as ask } from '../support/raw-http.ts'
import { readCalendar } from '../support/read-calendar.ts'
import { startTestService, temporaryDirectory } from '../support/service.ts'

const dayMs = 24 * 60 * 60 * 1000
const pausedTitle = 'This feed link is paused'

const resources = new AsyncDisposableStack()
afterAll(() => resources.disposeAsync())
const file = join(resources.use(temporaryDirectory()).path, 'store.sqlite')
const service = resources.use(
  await startTestService({
    sandbox: fewRecords,
    publicFeedIds: ['events'],
    storeFileIn: () => file,
  }),
)

const textAt = async (url: string) => (await ask(url)).body.toString().replaceAll('\r\n ', '')

/** Adds a link, requests its feeds often enough for the hot path, and returns a function that edits it. */
async function usedLink() {
  const label = `Link ${randomBytes(4).toString('hex')}`
  const url = await service.addLink({ label, profile: 'full' })
  for (const each of feedUrlsUnder(url)) {
    for (let time = 0; time < 2; time += 1) expect((await ask(each)).status).toBe(200)
  }
  /** Edits the link as another process would, and waits for one poll. */
  async function edit(changes: LinkEdit): Promise<void> {
    await using store = openSqliteStore(file, service.clock.now)
    const { id = '' } =
      (await storedLinks(store.documents)).find((each) => each.label === label) ?? {}
    const change = { now: service.clock.now(), random: randomBytes }
    expect(await editLink(store.documents, id, changes, change)).toMatchObject({ ok: true })
    await service.clock.advance(2_000)
  }
  return { url, edit }
}

test('applies a new profile to known URLs within two seconds', async () => {
  const { url, edit } = await usedLink()
  expect(await textAt(`${url}rental.ics`)).toContain('Harriet Bloom')
  await edit({ profile: 'members' })
  expect(await textAt(`${url}rental.ics`)).not.toContain('Harriet Bloom')
  expect(await textAt(`${url}board.json`)).not.toContain('Harriet Bloom')
})

type EntriesByUid = Awaited<ReturnType<typeof entriesAt>>

const valueIn = (text: string, name: string) => new RegExp(`^${name}:(.*)`, 'm').exec(text)?.[1]

/** Returns the entries at a URL by UID. */
async function entriesAt(url: string) {
  const entries = (await textAt(url)).match(/BEGIN:VEVENT\r\n.*?END:VEVENT/gs) ?? []
  return new Map(
    entries.map((text) => {
      const changedAt = valueIn(text, 'LAST-MODIFIED') ?? ''
      return [
        valueIn(text, 'UID'),
        { text, changedAt, sequence: Number(valueIn(text, 'SEQUENCE')) },
      ]
    }),
  )
}

test('apps that take an entry only if it was modified later have its text after every edit', async () => {
  const { url, edit } = await usedLink()
  const paths = ['rental.ics', 'my.ics']
  const readers = paths.map((path) => ({ path, kept: new Map() as EntriesByUid }))
  const edits: readonly LinkEdit[] = [
    {},
    { profile: 'members' },
    { choice: { calendar: 'alarm=60&prefix=1', news: '' } },
    { choice: { calendar: 'show=rental&alarm=60&prefix=1', news: '' } },
    { profile: 'full', choice: { calendar: 'prefix=1', news: '' } },
    { choice: undefined },
  ]
  for (const each of edits) {
    await edit(each)
    for (const { path, kept } of readers) {
      const latest = await entriesAt(`${url}${path}`)
      expect(latest.size).toBeGreaterThan(0)
      for (const [uid, entry] of latest) {
        const known = kept.get(uid)
        const isTaken = !known || entry.changedAt > known.changedAt
        if (isTaken) kept.set(uid, entry)
        expect(isTaken).toBe(!known || entry.sequence > known.sequence)
        expect(kept.get(uid)?.text).toBe(entry.text)
      }
    }
  }
})

test('modifies a copy of a single entry with the feed', async () => {
  const { url, edit } = await usedLink()
  const before = await entriesAt(`${url}rental.ics`)
  await edit({ profile: 'members' })
  const after = await entriesAt(`${url}rental.ics`)
  const [uid = ''] = after.keys()
  const [, id] = /^rental-(\d+)@/.exec(uid) ?? []
  const copy = (await entriesAt(`${url}rental/${id}.ics`)).get(uid)
  expect(copy?.changedAt).not.toBe(before.get(uid)?.changedAt)
  expect(copy?.changedAt).toBe(after.get(uid)?.changedAt)
  expect(copy?.sequence).toBe(after.get(uid)?.sequence)
})

test('changes no entry when feeds are added or removed, or another link is edited', async () => {
  const [{ url, edit }, other] = [await usedLink(), await usedLink()]
  const before = await entriesAt(`${url}rental.ics`)
  await other.edit({ profile: 'members' })
  await edit({ feedIds: ['rental'], choice: { calendar: 'show=rental', news: '' } })
  expect(await entriesAt(`${url}rental.ics`)).toEqual(before)
  expect(await entriesAt(`${url}my.ics?show=rental`)).toEqual(await entriesAt(`${url}my.ics`))
})

test('serves known URLs no more once the link does not include their feeds', async () => {
  const { url, edit } = await usedLink()
  await edit({ feedIds: ['events'] })
  expect((await ask(`${url}events.ics`)).status).toBe(200)
  for (const path of ['rental.ics', 'calendar.ics', 'rental/1']) {
    expect([path, (await ask(`${url}${path}`)).status]).toEqual([path, 403])
  }
})

test('serves only a notice while a link is paused, and everything again after that', async () => {
  const { url, edit } = await usedLink()
  const before = await textAt(`${url}rental.ics`)
  await edit({ isPaused: true })
  for (const each of feedUrlsUnder(url)) {
    const { status, body } = await ask(each)
    const text = body.toString()
    expect([each, status, text.includes(pausedTitle)]).toEqual([each, 200, true])
    expect(text).not.toContain('Harriet Bloom')
    expect(each.endsWith('.ics') ? lintCalendar(body) : []).toEqual([])
  }
  await edit({ isPaused: false })
  expect(await textAt(`${url}rental.ics`)).toBe(before)
  expect(await textAt(url)).not.toContain(pausedTitle)
})

test('serves the notice for as long as the link is paused, always with an entry for today', async () => {
  const { url, edit } = await usedLink()
  await edit({ isPaused: true })
  const first = await ask(`${url}calendar.ics`)
  await service.clock.advance(60_000)
  const { headers } = first
  const again = await ask(`${url}calendar.ics`, { 'If-None-Match': headers['etag'] ?? '' })
  expect(again.status).toBe(304)
  await service.clock.leap(100 * dayMs)
  const { status, body } = await ask(`${url}calendar.ics`)
  const [notice, ...others] = readCalendar(body.toString()).events
  expect([status, notice?.summary, others]).toEqual([200, pausedTitle, []])
  const today = new Date(service.clock.now()).toISOString().slice(0, 10).replaceAll('-', '')
  const [, end = ''] = /DTEND;VALUE=DATE:(\d+)/.exec(body.toString()) ?? []
  expect(Number(end)).toBeGreaterThan(Number(today) + 7)
})

test('replaces the notice even for clients that compare only dates', async () => {
  const { url, edit } = await usedLink()
  await edit({ isPaused: true })
  const { headers } = await ask(`${url}rental.ics`)
  const date = { 'If-Modified-Since': headers['last-modified'] ?? '' }
  expect((await ask(`${url}rental.ics`, date)).status).toBe(304)
  await edit({ isPaused: false })
  for (let time = 0; time < 3; time += 1) {
    expect((await ask(`${url}rental.ics`, date)).status).toBe(200)
  }
})

test('shows nothing, with the reason, if the link loses all selected feeds', async () => {
  const { url, edit } = await usedLink()
  await edit({ choice: { calendar: 'show=rental,signup', news: 'show=news' } })
  expect(await textAt(`${url}my.ics`)).toContain('UID:rental-')
  await edit({ feedIds: ['calendar', 'events'] })
  const calendar = await textAt(`${url}my.ics`)
  expect(lintCalendar((await ask(`${url}my.ics`)).body)).toEqual([])
  expect(calendar).not.toContain('BEGIN:VEVENT')
  for (const text of [calendar, await textAt(`${url}my.rss`), await textAt(`${url}my.json`)]) {
    expect(text).not.toContain('<item>')
    expect(text).toMatch(/The feeds selected for this link are no longer available/)
  }
  const page = await textAt(`${url}feeds`)
  expect(page).toContain('My calendar is empty: the feeds selected for it')
  expect(page).toContain('My news is empty: the feeds selected for it')
  const home = await textAt(url)
  expect(home).toContain('The selected calendars are no longer available.')
  expect(home).toContain('name="show" value="events">')
  await edit({ feedIds: ['news'] })
  expect((await ask(`${url}my.ics`)).status).toBe(403)
  expect(await textAt(`${url}my.rss`)).toContain('<item>')
})
