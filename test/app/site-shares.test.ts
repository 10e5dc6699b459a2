import { expect, test } from 'vitest'
import { changedShares, listedSites, siteShares } from '../../src/app/site-shares.ts'
import type { NamedSite } from '../../src/config/sites-config.ts'

const sitesOf = (count: number) =>
  Array.from({ length: count }, (_, position) => ({
    name: `site-${position}`,
    config: { publicUrl: `https://site-${position}.example` },
  })) as unknown as readonly NamedSite[]

test.for([
  { sites: 1, cores: 64, makers: 1 },
  { sites: 20, cores: 64, makers: 1 },
  { sites: 21, cores: 64, makers: 2 },
  { sites: 500, cores: 4, makers: 3 },
  { sites: 500, cores: 64, makers: 25 },
  { sites: 500, cores: 1, makers: 1 },
  { sites: 500, cores: 2, makers: 1 },
  { sites: 500, cores: 2, configured: 8, makers: 8 },
  { sites: 3, cores: 2, configured: 8, makers: 3 },
])(
  '$sites sites on $cores cores have $makers makers if MAKERS is $configured',
  ({ sites, cores, configured, makers }) => {
    expect(siteShares(sitesOf(sites), configured, cores)).toHaveLength(makers)
  },
)

test('gives each site to one maker, by its position', () => {
  const shares = siteShares(sitesOf(5), 2)
  expect(shares.map((share) => share.map(({ name }) => name))).toEqual([
    ['site-0', 'site-2', 'site-4'],
    ['site-1', 'site-3'],
  ])
})

test('adds a new site to the maker with the fewest sites, and moves no other site', () => {
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
