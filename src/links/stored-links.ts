import { parsedJson } from '../json.ts'
import type { Document, Documents, Write } from '../store/store.ts'
import {
  base32From,
  endedKeptMs,
  endOf,
  hasEnded,
  hashOfKey,
  keyBytes,
  storedLinkSchema,
  type FeedLink,
  type LinkRules,
} from './feed-link.ts'
import { storedUses, type AppFetches, type LinkUse, type LinkUses } from './link-use.ts'

export type ListedLink = FeedLink & {
  readonly lastUse: LinkUse | undefined
  readonly fetches?: readonly AppFetches[]
}

export type NewLink = LinkRules & {
  readonly label: string
  readonly memberId?: number | undefined
}

export const linkBucket = 'links'

/** A document that changes with every write to the links, so that replicas can poll cheaply. */
export const linksVersionDocument = { bucket: 'links-version', id: 'version' }

/** Buckets that change whenever a link does. */
export const linkBuckets = [linkBucket, linksVersionDocument.bucket]

/** Maximum number of links that have not ended. */
export const maxLinks = 1_000
const idBytes = 5

export type LinkWithKey = {
  readonly link: FeedLink
  /** The key, which is not stored. */
  readonly key: string
}

type NotAdded = { readonly ok: false; readonly reason: 'too many' | 'made already' }

export type AddedLink = ({ readonly ok: true } & LinkWithKey) | NotAdded

export type AddedLinks = { readonly ok: true; readonly added: readonly LinkWithKey[] } | NotAdded

/** The current time, and a source of random bytes for keys and ids. */
export type LinkChange = { readonly now: number; readonly random: (bytes: number) => Uint8Array }

/** Adds a link, with a new id unless `id` is set. Does nothing if a link with that id exists. */
export async function addLink(
  documents: Documents,
  wish: NewLink & { readonly id?: string | undefined },
  change: LinkChange,
): Promise<AddedLink> {
  const { id = newLinkId(change.random) } = wish
  const result = await addLinks(documents, [wish], { ...change, id })
  if (!result.ok) return result
  const [added] = result.added
  return added ? { ok: true, ...added } : { ok: false, reason: 'made already' }
}

/** Adds all links, or none. The first one gets this id, and nothing is added if that link exists. */
export async function addLinks(
  documents: Documents,
  wishes: readonly NewLink[],
  { id: firstId, ...change }: LinkChange & { readonly id: string },
): Promise<AddedLinks> {
  const { now, random } = change
  const current = (await storedLinks(documents)).filter((link) => !hasEnded(link, now))
  if (current.length + wishes.length > maxLinks) return { ok: false, reason: 'too many' }
  const added = wishes.map(({ label, feedIds, profile, expiresAt, memberId }, index) => {
    const key = newKey(random)
    const id = index === 0 ? firstId : newLinkId(random)
    const keyHash = hashOfKey(key)
    const chosen = { label, feedIds, profile, expiresAt, memberId }
    // Since the newest come first, the links will be in the order of the list.
    const createdAt = now - index
    return { key, link: { id, keyHash, ...chosen, createdAt } }
  })
  const links = added.map(({ link }) => link)
  const expected = { bucket: linkBucket, id: firstId, revision: 0 }
  const isAdded = await documents.write(writesOf(links, change), expected)
  return isAdded ? { ok: true, added } : { ok: false, reason: 'made already' }
}

export function newKey(random: LinkChange['random']): string {
  return base32From(random(keyBytes))
}

/** Creates an id from 40 random bits. */
export function newLinkId(random: LinkChange['random']): string {
  return base32From(random(idBytes))
}

export function isLinkId(text: string): boolean {
  return /^[a-z2-7]{8}$/.test(text)
}

/** Returns a link and its revision, or undefined for an unknown id or an unreadable link. */
export type VersionedLink = { readonly link: FeedLink; readonly revision: number }

export async function storedLinkOf(
  documents: Documents,
  id: string,
): Promise<VersionedLink | undefined> {
  const stored = await documents.get(linkBucket, id)
  const link = stored && linkFrom(id, stored)
  return link && { link, revision: stored.revision }
}

/** Returns all readable links, newest first. */
export async function storedLinks(documents: Documents): Promise<readonly ListedLink[]> {
  const [all, uses] = await Promise.all([documents.all(linkBucket), storedUses(documents)])
  return [...all]
    .flatMap(([id, stored]) => {
      const link = linkFrom(id, stored)
      return link ? [listedFrom(link, uses.get(id))] : []
    })
    .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1))
}

/**
 * Returns a document that changes when links are added or revoked, or undefined if none was ever
 * added.
 */
export function linksVersion(documents: Documents): Promise<Document | undefined> {
  return documents.get(linksVersionDocument.bucket, linksVersionDocument.id)
}

/** Writes back links that are missing from the store, unless another replica has already done so. */
export async function restoreLinks(
  documents: Documents,
  lost: readonly FeedLink[],
  present: Document | undefined,
): Promise<void> {
  const value = hashOfKey(`${present?.value} ${lost.map(({ id }) => id).join(' ')}`)
  const writes = [...lost.map(writeOf), { ...linksVersionDocument, value }]
  await documents.write(writes, { ...linksVersionDocument, revision: present?.revision ?? 0 })
}

/** Returns true for open links, and for links that ended within the retention period. */
export function isRetained(link: FeedLink, now: number): boolean {
  return now < endOf(link) + endedKeptMs
}

function listedFrom(link: FeedLink, uses: LinkUses | undefined): ListedLink {
  if (!uses) return { ...link, lastUse: undefined }
  const { fetches, ...lastUse } = uses
  return { ...link, lastUse, fetches }
}

/** Returns the writes that store these links, and that let replicas notice the change. */
export function writesOf(links: readonly FeedLink[], { random }: LinkChange): readonly Write[] {
  const version = { ...linksVersionDocument, value: base32From(random(idBytes)) }
  return [...links.map(writeOf), version]
}

function writeOf(link: FeedLink): Write {
  const { id, ...value } = link
  const end = endOf(link)
  return {
    bucket: linkBucket,
    id,
    value: JSON.stringify(value),
    ...(Number.isFinite(end) ? { expiresAt: end + endedKeptMs } : {}),
  }
}

/** Returns true if a stored link is revoked, or if it was edited later than the other one. */
export function isLaterStoredLink(text: string, other: string): boolean {
  const [link, otherLink] = [text, other].map(
    (each) => storedLinkSchema.safeParse(parsedJson(each)).data,
  )
  if (link?.revokedAt !== undefined || otherLink?.revokedAt !== undefined) {
    return link?.revokedAt !== undefined
  }
  return (link?.editedAt ?? 0) > (otherLink?.editedAt ?? 0)
}

/** Returns undefined if a stored link is unreadable, so that the others remain usable. */
function linkFrom(id: string, { value }: Document): FeedLink | undefined {
  const { data } = storedLinkSchema.safeParse(parsedJson(value))
  return data && { ...data, id }
}
