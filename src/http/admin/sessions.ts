import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import NodeCache from 'node-cache'
import type { Clock } from '../../clock.ts'
import { withFallback } from '../../store/store-error.ts'
import type { Documents } from '../../store/store.ts'

export const sessionMs = 12 * 60 * 60 * 1000

const bucket = 'admin-sessions'
const idBytes = 20

/**
 * Who has signed in, on whichever replica; another password ends all sessions. While the store cannot
 * be used, those that began at this replica count: that is when somebody has to look. One that began
 * then ends with it.
 */
export type Sessions = {
  /** Id of a new session; undefined for a wrong password. */
  readonly signIn: (tried: string) => Promise<string | undefined>
  readonly isSignedIn: (id: string) => Promise<boolean>
  /** Ends a session, at this replica also while the store cannot be used. */
  readonly end: (id: string) => Promise<void>
  /**
   * What the forms of a session carry, so that no other page can send them. It depends on the random
   * id alone: whoever sees it can find out no password by it.
   */
  readonly formTokenOf: (id: string) => string
}

export function createSessions(
  documents: Pick<Documents, 'all' | 'get' | 'write'>,
  { password, clock }: { readonly password: string; readonly clock: Pick<Clock, 'now'> },
): Sessions {
  /** Expiry of the sessions that began here, by name, as long as they last. */
  const begun = new NodeCache({ stdTTL: sessionMs / 1000 })

  /** Sessions that ended here before they expired, since the store may not know. */
  const ended = new NodeCache({ stdTTL: sessionMs / 1000 })

  const proofOf = (id: string) =>
    createHmac('sha256', password).update(`session ${id}`).digest('base64url')

  return {
    async signIn(tried) {
      if (!isSameText(tried, password)) return undefined
      const id = randomBytes(idBytes).toString('base64url')
      const name = nameOf(id)
      const expiresAt = clock.now() + sessionMs
      begun.set(name, expiresAt)
      const store = async () => {
        // Which also drops those that are over, on every store.
        await documents.all(bucket)
        await documents.write([{ bucket, id: name, value: proofOf(id), expiresAt }])
      }
      await withFallback(store, () => undefined)
      return id
    },
    async isSignedIn(id) {
      const name = nameOf(id)
      if (ended.has(name)) return false
      const isStored = async () => {
        const stored = await documents.get(bucket, name)
        return stored !== undefined && isSameText(stored.value, proofOf(id))
      }
      return withFallback(isStored, () => clock.now() < (begun.get<number>(name) ?? 0))
    },
    async end(id) {
      const name = nameOf(id)
      begun.del(name)
      ended.set(name, true)
      const end = [{ bucket, id: name, value: undefined }]
      await withFallback(
        () => documents.write(end),
        () => undefined,
      )
    },
    formTokenOf: (id) => createHmac('sha256', id).update('form').digest('base64url'),
  }
}

/** In constant time. */
export function isSameText(a: string, b: string): boolean {
  return timingSafeEqual(hashOf(a), hashOf(b))
}

/** The store does not know what signs anybody in. */
function nameOf(id: string): string {
  return hashOf(id).toString('base64url')
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
