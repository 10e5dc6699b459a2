import { describe, expect, test } from 'vitest'
import { sampleSiteOn } from '../../src/sandbox/sample/sample-site.ts'
import { failure, startSandbox } from '../support/sandbox.ts'

const site = sampleSiteOn('2026-03-05')

describe('the envelope', () => {
  test('has the properties of the specification', async () => {
    const { get } = await startSandbox()
    const { body } = await get('/apps/api/news/?MaxRows=2&StartRow=3')
    expect(body).toEqual({
      status: 200,
      endpoint: 'news',
      domain: 'localhost',
      generated: '2026-03-05 10:00:00',
      startRow: 3,
      maxRows: 2,
      count: 2,
      totalCount: site.newsStories.length,
      items: site.newsStories.slice(2, 4),
    })
  })

  test('pages default to 100 rows and go on until the total count', async () => {
    const { get } = await startSandbox()
    const first = await get('/apps/api/calendar/?All=1')
    expect(first.body).toMatchObject({ startRow: 1, maxRows: 100, count: 100 })
    const rest = await get('/apps/api/calendar/?All=1&StartRow=101&MaxRows=1000')
    expect([...first.body.items, ...rest.body.items]).toEqual(site.calendarEvents)
  })

  test('a page past the end is empty', async () => {
    const { get } = await startSandbox()
    const { body } = await get('/apps/api/news/?StartRow=5000')
    expect(body).toMatchObject({ status: 200, count: 0, items: [], startRow: 5000 })
  })
})

function ids(records: readonly { readonly id: number }[]) {
  return records.map(({ id }) => id)
}

describe('calendar', () => {
  test('shows today to 30 days after, also what began before', async () => {
    const { get } = await startSandbox()
    const { body } = await get('/apps/api/calendar/?MaxRows=1000')
    const during = site.calendarEvents.filter(
      ({ startDate, endDate }) => endDate >= '2026-03-05' && startDate <= '2026-04-04',
    )
    expect(body).toMatchObject({ startDate: '2026-03-05', endDate: '2026-04-04' })
    expect(ids(body.items)).toEqual(ids(during))
  })

  test('shows a range, inclusive and overlapping', async () => {
    const { get } = await startSandbox()
    // A weekend of duty from Saturday the 7th to Sunday the 8th.
    const { body } = await get('/apps/api/calendar/?StartDate=2026-03-08&EndDate=2026-03-08')
    expect(body.items.map(({ title }: { title: string }) => title)).toEqual([
      expect.stringMatching(/^Duty weekend/),
      expect.stringMatching(/^Night standby/),
    ])
  })

  test('shows one calendar, one event by ID, and all', async () => {
    const { get } = await startSandbox()
    const one = await get('/apps/api/calendar/?CalendarID=4&All=1')
    const inCalendar = site.calendarEvents.filter(({ calendarId }) => calendarId === 4)
    expect(ids(one.body.items)).toEqual(ids(inCalendar))
    const [past] = site.calendarEvents
    const byId = await get(`/apps/api/calendar/?ID=${past?.id}`)
    expect(byId.body.items).toEqual([past])
    expect((await get('/apps/api/calendar/?ID=1')).body).toEqual(
      failure(404, 'Not Found', 'not_found'),
    )
  })
})

describe('events', () => {
  test('shows current and upcoming events without a range', async () => {
    const { get } = await startSandbox()
    const { body } = await get('/apps/api/events/?MaxRows=1000')
    const upcoming = site.publicEvents.filter(({ endDate }) => endDate >= '2026-03-05')
    expect(ids(body.items)).toEqual(ids(upcoming))
  })

  test.for(['All=1', 'StartDate=2020-01-01', 'EndDate=2030-01-01'])(
    'shows all with %s',
    async (query) => {
      const { get } = await startSandbox()
      const { body } = await get(`/apps/api/events/?MaxRows=1000&${query}`)
      expect(ids(body.items)).toEqual(ids(site.publicEvents))
    },
  )
})

describe('news', () => {
  test('shows all stories, deployed or not', async () => {
    const { get } = await startSandbox()
    const { body } = await get('/apps/api/news/')
    expect(body.items).toEqual(site.newsStories)
    expect(body.items.some(({ deployed }: { deployed: number }) => deployed === 0)).toBe(true)
  })

  test('filters by category and by the dates of the stories', async () => {
    const { get } = await startSandbox()
    const { body } = await get(
      '/apps/api/news/?CategoryID=3&StartDate=2025-06-01&EndDate=2025-12-31',
    )
    const filtered = site.newsStories.filter(
      ({ categoryId, date }) =>
        categoryId === 3 && date >= '2025-06-01' && date.slice(0, 10) <= '2025-12-31',
    )
    expect(filtered.length).toBeGreaterThan(0)
    expect(ids(body.items)).toEqual(ids(filtered))
  })
})

describe('announce', () => {
  const expired = site.announcements.filter(
    ({ expires }) => expires !== '' && expires < '2026-03-05',
  )

  test('leaves out what has expired, unless all or one are asked for', async () => {
    const { get } = await startSandbox()
    expect(expired).toHaveLength(1)
    const listed = await get('/apps/api/announce/')
    expect(ids(listed.body.items)).not.toContain(expired[0]?.id)
    const all = await get('/apps/api/announce/?All=1')
    expect(all.body.items).toEqual(site.announcements)
    const byId = await get(`/apps/api/announce/?ID=${expired[0]?.id}`)
    expect(byId.body.items).toEqual(expired)
  })

  test('filters by the date of creation, inclusive', async () => {
    const { get } = await startSandbox()
    const { body } = await get('/apps/api/announce/?StartDate=2026-03-02&EndDate=2026-03-03')
    expect(body.items.map(({ headline }: { headline: string }) => headline)).toEqual([
      'Burn ban in effect',
      'Hydrant flushing this week',
    ])
  })
})

test('the sample is the same for a date on whatever day it is looked at', () => {
  const later = sampleSiteOn('2026-03-20')
  for (const name of ['calendarEvents', 'publicEvents', 'newsStories'] as const) {
    const byId = new Map(later[name].map((record) => [record.id, record]))
    const shared = site[name].filter(({ id }) => byId.has(id))
    expect(shared.length).toBeGreaterThan(20)
    for (const record of shared) expect(byId.get(record.id)).toEqual(record)
  }
})
