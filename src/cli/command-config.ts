import type { Config } from '../config/config.ts'
import { settingsIn } from '../config/environment.ts'
import { readSiteConfig } from '../config/sites-config.ts'
import type { CommandContext } from './command.ts'

/** For `parseArgs`: of several sites, the one that a command is for. */
export const siteOption = { site: { type: 'string' } } as const

/** Settings of the site that a command is for. Prints warnings about them. Throws a `ConfigError`. */
export function commandConfig(
  { site }: { readonly site?: string | undefined },
  context: Pick<CommandContext, 'environment' | 'directory' | 'stderr'>,
): Config {
  const { environment, directory, faults, warnings } = settingsIn(
    context.directory,
    context.environment,
  )
  const config = readSiteConfig(environment, site, faults, directory)
  for (const warning of warnings) context.stderr.write(`Warning: ${warning}\n`)
  return config
}
