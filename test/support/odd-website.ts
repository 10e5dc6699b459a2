import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { sampleDatasetOn } from '../../src/sandbox/sample/sample-dataset.ts'
import { startHttpsServer } from './https-server.ts'
import { readCalendar } from './read-calendar.ts'
import { startTestService, testDirectory, type TestService } from './service.ts'
import { advanceUntil } from './wait-for.ts'

const sample = sampleDatasetOn('2026-03-05')

/** A response with records or, for a token request, a token. */
type Page = {
  readonly endpoint: string
  readonly startRow?: number
  readonly totalCount?: number
  readonly items?: readonly object[] | null | ''
}

type Records = Readonly<Record<string, readonly object[]>>

/** The header of a picture of 1 x 1 pixels. */
const png = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex')

/**
 * Starts a website that sends `records`, which the test can replace, and a picture, and a service
 * that reads it.
 */
export async function serviceOf(
  records: Records,
  encode = (page: Page): Buffer => Buffer.from(JSON.stringify(page)),
) {
  const website = { records, calls: 0, pictures: 0, hasPicture: true }
  /** The records from which the latest reading of each endpoint began, and when. */
  const readings = new Map<string, { readonly records: Records; readonly at: number }>()
  let running: TestService | undefined
  const listener: RequestListener = (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'https://website.example')
    const [, endpoint = ''] = /^\/apps\/api\/([a-z]+)\/$/.exec(pathname) ?? []
    if (pathname === '/image.cfm') {
      website.pictures += 1
      return void response.end(website.hasPicture ? png : '')
    }
    website.calls += 1
    if (endpoint === 'refresh') {
      const token = { access_token: 'a', access_token_expire: '2026-03-06 10:00:00' }
      const answer = { endpoint, ...token }
      return void response.end(encode(answer))
    }
    const [startRow = 1, maxRows = 100] = ['StartRow', 'MaxRows'].map((name) =>
      Number(searchParams.get(name)),
    )
    if (startRow === 1)
      readings.set(endpoint, { records: website.records, at: running?.clock.now() ?? 0 })
    const all = website.records[endpoint] ?? []
    const items = all.slice(startRow - 1, startRow - 1 + maxRows)
    response.end(encode({ endpoint, startRow, totalCount: all.length, items }))
  }
  const { url, caPem } = await startHttpsServer(listener)
  const file = join(testDirectory(), 'store.sqlite')
  const startReplica = async () => {
    const service = await startTestService({
      website: { url, caPem, refreshToken: 'r' },
      storeFileIn: () => file,
    })
    onTestFinished(() => service[Symbol.asyncDispose]())
    return service
  }
  const service = await startReplica()
  running = service
  const { clock, status } = service
  const get = async (path: string) => (await service.get(path)).text
  // A website that sends too much is read within its calls per minute.
  await advanceUntil(clock, async () => {
    const { collections } = await status()
    const unread = collections.filter(({ records, failure }) => (records ?? failure) === null)
    expect(unread).toEqual([])
  })
  /** Sends other records, and lets the service read them. */
  const change = async (next: Records) => {
    website.records = next
    await advanceUntil(clock, async () => {
      const { collections } = await status()
      for (const name of Object.keys(next)) {
        const reading = readings.get(name)
        // A reading that began before the change may end minutes later on the service's clock.
        expect(reading?.records).toBe(next)
        const { fetchedAt } = collections.find((each) => each.name === name) ?? {}
        expect(Date.parse(fetchedAt ?? '')).toBeGreaterThanOrEqual(reading?.at ?? Infinity)
      }
    })
  }
  const entriesIn = async (path: string) => readCalendar(await get(path)).events
  return { ...service, website, get, change, entriesIn, startReplica }
}

/** Returns an event with these changes, which would last from 7 to 9 PM. */
export const event = (id: number, startDate: string, change: object = {}) => ({
  ...sample.events[0],
  id,
  title: `Event ${id}`,
  startDate,
  endDate: startDate,
  allDay: 0,
  startTime: '19:00:00',
  endTime: '21:00:00',
  ...change,
})

export const booking = (id: number, startDate: string, change: object = {}) => ({
  ...sample.rental[0],
  ...event(id, startDate, { startTime: '08:00:00', endTime: '23:00:00' }),
  typeId: 1,
  type: 'Social Hall',
  ...change,
})
