import { notedPublicAddress, type PublicAddress } from '../store/public-address.ts'
import type { Config } from '../config/config.ts'
import { settingsIn } from '../config/environment.ts'
import { readSiteConfig } from '../config/sites-config.ts'
import { isRunning } from '../store/replicas.ts'
import type { Documents } from '../store/store.ts'
import type { CommandContext } from './command.ts'

/** Command-line option, for `parseArgs`, that selects one of several sites. */
export const siteOption = { site: { type: 'string' } } as const

/** Reads the settings for a command's site and prints warnings about them. Throws a `ConfigError`. */
export function commandConfig(
  { site }: { readonly site?: string | undefined },
  context: CommandContext,
): Config {
  const { environment, directory, faults, warnings } = settingsIn(
    context.directory,
    context.environment,
  )
  const config = readSiteConfig(environment, site, faults, directory)
  for (const warning of warnings) context.stderr.write(`Warning: ${warning}\n`)
  return config
}

/** Returns the public URL and time zone from the settings, or from the running service. */
export async function configuredAddress(
  documents: Documents,
  { host, port, site, publicUrl }: Config,
): Promise<PublicAddress> {
  const [noted, serviceRuns] = await Promise.all([
    notedPublicAddress(documents),
    isRunning(documents),
  ])
  return {
    publicUrl:
      publicUrl ?? (serviceRuns ? noted?.publicUrl : undefined) ?? `http://${host}:${port}`,
    timeZone: site?.timeZone ?? noted?.timeZone ?? 'UTC',
  }
}
