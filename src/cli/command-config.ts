import { settingsIn, type Config } from '../config.ts'
import { readSiteConfig } from '../deployment.ts'

/** For `parseArgs`: of several sites, the one that a command is for. */
export const siteOption = { site: { type: 'string' } } as const

/** The settings of the site that a command is for; says what is odd about them. Throws a `ConfigError`. */
export function commandConfig({ site }: { readonly site?: string | undefined }): Config {
  const { environment, faults, warnings } = settingsIn(process.cwd())
  const config = readSiteConfig(environment, site, faults)
  for (const warning of warnings) process.stderr.write(`Warning: ${warning}\n`)
  return config
}
