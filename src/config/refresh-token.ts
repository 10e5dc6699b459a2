import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Logger } from '../log.ts'
import { refreshToken as refreshTokenSchema } from './settings.ts'

/** How Feedhouse signs in to a website. */
export type WebsiteAccess = {
  readonly url: string
  readonly refreshToken: string
  /** File with the token, which may be replaced while Feedhouse runs. */
  readonly refreshTokenFile?: string | undefined
}

/** Keeps a site's refresh token, whose file can be replaced while Feedhouse is running. */
export function createRefreshToken(site: WebsiteAccess, log: Logger) {
  const { url, refreshTokenFile: file } = site
  let token = site.refreshToken
  let isUnusable = false

  return {
    current: () => token,
    /** Returns a hash that identifies the site and token. */
    fingerprint: () => createHash('sha256').update(`${url} ${token}`).digest('base64url'),
    /** Reads the file again. Resolves to true if the token has changed. */
    async reread(): Promise<boolean> {
      if (file === undefined) return false
      const text = await readFile(file, 'utf8').catch(() => '')
      // The file may be empty while it is being written.
      const { data } = refreshTokenSchema.safeParse(text.trim())
      const wasUnusable = isUnusable
      isUnusable = data === undefined
      if (isUnusable && !wasUnusable) {
        log.warn({ file }, 'the token file cannot be used; keeping the previous token')
      }
      if (data === undefined || data === token) return false
      token = data
      log.info({ file }, 'using the new refresh token in the token file')
      return true
    },
  }
}
