import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { SiteSettings } from './config.ts'
import type { Logger } from '../log.ts'
import { refreshToken as refreshTokenSchema } from './settings.ts'

/** A site's refresh token. Its file can be replaced while Feedhouse is running. */
export type RefreshToken = {
  readonly current: () => string
  /** Returns a hash that identifies the site and token. */
  readonly fingerprint: () => string
  /** Reads the file again. Resolves to true if the token has changed. */
  readonly reread: () => Promise<boolean>
}

export function createRefreshToken(
  site: Pick<SiteSettings, 'url' | 'refreshToken' | 'refreshTokenFile'>,
  log: Logger,
): RefreshToken {
  const { url, refreshTokenFile: file } = site
  let token = site.refreshToken
  let isUnusable = false

  function warnOnce(): void {
    if (!isUnusable) log.warn({ file }, 'the token file cannot be used; keeping the previous token')
    isUnusable = true
  }

  return {
    current: () => token,
    fingerprint: () => createHash('sha256').update(`${url} ${token}`).digest('base64url'),
    async reread() {
      if (file === undefined) return false
      const text = await readFile(file, 'utf8').catch(() => '')
      // The file may be empty while it is being written.
      const { data } = refreshTokenSchema.safeParse(text.trim())
      if (data === undefined) warnOnce()
      else isUnusable = false
      if (data === undefined || data === token) return false
      token = data
      log.info({ file }, 'using the new refresh token in the token file')
      return true
    },
  }
}
