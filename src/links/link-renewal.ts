import type { Documents } from '../store/store.ts'
import { base32From, hasEnded, hashOfKey, keyBytes, type FeedLink } from './feed-link.ts'
import {
  linkBucket,
  maxLinks,
  newLinkId,
  storedLinkOf,
  storedLinks,
  writesOf,
  type LinkChange,
} from './stored-links.ts'

export type LinkRenewal = {
  /** Expiry of the new link. */
  readonly expiresAt: number | undefined
  /** When the old link ends, unless it ends earlier. */
  readonly oldEndsAt: number
  /** Revision of the link that the form showed. */
  readonly revision: number
}

export type RenewedLink =
  | {
      readonly ok: true
      readonly link: FeedLink
      /** The new link's key, which is not stored. */
      readonly key: string
      readonly old: FeedLink
    }
  | {
      readonly ok: false
      readonly reason: 'unknown' | 'revoked' | 'changed meanwhile' | 'too many'
    }

/**
 * Adds a link with the same properties and a new key, and ends the old link after an overlap. Changes
 * nothing if the old link has another revision, so that submitting a form twice adds only one link.
 */
export async function renewLink(
  documents: Documents,
  id: string,
  { expiresAt, oldEndsAt, revision, ...change }: LinkRenewal & LinkChange,
): Promise<RenewedLink> {
  const { now, random } = change
  const stored = await storedLinkOf(documents, id)
  if (!stored) return { ok: false, reason: 'unknown' }
  const { link: before } = stored
  if (before.revokedAt !== undefined) return { ok: false, reason: 'revoked' }
  if (stored.revision !== revision) return { ok: false, reason: 'changed meanwhile' }
  const current = (await storedLinks(documents)).filter((link) => !hasEnded(link, now))
  if (current.length >= maxLinks) return { ok: false, reason: 'too many' }
  const key = base32From(random(keyBytes))
  const link: FeedLink = {
    ...before,
    id: newLinkId(random),
    keyHash: hashOfKey(key),
    createdAt: now,
    expiresAt,
    editedAt: undefined,
    replacedById: undefined,
  }
  const old: FeedLink = {
    ...before,
    expiresAt: Math.min(before.expiresAt ?? Infinity, oldEndsAt),
    replacedById: link.id,
    // Another replica's clock may be ahead.
    editedAt: Math.max(now, (before.editedAt ?? 0) + 1),
  }
  const expected = { bucket: linkBucket, id, revision }
  const isRenewed = await documents.write(writesOf([old, link], change), expected)
  return isRenewed ? { ok: true, link, key, old } : { ok: false, reason: 'changed meanwhile' }
}
