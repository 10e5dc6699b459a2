import type { Documents } from '../store/store.ts'
import { hashOfKey, servesUntil, type FeedLink } from './feed-link.ts'
import {
  isRetained,
  linksVersion,
  restoreLinks,
  storedLinks,
  storeUses,
  type LinkUse,
  type ListedLink,
} from './stored-links.ts'

/** A feed link in this replica's memory. Callers may keep the object, because it is updated in place. */
export type LinkEntry = {
  readonly link: FeedLink
  /** Result of `servesUntil`, updated when the link changes. */
  readonly servesUntil: number
  readonly noteUse: (use: LinkUse) => void
}

type KnownLink = {
  -readonly [Key in keyof LinkEntry]: LinkEntry[Key]
} & {
  /** The latest use, if it has not been stored yet. */
  use: LinkUse | undefined
}

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
  let version: string | undefined
  let isLoaded = false

  /** Remembers a link. A revoked link stays revoked, even if the store reverts to an older state. */
  function remember(stored: ListedLink): void {
    const { lastUse: _, ...link } = stored
    const { id, keyHash } = link
    const known = byId.get(id) ?? knownLinkFrom(link)
    const revokedAt = known.link.revokedAt ?? link.revokedAt
    known.link = { ...link, revokedAt }
    known.servesUntil = servesUntil(known.link)
    byId.set(id, known)
    byHash.set(keyHash, known)
  }

  function forgetEnded(): void {
    for (const { link } of byId.values()) {
      if (isRetained(link, now())) continue
      byId.delete(link.id)
      byHash.delete(link.keyHash)
    }
  }

  const all = () => [...byId.values()].map(({ link }) => link)

  /** Returns links that are missing from the store. */
  function lostFrom(stored: readonly FeedLink[]): readonly FeedLink[] {
    const storedById = new Map(stored.map((link) => [link.id, link]))
    return all().filter((link) => {
      const other = storedById.get(link.id)
      return !other || (link.revokedAt !== undefined && other.revokedAt === undefined)
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
      const used = [...byId.values()].flatMap((known) =>
        known.use ? [{ known, use: known.use }] : [],
      )
      if (used.length === 0) return
      await storeUses(documents, new Map(used.map(({ known, use }) => [known.link.id, use])))
      for (const { known, use } of used) if (known.use === use) known.use = undefined
    },
  }
}

function knownLinkFrom(link: FeedLink): KnownLink {
  const known: KnownLink = {
    link,
    servesUntil: Infinity,
    use: undefined,
    noteUse(use) {
      known.use = use
    },
  }
  return known
}
