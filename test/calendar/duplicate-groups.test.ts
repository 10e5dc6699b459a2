import fc from 'fast-check'
import { expect, test } from 'vitest'
import { atOnce } from '../../src/steps.ts'
import { describedText } from '../../src/calendar/entry-recipe.ts'
import { duplicateGroups } from '../../src/calendar/duplicate-groups.ts'
import { feeds } from '../../src/feeds/catalog.ts'
import { duplicatesIn } from '../../src/feeds/duplicates.ts'
import { collectionAfter } from '../support/feed-text.ts'
import { testSite } from '../support/site.ts'

const hourMs = 3_600_000
const start = Date.UTC(2026, 2, 1, 12, 30)

type Wish = { readonly title?: string; readonly day?: number; readonly status?: number }

const resources = ['calendar', 'events', 'signup'] as const

type Reading = { readonly [R in (typeof resources)[number]]?: Readonly<Record<number, Wish>> }

function recordOf(id: number, { title = 'Drill', day = 7, ...wish }: Wish) {
  const startDate = `2026-03-0${day}`
  const time = { startDate, startTime: '19:00:00', allDay: 0 }
  const sheet = { date: startDate, eventDate: '7:00 PM' }
  return { id, title, status: 2, location: 'Station 1', ...time, ...sheet, ...wish }
}

/** Makes the guard accept that other records disappear. */
const others = [97, 98, 99].map((id) => recordOf(id, { title: `Meeting ${id}`, day: 9 }))

/** Returns the groups after these readings, an hour apart, as texts. */
async function groupsAfter(...readings: readonly Reading[]): Promise<readonly string[]> {
  const sources = await Promise.all(
    resources.map(async (resource, index) => {
      const items = readings.map((reading) => [
        ...Object.entries(reading[resource] ?? {}).map(([id, wish]) => recordOf(Number(id), wish)),
        ...others.map((record) => ({ ...record, title: `${record.title} ${resource}` })),
      ])
      // The last resources are read first.
      const source = await collectionAfter(resource, items, start - index * 1000)
      const feed = feeds.find((each) => each.resource === resource)
      if (!feed) throw new TypeError(`there is no feed of ${resource}`)
      return { feed, source }
    }),
  )
  return atOnce(duplicatesIn(sources, { site: testSite, profile: 'public' })).map((group) =>
    group
      .map(({ resource, id, state, changedAt }) => {
        const hour = Math.ceil((changedAt - start) / hourMs)
        return `${resource} ${id}${state === 'listed' ? '' : ` ${state} at ${hour}`}`
      })
      .join(', '),
  )
}

const both: Reading = { calendar: { 1: {} }, events: { 1: {} } }

test('knows the records that describe the same event, in the order of the catalog', async () => {
  expect(await groupsAfter(both)).toEqual(['calendar 1, events 1'])
  expect(await groupsAfter({ ...both, events: { 1: { title: 'Other' } } })).toEqual([])
})

test('puts a record that was added later after the others', async () => {
  expect(await groupsAfter({ events: { 1: {} } }, both)).toEqual(['events 1, calendar 1'])
})

test('puts a record that was a draft after those that readers already had', async () => {
  const draft: Reading = { calendar: { 1: { status: 0 } } }
  const withDraft: Reading = { ...draft, events: { 1: {} } }
  expect(await groupsAfter(draft, withDraft, both)).toEqual(['events 1, calendar 1'])
  expect(await groupsAfter(draft, withDraft, both, { events: { 1: {} } })).toEqual([
    'events 1, calendar 1 removed at 3',
  ])
})

test('keeps a removed record, and forgets it 90 days later', async () => {
  const without: Reading = { events: { 1: {} } }
  expect(await groupsAfter(both, without)).toEqual(['calendar 1 removed at 1, events 1'])
  expect(await groupsAfter(both, without, both)).toEqual(['calendar 1, events 1'])
  expect(await groupsAfter(both, { calendar: { 1: {} } })).toEqual([
    'calendar 1, events 1 removed at 1',
  ])
  const hours = Array.from({ length: 90 * 24 + 1 }, () => without)
  expect(await groupsAfter(both, ...hours)).toEqual([])
})

test('keeps a group whose records have all been removed', async () => {
  expect(await groupsAfter(both, { events: { 1: {} } }, {})).toEqual([
    'calendar 1 removed at 1, events 1 removed at 2',
  ])
})

const rest = (wish: Wish): Reading => ({ events: { 1: wish } })

test('keeps a removed record when the rest of its group is moved or renamed later', async () => {
  const moved = [rest({ day: 8 }), rest({ day: 8, title: 'Hose drill' })]
  const kept = 'calendar 1 removed at 1, events 1'
  expect(await groupsAfter(both, rest({}), ...moved)).toEqual([kept])
  expect(await groupsAfter(both, rest({}), rest({ title: 'Other' }))).toEqual([kept])
  expect(await groupsAfter(both, rest({}), ...moved, {})).toEqual([`${kept} removed at 4`])
})

test('adds a record that replaces a removed one', async () => {
  expect(await groupsAfter(both, { ...both, calendar: { 2: {} } })).toEqual([
    'calendar 1 removed at 1, events 1, calendar 2',
  ])
})

test('separates records that no longer describe the same event', async () => {
  const apart: Reading = { ...both, events: { 1: { day: 8 } } }
  expect(await groupsAfter(both, apart)).toEqual(['calendar 1, events 1 separate at 1'])
  const [together] = await groupsAfter(both, apart, both)
  expect(together).toBe('calendar 1, events 1')
})

test('gives the UID of a group to the oldest record that still describes the event', async () => {
  const three: Reading = { ...both, signup: { 1: {} } }
  expect(await groupsAfter(three)).toEqual(['calendar 1, events 1, signup 1'])
  expect(await groupsAfter(three, { ...three, calendar: { 1: { day: 9 } } })).toEqual([
    'events 1, signup 1, calendar 1 separate at 1',
  ])
})

test('does not group a record with one that was removed before it existed', async () => {
  const before: Reading = { calendar: { 1: {} } }
  expect(await groupsAfter(before, {}, { events: { 1: {} } })).toEqual([])
  expect(await groupsAfter(before, {}, { events: { 1: {} }, signup: { 1: {} } })).toEqual([
    'events 1, signup 1',
  ])
})

test('does not group a record with a removed one whose time or title it takes later', async () => {
  for (const wish of [{ day: 8 }, { title: 'Other' }]) {
    const before: Reading = { calendar: { 1: {} }, events: { 1: wish } }
    expect(await groupsAfter(before, rest(wish), rest({}))).toEqual([])
    expect(await groupsAfter(both, before, rest(wish), rest({}))).toEqual([])
  }
})

const wishes = fc.record({ day: fc.constantFrom(7, 8), title: fc.constantFrom('Drill', 'Other') })

/** One record at a time changes, or disappears for good. */
const edits = fc.array(
  fc.record({
    resource: fc.constantFrom('calendar', 'events'),
    wish: fc.option(wishes, { nil: undefined, freq: 4 }),
  }),
  { minLength: 2, maxLength: 8 },
)

const membersOf = (group: string): readonly string[] => group.match(/[a-z]+ 1/g) ?? []

test('keeps a removed record only in a group that it was in', async () => {
  await fc.assert(
    fc.asyncProperty(edits, async (changes) => {
      const readings: Reading[] = [both]
      for (const { resource, wish } of changes) {
        const before = readings.at(-1)
        const isRemoved = wish === undefined || !before?.[resource]?.[1]
        readings.push({ ...before, [resource]: isRemoved ? {} : { 1: wish } })
      }
      for (const group of await groupsAfter(...readings)) {
        for (const [, removed = '', hour] of group.matchAll(/([a-z]+ 1) removed at (\d+)/g)) {
          const before = await groupsAfter(...readings.slice(0, Number(hour)))
          const shared = before
            .map((each) => membersOf(each).filter((member) => membersOf(group).includes(member)))
            .filter((members) => members.includes(removed) && members.length > 1)
          expect(shared).not.toEqual([])
        }
      }
    }),
    { numRuns: 60 },
  )
})

test('never groups records of one resource', async () => {
  expect(await groupsAfter({ calendar: { 1: {} } }, { calendar: { 2: {} } })).toEqual([])
  expect(await groupsAfter({ calendar: { 1: {}, 2: {} } })).toEqual([])
})

test('gives each removed record to one group only', async () => {
  const pairs: Reading = { calendar: { 1: {}, 2: {} }, events: { 1: {}, 2: {} } }
  const groups = await groupsAfter(pairs, { ...pairs, calendar: { 2: {} } })
  expect(groups.join('; ').match(/calendar 1/g)).toHaveLength(1)
})

test.for([
  ['reads the text of each entry once, however many former entries start at the same time', 20, 40],
  ['reads no text if very many entries start at the same time', 51, 0],
] as const)('%s', ([, count, read]) => {
  let texts = 0
  const time = { allDay: false, start: '2026-03-07T19:00:00', end: undefined } as const
  const ids = Array.from({ length: count }, (_, index) => index + 1)
  const known = { hash: '', revision: 1, firstSeenAt: start, changedAt: start + hourMs }
  const sources = (['calendar', 'events'] as const).map((resource) => ({
    resource,
    entries: ids.map((id) => ({
      record: { id } as never,
      time,
      partId: undefined,
      known,
      textFor() {
        texts += 1
        return { summary: `${resource} ${id}`, location: '', description: '', categories: [] }
      },
    })),
    former: ids.map((id) => ({
      id,
      partId: undefined,
      time,
      title: `former ${resource} ${id}`,
      place: 'Station 1',
      firstSeenAt: start,
      until: start + hourMs,
      isRemoved: false,
    })),
  }))
  atOnce(duplicateGroups(sources, { profile: 'public', siteUrl: testSite.url }))
  expect(texts).toBe(read)
})

test('compares titles and places without the descriptions, which can be very long', async () => {
  let described = 0
  const entry = (id: number) => ({
    record: { id },
    time: { allDay: true, start: '2026-03-06', end: undefined },
    known: { firstSeenAt: start, changedAt: start },
    partId: undefined,
    textFor: () =>
      describedText({ summary: 'Drill', location: '', categories: [] }, () => {
        described += 1
        return ''
      }),
  })
  const sources = (['events', 'calendar'] as const).map((resource, index) => ({
    resource,
    entries: [entry(index + 1)],
    former: [],
  }))
  const groups = atOnce(
    duplicateGroups(sources as never, { profile: 'public', siteUrl: testSite.url }),
  )
  expect(groups).toHaveLength(1)
  expect(described).toBe(0)
})
