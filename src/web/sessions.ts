import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { CookieOptions, Request } from 'express'
import NodeCache from 'node-cache'
import type { TimeSource } from '../clock.ts'
import { withFallback } from '../store/store-error.ts'
import type { Documents } from '../store/store.ts'
import type { SiteContext } from './context.ts'
import { basePathOf } from './urls.ts'

/** Maximum lifetime that browsers allow for a cookie (RFC 6265bis 5.5). */
const knownBrowserMs = 400 * 24 * 60 * 60 * 1000

type AdminCookie = { readonly name: string; readonly options: CookieOptions }

/** Returns a cookie's name and options. `maxAge` is in milliseconds. */
function adminCookie(publicUrl: string, name: string, maxAge: number): AdminCookie {
  const secure = publicUrl.startsWith('https:')
  // The path separates the cookies of sites that share a host.
  const path = `${basePathOf({ publicUrl })}/`
  // Browsers reject insecure cookies with these prefixes (RFC 6265bis 4.1.3).
  const prefix = path === '/' ? '__Host-' : '__Secure-'
  const options: CookieOptions = { httpOnly: true, secure, sameSite: 'strict', path, maxAge }
  return { name: `${secure ? prefix : ''}${name}`, options }
}

/** Returns a site's access for admins, or undefined if there is no admin page. */
export const adminAccess = ({ site, admin, clock }: SiteContext): AdminAccess | undefined =>
  admin && createAdminAccess({ site, clock, ...admin })

export type AdminAccess = {
  readonly sessions: AdminSessions
  readonly cookie: AdminCookie
  readonly browsers: KnownBrowsers
  readonly browserCookie: AdminCookie
  readonly isSignedIn: (request: Request) => Promise<boolean>
}

export function createAdminAccess(options: {
  readonly site: { readonly publicUrl: string }
  readonly documents: Documents
  readonly password: string
  readonly clock: TimeSource
  readonly cookieName?: string
}): AdminAccess {
  const { site, documents, cookieName = 'feedhouse' } = options
  const cookie = adminCookie(site.publicUrl, cookieName, sessionMs)
  const sessions = createSessions(documents, options)
  return {
    sessions,
    cookie,
    browsers: createKnownBrowsers(documents),
    browserCookie: adminCookie(site.publicUrl, `${cookieName}-browser`, knownBrowserMs),
    isSignedIn: async (request) => {
      const id = cookieFrom(request, cookie)
      return id !== '' && sessions.isSignedIn(id)
    },
  }
}

export function cookieFrom({ headers }: Request, { name }: { readonly name: string }): string {
  const cookies = (headers.cookie ?? '').split('; ')
  const cookie = cookies.find((text) => text.startsWith(`${name}=`))
  return cookie?.slice(name.length + 1) ?? ''
}

const keyDocument = { bucket: 'admin-browsers', id: 'key' }

type KnownBrowsers = {
  /**
   * Returns the id of the browser that the cookie was issued to, or undefined for an invalid
   * cookie.
   */
  readonly identify: (cookie: string) => Promise<string | undefined>
  /** Keeps the id that a browser already has. Returns undefined during a store outage. */
  readonly issue: (known: string | undefined) => Promise<string | undefined>
}

/**
 * Recognizes browsers that have signed in before. It uses a cookie that does not grant access. The
 * cookie is signed with a random key, so it does not help an attacker guess the password.
 */
function createKnownBrowsers(documents: Documents): KnownBrowsers {
  /** The key that was last read from the store, for use during store outages. */
  let latestKey: string | undefined

  const storedKey = () =>
    withFallback(async () => (await documents.get(keyDocument.bucket, keyDocument.id))?.value)

  return {
    async identify(cookie) {
      const [, id, proof] = /^([\w-]{22})\.([\w-]{43})$/.exec(cookie) ?? []
      if (id === undefined || proof === undefined) return undefined
      latestKey = (await storedKey()) ?? latestKey
      const isOwn = latestKey !== undefined && isSameText(proof, browserProof(id, latestKey))
      return isOwn ? id : undefined
    },
    async issue(known) {
      const value = randomBytes(32).toString('base64url')
      // Stores nothing if this or another replica has already stored a key.
      const first = { ...keyDocument, revision: 0 }
      await withFallback(() => documents.write([{ ...keyDocument, value }], first))
      const key = await storedKey()
      if (key === undefined) return undefined
      latestKey = key
      const id = known ?? randomBytes(16).toString('base64url')
      return `${id}.${browserProof(id, key)}`
    },
  }
}

function browserProof(id: string, key: string): string {
  return createHmac('sha256', key).update(id).digest('base64url')
}

export const sessionMs = 12 * 60 * 60 * 1000

const bucket = 'admin-sessions'
const idBytes = 20

type KnownSession = {
  readonly expiresAt?: number
  /** True if it could not be stored because the disk was full, while the store can be read. */
  readonly isUnstored?: boolean
  /** True if it was ended, possibly while the store was down. */
  readonly hasEnded?: boolean
}

type AdminSessions = {
  readonly isPassword: (tried: string) => boolean
  readonly begin: () => Promise<string>
  readonly isSignedIn: (id: string) => Promise<boolean>
  /** Ends a session. During a store outage, it ends only on this replica. */
  readonly end: (id: string) => Promise<void>
  /** Returns a session's CSRF token. The id is random, so it reveals nothing about the password. */
  readonly formTokenOf: (id: string) => string
}

/**
 * Admin sessions, shared by all replicas. Changing the password ends all sessions. During a store
 * outage, when an admin needs the page most, sessions that started on this replica keep working.
 * Sessions that start during an outage end when the store is back, except after a full disk.
 */
export function createSessions(
  documents: Documents,
  { password, clock }: { readonly password: string; readonly clock: TimeSource },
): AdminSessions {
  /** Sessions that started or ended on this replica, by stored name. */
  const known = new NodeCache({ stdTTL: sessionMs / 1000 })

  const proofOf = (id: string) =>
    createHmac('sha256', password).update(`session ${id}`).digest('base64url')

  return {
    isPassword: (tried) => isSameText(tried, password),
    async begin() {
      const id = randomBytes(idBytes).toString('base64url')
      const name = nameOf(id)
      const expiresAt = clock.now() + sessionMs
      known.set<KnownSession>(name, { expiresAt })
      const store = async () => {
        // Reading all sessions also deletes expired ones.
        await documents.all(bucket)
        await documents.write([{ bucket, id: name, value: proofOf(id), expiresAt }])
      }
      await withFallback(store, ({ kind }) => {
        if (kind === 'disk full') known.set<KnownSession>(name, { expiresAt, isUnstored: true })
      })
      return id
    },
    async isSignedIn(id) {
      const name = nameOf(id)
      const { expiresAt = 0, isUnstored = false, hasEnded } = known.get<KnownSession>(name) ?? {}
      if (hasEnded) return false
      const isKnown = clock.now() < expiresAt
      const isStored = async () => {
        const stored = await documents.get(bucket, name)
        return stored ? isSameText(stored.value, proofOf(id)) : isKnown && isUnstored
      }
      return withFallback(isStored, () => isKnown)
    },
    async end(id) {
      const name = nameOf(id)
      known.set<KnownSession>(name, { hasEnded: true })
      const end = [{ bucket, id: name, value: undefined }]
      await withFallback(() => documents.write(end))
    },
    formTokenOf: (id) => createHmac('sha256', id).update('form').digest('base64url'),
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
