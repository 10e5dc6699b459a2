import { createHmac, randomBytes } from 'node:crypto'
import { withFallback } from '../../store/store-error.ts'
import type { Documents } from '../../store/store.ts'
import { isSameText } from './sessions.ts'

/** Maximum lifetime that browsers allow for a cookie (RFC 6265bis 5.5). */
export const knownBrowserMs = 400 * 24 * 60 * 60 * 1000

const keyDocument = { bucket: 'admin-browsers', id: 'key' }
const keyBytes = 32
const idBytes = 16

/**
 * Recognizes browsers that have signed in before. It uses a cookie that does not grant access. The
 * cookie is signed with a random key, so it does not help an attacker guess the password.
 */
export type KnownBrowsers = {
  /** Returns the id of the browser that the cookie was issued to; undefined for an invalid cookie. */
  readonly identify: (cookie: string) => Promise<string | undefined>
  /**
   * Returns a cookie for a browser, with a new id if the browser does not have one. Returns undefined
   * during a store outage.
   */
  readonly issue: (id: string | undefined) => Promise<string | undefined>
}

export function createKnownBrowsers(documents: Documents): KnownBrowsers {
  /** The key that was last read from the store, for use during store outages. */
  let latestKey: string | undefined

  async function storedKey(): Promise<string | undefined> {
    const { bucket, id } = keyDocument
    return withFallback(
      async () => (await documents.get(bucket, id))?.value,
      () => undefined,
    )
  }

  async function storeKey(): Promise<void> {
    const value = randomBytes(keyBytes).toString('base64url')
    // Another replica may have stored a key by now.
    const expected = { ...keyDocument, revision: 0 }
    const write = () => documents.write([{ ...keyDocument, value }], expected)
    await withFallback(write, () => undefined)
  }

  return {
    async identify(cookie) {
      const [, id, proof] = /^([\w-]{22})\.([\w-]{43})$/.exec(cookie) ?? []
      if (id === undefined || proof === undefined) return undefined
      latestKey = (await storedKey()) ?? latestKey
      return latestKey !== undefined && isSameText(proof, proofOf(id, latestKey)) ? id : undefined
    },
    async issue(known) {
      if ((await storedKey()) === undefined) await storeKey()
      const key = await storedKey()
      if (key === undefined) return undefined
      latestKey = key
      const id = known ?? randomBytes(idBytes).toString('base64url')
      return `${id}.${proofOf(id, key)}`
    },
  }
}

function proofOf(id: string, key: string): string {
  return createHmac('sha256', key).update(id).digest('base64url')
}
