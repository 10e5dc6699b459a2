import { availableParallelism } from 'node:os'
import type { NamedSite } from '../config/sites-config.ts'
import type { PublicSite } from '../http/front/protocol.ts'

/** A maker costs about 100 MiB, so a few sites share one. */
const sitesPerMaker = 20

/**
 * Spreads sites over makers. Uses the configured number of makers if there is one; otherwise up to one for
 * each CPU core but one, which the front uses.
 */
export function siteShares(
  sites: readonly NamedSite[],
  configured: number | undefined,
  cores = availableParallelism(),
): readonly (readonly PublicSite[])[] {
  const needed = Math.min(cores - 1, Math.ceil(sites.length / sitesPerMaker))
  const makers = Math.max(1, Math.min(configured ?? needed, sites.length))
  const listed = listedSites(sites)
  return Array.from({ length: makers }, (_, maker) =>
    listed.filter((_site, position) => position % makers === maker),
  )
}

export function listedSites(sites: readonly NamedSite[]): readonly PublicSite[] {
  return sites.map(({ name, config: { publicUrl } }) => ({ name, publicUrl }))
}

/** Adds each new site to the maker with the fewest sites, and leaves all other sites where they are. */
export function changedShares(
  shares: readonly (readonly PublicSite[])[],
  sites: readonly PublicSite[],
): readonly (readonly PublicSite[])[] {
  const makerOf = new Map(
    shares.flatMap((share, maker) => share.map(({ name }) => [name, maker] as const)),
  )
  const changed: PublicSite[][] = shares.map(() => [])
  for (const site of sites) changed[makerOf.get(site.name) ?? NaN]?.push(site)
  for (const site of sites.filter(({ name }) => !makerOf.has(name))) {
    const [fewest] = changed.toSorted((a, b) => a.length - b.length)
    fewest?.push(site)
  }
  return changed
}
