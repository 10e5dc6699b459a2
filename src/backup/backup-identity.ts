import { idHostDocument, idHostFrom } from '../app/id-host.ts'
import { createFollowKeys } from '../followers/follow-keys.ts'
import { followSecretDocument } from '../followers/follow-secret.ts'
import { followerBucket, storedAddress } from '../followers/followers.ts'
import { StoreError } from '../store/store-error.ts'
import { isDocument, type DocumentName, type StoredItem } from '../store/store.ts'

/** Data outside the store that another machine needs to continue from a backup. */
export type BackupIdentity = {
  readonly idHost: string | undefined
  /** Secret that encrypts the addresses of followers. Undefined if it is in the settings. */
  readonly followSecret: string | undefined
}

export const isIdHost = (document: DocumentName) => isNamed(document, idHostDocument)

export const isFollowSecret = (document: DocumentName) => isNamed(document, followSecretDocument)

/** Adds the identity to a store's items, unless they contain it. */
export async function* withIdentity(
  items: AsyncIterable<StoredItem>,
  { idHost, followSecret }: BackupIdentity,
): AsyncGenerator<StoredItem> {
  let hasIdHost = idHost === undefined
  for await (const item of items) {
    hasIdHost ||= isDocument(item) && isIdHost(item)
    yield item
  }
  if (!hasIdHost) yield { ...idHostDocument, value: JSON.stringify(idHost), revision: 1 }
  if (followSecret !== undefined) {
    yield { ...followSecretDocument, value: followSecret, revision: 1 }
  }
}

/**
 * Resolves to the identity in a backup, and the encrypted addresses of followers. Rejects with a
 * `StoreError` if the identity is unreadable.
 */
export async function identityIn(
  items: AsyncIterable<StoredItem>,
  name: string,
): Promise<BackupIdentity & { readonly addresses: readonly string[] }> {
  let idHost: string | undefined
  let followSecret: string | undefined
  const addresses: string[] = []
  for await (const item of items) {
    if (!isDocument(item)) continue
    if (isIdHost(item)) {
      idHost = idHostFrom(item.value)
      if (idHost === undefined) {
        throw new StoreError('unusable', `${name} is damaged: its host for ids cannot be read.`)
      }
    }
    if (isFollowSecret(item)) followSecret = item.value
    if (item.bucket === followerBucket) addresses.push(...storedAddress(item.value))
  }
  return { idHost, followSecret, addresses }
}

export function countUnreadable(addresses: readonly string[], secret: string | undefined): number {
  if (secret === undefined) return addresses.length
  const keys = createFollowKeys(secret)
  return addresses.filter((address) => keys.decrypt(address) === undefined).length
}

function isNamed(document: DocumentName, { bucket, id }: DocumentName): boolean {
  return document.bucket === bucket && document.id === id
}
