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

test('MaxRows is 100 by default', async () => {
  const { get } = await startSandbox()
  const { body } = await get('/apps/api/calendar/?All=1')
  expect(body).toMatchObject({ startRow: 1, maxRows: 100, count: 100 })
  expect(idsOf({ body })).toEqual(calendar.slice(0, 100).map(({ id }) => id))
})

test('MaxRows is at most 1000', async () => {
  const { get } = await startSandbox()
  expect((await get('/apps/api/calendar/?All=1&MaxRows=1000')).body.maxRows).toBe(1000)
  expect((await get('/apps/api/calendar/?All=1&MaxRows=1001')).body).toEqual(invalidParameter)
})

test('StartRow sets the first row to return, counting from 1', async () => {
  const { get } = await startSandbox()
  const { body } = await get('/apps/api/news/?StartRow=3&MaxRows=2')
  expect(body).toMatchObject({ startRow: 3, maxRows: 2, count: 2, totalCount: news.length })
  expect(idsOf({ body })).toEqual([news[2]?.id, news[3]?.id])
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

test('a page past the end is empty', async () => {
  const { get } = await startSandbox()
  const { body } = await get('/apps/api/news/?StartRow=5000')
  expect(body).toMatchObject({ status: 200, count: 0, items: [], startRow: 5000 })
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

test.for([
  'StartRow=0',
  'StartRow=-1',
  'MaxRows=0',
  'MaxRows=-5',
  'StartDate=2026-02-30',
  'StartDate=03/05/2026',
  'StartDate=2026-3-5',
  'StartDate=20260305',
  'EndDate=2026-13-01',
  'EndDate=2026-03-05T00:00',
  'StartDate=2026-03-06&EndDate=2026-03-05',
  // These windows are reversed because the other date has its default value.
  'EndDate=2026-03-04',
  'StartDate=2026-04-05',
])('%s is rejected with invalid_parameter', async (query) => {
  const { get } = await startSandbox()
  const { status, body } = await get(`/apps/api/calendar/?${query}`)
  expect(status).toBe(400)
  expect(body).toEqual(invalidParameter)
})

test('reports both dates of a window that is reversed because one date has its default value', async () => {
  const { get } = await startSandbox()
  const { body } = await get('/apps/api/calendar/?StartDate=2026-12-25')
  expect(body.message).toContain('EndDate 2026-04-04 is before StartDate 2026-12-25')
})

test('rejects an invalid filter even if it has no effect because of ID', async () => {
  const { get } = await startSandbox()
  const { status } = await get(`/apps/api/calendar/?ID=${calendar[0]?.id}&StartDate=never`)
  expect(status).toBe(400)
})

test.for(['0', '-1', '999999999999999'])(
  'ID=%s, which does not match any record, returns not_found',
  async (id) => {
    const { get } = await startSandbox()
    const { status, body } = await get(`/apps/api/calendar/?ID=${id}`)
    expect(status).toBe(404)
    expect(body).toEqual(notFound)
  },
)

test('a number of more than 15 digits is rejected with invalid_parameter', async () => {
  const { get } = await startSandbox()
  const { body } = await get('/apps/api/calendar/?ID=1000000000000000')
  expect(body).toEqual(invalidParameter)
})

test('decodes percent-encoded parameter names', async () => {
  const { get } = await startSandbox()
  const { body } = await get(`/apps/api/news/?%49%44=%3${String(news[0]?.id).split('').join('%3')}`)
  expect(idsOf({ body })).toEqual([news[0]?.id])
})

test.for(['Colour=red', 'id=1', 'Colour', '&&', '%zz=1', '='])(
  'the unknown parameter %s is ignored',
  async (query) => {
    const { get } = await startSandbox()
    const { body } = await get(`/apps/api/news/?${query}`)
    expect(body.totalCount).toBe(news.length)
  },
)

test('a question mark in a value does not end the query string', async () => {
  const { get } = await startSandbox()
  expect((await get('/apps/api/news/?Colour=a?b&MaxRows=0')).status).toBe(400)
})
