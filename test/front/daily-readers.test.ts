import { expect, test } from 'vitest'
import { createDailyReaders } from '../../src/front/daily-readers.ts'
import { createUseCounts } from '../../src/front/use-counts.ts'

const dayMs = 24 * 60 * 60_000

test('recognizes each text once a day, and forgets all at midnight UTC', () => {
  let now = Date.parse('2026-03-05T23:00:00Z')
  const isFirst = createDailyReaders({ now: () => now })
  const first = ['a', 'b', 'a', '', 'b'].map((text) => isFirst(text, '192.0.2.1'))
  expect(first).toEqual([true, true, false, true, false])
  now += dayMs / 24
  expect(isFirst('a', '192.0.2.1')).toBe(true)
})

test('distinguishes thousands of similar clients, but counts a limited number', () => {
  const isFirst = createDailyReaders({ now: () => 0 })
  const clients = Array.from({ length: 60_000 }, (_, at) => `198.51.${at % 100}.${at}`)
  const counted = clients.filter((address) => isFirst(`events ${address} Mozilla/5.0`, address))
  expect(counted).toHaveLength(50_000)
})

test.for([
  ['an address', () => '192.0.2.1'],
  ['an IPv6 network', (at: number) => `2001:db8:1:${at.toString(16)}::1`],
] as const)(
  'a client at %s with many names does not use up the daily number of readers',
  ([, addressOf]) => {
    const isFirst = createDailyReaders({ now: () => 0 })
    const names = Array.from({ length: 2_000 }, (_, at) => [`app ${at}`, addressOf(at)] as const)
    expect(names.filter(([name, address]) => isFirst(name, address))).toHaveLength(1_000)
    expect(isFirst('app', '198.51.100.1')).toBe(true)
  },
)

test('only feeds with readers use up the daily number of readers', () => {
  const asked: string[] = []
  const counts = createUseCounts((text) => asked.push(text) > 0)
  const use = { site: 'main', use: 'page', method: 'GET', status: 200, userAgent: 'iOS' }
  counts.add(use, '192.0.2.1')
  counts.add({ ...use, use: 'events', hasReaders: true }, '192.0.2.1')
  expect(asked).toEqual(['main events 192.0.2.1 iOS'])
  expect(counts.take().map((each) => each.use.isReader ?? false)).toEqual([false, true])
})

test('a report says which uses are the first ones of a client on this day', () => {
  const counts = createUseCounts(createDailyReaders({ now: () => 0 }))
  const common = { site: 'main', method: 'GET', status: 200, userAgent: 'iOS' }
  const use = { ...common, use: 'events', hasReaders: true }
  for (const address of ['198.51.100.1', '198.51.100.2', '198.51.100.1']) counts.add(use, address)
  counts.add({ ...use, use: 'news' }, '198.51.100.1')
  counts.add({ ...use, method: 'HEAD' }, '198.51.100.3')
  const taken = counts.take().map((each) => [each.use.use, each.use.isReader, each.count])
  expect(taken).toEqual([
    ['events', true, 2],
    ['events', undefined, 1],
    ['events', undefined, 1],
    ['news', true, 1],
  ])
  expect(JSON.stringify(counts.take())).not.toContain('198')
})
