import type { SiteConfig } from '../config.ts'
import type { Logger } from '../log.ts'

/** Shorter ones are found out by trying. */
const atLeast = 12

export function warnOfShortPassword(
  { adminPassword }: Pick<SiteConfig, 'adminPassword'>,
  log: Logger,
): void {
  if (adminPassword === undefined || adminPassword.length >= atLeast) return
  log.warn({ characters: adminPassword.length, atLeast }, 'ADMIN_PASSWORD is short')
}
