import { describe, expect, test } from 'vitest'
import { failure, startSandbox } from '../support/sandbox.ts'

test('an unhandled exception is server_error, and is reported', async () => {
  const reported: unknown[] = []
  const broken = new Error('the sample is broken')
  const { get } = await startSandbox({
    siteOn: () => {
      throw broken
    },
    report: (error) => void reported.push(error),
  })
  const { status, body } = await get('/apps/api/news/')
  expect(status).toBe(500)
  expect(body).toEqual(failure(500, 'Internal Server Error', 'server_error'))
  expect(JSON.stringify(body)).not.toContain(broken.message)
  expect(reported).toEqual([broken])
})

describe('parameters', () => {
  test.for([
    'StartRow=0',
    'StartRow=-1',
    'StartRow=one',
    'StartRow=1.5',
    'StartRow=',
    'ID=',
    'MaxRows=0',
    'MaxRows=1001',
    'MaxRows=1&MaxRows=2',
    'ID=x',
    'CalendarID=x',
    'All=yes',
    'StartDate=2026-02-30',
    'StartDate=03/05/2026',
    'EndDate=2026-13-01',
    'StartDate=2026-03-06&EndDate=2026-03-05',
    'EndDate=2026-03-04',
    `StartRow=${'9'.repeat(10_000)}`,
  ])('calendar with %s is invalid_parameter', async (query) => {
    const { get } = await startSandbox()
    const { status, body } = await get(`/apps/api/calendar/?${query}`)
    expect(status).toBe(400)
    expect(body).toEqual(failure(400, 'Bad Request', 'invalid_parameter'))
  })

  test('an ID of no record is not_found, however odd the number', async () => {
    const { get } = await startSandbox()
    for (const id of ['0', '-1', '999999999']) {
      expect((await get(`/apps/api/calendar/?ID=${id}`)).body).toEqual(
        failure(404, 'Not Found', 'not_found'),
      )
    }
  })

  test('a category or calendar of no record is empty', async () => {
    const { get } = await startSandbox()
    expect((await get('/apps/api/news/?CategoryID=0')).body).toMatchObject({ totalCount: 0 })
    expect((await get('/apps/api/calendar/?CalendarID=99&All=1')).body.items).toEqual([])
  })

  test('a question mark in a value does not end the query', async () => {
    const { get } = await startSandbox()
    expect((await get('/apps/api/news/?Colour=a?b&MaxRows=0')).status).toBe(400)
  })

  test('unknown parameters are ignored', async () => {
    const { get } = await startSandbox()
    expect((await get('/apps/api/news/?Colour=red')).status).toBe(200)
  })
})
