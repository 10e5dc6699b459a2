import { expect, test } from 'vitest'
import { booking, event, serviceOf } from '../support/odd-website.ts'
import { waitFor } from '../support/wait-for.ts'

/* Websites whose responses deviate from docs/data-service.md, and what subscribers get. */

const notesIn = ({ sentences }: { readonly sentences: readonly string[] }) =>
  sentences.filter((sentence) => sentence.includes('cannot be used')).join('\n')

test('publishes 900 events with pasted Word markup, and all but one that is too large', async () => {
  const markup = `<!--[if gte mso 9]><xml>${'<w:x/>'.repeat(1_600)}</xml><![endif]-->`
  const events = Array.from({ length: 900 }, (_, index) =>
    event(index + 1, '2026-03-12', { text: `${markup}<p>Bring boots ${index + 1}</p>` }),
  )
  events[449] = event(450, '2026-03-12', { text: 'x'.repeat(9 * 1024 * 1024) })
  const { entriesIn, status } = await serviceOf({ events })
  const entries = await entriesIn('events.ics')
  expect(entries.map(({ summary }) => summary)).not.toContain('Event 450')
  expect(entries).toHaveLength(899)
  const last = entries.find(({ summary }) => summary === 'Event 900')
  expect(last?.description).toContain('Bring boots 900')
  expect(notesIn(await status())).toMatch(
    /events has 1 record .* on the website: 450 \(the record is larger than 8 MiB since .*; not published\)\.$/,
  )
})

test('publishes the last good version of a booking, and keeps its day', async () => {
  const good = booking(1, '2026-03-14')
  const other = booking(2, '2026-03-21')
  const { get, change, entriesIn, status } = await serviceOf({ rental: [good, other] })
  const takenDays = async () =>
    [...(await get('rental/free')).matchAll(/class="day taken">(\d+)/g)].map(([, day]) => day)
  expect(await takenDays()).toEqual(['14', '21'])
  const before = await entriesIn('rental.ics')
  for (const bad of [{ startDate: 'March 14th' }, { startDate: '2026-02-30' }]) {
    await change({ rental: [{ ...good, ...bad }, other] })
    expect(await takenDays()).toEqual(['14', '21'])
    expect(await entriesIn('rental.ics')).toEqual(before)
    expect(await get('rental/free')).not.toContain('Some bookings could not be read')
    expect(notesIn(await status())).toContain('the last good version stays published')
  }
  await change({ rental: [good, other, booking(3, 'soon')] })
  expect(await get('rental/free')).toContain('Some bookings could not be read')
  expect(notesIn(await status())).toMatch(/ 3 \(startDate: not a date .*; not published\)/)
  await change({ rental: [other] })
  expect(await takenDays()).toEqual(['21'])
  expect(await get('rental/free')).not.toContain('Some bookings could not be read')
})

test('publishes every day of an id that the website repeats, with the same UIDs', async () => {
  const days = Array.from({ length: 52 }, (_, week) =>
    new Date(Date.UTC(2026, 2, 5 + 7 * week)).toISOString().slice(0, 10),
  )
  const series = days.map((day) => event(12, day, { title: 'Drill' }))
  const { get, change, entriesIn, status } = await serviceOf({ events: series })
  const entries = await entriesIn('events.ics')
  expect(entries.map(({ start }) => start.slice(0, 10))).toEqual(days)
  expect(new Set(entries.map(({ uid }) => uid)).size).toBe(52)
  const [, second] = entries
  const [, path = ''] = /^(events-\d+)@/.exec(second?.uid ?? '') ?? []
  expect(await get(path.replace('-', '/'))).toContain('Drill')
  expect(notesIn(await status())).toMatch(
    / 12 \(52 records have this id since .*; published as it is\)/,
  )
  await change({ events: series.slice(1).toReversed() })
  // The previous rendering is sent until the new one is ready.
  await waitFor(async () => expect(await entriesIn('events.ics')).toEqual(entries.slice(1)))
})

test('publishes members’ events without a calendar, without a category', async () => {
  const without = [0, null, '', undefined].map((calendarId, index) =>
    event(index + 1, '2026-03-12', { calendarId, calendar: '' }),
  )
  const deleted = event(5, '2026-03-12', { calendarId: 9, calendar: '' })
  const calendar = [
    ...without,
    deleted,
    event(6, '2026-03-12', { calendarId: 3, calendar: 'Duty' }),
  ]
  const { entriesIn } = await serviceOf({ calendar })
  const entries = await entriesIn('calendar.ics')
  expect(entries.map(({ categories }) => categories)).toEqual([[], [], [], [], [], ['Duty']])
})

const upperCase = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(upperCase)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name.toUpperCase(), upperCase(each)]),
  )
}

test('reads a website with other property names, another charset and a wrong count', async () => {
  const records = {
    events: [
      event(1, '2026-03-12', { title: 'Café – Chief’s night', text: 'Caf\uFFFD' }),
      event(2, '2026-03-13'),
    ],
  }
  const { entriesIn, status, website } = await serviceOf(records, (page) => {
    const { items, totalCount } = page
    const miscounted = items?.length === 2 ? { ...page, totalCount: 3 } : page
    const sent = totalCount === 0 ? { ...page, items: null } : miscounted
    const text = JSON.stringify(upperCase(sent)).replaceAll('\uFFFD', '\\uFFFD')
    const bytes = Array.from(text, (character) => cp1252[character] ?? character.charCodeAt(0))
    return Buffer.from(bytes)
  })
  const entries = await entriesIn('events.ics')
  expect(entries.map(({ summary }) => summary)).toEqual(['Café – Chief’s night', 'Event 2'])
  const { collections } = await status()
  expect(collections.find(({ name }) => name === 'events')).toMatchObject({
    failure: null,
    rejected: [{ id: '1', reason: 'text: has lost characters (\uFFFD)', published: 'all' }],
  })
  expect(website.calls).toBeGreaterThan(2)
})

const cp1252: Readonly<Record<string, number>> = { '–': 0x96, '’': 0x92 }

test('says what is wrong with responses that are not as documented', async () => {
  const { status } = await serviceOf({ events: [event(1, '2026-03-12')] }, (page) =>
    Buffer.from(JSON.stringify(page).replace('"totalCount":', '"totalCount":"many","x":')),
  )
  const { sentences } = await status()
  expect(sentences.join('\n')).toMatch(
    /The website's API does not respond as documented: \w+: totalCount is invalid; Feedhouse retries/,
  )
  expect(sentences.join('\n')).not.toContain('SITE_URL')
})

test('stops reading a page that never gets small enough, and serves everything else', async () => {
  const { get, status, website } = await serviceOf({ events: [event(1, '2026-03-12')] }, (page) =>
    page.endpoint === 'rental'
      ? Buffer.alloc(9 * 1024 * 1024, ' ')
      : Buffer.from(JSON.stringify(page)),
  )
  expect(await get('events.ics')).toContain('Event 1')
  const { collections, sentences } = await status()
  expect(collections.find(({ name }) => name === 'rental')?.failure?.kind).toBe('body_too_large')
  expect(sentences.join('\n')).toContain("Some of the website's records are larger than 8 MiB")
  expect(website.calls).toBeLessThan(30)
})

test('keeps the length of an event whose start daylight saving time skips', async () => {
  const times = { startTime: '02:30:00', endTime: '03:15:00' }
  const { get, entriesIn } = await serviceOf({ events: [event(1, '2026-03-08', times)] })
  const [start, end] = ['2026-03-08T03:30:00-04:00', '2026-03-08T04:15:00-04:00']
  expect(await entriesIn('events.ics')).toMatchObject([
    { start: '2026-03-08T07:30:00', end: '2026-03-08T08:15:00' },
  ])
  const item = (JSON.parse(await get('board.json')) as readonly { readonly kind: string }[]).find(
    ({ kind }) => kind === 'events',
  )
  expect(item).toMatchObject({ startAt: start, endAt: end })
  const page = await get('events/1')
  expect(page).toContain(`"startDate":"${start}","endDate":"${end}"`)
  expect(page).toContain('20260308T073000Z%2F20260308T081500Z')
  expect(await get('events.json')).toContain(end)
})
