import { expect, test } from 'vitest'
import { changedShares, listedSites, siteShares } from '../../src/app/site-shares.ts'
import type { NamedSite } from '../../src/config/sites-config.ts'

const sitesOf = (count: number) =>
  Array.from({ length: count }, (_, position) => ({
    name: `site-${position}`,
    config: { publicUrl: `https://site-${position}.example` },
  })) as unknown as readonly NamedSite[]

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
  '$sites sites on $cores cores have $workers workers if MAKERS is $configured',
  ({ sites, cores, configured, workers }) => {
    expect(siteShares(sitesOf(sites), configured, cores)).toHaveLength(workers)
  },
)

test('gives each site to one worker, by its position', () => {
  const shares = siteShares(sitesOf(5), 2)
  expect(shares.map((share) => share.map(({ name }) => name))).toEqual([
    ['site-0', 'site-2', 'site-4'],
    ['site-1', 'site-3'],
  ])
})

test('adds a new site to the worker with the fewest sites, and moves no other site', () => {
  const before = siteShares(sitesOf(5), 3)
  const [, one, two, , four, ...added] = listedSites(sitesOf(8))
  const changed = changedShares(
    before,
    [...added, four, two, one].flatMap((site) => site ?? []),
  )
  expect(changed.map((share) => share.map(({ name }) => name).toSorted())).toEqual([
    ['site-5', 'site-6'],
    ['site-1', 'site-4'],
    ['site-2', 'site-7'],
  ])
})
