import { minPasswordLength as atLeast, type SiteConfig } from '../config/config.ts'
import type { Logger } from '../log.ts'

export function warnOfShortPassword(
  { adminPassword }: Pick<SiteConfig, 'adminPassword'>,
  log: Logger,
): void {
  if (adminPassword === undefined || adminPassword.length >= atLeast) return
  log.warn({ characters: adminPassword.length, atLeast }, 'ADMIN_PASSWORD is short')
}
