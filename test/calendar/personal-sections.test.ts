import { describe, expect, test } from 'vitest'
import { createRenderers } from '../../src/feeds/feed.ts'
import {
  annsCalendar,
  cert,
  collectionsAfter,
  type Items,
  ownOf,
  sheet,
} from './personal-sections.ts'
import { testSite } from '../support/site.ts'

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
    const before = { ...all, signup: [driver, later], training: [] }
    const collections = await collectionsAfter(before, { signup: [later] })
    expect(titlesOf(await annsCalendar(collections))).toEqual([])
    const marked = await annsCalendar(collections, { query: 'cancelled=mark' })
    expect(titlesOf(marked)).toEqual(['Canceled: You: Driver, Weekend standby crew'])
    // Bo has a canceled entry of his own, and others have none.
    expect(
      titlesOf(await annsCalendar(collections, { query: 'cancelled=mark', memberId: 8 })),
    ).toEqual(['Canceled: You: Crew, Weekend standby crew'])
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

  test('stays the same without a member', async () => {
    const { events } = await annsCalendar(all, { memberId: undefined })
    expect(events.map(({ uid }) => uid.split('@')[0])).toEqual(['signup-5'])
  })
})
