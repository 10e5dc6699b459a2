import type { Documents } from '../store/store.ts'
import { hashOfKey, servesUntil, type FeedLink } from './feed-link.ts'
import { isSameLink, laterLink } from './link-edits.ts'
import {
  mergeFetches,
  type AppFetches,
  type LinkApp,
  storedUsesOf,
  storeUses,
  usesFromRequests,
} from './link-use.ts'
import {
  isRetained,
  linksVersion,
  restoreLinks,
  storedLinks,
  type ListedLink,
} from './stored-links.ts'

/**
 * A feed link in this replica's memory. A changed link gets a new entry, and the old one stops
 * serving, so that nothing derived from it, such as its profile and feeds, can be used again.
 */
export type LinkEntry = {
  readonly link: FeedLink
  /** Result of `servesUntil`, or -Infinity once there is a new entry for the link. */
  readonly servesUntil: number
  readonly noteUse: (use: { readonly at: number; readonly app: LinkApp }) => void
  /** Returns the latest fetches on all replicas, latest app first. Rejects if the store is down. */
  readonly fetches: () => Promise<readonly AppFetches[]>
}

type KnownLink = { -readonly [Key in keyof LinkEntry]: LinkEntry[Key] }

/** Keeps links in memory for every request. Calls `onChange` after links have changed. */
export function createLinkRegistry(documents: Documents, now: () => number, onChange: () => void) {
  const byId = new Map<string, KnownLink>()
  const byHash = new Map<string, KnownLink>()
  /** Latest request of each app by link id, until it has been stored. */
  const unstoredRequests = new Map<string, Map<LinkApp, number>>()
  let version: string | undefined
  let isLoaded = false

  function unstoredOf(id: string): Map<LinkApp, number> {
    const requests = unstoredRequests.get(id) ?? new Map<LinkApp, number>()
    unstoredRequests.set(id, requests)
    return requests
  }

  /** Remembers a link. An edited link gets a new entry, and the old entry stops serving. */
  function remember(listed: ListedLink): void {
    const { lastUse: _, fetches: __, ...stored } = listed
    const { id, keyHash } = stored
    const known = byId.get(id)
    const link = known ? laterLink(known.link, stored) : stored
    if (known) {
      if (isSameLink(known.link, link)) return
      known.servesUntil = -Infinity
    }
    const entry: KnownLink = {
      link,
      servesUntil: servesUntil(link),
      noteUse: ({ at, app }) => void unstoredOf(id).set(app, at),
      async fetches() {
        const uses = await storedUsesOf(documents, id)
        return mergeFetches(uses?.fetches ?? [], usesFromRequests(unstoredOf(id)).fetches)
      },
    }
    byId.set(id, entry)
    byHash.set(keyHash, entry)
  }

  function forgetEnded(): void {
    for (const { link } of byId.values()) {
      if (isRetained(link, now())) continue
      byId.delete(link.id)
      byHash.delete(link.keyHash)
    }
  }

  const all = () => [...byId.values()].map(({ link }) => link)

  /** Returns links that are missing from the store, or older in the store. */
  function lostFrom(stored: readonly FeedLink[]): readonly FeedLink[] {
    const storedById = new Map(stored.map((link) => [link.id, link]))
    return all().filter((link) => {
      const other = storedById.get(link.id)
      if (!other || (link.revokedAt !== undefined && other.revokedAt === undefined)) return true
      return (link.editedAt ?? 0) > (other.editedAt ?? 0)
    })
  }

  /** Loads other replicas' changes from the store. Rejects if the store is down. */
  async function pull(): Promise<true> {
    const present = await linksVersion(documents)
    if (isLoaded && present?.value === version) return true
    const stored = await storedLinks(documents)
    for (const link of stored) remember(link)
    forgetEnded()
    isLoaded = true
    // Do this first, because the store may fail.
    onChange()
    const lost = lostFrom(stored)
    if (lost.length > 0) await restoreLinks(documents, lost, present)
    version = present?.value
    return true
  }

  /** Stores the latest uses. Rejects if the store is down, and retries on the next call. */
  async function storeUnstored(): Promise<void> {
    const unstored = [...unstoredRequests].filter(([, requests]) => requests.size > 0)
    if (unstored.length === 0) return
    unstoredRequests.clear()
    const uses = unstored.map(([id, requests]) => [id, usesFromRequests(requests)] as const)
    try {
      await storeUses(documents, new Map(uses))
    } catch (error) {
      for (const [id, requests] of unstored) {
        unstoredRequests.set(id, new Map([...requests, ...unstoredOf(id)]))
      }
      throw error
    }
  }

  return {
    // People may type a key in capitals.
    find: (key: string): LinkEntry | undefined => byHash.get(hashOfKey(key.toLowerCase())),
    byId: (id: string): LinkEntry | undefined => byId.get(id),
    isLoaded: () => isLoaded,
    all,
    pull,
    storeUses: storeUnstored,
  }
}
