import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Collection } from '../../src/collections/collection.ts'
import { createRenderers } from '../../src/feeds/feed.ts'
import type { FeedResource } from '../../src/records/resources.ts'
import { renderCombined } from '../support/combined-calendar.ts'
import { collectionAfter } from '../support/feed-text.ts'
import { testSite } from '../support/site.ts'

const now = Date.parse('2026-03-05T15:00:00Z')

const sheet = (slots: readonly object[], change: object = {}) => ({
  id: 5,
  title: 'Weekend standby crew',
  status: 2,
  date: '2026-03-14',
  eventDate: '22:00',
  details: { sheet: { contact: 'Capt. Okafor' }, groups: [{ id: 51, name: 'Engine 1', slots }] },
  ...change,
})

const cert = (change: object = {}) => ({
  id: 90,
  status: 1,
  memberId: 7,
  member: 'Ann Cole',
  certId: 3,
  certName: 'CPR',
  issued: '2024-06-30',
  expires: '2026-06-30',
  certNumber: 'CP-4090',
  ...change,
})

type Items = Partial<Record<FeedResource, readonly unknown[]>>

/** Returns the collections after readings an hour apart. A missing resource is not changed. */
async function collectionsAfter(...readings: readonly [Items, ...Items[]]): Promise<Collection[]> {
  const resources = Object.keys(readings[0]) as FeedResource[]
  return Promise.all(
    resources.map((resource) => {
      let items: readonly unknown[] = []
      const all = readings.map((reading) => (items = reading[resource] ?? items))
      return collectionAfter(resource, all, now - readings.length * 3_600_000)
    }),
  )
}

type Options = Partial<Parameters<typeof renderCombined>[1]>

/** Renders the calendar of a link for Ann. */
async function annsCalendar(items: Items | Collection[], options: Options = {}) {
  const collections = Array.isArray(items) ? items : await collectionsAfter(items)
  const shared = { now, id: 'my', profile: 'members', memberId: 7 } as const
  return renderCombined(collections, { ...shared, ...options })
}

const ownOf = ({ events }: Awaited<ReturnType<typeof annsCalendar>>) =>
  events.filter(({ uid }) => uid.startsWith('member-'))

const ann = { id: 7, firstName: 'Ann', middleInitial: 'B', lastName: 'Cole', rank: 'EMT' }
const bo = { id: 8, firstName: 'Bo', middleInitial: '', lastName: 'Dietz', rank: 'Chief' }
const signUp = (name: string, note = '') => ({ name, note, date: '2026-03-01 12:00:00' })

const slot = (position: string, number: number, ...names: readonly string[]) => ({
  id: 1,
  number,
  position,
  signedUp: names.map((name) => signUp(name)),
})

const driver = sheet([
  slot('Officer', 1),
  slot('Driver', 1, 'Ann Cole'),
  slot('Crew', 6, 'Bo Dietz'),
])

const anns = (positions: string) => [`You: ${positions}, Weekend standby crew`]

const titlesOf = (calendar: Awaited<ReturnType<typeof annsCalendar>>) =>
  ownOf(calendar).map(({ summary }) => summary)

/** Returns the SEQUENCE of Ann's sign-up after these readings. */
const sequenceAfter = async (...readings: readonly [Items, ...Items[]]) => {
  const { text } = await annsCalendar(await collectionsAfter(...readings))
  return Number(/UID:member-7-signup-5@[^]*?SEQUENCE:(\d+)/.exec(text)?.[1])
}

const all = { members: [ann, bo], signup: [driver], training: [cert()] }

describe('the calendar of a link for a member', () => {
  test('adds the member’s own sign-ups and certification expiries', async () => {
    const { events } = await annsCalendar(all)
    expect(
      events.map(({ uid, summary, description }) => [uid.split('@')[0], summary, description]),
    ).toEqual([
      ['member-7-signup-5', 'You: Driver, Weekend standby crew', expect.any(String)],
      ['signup-5', 'Weekend standby crew', expect.stringContaining('6 of 8 places open')],
      ['member-7-certification-90', 'You: CPR expires', ''],
    ])
    expect(events[0]?.description).toBe('Engine 1: Driver\n\n6 of 8 places open')
  })

  test('puts them at the time of the sheet and on the day of the expiry', async () => {
    const { text } = await annsCalendar(all)
    const own = text.split('BEGIN:VEVENT').filter((part) => part.includes('UID:member-'))
    expect(own[0]).toContain('DTSTART;TZID=America/New_York:20260314T220000\r\n')
    expect(own[0]).toContain('TRANSP:OPAQUE')
    expect(own[1]).toContain('DTSTART;VALUE=DATE:20260630\r\n')
    expect(own[1]).toContain('TRANSP:TRANSPARENT')
    expect((await annsCalendar(all, { query: 'busy=1' })).text).toMatch(
      /certification-90@[^]*TRANSP:TRANSPARENT/,
    )
  })

  test.for([
    {
      name: 'two positions',
      slots: [slot('Driver', 1, 'Ann Cole'), slot('Cook', 2, 'Bo Dietz', 'Ann Cole')],
      titles: anns('Driver and Cook'),
    },
    {
      name: 'the same position twice',
      slots: [slot('Driver', 2, 'Ann Cole', 'Ann Cole')],
      titles: anns('Driver'),
    },
    { name: 'no position', slots: [slot('', 2, 'Ann Cole')], titles: anns('Engine 1') },
    { name: 'only others', slots: [slot('Driver', 1, 'Bo Dietz')], titles: [] },
    { name: 'a longer name', slots: [slot('Driver', 1, 'Ann Coleman')], titles: [] },
    { name: 'another case', slots: [slot('Driver', 1, 'ANN COLE')], titles: [] },
  ])('shows sign-ups: $name', async ({ slots, titles }) => {
    const calendar = await annsCalendar({ ...all, signup: [sheet(slots)], training: [] })
    expect(titlesOf(calendar)).toEqual(titles)
  })

  test('names the group of a position that several groups of a sheet have', async () => {
    const groups = [
      {
        id: 51,
        name: 'Engine 1',
        slots: [slot('Driver', 1, 'Bo Dietz'), slot('Cook', 1, 'Ann Cole')],
      },
      { id: 52, name: 'Engine 2', slots: [slot('Driver', 1, 'Ann Cole')] },
    ]
    const twoEngines = sheet([], { details: { sheet: {}, groups } })
    const calendar = await annsCalendar({ ...all, signup: [twoEngines], training: [] })
    expect(titlesOf(calendar)).toEqual(anns('Cook and Driver (Engine 2)'))
  })

  test.for([
    { name: 'expired', certs: [cert({ status: 3, expires: '2026-01-31' })], count: 1 },
    { name: 'not approved yet', certs: [cert({ status: 0 })], count: 0 },
    { name: 'without an expiration date', certs: [cert({ expires: '' })], count: 0 },
    { name: 'of another member', certs: [cert({ memberId: 8, member: 'Ann Cole' })], count: 0 },
    { name: 'replaced', certs: [cert(), cert({ id: 91, expires: '2028-06-30' })], count: 1 },
    { name: 'replaced for good', certs: [cert(), cert({ id: 91, expires: '' })], count: 0 },
    { name: 'of two kinds', certs: [cert(), cert({ id: 91, certId: 4 })], count: 2 },
  ])('shows certifications: $name', async ({ certs, count }) => {
    expect(titlesOf(await annsCalendar({ ...all, signup: [], training: certs }))).toHaveLength(
      count,
    )
  })

  test('shows no sign-ups if another member has the same name', async () => {
    const members = [ann, { ...bo, firstName: 'ann', lastName: 'COLE' }]
    expect(titlesOf(await annsCalendar({ ...all, members }))).toEqual(['You: CPR expires'])
  })

  test('keeps the other entries after the member has left', async () => {
    const { events } = await annsCalendar({ ...all, members: [bo] })
    expect(events.map(({ summary }) => summary)).toEqual(['Weekend standby crew'])
  })

  test.for(['members', 'signup', 'training'] as const)(
    'shows the rest without a copy of %s',
    async (missing) => {
      const { [missing]: _, ...rest } = { ...all, events: [] }
      expect(titlesOf(await annsCalendar(rest))).toEqual(
        {
          members: [],
          signup: ['You: CPR expires'],
          training: ['You: Driver, Weekend standby crew'],
        }[missing],
      )
    },
  )

  test('follows the current name of the member', async () => {
    const renderers = createRenderers(testSite)
    const slots = [slot('Driver', 1, 'Ann Cole'), slot('Cook', 2, 'Ann Smith')]
    const items = { ...all, signup: [sheet(slots)], training: [] }
    const renamed = { ...items, members: [{ ...ann, lastName: 'Smith' }, bo] }
    expect(titlesOf(await annsCalendar(items, { renderers }))).toEqual([
      'You: Driver, Weekend standby crew',
    ])
    expect(titlesOf(await annsCalendar(renamed, { renderers }))).toEqual([
      'You: Cook, Weekend standby crew',
    ])
  })

  test('gives entries a later SEQUENCE after the member is renamed', async () => {
    const slots = [slot('Driver', 1, 'Ann Cole'), slot('Cook', 2, 'Ann Smith')]
    const before = { ...all, signup: [sheet(slots)], training: [] }
    const renamed = { members: [{ ...ann, lastName: 'Smith' }, bo] }
    const first = await sequenceAfter(before, {})
    expect(await sequenceAfter(before, renamed)).toBeGreaterThan(first)
  })

  test('never mixes up two members', async () => {
    const renderers = createRenderers(testSite)
    const anns = titlesOf(await annsCalendar(all, { renderers }))
    const bos = titlesOf(await annsCalendar(all, { renderers, memberId: 8 }))
    expect(anns).toEqual(['You: Driver, Weekend standby crew', 'You: CPR expires'])
    expect(bos).toEqual(['You: Crew, Weekend standby crew'])
  })

  test('removes the entry of a deleted sheet, or marks it as canceled', async () => {
    const later = sheet([], { id: 6, title: 'Breakfast' })
    const bos = sheet([slot('Cook', 6, 'Bo Dietz')], { id: 7, title: 'Parade' })
    const before = { ...all, signup: [driver, later, bos], training: [] }
    const collections = await collectionsAfter(before, { signup: [later] })
    expect(titlesOf(await annsCalendar(collections))).toEqual([])
    const marked = await annsCalendar(collections, { query: 'cancelled=mark' })
    expect(titlesOf(marked)).toEqual(['Canceled: You: Driver, Weekend standby crew'])
    // Bo has canceled entries of his own.
    expect(
      titlesOf(await annsCalendar(collections, { query: 'cancelled=mark', memberId: 8 })),
    ).toEqual(['Canceled: You: Crew, Weekend standby crew', 'Canceled: You: Cook, Parade'])
  })

  test('removes the entry of a person who no longer takes part, without marking it', async () => {
    const before = { ...all, training: [] }
    const left = sheet([slot('Driver', 1), slot('Crew', 6, 'Bo Dietz')])
    const collections = await collectionsAfter(before, { signup: [left] })
    expect(titlesOf(await annsCalendar(collections, { query: 'cancelled=mark' }))).toEqual([])
  })

  test('hides sheets that the profile does not show', async () => {
    const pending = { ...all, signup: [{ ...driver, status: 0 }], training: [] }
    expect(titlesOf(await annsCalendar(pending))).toEqual([])
    expect(titlesOf(await annsCalendar(pending, { profile: 'full' }))).toHaveLength(1)
  })

  test('has no part in a calendar with only single entries', async () => {
    const query = 'show=personal&ids=signup-5'
    const { events } = await annsCalendar(all, { query })
    expect(events.map(({ uid }) => uid.split('@')[0])).toEqual(['signup-5'])
  })

  test('stays the same without a member', async () => {
    const { events } = await annsCalendar(all, { memberId: undefined })
    expect(events.map(({ uid }) => uid.split('@')[0])).toEqual(['signup-5'])
  })
})

const person = fc.constantFrom('Ann Cole', 'Bo zqxj', 'Zqxj Cole', 'Ann  Zqxj', 'zqxj')
const randomSheet = fc
  .record({
    id: fc.integer({ min: 1, max: 3 }),
    status: fc.constantFrom(0, 1, 2),
    slots: fc.array(
      fc.record({
        id: fc.constant(1),
        number: fc.constantFrom(0, 1, 3),
        position: fc.constantFrom('Driver', 'Cook', ''),
        signedUp: fc.array(fc.record({ name: person, note: person, date: person }), {
          maxLength: 4,
        }),
      }),
      { maxLength: 3 },
    ),
  })
  .map(({ slots, ...rest }) =>
    sheet(slots, {
      ...rest,
      createdBy: 'zqxj',
      details: { sheet: { contact: 'zqxj' }, groups: [{ id: 1, name: 'Hall', slots }] },
    }),
  )
const randomMember = fc.record({
  id: fc.integer({ min: 6, max: 9 }),
  firstName: fc.constantFrom('Ann', 'Zqxj', 'Bo', ''),
  lastName: fc.constantFrom('Cole', 'zqxj', ''),
  rank: fc.constant('zqxj'),
})
const randomCert = fc
  .record({
    id: fc.integer({ min: 1, max: 5 }),
    memberId: fc.integer({ min: 6, max: 9 }),
    status: fc.constantFrom(0, 1, 2, 3),
    expires: fc.constantFrom('', '2026-06-30', '2027-01-31'),
    certNumber: person,
  })
  .map((change) => cert({ ...change, member: 'zqxj' }))
const reading = fc.record({
  members: fc.array(randomMember, { maxLength: 4 }),
  signup: fc.array(randomSheet, { maxLength: 3 }),
  training: fc.array(randomCert, { maxLength: 4 }),
})
const options = fc.record({
  query: fc.constantFrom('', 'cancelled=mark', 'changes=note', 'dedupe=0&prefix=1', 'show=events'),
})

test('never contains the name of another person', async () => {
  await fc.assert(
    fc.asyncProperty(reading, reading, options, async (first, second, { query }) => {
      const collections = await collectionsAfter({ ...first, events: [] }, second)
      const { text } = await annsCalendar(collections, { query })
      expect(text.replaceAll('\r\n ', '').toLowerCase()).not.toContain('zqxj')
      expect(text).not.toContain('Ann Cole')
      const full = await annsCalendar(collections, { query, profile: 'full' })
      for (const own of ownOf(full)) expect(JSON.stringify(own).toLowerCase()).not.toContain('zqxj')
    }),
    { numRuns: 60 },
  )
})

test('keeps each UID for a member and a record, and never repeats one', async () => {
  await fc.assert(
    fc.asyncProperty(reading, reading, async (first, second) => {
      for (const items of [first, second]) {
        const collections = await collectionsAfter({ ...items, events: [] })
        const { events } = await annsCalendar(collections)
        const uids = events.map(({ uid }) => uid)
        expect(new Set(uids).size).toBe(uids.length)
        for (const { uid, summary } of events) {
          expect(uid).toMatch(/^(signup|member-7-(signup|certification))-\d@cedarhollow\.example$/)
          expect(summary.startsWith('You: ')).toBe(uid.startsWith('member-7-'))
        }
      }
    }),
    { numRuns: 40 },
  )
})
