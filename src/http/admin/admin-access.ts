import { createHmac, randomBytes } from 'node:crypto'
import type { CookieOptions, Request } from 'express'
import type { TimeSource } from '../../clock.ts'
import { withFallback } from '../../store/store-error.ts'
import type { Documents } from '../../store/store.ts'
import { basePathOf } from '../server/urls.ts'
import { createSessions, isSameText, sessionMs } from './sessions.ts'

/** Maximum lifetime that browsers allow for a cookie (RFC 6265bis 5.5). */
const knownBrowserMs = 400 * 24 * 60 * 60 * 1000

type AdminCookie = { readonly name: string; readonly options: CookieOptions }

/**
 * Returns a cookie's name and options. Over https, the name has a prefix that makes browsers reject
 * insecure cookies (RFC 6265bis 4.1.3). The path separates the cookies of sites that share a host.
 */
function adminCookie(publicUrl: string, name: string, maxAge: number): AdminCookie {
  const secure = publicUrl.startsWith('https:')
  const path = `${basePathOf({ publicUrl })}/`
  const prefix = path === '/' ? '__Host-' : '__Secure-'
  return {
    name: `${secure ? prefix : ''}${name}`,
    options: { httpOnly: true, secure, sameSite: 'strict', path, maxAge },
  }
}

export type AdminAccess = ReturnType<typeof createAdminAccess>

/** Creates the admin sessions and the cookies that identify them. */
export function createAdminAccess(options: {
  readonly site: { readonly publicUrl: string }
  readonly documents: Documents
  readonly password: string
  readonly clock: TimeSource
  readonly cookieName?: string
}) {
  const { site, documents, cookieName = 'feedhouse' } = options
  const cookie = adminCookie(site.publicUrl, cookieName, sessionMs)
  const sessions = createSessions(documents, options)
  return {
    sessions,
    cookie,
    browsers: createKnownBrowsers(documents),
    browserCookie: adminCookie(site.publicUrl, `${cookieName}-browser`, knownBrowserMs),
    isSignedIn: async (request: Request) => {
      const id = cookieFrom(request, cookie)
      return id !== '' && sessions.isSignedIn(id)
    },
  }
}

/** Returns the cookie's value, or an empty string if the request does not have it. */
export function cookieFrom({ headers }: Request, { name }: AdminCookie): string {
  const cookies = (headers.cookie ?? '').split('; ')
  const cookie = cookies.find((text) => text.startsWith(`${name}=`))
  return cookie?.slice(name.length + 1) ?? ''
}

const keyDocument = { bucket: 'admin-browsers', id: 'key' }

/**
 * Recognizes browsers that have signed in before. It uses a cookie that does not grant access. The
 * cookie is signed with a random key, so it does not help an attacker guess the password.
 */
function createKnownBrowsers(documents: Documents) {
  /** The key that was last read from the store, for use during store outages. */
  let latestKey: string | undefined

  const storedKey = () =>
    withFallback(
      async () => (await documents.get(keyDocument.bucket, keyDocument.id))?.value,
      () => undefined,
    )

  /** Stores a new key, unless another replica has stored one by now. */
  async function storeKey(): Promise<void> {
    const value = randomBytes(32).toString('base64url')
    const write = () =>
      documents.write([{ ...keyDocument, value }], { ...keyDocument, revision: 0 })
    await withFallback(write, () => undefined)
  }

  return {
    /** Returns the id of the browser that the cookie was issued to; undefined for an invalid cookie. */
    async identify(cookie: string): Promise<string | undefined> {
      const [, id, proof] = /^([\w-]{22})\.([\w-]{43})$/.exec(cookie) ?? []
      if (id === undefined || proof === undefined) return undefined
      latestKey = (await storedKey()) ?? latestKey
      return latestKey !== undefined && isSameText(proof, proofOf(id, latestKey)) ? id : undefined
    },
    /** Returns a cookie for a browser, which may have an id. Returns undefined during a store outage. */
    async issue(known: string | undefined): Promise<string | undefined> {
      if ((await storedKey()) === undefined) await storeKey()
      const key = await storedKey()
      if (key === undefined) return undefined
      latestKey = key
      const id = known ?? randomBytes(16).toString('base64url')
      return `${id}.${proofOf(id, key)}`
    },
  }
}

function proofOf(id: string, key: string): string {
  return createHmac('sha256', key).update(id).digest('base64url')
}
