import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ownerOf, siteShares, workerCount } from '../../src/hosting/site-shares.ts'

const sitesOf = (count: number) =>
  Array.from({ length: count }, (_, position) => ({
    name: `site-${position}`,
    publicUrl: `https://site-${position}.example`,
  }))

test.for([
  { sites: 1, cores: 64, workers: 1 },
  { sites: 20, cores: 64, workers: 1 },
  { sites: 21, cores: 64, workers: 2 },
  { sites: 500, cores: 4, workers: 3 },
  { sites: 500, cores: 64, workers: 25 },
  { sites: 500, cores: 1, workers: 1 },
  { sites: 500, cores: 2, workers: 1 },
  { sites: 500, cores: 2, configured: 8, workers: 8 },
  { sites: 3, cores: 2, configured: 8, workers: 3 },
])(
  '$sites sites on $cores cores have $workers workers if WORKERS is $configured',
  ({ sites, cores, configured, workers }) => {
    expect(workerCount(sites, configured, cores)).toBe(workers)
  },
)

test('gives each site to one worker, and keeps it there when sites come and go', () => {
  const before = siteShares(sitesOf(30), 3)
  expect(before.flat().toSorted((a, b) => a.name.localeCompare(b.name))).toEqual(
    sitesOf(30).toSorted((a, b) => a.name.localeCompare(b.name)),
  )
  const after = siteShares(sitesOf(40).slice(10), 3)
  for (const [worker, share] of before.entries()) {
    const kept = share.filter(({ name }) => Number(name.slice(5)) >= 10)
    expect(after[worker]).toEqual(expect.arrayContaining(kept))
  }
})

test('gives each of three members a third of 2,000 sites, within 15%', () => {
  const owners = Map.groupBy(sitesOf(2_000), ({ name }) => ownerOf(name, ['a', 'b', 'c']))
  for (const member of ['a', 'b', 'c']) {
    const share = (owners.get(member)?.length ?? 0) / (2_000 / 3)
    expect([member, Math.abs(share - 1) < 0.15]).toEqual([member, true])
  }
})

test('moves only the sites of members that join or leave, whatever the order of the list', () => {
  const names = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(names, fc.string({ minLength: 1 }), fc.string(), (members, joining, site) => {
      const before = ownerOf(site, members)
      expect(ownerOf(site, members.toReversed())).toBe(before)
      const after = ownerOf(site, [...new Set([...members, joining])])
      expect([before, joining]).toContain(after)
    }),
  )
  expect(ownerOf('site', [])).toBeUndefined()
})
