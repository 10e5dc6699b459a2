import { minPasswordLength as atLeast, type SiteConfig } from '../config/config.ts'
import type { Logger } from '../log.ts'
import { restrictDataFiles, restrictSecretFiles } from '../store/private-files.ts'

/** Restricts access to data files and secrets to this user. Logs a warning for each failure. */
export function restrictFiles(
  options: {
    readonly dataDirectory: string
    /** Absolute paths of files with secrets. */
    readonly secretFiles: readonly string[]
  },
  log: Logger,
): void {
  const { dataDirectory, secretFiles } = options
  const open = [...restrictDataFiles(dataDirectory), ...restrictSecretFiles(secretFiles)]
  for (const file of open) {
    log.warn(
      { file },
      'other users can access this file, and its mode could not be changed; change it with chmod',
    )
  }
}

/** Logs a warning if the admin password is short. */
export function warnOfShortPassword({ adminPassword }: SiteConfig, log: Logger): void {
  if (adminPassword === undefined || adminPassword.length >= atLeast) return
  log.warn({ characters: adminPassword.length, atLeast }, 'ADMIN_PASSWORD is short')
}
