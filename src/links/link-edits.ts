import type { Documents } from '../store/store.ts'
import { hasEnded, type FeedLink } from './feed-link.ts'
import {
  linkBucket,
  maxLinks,
  storedLinkOf,
  storedLinks,
  writesOf,
  type LinkChange,
  type NewLink,
} from './stored-links.ts'

const maxAttempts = 5

/** Properties to change. A property that is missing stays as it is. */
export type LinkEdit = Partial<NewLink> & Pick<FeedLink, 'choice'> & { readonly isPaused?: boolean }

export type EditedLink =
  | { readonly ok: true; readonly link: FeedLink }
  | {
      readonly ok: false
      readonly reason: 'unknown' | 'revoked' | 'changed meanwhile' | 'too many'
    }

/**
 * Edits a link. With `revision`, changes nothing if the link's document has another revision. Without
 * it, edits of other properties at the same time are kept.
 */
export async function editLink(
  documents: Documents,
  id: string,
  edit: LinkEdit,
  { revision, ...change }: LinkChange & { readonly revision?: number | undefined },
): Promise<EditedLink> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const stored = await storedLinkOf(documents, id)
    if (!stored) return { ok: false, reason: 'unknown' }
    const { link } = stored
    if (link.revokedAt !== undefined) return { ok: false, reason: 'revoked' }
    if (revision !== undefined && revision !== stored.revision) {
      return { ok: false, reason: 'changed meanwhile' }
    }
    const edited = editedLinkFrom(link, edit, change.now)
    if (isSameLink(edited, link)) return { ok: true, link }
    if (await isOneTooMany(documents, link, edited, change.now)) {
      return { ok: false, reason: 'too many' }
    }
    const expected = { bucket: linkBucket, id, revision: stored.revision }
    if (await documents.write(writesOf([edited], change), expected)) {
      return { ok: true, link: edited }
    }
  }
  throw new Error(`the feed link ${id} kept changing while it was being edited`)
}

/** Revokes and returns a link; returns undefined for an unknown id. A revoked link stays unchanged. */
export async function revokeLink(
  documents: Documents,
  id: string,
  change: LinkChange,
): Promise<FeedLink | undefined> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const stored = await storedLinkOf(documents, id)
    if (!stored || stored.link.revokedAt !== undefined) return stored?.link
    const revoked = { ...stored.link, revokedAt: change.now }
    const expected = { bucket: linkBucket, id, revision: stored.revision }
    if (await documents.write(writesOf([revoked], change), expected)) return revoked
  }
  throw new Error(`the feed link ${id} kept changing while it was being revoked`)
}

/** Returns true if both have the same properties, regardless of when they were edited. */
export function isSameLink(a: FeedLink, b: FeedLink): boolean {
  return contentOf(a) === contentOf(b)
}

/**
 * Merges a link in memory with the stored one. The later edit wins, and a revoked link stays revoked,
 * even if the store reverts to an older state.
 */
export function laterLink(known: FeedLink, stored: FeedLink): FeedLink {
  const isReverted = (known.editedAt ?? 0) > (stored.editedAt ?? 0)
  const revokedAt = known.revokedAt ?? stored.revokedAt
  return { ...(isReverted ? known : stored), revokedAt }
}

function contentOf({ id, keyHash, label, feedIds, profile, expiresAt, ...rest }: FeedLink): string {
  const { createdAt, revokedAt, memberId, pausedAt, replacedById, choice } = rest
  const times = { createdAt, expiresAt, revokedAt, pausedAt }
  const who = { id, keyHash, label, feedIds, profile, memberId, replacedById }
  return JSON.stringify({ ...who, choice, ...times })
}

function editedLinkFrom(link: FeedLink, { isPaused, ...edit }: LinkEdit, now: number): FeedLink {
  const pausedAt = isPaused === undefined || isPaused ? link.pausedAt : undefined
  return {
    ...link,
    ...edit,
    pausedAt: isPaused === true ? (pausedAt ?? now) : pausedAt,
    // Another replica's clock may be ahead.
    editedAt: Math.max(now, (link.editedAt ?? 0) + 1),
  }
}

/** Returns true if a new expiration date would reactivate a link beyond the maximum. */
async function isOneTooMany(
  documents: Documents,
  link: FeedLink,
  edited: FeedLink,
  now: number,
): Promise<boolean> {
  if (!hasEnded(link, now) || hasEnded(edited, now)) return false
  const current = (await storedLinks(documents)).filter((each) => !hasEnded(each, now))
  return current.length >= maxLinks
}
