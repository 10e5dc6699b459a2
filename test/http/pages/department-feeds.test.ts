import { expect, test } from 'vitest'
import type { Department } from '../../../src/feeds/county.ts'
import { createDepartmentReader } from '../../../src/http/pages/department-feeds.ts'
import { createLogger } from '../../../src/log.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { startHttpServer } from '../../support/http-server.ts'

const ashton = {
  id: 'ashton',
  name: 'Ashton',
  place: undefined,
  publicUrl: 'https://ashton.example',
  websiteUrl: 'https://www.ashton.example',
}

/** Returns a department's feed, which is empty except for its calendar. */
const feedAt = (path: string, uid: string) =>
  path.startsWith('/board.json')
    ? '[]'
    : path.includes('.json')
      ? '{"authors":[],"items":[]}'
      : `BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:${uid}\r\nDTSTART;VALUE=DATE:20260305\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`

const uidsIn = (department: Department | undefined) =>
  department?.published.calendar?.events.map(({ uid }) => uid)

test('reads a feed again only if it has changed', async () => {
  const versions = new Map([
    ['ashton.example', 1],
    ['dover.example', 1],
  ])
  const url = await startHttpServer(({ url: path = '', headers }, response) => {
    const etag = `"${versions.get(headers.host ?? '')}"`
    const isUnchanged = headers['if-none-match'] === etag
    response.writeHead(isUnchanged ? 304 : 200, { ETag: etag })
    response.end(isUnchanged ? undefined : feedAt(path, etag))
  })
  const clock = createFakeClock()
  const reader = createDepartmentReader(url, () => undefined, clock, createLogger('silent'))
  const dover = { ...ashton, id: 'dover', name: 'Dover', publicUrl: 'https://dover.example' }
  reader.list([ashton, dover])
  const first = await reader.departments()
  expect(first?.map(uidsIn)).toEqual([['"1"'], ['"1"']])
  await clock.advance(31_000)
  expect(await reader.departments()).toBe(first)
  versions.set('dover.example', 2)
  await clock.advance(31_000)
  const next = await reader.departments()
  expect(next?.map(uidsIn)).toEqual([['"1"'], ['"2"']])
  expect(next?.[0]?.published.calendar).toBe(first?.[0]?.published.calendar)
})

test.for([
  { status: 403, isKept: false },
  { status: 404, isKept: false },
  { status: 410, isKept: false },
  { status: 429, isKept: true },
  { status: 503, isKept: true },
])('keeps the copy of a feed that responds with $status: $isKept', async ({ status, isKept }) => {
  const state = { status: 200 }
  const url = await startHttpServer((request, response) => {
    response.writeHead(state.status).end(feedAt(request.url ?? '', 'a'))
  })
  const clock = createFakeClock()
  let removals = 0
  const removed = () => void (removals += 1)
  const reader = createDepartmentReader(url, removed, clock, createLogger('silent'))
  reader.list([ashton])
  const uids = async () => uidsIn((await reader.departments())?.[0])
  expect(await uids()).toEqual(['a'])
  state.status = status
  await clock.advance(31_000)
  expect(await uids()).toEqual(isKept ? ['a'] : undefined)
  // The calendar, two kinds of news and the board's items.
  expect(removals).toBe(isKept ? 0 : 4)
})
