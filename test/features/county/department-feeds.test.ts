import { expect, test } from 'vitest'
import type { Department } from '../../../src/feeds/county.ts'
import { createDepartmentReader } from '../../../src/features/county/department-feeds.ts'
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

/** Returns what a department publishes, which is empty except for an entry. */
function publishedWith(uid: string, feedIds = ['events', 'news']): string {
  const time = { allDay: true, start: '2026-03-05', end: '2026-03-06' }
  const texts = { summary: 'Drill', location: '', description: '', categories: [] }
  const revision = { sequence: 1, lastModified: 0 }
  const entry = { uid, time, ...texts, status: 'confirmed', isBusy: false, revision }
  const calendar = { timeZone: 'Etc/UTC', year: 2026, entries: [entry] }
  return JSON.stringify({ name: 'Ashton', feedIds, calendar, news: [], items: [] })
}

const uidsIn = (department: Department | undefined) =>
  department?.calendar?.events.map(({ uid }) => uid)

test('reads a feed again only if it has changed', async () => {
  const versions = new Map([
    ['ashton.example', 1],
    ['dover.example', 1],
  ])
  const url = await startHttpServer(({ headers }, response) => {
    const etag = `"${versions.get(headers.host ?? '')}"`
    const isUnchanged = headers['if-none-match'] === etag
    response.writeHead(isUnchanged ? 304 : 200, { ETag: etag })
    response.end(isUnchanged ? undefined : publishedWith(etag))
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
  expect(next?.[0]?.calendar).toBe(first?.[0]?.calendar)
})

test.for([
  { status: 403, isKept: false },
  // An older version.
  { status: 404, isKept: true },
  { status: 410, isKept: false },
  { status: 429, isKept: true },
  { status: 503, isKept: true },
])('keeps the copy of a feed that responds with $status: $isKept', async ({ status, isKept }) => {
  const state = { status: 200 }
  const url = await startHttpServer((_request, response) => {
    response.writeHead(state.status).end(publishedWith('a'))
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
  expect(removals).toBe(isKept ? 0 : 1)
})

test.for([
  ['an array of arrays', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
  ['a body that is too large', JSON.stringify('x'.repeat(6_000_000))],
  [
    'more lists than it could have entries',
    JSON.stringify({
      ...JSON.parse(publishedWith('b')),
      more: Array.from({ length: 100_001 }, () => []),
    }),
  ],
  ...(['feedIds', 'calendar', 'news', 'items'] as const).map((name) => [
    `no ${name}`,
    JSON.stringify({ ...JSON.parse(publishedWith('b')), [name]: null }),
  ]),
  ...(['news', 'items'] as const).map((name) => [
    `unknown ${name}`,
    JSON.stringify({ ...JSON.parse(publishedWith('b')), [name]: [{ title: 1 }] }),
  ]),
] as const)('keeps the copy of a department that sends %s', async ([, body = '']) => {
  let sent = publishedWith('a')
  const url = await startHttpServer((_request, response) => void response.end(sent))
  const clock = createFakeClock()
  const reader = createDepartmentReader(url, () => undefined, clock, createLogger('silent'))
  reader.list([ashton])
  const first = await reader.departments()
  expect(first?.map(uidsIn)).toEqual([['a']])
  sent = body
  await clock.advance(31_000)
  expect(await reader.departments()).toBe(first)
})

test('reports that one of several feeds is no longer public', async () => {
  let feedIds = ['events', 'news']
  const url = await startHttpServer((_request, response) => {
    response.end(publishedWith('a', feedIds))
  })
  const clock = createFakeClock()
  let removals = 0
  const removed = () => void (removals += 1)
  const reader = createDepartmentReader(url, removed, clock, createLogger('silent'))
  reader.list([ashton])
  for (const expected of [0, 1, 1]) {
    await reader.departments()
    expect(removals).toBe(expected)
    feedIds = ['news']
    await clock.advance(31_000)
  }
})
