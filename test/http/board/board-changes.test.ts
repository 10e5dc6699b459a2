import { expect, test } from 'vitest'
import type { Collections } from '../../../src/collections/collections.ts'
import { feeds } from '../../../src/feeds/catalog.ts'
import { changeItems, recentChanges } from '../../../src/http/board/board-changes.ts'
import type { FeedResource } from '../../../src/records/resources.ts'
import { sampleDatasetOn } from '../../../src/sandbox/sample/sample-dataset.ts'
import type { BoardItem } from '../../../src/signage/board-item.ts'
import { chosenForList } from '../../support/chosen-options.ts'
import { contextWith } from '../../support/context.ts'
import { collectionAfter } from '../../support/feed-text.ts'
import { startTestService } from '../../support/service.ts'
import { testSite } from '../../support/site.ts'
import { waitFor } from '../../support/wait-for.ts'

const hourMs = 60 * 60 * 1000
const start = Date.parse('2026-03-05T15:00:00Z')

const drill = {
  id: 1,
  title: 'Drill',
  status: 2,
  calendarId: 3,
  startDate: '2026-03-10',
  allDay: 1,
}
const dinner = { ...drill, id: 2, title: 'Dinner', calendarId: 4 }
const meeting = { ...drill, id: 3, title: 'Meeting' }

/** Returns the titles on a board of the calendar some hours after a change to all entries. */
async function titlesAfter(hours: number, query = '') {
  const moved = [drill, dinner].map((event) => ({ ...event, startDate: '2026-03-11' }))
  const readings = [
    [drill, dinner, meeting],
    [...moved, meeting],
  ]
  const copy = await collectionAfter('calendar', readings, start)
  const calendar = feeds.filter(({ id }) => id === 'calendar')
  const copyOf = (resource: FeedResource) => (resource === 'calendar' ? copy : undefined)
  const changes = recentChanges(
    calendar,
    contextWith({ site: testSite, collections: { copyOf: copyOf as Collections['copyOf'] } }),
    {
      duplicates: [],
      filters: new Map(calendar.map((feed) => [feed, chosenForList(feed, query)])),
      now: start + (1 + hours) * hourMs,
    },
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

test('lists only changes in the calendars that the board shows', async () => {
  expect(await titlesAfter(0, 'calendar=3')).toEqual([inCalendar[3]])
  expect(await titlesAfter(0, 'calendar=5')).toEqual([])
})

const changesAt = async (address: string) => {
  const response = await fetch(address)
  expect(response.status).toBe(200)
  const items = (await response.json()) as readonly { role: string; title: string }[]
  return items.filter(({ role }) => role === 'changes').map(({ title }) => title)
}

const elsewhere = <T extends { readonly startDate: string }>(event: T, location: string) =>
  event.startDate.startsWith('2026-03-2') ? { ...event, location } : event

test('shows changes on boards that ask for them, of feeds that they may show', async () => {
  let dataset = sampleDatasetOn('2026-03-05')
  await using service = await startTestService({
    publicFeedIds: ['events', 'news'],
    sandbox: { datasetOn: () => dataset },
  })
  const { url, clock } = service
  const link = await service.addLink({})
  expect(await changesAt(`${url}/board.json?changes=1`)).toEqual([])
  expect(await changesAt(`${link}board.json?changes=1`)).toEqual([])
  expect(await (await fetch(`${url}/board?changes=1`)).text()).not.toContain('last 24 hours')
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
  expect(everyone.join('\n')).not.toContain('Back lot')
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
