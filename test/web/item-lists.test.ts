import { expect, test } from 'vitest'
import type { Chip } from '../../src/web/calendar-chips.ts'
import { agendaFrom, storiesFrom } from '../../src/web/item-lists.ts'
import { daysAfter } from '../../src/records/site-time.ts'
import { pageMessages } from '../../src/web/messages.ts'
import { pageLinks } from '../../src/web/translation.ts'
import { createPageWords, createRenderPage } from '../../src/web/templates.ts'
import { boardItem, type BoardItem } from '../../src/signage/board-item.ts'
import { contextWith } from '../support/context.ts'
import { testSite } from '../support/site.ts'

const today = '2026-11-23' // Monday
const days = { today, firstDay: today, language: 'en-US' }

const chip = (value: string, label: string, isChosen = true): Chip => {
  const [feedId = '', part] = value.split(':')
  const number = part === undefined ? undefined : Number(part)
  return { value, feedId, part: number, source: feedId, label, isChosen }
}

const chips = [
  chip('events', 'Public events'),
  chip('calendar:3', 'Drills'),
  chip('calendar:4', 'Meetings', false),
]

let latest = 0
const item = (kind: string, start: string, given: Partial<BoardItem> = {}): BoardItem =>
  boardItem({
    id: `${kind}-${(latest += 1)}`,
    kind,
    role: 'agenda',
    title: `Entry ${latest}`,
    when: '',
    start,
    end: null,
    allDay: start.length === 10,
    category: kind === 'calendar' ? 'Drills' : '',
    ...given,
  })

/** Returns the lines of the groups as pages show them. */
function linesIn(groups: ReturnType<typeof agendaFrom>): readonly (readonly string[])[] {
  const site = { ...testSite, language: 'en-US', timeZone: 'UTC' }
  const words = createPageWords(site, { now: () => Date.parse(`${today}T12:00:00Z`) })
  const shown = { level: 3, base: '', from: today, words, t: pageMessages('en') }
  const render = createRenderPage({ ...shown, ...pageLinks(site) })
  return groups.map((group) => {
    const html = render('agenda-groups', { groups: [group] })
    const [title = ''] = />([^<]+)<\/h3>/.exec(html)?.slice(1) ?? []
    const rows = html.match(/<li.*/g) ?? []
    const cells = rows.map((row) => row.split(/<[^>]+>/).filter((text) => text.trim() !== ''))
    return [
      title,
      ...cells.map(([weekday, day, name, line]) => `${weekday} ${day} ${name}: ${line}`),
    ]
  })
}

test('groups entries by week and month, with the time that the tile does not show', () => {
  const items = [
    item('calendar', '2026-11-24T19:00:00', { title: 'Drill', location: 'Station 1' }),
    item('events', '2026-11-23T18:00:00', { title: 'Supper', end: '2026-11-23T20:00:00' }),
    item('events', '2026-11-30', { title: 'Fair', end: '2026-12-02' }),
    item('signup', '2027-01-05', { title: 'Crew', end: '2027-01-06', open: 3, places: 8 }),
  ]
  const groups = agendaFrom(items, [...chips, chip('signup', 'Open sign-ups')], days)
  expect(linesIn(groups)).toEqual([
    ['This week', 'Mon 23 Supper: Today, 6 – 8 PM', 'Tue 24 Drill: Tomorrow, 7 PM · Station 1'],
    ['Later in November', 'Mon 30 Fair: Nov 30 – Dec 1'],
    ['January 2027', 'Tue 5 Crew: All day · 3 of 8 places open'],
  ])
})

test('lists entries that began weeks ago last, and entries that started yesterday under today', () => {
  const items = [
    item('events', '2026-09-01', { title: 'Exhibition', end: '2027-02-01' }),
    item('events', '2026-11-22', { title: 'Camp', end: '2026-11-25' }),
    item('events', '2026-12-24', { title: 'Service', end: '2026-12-25' }),
  ]
  const groups = agendaFrom(items, chips, days)
  expect(
    groups.map(({ title, entries }) => [title, entries[0]?.item.title, entries[0]?.date]),
  ).toEqual([
    ['This week', 'Camp', today],
    ['December', 'Service', '2026-12-24'],
    ['Also running', 'Exhibition', today],
  ])
})

test.for([
  ['en-US', '2026-11-23', '2026-11-28'],
  ['en-US', '2026-11-28', '2026-11-28'],
  ['en-US', '2026-11-29', '2026-12-05'],
  ['es-MX', '2026-11-29', '2026-12-05'],
  ['de', '2026-11-23', '2026-11-29'],
  ['fr-FR', '2026-11-29', '2026-11-29'],
] as const)('ends the week of a site in %s on %s on %s', ([language, today, last]) => {
  const items = [last, daysAfter(last, 1)].map((day) => item('events', day))
  const [week, later] = agendaFrom(items, chips, { today, firstDay: today, language })
  expect(week?.title).toBe(pageMessages(language).entries.thisWeek)
  expect([week, later].map((group) => group?.entries[0]?.date)).toEqual([last, daysAfter(last, 1)])
})

test('never says "this week" on a page that is read days later', () => {
  const items = [item('events', '2026-11-24', { end: '2026-11-25' })]
  const groups = agendaFrom(items, chips, { ...days, today: undefined })
  expect(groups.map(({ title }) => title)).toEqual(['November 2026'])
})

test('shows an entry of two feeds once, for both of their chips', () => {
  const twin = { title: 'Open house', location: 'Station 1' }
  const groups = agendaFrom(
    [
      item('calendar', '2026-11-24T19:00:00', twin),
      item('events', '2026-11-24T19:00:00', { ...twin, title: 'open house' }),
      item('events', '2026-11-25T19:00:00', { title: 'Same' }),
      item('events', '2026-11-25T19:00:00', { title: 'Same' }),
    ],
    chips,
    days,
  )
  const entries = groups.flatMap((group) => group.entries)
  expect(entries).toMatchObject([
    { source: 'events', item: { title: 'open house' }, chips: ['calendar:3', 'events'] },
    { item: { title: 'Same' } },
    { item: { title: 'Same' } },
  ])
})

test('shows the next entries of chosen calendars, and keeps some of the others ready', () => {
  const items = Array.from({ length: 30 }, (_, index) =>
    item('calendar', `2026-12-${String(index + 1).padStart(2, '0')}T19:00:00`, {
      category: index % 2 === 0 ? 'Drills' : 'Meetings',
    }),
  )
  const entries = agendaFrom(items, chips, days).flatMap((group) => group.entries)
  const shown = entries.filter(({ isShown }) => isShown)
  expect(shown).toHaveLength(6)
  expect(new Set(shown.flatMap((entry) => entry.chips))).toEqual(new Set(['calendar:3']))
  const hidden = entries.filter((entry) => entry.chips.includes('calendar:4'))
  expect(hidden.length).toBeGreaterThanOrEqual(8)
  expect(entries.length).toBeLessThanOrEqual(36)
})

test('keeps two entries of each calendar ready, even if there are many calendars', () => {
  const many = Array.from({ length: 30 }, (_, index) => chip(`calendar:${index}`, `${index}`))
  const items = many.flatMap(({ label }) =>
    ['01', '02', '03'].map((day) => item('calendar', `2026-12-${day}`, { category: label })),
  )
  const [group] = agendaFrom(items, many, days)
  expect(group?.entries.filter((entry) => entry.chips.includes('calendar:29'))).toHaveLength(2)
})

test('assigns an entry of an unknown calendar to all chips of its feed', () => {
  const [group] = agendaFrom(
    [item('calendar', '2026-11-24', { category: 'Old name' })],
    chips,
    days,
  )
  expect(group?.entries[0]?.chips).toEqual(['calendar:3', 'calendar:4'])
})

test('lists past entries first, with their dates', () => {
  const items = [
    item('events', '2026-11-24', { title: 'Next', end: '2026-11-25' }),
    item('events', '2026-11-21T19:00:00', { title: 'Past', end: '2026-11-21T20:00:00' }),
  ]
  const [past, next] = linesIn(agendaFrom(items, [], days, { limit: 5 }))
  expect(past).toEqual(['Earlier', 'Sat 21 Past: Sat Nov 21, 7 – 8 PM'])
  expect(next?.[0]).toBe('This week')
})

test('limits a list without groups, whose entries have full dates', () => {
  const items = [
    item('events', '2026-11-26T19:00:00', { title: 'First' }),
    item('events', '2026-12-24'),
  ]
  const first = agendaFrom(items, [], days, { limit: 1, isGrouped: false })
  expect(linesIn(first)).toEqual([['', 'Thu 26 First: Thu Nov 26, 7 PM']])
  expect(agendaFrom([], [], days, { isGrouped: false })).toEqual([])
})

test('shows the latest stories of several feeds, whatever their order', () => {
  const items = [
    item('news', '2026-11-20T09:00:00'),
    item('news', '2026-11-22T09:00:00'),
    item('documents', '2026-11-21T09:00:00'),
    item('documents', '2026-11-19T09:00:00'),
  ]
  const context = contextWith({
    site: testSite,
    basePath: '',
    clock: { now: () => Date.parse('2026-11-23T15:00:00Z') },
    pictures: { hosted: <T>(shown: readonly T[]) => shown },
  })
  const stories = storiesFrom(context, items, 3, 'thumbnail')
  expect(stories.map(({ day }) => day)).toEqual(['Yesterday', 'Sat Nov 21', 'Fri Nov 20'])
})
