import { expect, test } from 'vitest'
import { resourceNames } from '../../src/sandbox/resources/resources.ts'
import { sampleDatasetOn } from '../../src/sandbox/sample/sample-dataset.ts'
import { idsOf, invalidParameter, notFound, startSandbox } from '../support/sandbox.ts'

/* Tests the specification's "Common response envelope" and "Common behaviour of data endpoints". */

const { calendar, news } = sampleDatasetOn('2026-03-05')

test.for(resourceNames)('%s has the common envelope', async (name) => {
  const { get } = await startSandbox()
  const { status, headers, body } = await get(`/apps/api/${name}/?MaxRows=2`)
  expect(status).toBe(200)
  expect(headers['content-type']).toBe('application/json; charset=utf-8')
  expect(headers['cache-control']).toBe('no-store')
  expect(body).toMatchObject({
    status: 200,
    endpoint: name,
    domain: 'localhost',
    generated: '2026-03-05 10:00:00',
    startRow: 1,
    maxRows: 2,
    count: body.items.length,
    totalCount: expect.any(Number),
    items: expect.any(Array),
  })
  expect(body.count).toBe(Math.min(2, body.totalCount))
})

test('`generated` is in the site’s time zone', async () => {
  const { get } = await startSandbox({ timeZone: 'Pacific/Kiritimati' })
  const { body } = await get('/apps/api/calendar/')
  expect(body).toMatchObject({ generated: '2026-03-06 05:00:00', startDate: '2026-03-06' })
})

const idsAfter = (records: readonly { readonly id: number }[], ids: object) => ({
  ...ids,
  items: records.map(({ id }) => expect.objectContaining({ id })),
})
const newsId = String(news[0]?.id)
const encodedId = `%49%44=%3${newsId.split('').join('%3')}`

test.for<[name: string, query: string, expected: object]>([
  [
    'MaxRows is 100 by default',
    'calendar/?All=1',
    idsAfter(calendar.slice(0, 100), { startRow: 1, maxRows: 100, count: 100 }),
  ],
  ['MaxRows may be 1000', 'calendar/?All=1&MaxRows=1000', { maxRows: 1000 }],
  ['MaxRows is at most 1000', 'calendar/?All=1&MaxRows=1001', invalidParameter],
  [
    'StartRow sets the first row to return, counting from 1',
    'news/?StartRow=3&MaxRows=2',
    idsAfter(news.slice(2, 4), { startRow: 3, maxRows: 2, count: 2, totalCount: news.length }),
  ],
  [
    'a page past the end is empty',
    'news/?StartRow=5000',
    { status: 200, count: 0, items: [], startRow: 5000 },
  ],
  [
    'reports both dates of a window that is reversed because one date has its default value',
    'calendar/?StartDate=2026-12-25',
    { message: expect.stringContaining('EndDate 2026-04-04 is before StartDate 2026-12-25') },
  ],
  [
    'rejects an invalid filter even if it has no effect because of ID',
    `calendar/?ID=${calendar[0]?.id}&StartDate=never`,
    invalidParameter,
  ],
  ['rejects a number of more than 15 digits', 'calendar/?ID=1000000000000000', invalidParameter],
  ['decodes percent-encoded parameter names', `news/?${encodedId}`, idsAfter(news.slice(0, 1), {})],
  ['a question mark does not end the query', 'news/?Colour=a?b&MaxRows=0', invalidParameter],
])('%s', async ([, query, expected]) => {
  const { get } = await startSandbox()
  expect((await get(`/apps/api/${query}`)).body).toMatchObject(expected)
})

test('paging continues until count + startRow exceeds totalCount, and returns each record once', async () => {
  const { get } = await startSandbox()
  const ids: number[] = []
  for (let startRow = 1; ;) {
    const { body } = await get(`/apps/api/calendar/?All=1&MaxRows=70&StartRow=${startRow}`)
    ids.push(...idsOf({ body }))
    startRow += body.count
    if (startRow > body.totalCount) break
  }
  expect(ids).toEqual(calendar.map(({ id }) => id))
})

const parametersOf = {
  announce: ['ID', 'All', 'StartDate', 'EndDate'],
  calendar: ['ID', 'CalendarID', 'All', 'StartDate', 'EndDate'],
  databases: ['DatabaseID'],
  discuss: ['ID', 'StartDate', 'EndDate'],
  documents: ['ID', 'CategoryID', 'Public', 'StartDate', 'EndDate'],
  events: ['ID', 'All', 'StartDate', 'EndDate'],
  guestbook: ['ID', 'StartDate', 'EndDate'],
  minutes: ['ID', 'CategoryID', 'Public', 'StartDate', 'EndDate'],
  news: ['ID', 'CategoryID', 'StartDate', 'EndDate'],
  members: ['ID'],
  rental: ['ID', 'TypeID', 'All', 'StartDate', 'EndDate'],
  signup: ['ID', 'All'],
  training: ['Type', 'ID', 'MemberID'],
} as const

const bad = ['x', '1.5', '', ' 1', '1e3', '0x1', '2026-02-30', '9'.repeat(10_000)]

test.for(Object.entries(parametersOf))(
  '%s rejects invalid values of %s and the row parameters',
  async ([name, own]) => {
    const { get } = await startSandbox({ callsPerMinute: 1000 })
    const queries = [...own, 'StartRow', 'MaxRows'].flatMap((parameter) => [
      ...bad.map((value) => `${parameter}=${encodeURIComponent(value)}`),
      `${parameter}=1&${parameter}=1`,
    ])
    const answers = await Promise.all(queries.map((query) => get(`/apps/api/${name}/?${query}`)))
    const accepted = queries.filter((_, index) => answers[index]?.body.code !== 'invalid_parameter')
    expect(accepted).toEqual([])
  },
)

// The last two windows are reversed because the other date has its default value.
const invalidQueries = `StartRow=0 StartRow=-1 MaxRows=0 MaxRows=-5 StartDate=2026-02-30
  StartDate=03/05/2026 StartDate=2026-3-5 StartDate=20260305 EndDate=2026-13-01
  EndDate=2026-03-05T00:00 StartDate=2026-03-06&EndDate=2026-03-05 EndDate=2026-03-04
  StartDate=2026-04-05`

test.for(invalidQueries.split(/\s+/))('%s is rejected with invalid_parameter', async (query) => {
  const { get } = await startSandbox()
  expect((await get(`/apps/api/calendar/?${query}`)).body).toEqual(invalidParameter)
})

test.for(['calendar/?ID=0', 'calendar/?ID=-1', 'calendar/?ID=999999999999999', 'events/?ID=5'])(
  '%s, which does not match any record, returns not_found',
  async (query) => {
    const { get } = await startSandbox()
    expect((await get(`/apps/api/${query}`)).body).toEqual(notFound)
  },
)

test.for(['Colour=red', 'id=1', 'Colour', '&&', '%zz=1', '='])(
  'the unknown parameter %s is ignored',
  async (query) => {
    const { get } = await startSandbox()
    const { body } = await get(`/apps/api/news/?${query}`)
    expect(body.totalCount).toBe(news.length)
  },
)
