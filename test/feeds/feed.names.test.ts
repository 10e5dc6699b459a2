import { expect, test } from 'vitest'
import { loadKept, saveKept, storedStates } from '../../src/collections/copy/stored-collections.ts'
import { applyReading } from '../../src/collections/copy/collection-copy.ts'
import { feedMessages } from '../../src/feeds/messages.ts'
import { collectionAfter, renderFeed } from '../support/feed-text.ts'
import { renderCombined } from '../support/combined-calendar.ts'
import { openTestStore } from '../support/store.ts'
import { testSite } from '../support/site.ts'

const now = Date.parse('2026-03-05T15:00:00Z')
const event = { id: 1, title: 'Drill', status: 2, startDate: '2026-03-06', allDay: 1 }
const company = { ...event, calendarId: 1, calendar: 'Company' }
const drills = { ...event, id: 2, calendarId: 2, calendar: 'Drills' }
const other = { ...event, id: 3, calendarId: 3, calendar: 'Board' }

const named = (name: string) => feedMessages('en-US').titled(testSite.name, name)

test('names combined calendars after the calendars that they show', async () => {
  const collections = [await collectionAfter('calendar', [[company, drills]], now)]
  const nameWith = (query: string) =>
    renderCombined(collections, { now, query, profile: 'members' }).title
  expect(nameWith('show=calendar:1')).toBe(named('Company'))
  expect(nameWith('show=calendar:2')).toBe(named('Drills'))
  expect(nameWith('show=calendar:1.2')).toBe(named('Company, Drills'))
  expect(nameWith('show=calendar')).toBe(named('Calendar'))
})

test('distinguishes two calendars with the same name', async () => {
  const collections = [
    await collectionAfter('calendar', [[company, { ...drills, calendar: 'Company' }]], now),
  ]
  const titleWith = (query: string) => renderCombined(collections, { now, query }).title
  expect(titleWith('show=calendar:1')).toBe(named('Company (1)'))
  expect(titleWith('show=calendar:2')).toBe(named('Company (2)'))
})

const story = { id: 1, date: '2026-03-05 09:00:00', headline: 'Fire', deployed: 1 }
const incident = { ...story, categoryId: 7, category: 'Incidents' }

test.for([
  ['calendar', 'calendar=1', company, named('Company'), 'ics'],
  ['rental', 'type=4', { ...event, typeId: 4, type: 'Hall' }, named('Hall'), 'ics'],
  ['news', 'category=7', incident, named('Incidents'), 'rss'],
] as const)(
  'keeps the name of %s after its last record',
  async ([id, query, item, name, format]) => {
    const unrelated = {
      ...item,
      id: 9,
      calendarId: 3,
      typeId: 3,
      categoryId: 3,
      type: '',
      calendar: '',
      category: '',
    }
    const source = await collectionAfter(id, [[item, unrelated], [unrelated]], now - 3_600_000)
    const { title, text } = renderFeed(id, source, { now, query, format })
    expect(title).toBe(name)
    expect(text).not.toContain(`${id}-1@`)
  },
)

test('keeps the name after a restart', async () => {
  const store = openTestStore(() => now)
  const read = (kept: Parameters<typeof applyReading<'calendar'>>[1], items: readonly object[]) =>
    applyReading('calendar', kept, { items: async () => items, calls: 1, days: undefined }, now)
  const { kept: first } = await read(undefined, [company, other])
  const { kept } = await read(first, [other])
  const saving = { revision: 0, contentId: 'c', isContentNew: true, heldItems: undefined }
  await saveKept(store.documents, 'calendar', kept, saving)
  const state = (await storedStates(store.documents)).get('calendar')
  const loaded = state && (await loadKept(store.documents, 'calendar', state))
  const source = loaded?.collection ?? first.collection
  expect(source).toEqual(kept.collection)
  expect(renderFeed('calendar', source, { now, query: 'calendar=1' }).title).toBe(named('Company'))
})
