import { availableParallelism } from 'node:os'
import type { NamedSite } from '../config/sites-config.ts'
import type { PublicSite } from '../http/front/protocol.ts'

/** A worker costs about 100 MiB, so a few sites share one. */
const sitesPerWorker = 20

/** Spreads sites over workers; by default, up to one per CPU core, leaving one for the front. */
export function siteShares(
  sites: readonly NamedSite[],
  configured: number | undefined,
  cores = availableParallelism(),
): readonly (readonly PublicSite[])[] {
  const needed = Math.min(cores - 1, Math.ceil(sites.length / sitesPerWorker))
  const workers = Math.max(1, Math.min(configured ?? needed, sites.length))
  const listed = listedSites(sites)
  return Array.from({ length: workers }, (_, worker) =>
    listed.filter((_site, position) => position % workers === worker),
  )
}

export function listedSites(sites: readonly NamedSite[]): readonly PublicSite[] {
  return sites.map(({ name, config: { publicUrl } }) => ({ name, publicUrl }))
}

/** Adds each new site to the worker with the fewest sites, and leaves all other sites where they are. */
export function changedShares(
  shares: readonly (readonly PublicSite[])[],
  sites: readonly PublicSite[],
): readonly (readonly PublicSite[])[] {
  const workerOf = new Map(
    shares.flatMap((share, worker) => share.map(({ name }) => [name, worker] as const)),
  )
  const changed: PublicSite[][] = shares.map(() => [])
  for (const site of sites) changed[workerOf.get(site.name) ?? NaN]?.push(site)
  for (const site of sites.filter(({ name }) => !workerOf.has(name))) {
    const [fewest] = changed.toSorted((a, b) => a.length - b.length)
    fewest?.push(site)
  }
  return changed
}
