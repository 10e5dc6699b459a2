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
  const listed = sites.map(({ name, config: { publicUrl } }) => ({ name, publicUrl }))
  return Array.from({ length: makers }, (_, maker) =>
    listed.filter((_site, position) => position % makers === maker),
  )
}
