import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import NodeCache from 'node-cache'
import type { TimeSource } from '../../clock.ts'
import { withFallback } from '../../store/store-error.ts'
import type { Documents } from '../../store/store.ts'

export const sessionMs = 12 * 60 * 60 * 1000

const bucket = 'admin-sessions'
const idBytes = 20

/**
 * Admin sessions, shared by all replicas. Changing the password ends all sessions. During a store
 * outage, when an admin most needs the page, sessions that started on this replica keep working.
 * Sessions that start during an outage end when the store is back, except after a full disk.
 */
export function createSessions(
  documents: Documents,
  { password, clock }: { readonly password: string; readonly clock: TimeSource },
) {
  /** Expiry times of sessions that started on this replica, by stored name. */
  const begun = new NodeCache({ stdTTL: sessionMs / 1000 })

  /** Sessions that could not be stored because the disk was full, while the store can be read. */
  const unstored = new NodeCache({ stdTTL: sessionMs / 1000 })

  /** Sessions that were ended on this replica, possibly while the store was down. */
  const ended = new NodeCache({ stdTTL: sessionMs / 1000 })

  const proofOf = (id: string) =>
    createHmac('sha256', password).update(`session ${id}`).digest('base64url')

  return {
    isPassword: (tried: string) => isSameText(tried, password),
    /** Starts a session and returns its id. */
    async begin(): Promise<string> {
      const id = randomBytes(idBytes).toString('base64url')
      const name = nameOf(id)
      const expiresAt = clock.now() + sessionMs
      begun.set(name, expiresAt)
      const store = async () => {
        // Reading all sessions also deletes expired ones.
        await documents.all(bucket)
        await documents.write([{ bucket, id: name, value: proofOf(id), expiresAt }])
      }
      await withFallback(store, ({ kind }) => {
        if (kind === 'disk full') unstored.set(name, expiresAt)
      })
      return id
    },
    async isSignedIn(id: string): Promise<boolean> {
      const name = nameOf(id)
      if (ended.has(name)) return false
      const isBegun = (sessions: NodeCache) => clock.now() < (sessions.get<number>(name) ?? 0)
      const isStored = async () => {
        const stored = await documents.get(bucket, name)
        return stored ? isSameText(stored.value, proofOf(id)) : isBegun(unstored)
      }
      return withFallback(isStored, () => isBegun(begun))
    },
    /** Ends a session. During a store outage, it ends only on this replica. */
    async end(id: string): Promise<void> {
      const name = nameOf(id)
      begun.del(name)
      ended.set(name, true)
      const end = [{ bucket, id: name, value: undefined }]
      await withFallback(
        () => documents.write(end),
        () => undefined,
      )
    },
    /**
     * Returns the CSRF token for a session's forms. It is derived only from the random session id, so it
     * reveals nothing about the password.
     */
    formTokenOf: (id: string) => createHmac('sha256', id).update('form').digest('base64url'),
  }
}

/** Compares two strings in constant time. */
export function isSameText(a: string, b: string): boolean {
  return timingSafeEqual(hashOf(a), hashOf(b))
}

/** Hashes a session id, so that a stolen store cannot be used to sign in. */
function nameOf(id: string): string {
  return hashOf(id).toString('base64url')
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
