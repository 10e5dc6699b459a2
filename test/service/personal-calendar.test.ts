import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { editLink, type LinkEdit } from '../../src/links/link-edits.ts'
import { storedLinks } from '../../src/links/stored-links.ts'
import { sampleDatasetOn } from '../../src/sandbox/sample/sample-dataset.ts'
import { memberNames } from '../../src/sandbox/sample/members.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { createAdmin, testPassword } from '../support/admin.ts'
import { lintCalendar } from '../support/calendar-lint.ts'
import { fewOn } from '../support/few-records.ts'
import { createManager } from '../support/manager.ts'
import { readCalendar } from '../support/read-calendar.ts'
import { startTestService, testDirectory, type TestServiceOptions } from '../support/service.ts'
import { advanceUntil } from '../support/wait-for.ts'

type Dataset = ReturnType<typeof sampleDatasetOn>

/** Members of the sample who have signed up for one of the sheets below. */
const [reyes, okafor] = [5, 3]

/** Titles of the entries of one of them. */
const titles = ['You: Griddle, Pancake breakfast crew', 'You: Hazmat Operations expires']

/**
 * Upcoming sheets of the sample. Each sheet's details require a call, so reading a few is quick.
 */
const sheetIds = [2026031, 2026051, 2934]

function fewWithPeopleOn(today: string): Dataset {
  const { members, training, signup } = sampleDatasetOn(today)
  const sheets = signup.filter(({ id }) => sheetIds.includes(id))
  return { ...fewOn(today), members, training, signup: sheets }
}

/** Requests, checks and parses a link's calendar. */
async function calendarAt(link: string) {
  const response = await fetch(`${link}my.ics`)
  expect(response.status).toBe(200)
  const text = await response.text()
  expect(lintCalendar(Buffer.from(text))).toEqual([])
  const { events } = readCalendar(text)
  const own = events.filter(({ uid }) => uid.startsWith('member-'))
  return {
    text: text.replaceAll('\r\n ', ''),
    events,
    own,
    titles: own.map((each) => each.summary),
  }
}

/** Starts a service for a website whose records the test can change. */
async function serviceOf(options: TestServiceOptions = {}) {
  const website = { edit: (sample: Dataset): Dataset => sample }
  const file = join(testDirectory(), 'store.sqlite')
  const service = await startTestService({
    publicFeedIds: ['events'],
    environment: { ADMIN_PASSWORD: testPassword },
    sandbox: { datasetOn: (today) => website.edit(fewWithPeopleOn(today)) },
    storeFileIn: () => file,
    ...options,
  })
  onTestFinished(() => service[Symbol.asyncDispose]())
  const { clock, status } = service

  /** Edits the only link as another process would. */
  async function editStored(changes: LinkEdit): Promise<void> {
    await using store = openSqliteStore(file, clock.now)
    const [link] = await storedLinks(store.documents)
    const change = { now: clock.now(), random: randomBytes }
    expect(await editLink(store.documents, link?.id ?? '', changes, change)).toMatchObject({
      ok: true,
    })
  }

  const until = (expected: () => Promise<void>) => advanceUntil(clock, expected)
  const sentences = async () => (await status()).sentences.join('\n')
  return { ...service, website, editStored, until, sentences }
}

/** Returns the member's own entries on a page: each title, with the member's positions. */
async function ownOn(url: string): Promise<readonly string[]> {
  const response = await fetch(url)
  expect(response.status).toBe(200)
  const html = await response.text()
  const marked = html.matchAll(
    /<strong[^>]*>([^<]+)<\/strong><small>[^<]*<\/small><span class="badge"[^>]*>([^<]+)/g,
  )
  const inMonth = html.matchAll(/<strong>(You: [^<]+)<\/strong> <span[^>]*>([^<]+)</g)
  return [
    ...[...marked].map(([, title, role]) => `${role}, ${title}`),
    ...[...inMonth].map(([, role, title]) => `${role}, ${title}`),
  ]
}

test('greets a member by name, and shows their own entries on the page, in the agenda and in months', async () => {
  const { addLink, until } = await serviceOf()
  const link = await addLink({ memberId: reyes })
  const own = ['You: Griddle, Pancake breakfast crew']
  await until(async () => expect(await ownOn(link)).toEqual(own))
  const page = await (await fetch(link)).text()
  expect(page).toContain('<h1 id="greeting" dir="auto">Hello, Jordan</h1>')
  expect(page).not.toContain('Follow us')
  const [, path = ''] = /href="(signup\/\d+)"/.exec(page) ?? []
  expect(await (await fetch(`${link}${path}`)).text()).toContain('Pancake breakfast crew')
  const [, day = ''] = /data-day="([^"]+)"/.exec(page) ?? []
  expect(await ownOn(`${link}agenda?from=${day}`)).toEqual(own)
  const mine = await (await fetch(`${link}agenda?from=${day}&show=personal`)).text()
  expect(mine.match(/class="ev"/g)).toHaveLength(1)
  const searched = async (q: string) => ownOn(`${link}agenda?from=${day}&show=personal&q=${q}`)
  expect([await searched('griddle'), await searched('pancake'), await searched('hose')]).toEqual([
    own,
    own,
    [],
  ])
  expect(await ownOn(`${link}month/${day.slice(0, 7)}`)).toEqual(own)
  const forAll = await addLink({})
  expect(await ownOn(forAll)).toEqual([])
  expect((await fetch(`${forAll}agenda?show=personal`)).status).toBe(400)
})

test('shows only the member’s own entries with show=personal, which the page saves if nothing is chosen', async () => {
  const { addLink, until } = await serviceOf()
  const link = await addLink({ memberId: reyes })
  await until(async () => expect((await calendarAt(link)).titles.toSorted()).toEqual(titles))
  const own = async (query: string) =>
    readCalendar(await (await fetch(`${link}my.ics${query}`)).text()).events.map(
      ({ summary }) => summary,
    )
  expect((await own('?show=personal')).toSorted()).toEqual(titles)
  expect(await own('?show=personal&q=griddle')).toEqual(titles.slice(0, 1))
  expect(await own('?show=personal&q=hazmat')).toEqual(titles.slice(1))
  const itemsWith = async (word: string) => {
    const rss = await (await fetch(`${link}my.rss?show=personal&q=${word}`)).text()
    return rss.split('<item>').length - 1
  }
  expect([await itemsWith('griddle'), await itemsWith('hazmat')]).toEqual([1, 0])
  const saved = await fetch(link, { method: 'POST', body: new URLSearchParams({ show: '' }) })
  expect(saved.status).toBe(200)
  expect((await own('')).toSorted()).toEqual(titles)
  expect(await (await fetch(`${link}feeds`)).text()).not.toContain('no longer')
  const body = new URLSearchParams({ 'news.feed': 'news' })
  expect((await fetch(`${link}feeds`, { method: 'POST', body })).status).toBe(200)
  expect((await own('')).toSorted()).toEqual(titles)
  const forAll = await addLink({})
  const refused = await fetch(`${forAll}my.ics?show=personal`)
  expect([refused.status, await refused.text()]).toEqual([
    400,
    expect.stringContaining('not for a member'),
  ])
})

test('has a news feed of only the member’s own entries, soonest first, for feed readers', async () => {
  const { addLink, until, clock, website } = await serviceOf()
  website.edit = (sample) => ({
    ...sample,
    training: sample.training.map((each) =>
      'expires' in each && each.expires !== '' && each.memberId === reyes
        ? { ...each, expires: '2026-09-01' }
        : each,
    ),
  })
  const link = await addLink({ memberId: reyes })
  const get = (path: string) => fetch(`${link}${path}`)
  type Item = Readonly<Record<'id' | 'title' | 'url', string>> & {
    readonly tags: readonly string[]
  }
  const itemsOf = async (query: string) => {
    const response = await get(`my.json${query}`)
    expect(response.status).toBe(200)
    return ((await response.json()) as { readonly items: readonly Item[] }).items
  }
  const own = [
    expect.stringMatching(/^\w+ \d+, 2026: You: Griddle, Pancake breakfast crew$/),
    'Sep 1, 2026: You: Hazmat Operations expires',
  ]
  await until(async () =>
    expect((await itemsOf('?show=personal')).map(({ title }) => title)).toEqual(own),
  )
  const [shift] = await itemsOf('?show=personal')
  expect(shift).toMatchObject({
    tags: ['Personal'],
    id: expect.stringMatching(/member-5-signup-\d+$/),
  })
  expect(new URL(shift?.url ?? '').pathname).toMatch(/^\/signup\/\d+$/)
  for (const format of ['rss', 'atom']) {
    const text = await (await get(`my.${format}?show=personal`)).text()
    expect(text).toContain('The sign-ups and expiring certifications')
    expect(text.match(/<title[^>]*>[^<]*(?:<!\[CDATA\[)?[^<]*You: /g)).toHaveLength(2)
    for (const name of memberNames.values()) expect(text).not.toContain(name)
  }
  expect(JSON.stringify(await itemsOf(''))).not.toContain('You: ')
  const forAll = await addLink({})
  expect((await fetch(`${forAll}my.rss?show=personal`)).status).toBe(400)
  expect((await fetch(`${forAll}all.rss?show=personal`)).status).toBe(400)
  await clock.leap(10 * 365 * 24 * 60 * 60_000)
  await until(async () => expect(await itemsOf('?show=personal')).toEqual([]))
})

test('shows a member’s own sign-ups and certifications, and nobody else’s', async () => {
  const { addLink, until } = await serviceOf()
  const link = await addLink({ memberId: reyes })
  await until(async () => {
    const { titles: own, events } = await calendarAt(link)
    expect(own.toSorted()).toEqual(titles)
    const crew = events.find(({ summary }) => summary === 'Weekend standby crew')
    expect(crew?.description).toMatch(/\d of 7 places open/)
  })
  const { text, events } = await calendarAt(link)
  const sheets = events.filter(({ uid }) => /^(member|signup)-/.test(uid))
  for (const name of memberNames.values()) expect(JSON.stringify(sheets)).not.toContain(name)
  expect(text).not.toContain('Jordan Reyes')
})

test('reads the members and certifications only while a link names a member, and follows that member', async () => {
  const { addLink, editStored, resourcesRead: names, until } = await serviceOf()
  const link = await addLink({})
  await calendarAt(link)
  expect(await names()).not.toContain('members')
  expect(await names()).not.toContain('training')
  await editStored({ memberId: reyes })
  await until(async () => expect(await names()).toEqual(expect.arrayContaining(['members'])))
  expect(await names()).toContain('training')

  const ownersOf = async () =>
    new Set((await calendarAt(link)).own.map(({ uid }) => uid.slice(0, 9)))
  await until(async () => expect(await ownersOf()).toEqual(new Set(['member-5-'])))
  await editStored({ memberId: okafor })
  await until(async () => expect(await ownersOf()).toEqual(new Set(['member-3-'])))

  await editStored({ memberId: undefined })
  await until(async () => expect(await names()).not.toContain('members'))
  expect((await calendarAt(link)).own).toEqual([])
})

test('shows changed sign-ups and a new name after the next refresh', async () => {
  const { addLink, until, website, clock } = await serviceOf()
  const link = await addLink({ memberId: reyes })
  await until(async () => expect((await calendarAt(link)).own).not.toEqual([]))
  website.edit = (sample) => ({
    ...sample,
    members: sample.members.map((each) =>
      each.id === reyes ? { ...each, lastName: 'Ray' } : each,
    ),
    signup: sample.signup.map((sheet) => ({
      ...sheet,
      modified: '2026-03-05 10:01:00',
      groups: sheet.groups.map((group) => ({
        ...group,
        slots: group.slots.map((slot) => ({
          ...slot,
          signedUp: slot.position === 'Tickets' ? [{ name: 'Jordan Ray', note: '', date: '' }] : [],
        })),
      })),
    })),
  })
  await clock.advance(5 * 60_000)
  await until(async () => {
    const titles = (await calendarAt(link)).titles.filter((title) => title.endsWith('crew'))
    expect(new Set(titles)).toEqual(new Set(['You: Tickets, Pancake breakfast crew']))
  })
})

test.for([
  {
    name: 'has left',
    edit: (members: Dataset['members']) => members.filter(({ id }) => id !== reyes),
    sentence: /\(5\): the member is not on the website’s roster/,
    own: /^$/,
  },
  {
    name: 'shares a name',
    edit: (members: Dataset['members']) =>
      members.map((each) =>
        each.id === 6 ? { ...each, firstName: 'Jordan', lastName: 'Reyes' } : each,
      ),
    sentence: /\(5\): another member has the same first and last name/,
    own: /^You: [^,]+ expires$/,
  },
])('tells the admin about a member who $name', async ({ edit, sentence, own }) => {
  const { addLink, until, website, sentences, url } = await serviceOf()
  website.edit = (sample) => ({ ...sample, members: edit(sample.members) })
  const link = await addLink({ memberId: reyes })
  await until(async () => expect(await sentences()).toMatch(sentence))
  expect(await sentences()).not.toMatch(/Jordan|Reyes/)
  await until(async () => {
    const { titles, events } = await calendarAt(link)
    expect(titles.join()).toMatch(own)
    expect(events.map(({ summary }) => summary)).toContain('Weekend standby crew')
  })
  const { see } = await createAdmin(url).signIn()
  expect(await see('/admin/status')).toMatch(sentence)
  const [, path = ''] = /href="(\/admin\/links\/[a-z2-7]{8})"/.exec(await see('/admin')) ?? []
  expect(await see(path)).toMatch(/class="fault">(The member is not|Another member)/)
  const publicStatus = await (await fetch(`${url}/status`)).text()
  expect(publicStatus).not.toMatch(/roster|same first/)
})

test('keeps working without permission for the members, and lists the missing parts', async () => {
  const endpoints = ['events', 'calendar', 'rental', 'signup', 'news', 'announce']
  const { addLink, until, sentences, url, sandbox, clock } = await serviceOf({
    prepare: async (sandbox) => (await createManager(sandbox)).setProject(1, { endpoints }),
  })
  const link = await addLink({ memberId: reyes })
  await until(async () => {
    expect(await sentences()).toMatch(
      /not allowed to read members, so personal entries that need it are missing/,
    )
    expect(await sentences()).toMatch(/not allowed to read training/)
  })
  const { own, events } = await calendarAt(link)
  expect(own).toEqual([])
  expect(events.length).toBeGreaterThan(3)
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  await (await createManager(sandbox)).setProject(1, { endpoints: [...endpoints, 'members'] })
  await clock.advance(19 * 60_000)
  await until(async () => expect((await calendarAt(link)).own).not.toEqual([]))
})
