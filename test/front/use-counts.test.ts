import { expect, test } from 'vitest'
import type { Use } from '../../src/front/protocol.ts'
import { createUseCounts } from '../../src/front/use-counts.ts'

const use: Use = { site: '', use: 'a', method: 'GET', status: 200, userAgent: 'curl' }

test('counts equal uses together, and others separately', () => {
  const counts = createUseCounts()
  const others: readonly Use[] = [
    { ...use, status: 304 },
    { ...use, method: 'HEAD' },
    { ...use, userAgent: undefined },
    { ...use, use: 'b' },
  ]
  for (const each of [use, use, ...others, use]) counts.add({ ...each })
  const counted = [use, ...others].map((each) => {
    return { use: { ...each, userAgent: each.userAgent ?? '' }, count: each === use ? 3 : 1 }
  })
  expect(counts.take()).toEqual(counted)
  expect(counts.take()).toEqual([])
})

test('limits the number of distinct uses in a report', () => {
  const counts = createUseCounts()
  for (let index = 0; index < 2_000; index += 1) counts.add({ ...use, userAgent: `agent ${index}` })
  counts.add({ ...use, userAgent: 'agent 1' })
  const taken = counts.take()
  expect(taken).toHaveLength(1_000)
  expect(taken[1]?.count).toBe(2)
})

test('shortens long user agents', () => {
  const counts = createUseCounts()
  for (const end of ['b', 'c']) counts.add({ ...use, userAgent: 'a'.repeat(10_000) + end })
  expect(counts.take()).toEqual([{ use: { ...use, userAgent: 'a'.repeat(300) }, count: 2 }])
})

test('counts readers separately, and asks at most twice per report whether a client is one', () => {
  const asked: string[] = []
  const seen = new Set<string>()
  const counts = createUseCounts((text) => {
    asked.push(text)
    return seen.size < seen.add(text).size
  })
  const addresses = ['192.0.2.1', '192.0.2.2']
  for (let time = 0; time < 100; time += 1) {
    for (const site of ['one', 'two']) {
      for (const address of addresses) counts.add({ ...use, site, hasReaders: true }, address)
    }
  }
  expect(counts.take()).toEqual(
    expect.arrayContaining(
      ['one', 'two'].flatMap((site) => [
        { use: { ...use, site, hasReaders: true, isReader: true }, count: addresses.length },
        { use: { ...use, site, hasReaders: true }, count: 99 * addresses.length },
      ]),
    ),
  )
  expect(asked).toHaveLength(2 * seen.size)
})
