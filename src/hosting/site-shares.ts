import { createHash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import type { NamedSite } from '../config/sites-config.ts'
import type { PublicSite } from '../front/protocol.ts'

/** A worker costs about 100 MiB, so a few sites share one. */
const sitesPerWorker = 20

/** By default, at most one less than the number of CPU cores. */
export function workerCount(
  sites: number,
  configured: number | undefined,
  cores = availableParallelism(),
): number {
  const needed = Math.min(cores - 1, Math.ceil(sites / sitesPerWorker))
  return Math.max(1, Math.min(configured ?? needed, sites))
}

export function listedSites(sites: readonly NamedSite[]): readonly PublicSite[] {
  return sites.map(({ name, config: { publicUrl } }) => ({ name, publicUrl }))
}

/**
 * Returns the member that owns a site, by rendezvous hashing: the one with the highest hash of both
 * names. Everyone with the same list finds the same owner. When members join or leave, only their
 * own sites move.
 */
export function ownerOf(site: string, members: readonly string[]): string | undefined {
  const hashOf = (member: string) => createHash('sha256').update(`${member}\n${site}`).digest('hex')
  const hashed = members.map((member) => ({ member, hash: hashOf(member) }))
  return hashed.toSorted((a, b) => (a.hash < b.hash ? 1 : -1))[0]?.member
}

/** Distributes sites among workers. A site's worker does not depend on the other sites. */
export function siteShares(
  sites: readonly PublicSite[],
  workers: number,
): readonly (readonly PublicSite[])[] {
  const members = Array.from({ length: workers }, (_, worker) => String(worker))
  const owned = Map.groupBy(sites, ({ name }) => ownerOf(name, members))
  return members.map((member) => owned.get(member) ?? [])
}
