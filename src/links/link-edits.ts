import { isDeepStrictEqual } from 'node:util'
import { retryWrite, type Documents } from '../store/store.ts'
import { hasEnded, hashOfKey, type FeedLink, type LinkChoice } from './feed-link.ts'
import {
  linkBucket,
  maxLinks,
  newKey,
  newLinkId,
  storedLinkOf,
  storedLinks,
  writesOf,
  type LinkChange,
  type LinkWithKey,
  type NewLink,
} from './stored-links.ts'

/** Properties to change. Missing properties are not changed. */
export type LinkEdit = Partial<NewLink> & {
  readonly choice?: LinkChoice | undefined
  readonly isPaused?: boolean
}

type NotEdited = {
  readonly ok: false
  readonly reason: 'unknown' | 'revoked' | 'changed meanwhile' | 'too many'
}

export type EditedLink = { readonly ok: true; readonly link: FeedLink } | NotEdited

export type RenewedLink = ({ readonly ok: true; readonly old: FeedLink } & LinkWithKey) | NotEdited

export type LinkRenewal = {
  /** Expiration time of the new link. */
  readonly expiresAt: number | undefined
  /** When the old link ends, unless it ends earlier. */
  readonly oldEndsAt: number
  /** Revision of the link that the form showed. */
  readonly revision: number
}

/**
 * Edits a link. With `revision`, changes nothing if the link's document has a different revision.
 * Without it, concurrent edits of other properties are kept.
 */
export function editLink(
  documents: Documents,
  id: string,
  { isPaused, ...edit }: LinkEdit,
  change: LinkChange & { readonly revision?: number | undefined },
): Promise<EditedLink> {
  return replaceLink(documents, id, change, (link) => {
    const pausedAt = isPaused === false ? undefined : link.pausedAt
    const editedAt = editedAfter(link, change)
    const after = { ...link, ...edit }
    // Later than the entries, which may have changed in the same second.
    const entriesChangedAt = editedAt + 1_000
    const edited = {
      ...after,
      pausedAt: isPaused === true ? (pausedAt ?? change.now) : pausedAt,
      editedAt,
      ...(after.profile !== link.profile && { profileChangedAt: entriesChangedAt }),
      ...(entryOptions(after) !== entryOptions(link) && { choiceChangedAt: entriesChangedAt }),
    }
    return { link: isSameLink(edited, link) ? link : edited }
  })
}

/** Returns the saved options of calendar entries, without the selection of calendars. */
function entryOptions({ choice }: FeedLink): string {
  const options = new URLSearchParams(choice?.calendar)
  options.delete('show')
  return options.toString()
}

/** Revokes and returns a link. Returns a revoked one as it is, and undefined for an unknown id. */
export async function revokeLink(
  documents: Documents,
  id: string,
  change: LinkChange,
): Promise<FeedLink | undefined> {
  const revoked = await replaceLink(documents, id, change, (link) => ({
    link: { ...link, revokedAt: change.now },
  }))
  return revoked.ok ? revoked.link : (await storedLinkOf(documents, id))?.link
}

/**
 * Adds a link with the same properties and a new key, which is not stored, and ends the old link after an
 * overlap. Changes nothing if the old link's revision differs, so that submitting a form twice adds only
 * one link.
 */
export async function renewLink(
  documents: Documents,
  id: string,
  { expiresAt, oldEndsAt, ...change }: LinkRenewal & LinkChange,
): Promise<RenewedLink> {
  const { now, random } = change
  const key = newKey(random)
  const newLink = { id: newLinkId(random), keyHash: hashOfKey(key), createdAt: now, expiresAt }
  const renewed = await replaceLink(documents, id, change, (link) => ({
    added: { ...link, ...newLink, editedAt: undefined, replacedById: undefined },
    link: {
      ...link,
      expiresAt: Math.min(link.expiresAt ?? Infinity, oldEndsAt),
      replacedById: newLink.id,
      editedAt: editedAfter(link, change),
    },
  }))
  return renewed.ok ? { ok: true, key, link: renewed.added, old: renewed.link } : renewed
}

/**
 * Stores the result of `replace` for a link, and any link that it adds. Starts over if the link has
 * changed in the meantime, unless `revision` is set.
 */
async function replaceLink<T extends { readonly link: FeedLink; readonly added?: FeedLink }>(
  documents: Documents,
  id: string,
  { revision, ...change }: LinkChange & { readonly revision?: number | undefined },
  replace: (link: FeedLink) => T,
): Promise<({ readonly ok: true } & T) | NotEdited> {
  const result = await retryWrite<({ readonly ok: true } & T) | NotEdited>(async () => {
    const stored = await storedLinkOf(documents, id)
    if (!stored) return { ok: false, reason: 'unknown' }
    const { link } = stored
    if (link.revokedAt !== undefined) return { ok: false, reason: 'revoked' }
    if (revision !== undefined && revision !== stored.revision) {
      return { ok: false, reason: 'changed meanwhile' }
    }
    const replaced = replace(link)
    if (replaced.link === link) return { ok: true, ...replaced }
    const written = [replaced.link, ...(replaced.added ? [replaced.added] : [])]
    const current = (links: readonly FeedLink[]) =>
      links.filter((each) => !hasEnded(each, change.now)).length
    const more = current(written) - current([link])
    if (more > 0 && current(await storedLinks(documents)) + more > maxLinks) {
      return { ok: false, reason: 'too many' }
    }
    const expected = { bucket: linkBucket, id, revision: stored.revision }
    const isWritten = await documents.write(writesOf(written, change), expected)
    return isWritten ? { ok: true, ...replaced } : undefined
  })
  if (result) return result
  throw new Error(`the feed link ${id} kept changing while it was being edited`)
}

/**
 * Returns the time of an edit, in another second than the one before, because HTTP dates have no
 * milliseconds. Another replica's clock may be ahead.
 */
function editedAfter({ editedAt = 0 }: FeedLink, { now }: LinkChange): number {
  return Math.max(now, editedAt + 1_000)
}

/** Returns true if both have the same properties, regardless of when they were edited. */
export function isSameLink(a: FeedLink, b: FeedLink): boolean {
  return isDeepStrictEqual(contentOf(a), contentOf(b))
}

function contentOf(link: FeedLink): unknown {
  return JSON.parse(JSON.stringify({ ...link, editedAt: undefined }))
}

/** The later edit wins, but a revoked link stays revoked, even if the store reverts. */
export function laterLink(known: FeedLink, stored: FeedLink): FeedLink {
  const isReverted = (known.editedAt ?? 0) > (stored.editedAt ?? 0)
  const revokedAt = known.revokedAt ?? stored.revokedAt
  return { ...(isReverted ? known : stored), revokedAt }
}
