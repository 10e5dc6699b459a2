import type { Documents } from '../store/store.ts'
import { hashOfKey, servesUntil, type FeedLink } from './feed-link.ts'
import { isSameLink, laterLink } from './link-edits.ts'
import {
  isRetained,
  linksVersion,
  restoreLinks,
  storedLinks,
  storeUses,
  type LinkUse,
  type ListedLink,
} from './stored-links.ts'

/**
 * A feed link in this replica's memory. A changed link gets a new entry, and the old one stops serving,
 * so that nothing learned from it, such as its profile and feeds, can be used again.
 */
export type LinkEntry = {
  readonly link: FeedLink
  /** Result of `servesUntil`, or -Infinity once there is a new entry for the link. */
  readonly servesUntil: number
  readonly noteUse: (use: LinkUse) => void
}

type KnownLink = { -readonly [Key in keyof LinkEntry]: LinkEntry[Key] }

/** Feed links in memory, for lookup on every request. */
export type LinkRegistry = {
  readonly find: (key: string) => LinkEntry | undefined
  readonly byId: (id: string) => LinkEntry | undefined
  /** True once the links have been read from the store. */
  readonly isLoaded: () => boolean
  readonly all: () => readonly FeedLink[]
  /** Loads other replicas' changes from the store. Rejects if the store is down. */
  readonly pull: () => Promise<void>
  /** Stores the latest uses. Rejects if the store is down; the next call then retries. */
  readonly storeUses: () => Promise<void>
}

export function createLinkRegistry(
  documents: Documents,
  {
    now,
    onChange,
  }: {
    readonly now: () => number
    /** Called after links are added, changed or revoked. */
    readonly onChange: () => void
  },
): LinkRegistry {
  const byId = new Map<string, KnownLink>()
  const byHash = new Map<string, KnownLink>()
  const unstoredUses = new Map<string, LinkUse>()
  let version: string | undefined
  let isLoaded = false

  function remember(listed: ListedLink): void {
    const { lastUse: _, ...stored } = listed
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
      noteUse: (use) => void unstoredUses.set(id, use),
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

  /** Returns links that are missing from the store, or that the store has an older version of. */
  function lostFrom(stored: readonly FeedLink[]): readonly FeedLink[] {
    const storedById = new Map(stored.map((link) => [link.id, link]))
    return all().filter((link) => {
      const other = storedById.get(link.id)
      if (!other || (link.revokedAt !== undefined && other.revokedAt === undefined)) return true
      return (link.editedAt ?? 0) > (other.editedAt ?? 0)
    })
  }

  return {
    // People may type a key in capitals.
    find: (key) => byHash.get(hashOfKey(key.toLowerCase())),
    byId: (id) => byId.get(id),
    isLoaded: () => isLoaded,
    all,
    async pull() {
      const present = await linksVersion(documents)
      if (isLoaded && present?.value === version) return
      const stored = await storedLinks(documents)
      for (const link of stored) remember(link)
      forgetEnded()
      isLoaded = true
      const lost = lostFrom(stored)
      if (lost.length > 0) await restoreLinks(documents, lost, present)
      version = present?.value
      onChange()
    },
    async storeUses() {
      if (unstoredUses.size === 0) return
      const uses = new Map(unstoredUses)
      await storeUses(documents, uses)
      for (const [id, use] of uses) if (unstoredUses.get(id) === use) unstoredUses.delete(id)
    },
  }
}
