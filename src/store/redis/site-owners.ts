import { singleFlight } from '../../clock.ts'
import { StoreError, withFallback } from '../store-error.ts'
import type { RedisConnection } from './redis-connection.ts'
import { claimOwner, fenced, releaseOwner } from './redis-scripts.ts'

/** How long a killed process's sites have no owner. */
export const ownerMs = 8_000

type Owned = { readonly fence: string; readonly lost: Set<() => void> }

type Claim = AsyncDisposable & { readonly connection: RedisConnection }

export type SiteOwners = {
  /**
   * Claims a site, possibly for several stores at once. `lost` is called if another process has
   * taken it over. Rejects with a `StoreError` if another process owns it.
   */
  readonly claim: (site: string, lost: () => void) => Promise<Claim>
  /** Renews all claims, unless that is already in progress. */
  readonly renew: () => Promise<unknown>
}

/** Claims sites in Redis, each of which has one owner at a time. */
export function createSiteOwners(connection: RedisConnection, holder: string): SiteOwners {
  const owned = new Map<string, Owned>()
  const keyFor = (site: string) => connection.keyOf(site, 'owner')

  /** Resolves to a fencing token: a number that increases with every new owner, and the holder. */
  async function claimed(site: string): Promise<string | undefined> {
    const [number = '0'] = owned.get(site)?.fence.split(':') ?? []
    const args = [holder, String(ownerMs), number]
    const fence = await connection.evaluate(claimOwner, [keyFor(site)], args)
    return typeof fence === 'string' ? fence : undefined
  }

  async function renew(site: string, { fence, lost }: Owned): Promise<void> {
    const latest = await withFallback(
      () => claimed(site),
      () => fence,
    )
    if (latest === fence || !owned.delete(site)) return
    for (const notify of lost) notify()
  }

  return {
    async claim(site, lost) {
      const fence = await claimed(site)
      if (fence === undefined) throw new StoreError('owned', `Another host serves ${site}.`)
      const known = owned.get(site)
      const owner = known?.fence === fence ? known : { fence, lost: new Set<() => void>() }
      owned.set(site, owner)
      if (known !== owner) for (const notify of known?.lost ?? []) notify()
      const notify = () => lost()
      owner.lost.add(notify)
      return {
        connection: fencedConnection(connection, keyFor(site), fence),
        async [Symbol.asyncDispose](): Promise<void> {
          owner.lost.delete(notify)
          if (owner.lost.size > 0 || owned.get(site) !== owner) return
          owned.delete(site)
          await withFallback(() => connection.evaluate(releaseOwner, [keyFor(site)], [holder]))
        },
      }
    },
    renew: singleFlight(() => Promise.all([...owned].map((entry) => renew(...entry)))),
  }
}

/** Returns a connection whose scripts fail once the site has another owner. */
function fencedConnection(connection: RedisConnection, key: string, fence: string) {
  const evaluate: RedisConnection['evaluate'] = (script, keys, args) =>
    connection.evaluate(fenced(script), [...keys, key], [...args, fence])
  return { ...connection, evaluate }
}
