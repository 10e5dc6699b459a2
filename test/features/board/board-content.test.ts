import { expect, test } from 'vitest'
import type { Collections } from '../../../src/collections/collections.ts'
import { feeds } from '../../../src/feeds/catalog.ts'
import { sourcesOf } from '../../../src/feeds/combined-feed.ts'
import {
  changeItems,
  dutyCalendars,
  dutyItems,
  recentChanges,
  withDutyOnce,
} from '../../../src/features/board/board-content.ts'
import type { FeedResource } from '../../../src/records/resources.ts'
import { sampleDatasetOn } from '../../../src/sandbox/sample/sample-dataset.ts'
import { boardItem, type BoardItem } from '../../../src/signage/board-item.ts'
import { chosenForList } from '../../support/chosen-options.ts'
import { collectionAfter } from '../../support/feed-text.ts'
import { sampleEvent } from '../../support/sample-event.ts'
import { startTestService } from '../../support/service.ts'
import { sharedService } from '../../support/shared-service.ts'
import { testSite } from '../../support/site.ts'
import { waitFor } from '../../support/wait-for.ts'

const hourMs = 60 * 60 * 1000
const start = Date.parse('2026-03-05T15:00:00Z')

const day = { startDate: '2026-03-10', allDay: 1 }
const drill = { id: 1, title: 'Drill', status: 2, calendarId: 3, ...day }
const dinner = { ...drill, id: 2, title: 'Dinner', calendarId: 4 }
const meeting = { ...drill, id: 3, title: 'Meeting' }

const picnic = { ...drill, id: 4, title: 'Picnic' }
const moved = [drill, dinner].map((event) => ({ ...event, startDate: '2026-03-11' }))

/** Returns the titles on a board of the calendar some hours after a change to all entries. */
async function titlesAfter(
  hours: number,
  query = '',
  between: readonly (readonly object[])[] = [],
) {
  const readings = [[drill, dinner, meeting], ...between, [...moved, meeting]]
  const copy = await collectionAfter('calendar', readings, start)
  const calendar = feeds.filter(({ id }) => id === 'calendar')
  const copyOf = (resource: FeedResource) => (resource === 'calendar' ? copy : undefined)
  const changes = recentChanges(
    sourcesOf(calendar, copyOf as Collections['copyOf']),
    { site: testSite, profile: 'full', now: start + (1 + hours) * hourMs },
    new Map(calendar.map((feed) => [feed, chosenForList(feed, query)])),
    [],
  )
  return changeItems(changes, testSite).map(({ title }) => title)
}

const inCalendar = {
  3: 'Moved: Drill, now Wed, Mar 11 (was Tue, Mar 10)',
  4: 'Moved: Dinner, now Wed, Mar 11 (was Tue, Mar 10)',
}

test('lists the changes of the last 24 hours', async () => {
  expect(await titlesAfter(0)).toEqual([inCalendar[4], inCalendar[3]])
  expect(await titlesAfter(23.9)).toHaveLength(2)
  expect(await titlesAfter(24)).toEqual([])
})

test('lists the latest change first', async () => {
  const between = [[drill, moved[1] ?? dinner, meeting]]
  expect(await titlesAfter(1, '', between)).toEqual([inCalendar[3], inCalendar[4]])
})

test('lists only changes in the calendars that the board shows', async () => {
  expect(await titlesAfter(0, 'calendar=3')).toEqual([inCalendar[3]])
  expect(await titlesAfter(0, 'calendar=5')).toEqual([])
})

test('lists only changes to entries that match a search, even canceled ones', async () => {
  expect(await titlesAfter(0, 'q=drill')).toEqual([inCalendar[3]])
  expect(await titlesAfter(0, 'q=-drill')).toEqual([inCalendar[4]])
  expect(await titlesAfter(0, 'place=hall')).toEqual([])
  expect(await titlesAfter(1, 'q=picnic', [[drill, dinner, meeting, picnic]])).toEqual([
    'Canceled: Picnic, Tue, Mar 10',
  ])
})

const changesAt = async (address: string) => {
  const response = await fetch(address)
  expect(response.status).toBe(200)
  const items = (await response.json()) as readonly { role: string; title: string }[]
  return items.filter(({ role }) => role === 'changes').map(({ title }) => title)
}

const elsewhere = <T extends { readonly startDate: string }>(event: T, location: string) =>
  event.startDate.startsWith('2026-03-2') ? { ...event, location } : event

test('shows changes on boards that ask for them and in feeds, of calendars that they may show', async () => {
  let dataset = sampleDatasetOn('2026-03-05')
  await using service = await startTestService({
    publicFeedIds: ['events', 'news'],
    sandbox: { datasetOn: () => dataset },
  })
  const { url, clock } = service
  const link = await service.addLink({})
  expect(await changesAt(`${url}/board.json?changes=1`)).toEqual([])
  expect(await changesAt(`${link}board.json?changes=1`)).toEqual([])
  expect(await (await fetch(`${url}/board?changes=1`)).text()).not.toContain('<h2>Changed in')
  dataset = {
    ...dataset,
    events: dataset.events.map((event) => elsewhere(event, 'Riverside Park')),
    calendar: dataset.calendar.map((event) => elsewhere(event, 'Back lot')),
  }
  await clock.advance(hourMs)
  await waitFor(async () => {
    const titles = await changesAt(`${link}board.json?changes=1`)
    expect(titles.join('\n')).toMatch(/Back lot[^]*Riverside Park|Riverside Park[^]*Back lot/)
  })
  const everyone = await changesAt(`${url}/board.json?changes=1`)
  expect(everyone.join('\n')).toContain('now Riverside Park')
  expect(everyone.length).toBeGreaterThan(1)
  expect(await changesAt(`${url}/board.json?changes=1&limit=1`)).toEqual(everyone.slice(0, 1))
  expect(everyone.join('\n')).not.toContain('Back lot')
  expect(await (await fetch(`${url}/changes.rss`)).text()).not.toContain('Back lot')
  expect(await (await fetch(`${link}changes.rss`)).text()).toContain('Back lot')
  expect(await changesAt(`${link}board.json?changes=1&show=events`)).toEqual(everyone)
  expect(await changesAt(`${url}/board.json`)).toEqual([])
  const page = await (await fetch(`${url}/board?changes=1`)).text()
  expect(page).toContain('<h2>Changed in the last 24 hours</h2>')
  const marked = (await (await fetch(`${url}/board.json`)).json()) as readonly BoardItem[]
  const places = (isChanged: boolean) =>
    marked
      .filter(({ changedAt }) => (changedAt !== null) === isChanged)
      .map((item) => item.location)
  expect(new Set(places(true))).toEqual(new Set(['Riverside Park']))
  expect(places(false)).not.toContain('Riverside Park')
  expect(await (await fetch(`${url}/board.rss?changes=1`)).text()).toContain('New place:')
  const invalid = await fetch(`${url}/board?changes=note`)
  expect([invalid.status, await invalid.text()]).toEqual([400, 'changes must be 0 or 1.\n'])
})

const service = sharedService({ publicFeedIds: ['events', 'calendar'] })

async function itemsOf(query: string): Promise<readonly BoardItem[]> {
  const response = await fetch(`${service().url}/board.json${query}`)
  expect(response.status).toBe(200)
  return (await response.json()) as readonly BoardItem[]
}

const about = { id: 'calendar-1', kind: 'calendar', role: 'agenda', title: '', when: '' } as const

test.for([
  ['an all-day entry', '2026-03-05', '2026-03-06', true],
  ['a night', '2026-03-05T22:00:00', '2026-03-06T06:00:00', true],
  ['a day shift', '2026-03-05T07:00:00', '2026-03-05T15:00:00', true],
  ['a meeting', '2026-03-05T19:00:00', '2026-03-05T21:00:00', false],
  ['an evening until midnight', '2026-03-05T20:00:00', '2026-03-06T00:00:00', false],
  ['an entry without an end', '2026-03-05T19:00:00', null, false],
] as const)('decides for %s whether it is duty', ([, start, end, isDuty]) => {
  const item = boardItem({ ...about, start, end, allDay: start.length === 10 })
  const expected = isDuty ? [{ ...item, role: 'duty' }] : []
  expect(dutyItems([item])).toEqual(expected)
})

test('marks each entry with its latest change', async () => {
  let dataset = sampleDatasetOn('2026-03-05')
  await using service = await startTestService({
    publicFeedIds: ['events'],
    sandbox: { datasetOn: () => dataset },
  })
  const { url, clock } = service
  const moveTo = async (place: string) => {
    const events = dataset.events.map((event) => elsewhere(event, place))
    dataset = { ...dataset, events }
    await clock.advance(hourMs)
    return waitFor(async () => {
      const items = (await (await fetch(`${url}/board.json`)).json()) as readonly BoardItem[]
      const moved = items.filter(({ location }) => location === place)
      expect(moved.length).toBeGreaterThan(0)
      return moved.map(({ changedAt }) => Date.parse(changedAt ?? ''))
    })
  }
  expect((await fetch(`${url}/board.json`)).status).toBe(200)
  const first = await moveTo('Riverside Park')
  const second = await moveTo('Town Green')
  expect(second).toHaveLength(first.length)
  expect(Math.min(...second)).toBeGreaterThan(Math.max(...first))
})

test('marks no new entry as changed', async () => {
  const draft = sampleEvent(90, '2026-03-07T12:00:00', '2026-03-07T14:00:00', { status: 1 })
  const sample = sampleDatasetOn('2026-03-05')
  const datasetWith = (event: typeof draft) => ({ ...sample, events: [...sample.events, event] })
  let dataset = datasetWith(draft)
  await using service = await startTestService({
    publicFeedIds: ['events'],
    sandbox: { datasetOn: () => dataset },
  })
  const { url, clock } = service
  expect(await changesAt(`${url}/board.json?changes=1`)).toEqual([])
  dataset = datasetWith({ ...draft, status: 2 })
  await clock.advance(hourMs)
  await waitFor(async () => {
    expect(await changesAt(`${url}/board.json?changes=1`)).toEqual([
      expect.stringMatching(/^New: /),
    ])
  })
  const items = (await (await fetch(`${url}/board.json`)).json()) as readonly BoardItem[]
  expect(items.find(({ id }) => id === 'events-90')).toMatchObject({ changedAt: null })
})

test('finds duty only in calendars', () => {
  const found = { feed: { id: 'calendar' }, chosen: { query: 'calendar=3' } }
  expect(dutyCalendars(feeds, [3])).toMatchObject(found)
  expect(dutyCalendars(feeds, [])).toBeUndefined()
  expect(dutyCalendars([], [3])).toBeUndefined()
})

test('shows the entries of duty calendars apart from the agenda, and only once', async () => {
  const items = await itemsOf('?duty=3')
  const duty = items.filter(({ role }) => role === 'duty')
  expect(new Set(duty.map(({ category }) => category))).toEqual(new Set(['Duty Crews']))
  expect(duty[0]?.title).toMatch(/^Duty weekend: Crew/)
  expect(duty[1]?.title).toMatch(/^Night standby: Crew/)
  const ids = items.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(items.some(({ role }) => role === 'agenda')).toBe(true)
  expect((await itemsOf('')).filter(({ role }) => role === 'duty')).toEqual([])
})

test('keeps duty that public events have as well, and shows it only once', () => {
  const times = { start: '2026-03-07', end: '2026-03-08', allDay: true }
  const crew = { ...about, title: 'Standby crew', ...times }
  const duty = boardItem({ ...crew, role: 'duty' })
  const same = boardItem({ ...crew, id: 'events-1', kind: 'events', title: 'Standby Crew' })
  const other = boardItem({ ...crew, id: 'calendar-2' })
  const story = boardItem({ ...crew, id: 'news-1', kind: 'news', role: 'story' })
  const once = withDutyOnce([duty, boardItem(crew), other, same, story], feeds)
  expect(once).toEqual([duty, other, story])
})

test('shows the first entries of each feed if the number is limited', async () => {
  const all = await itemsOf('?show=calendar')
  expect(await itemsOf('?show=calendar&limit=3')).toEqual(all.slice(0, 3))
})

test('shows duty on boards that show other calendars or only events', async () => {
  for (const query of ['?duty=3&calendar=1', '?duty=3&show=events']) {
    const items = await itemsOf(query)
    const categories = items.map(({ role, category }) => `${role} ${category}`)
    expect(categories).toContain('duty Duty Crews')
    expect(categories).not.toContain('agenda Duty Crews')
  }
})

test('rejects the duty of a calendar that the viewer may not read', async () => {
  await using station = await startTestService({ publicFeedIds: ['events'] })
  await fetch(`${station.url}/events.ics`)
  expect((await fetch(`${station.url}/board.json?duty=3`)).status).toBe(403)
})

test('gives each calendar a color, and times with the UTC offset', async () => {
  const items = await itemsOf('?duty=3')
  const colors = Map.groupBy(items, ({ kind, category }) => (kind === 'calendar' ? category : kind))
  const all = [...colors.values()].map((each) => new Set(each.map(({ color }) => color)))
  expect(all.every(({ size }) => size === 1)).toBe(true)
  expect(new Set(all.flatMap((each) => [...each])).size).toBe(all.length)
  const timed = items.filter(({ startAt }) => startAt !== null)
  expect(timed.length).toBeGreaterThan(5)
  for (const { start, startAt } of timed) expect(startAt).toMatch(RegExp(`^${start}-0[45]:00$`))
  // Clocks change on the night of March 8.
  const night = items.find(({ start }) => start === '2026-03-07T22:00:00')
  expect(night?.startAt).toBe('2026-03-07T22:00:00-05:00')
  expect(night?.endAt).toBe('2026-03-08T06:00:00-04:00')
  expect(items.filter(({ allDay, startAt }) => allDay && startAt !== null)).toEqual([])
})
