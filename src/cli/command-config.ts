import { environmentOf, type Config } from '../config.ts'
import { readSiteConfig } from '../deployment.ts'

/** For `parseArgs`: of several sites, the one that a command is for. */
export const siteOption = { site: { type: 'string' } } as const

/** The settings of the site that a command is for. Throws a `ConfigError`. */
export function commandConfig({ site }: { readonly site?: string | undefined }): Config {
  return readSiteConfig(environmentOf(process.cwd()), site)
}
