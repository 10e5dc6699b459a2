import type { FeedLink } from './feed-link.ts'
import { hashOfKey } from './link-key.ts'
import {
  isRetained,
  linksVersion,
  restoreLinks,
  storedLinks,
  storeUses,
  type LinkDocuments,
  type LinkUse,
  type ListedLink,
} from './stored-links.ts'

/** A feed link as this replica knows it: the same object for as long as it is known. */
export type LinkEntry = {
  link: FeedLink
  /** Until when it gives feeds, in milliseconds since the epoch; infinite where there is no end. */
  endsAt: number
  /** Its last use that is not stored yet. */
  use: LinkUse | undefined
}

/** The feed links in memory, where every request finds them. */
export type LinkRegistry = {
  readonly find: (key: string) => LinkEntry | undefined
  /** Whether it was known once what links there are. */
  readonly isLoaded: () => boolean
  readonly all: () => readonly FeedLink[]
  /** Takes over what others have changed in the store. Rejects when that cannot be used. */
  readonly pull: () => Promise<void>
  /** Stores who used what. Rejects when the store cannot be used; then it is told the next time. */
  readonly storeUses: () => Promise<void>
}

export function createLinkRegistry(
  documents: LinkDocuments,
  {
    now,
    onChange,
  }: {
    readonly now: () => number
    /** Called when there are others, or some have ended before their time. */
    readonly onChange: () => void
  },
): LinkRegistry {
  const byId = new Map<string, LinkEntry>()
  const byHash = new Map<string, LinkEntry>()
  let version: string | undefined
  let isLoaded = false

  /** Who was revoked stays so, also when the store goes back to what it was before. */
  function know(stored: ListedLink): void {
    const { lastUse: _, ...link } = stored
    const { id, keyHash, expiresAt = Infinity } = link
    const known = byId.get(id) ?? { link, endsAt: Infinity, use: undefined }
    const revokedAt = known.link.revokedAt ?? link.revokedAt
    known.link = { ...link, revokedAt }
    known.endsAt = revokedAt === undefined ? expiresAt : -Infinity
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

  /** What the store does not know any more. */
  function lostFrom(stored: readonly FeedLink[]): readonly FeedLink[] {
    const there = new Map(stored.map((link) => [link.id, link]))
    return all().filter((link) => {
      const other = there.get(link.id)
      return !other || (link.revokedAt !== undefined && other.revokedAt === undefined)
    })
  }

  return {
    // Who types a key need not care how its letters are written.
    find: (key) => byHash.get(hashOfKey(key.toLowerCase())),
    isLoaded: () => isLoaded,
    all,
    async pull() {
      const present = await linksVersion(documents)
      if (isLoaded && present?.value === version) return
      const stored = await storedLinks(documents)
      for (const link of stored) know(link)
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
