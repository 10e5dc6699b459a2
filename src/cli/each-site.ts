import type { Config } from '../config/config.ts'
import { settingsIn } from '../config/environment.ts'
import { completeConfig, hasSitesFile, readSitesConfig } from '../config/sites-config.ts'
import type { CommandContext } from './command.ts'
import { commandConfig, siteOption } from './command-config.ts'
import { UsageError, userMessagesFrom } from './user-errors.ts'

/** Command-line options, for `parseArgs`, that select one of several sites, or all of them. */
export const sitesOptions = { ...siteOption, all: { type: 'boolean' } } as const

/** A site that a command runs for. */
export type ChosenSite = {
  readonly config: Config
  /** Name of the site if the command runs for all sites. */
  readonly name: string | undefined
  /** Returns a JSON line about the site, which contains the name if the command runs for all sites. */
  readonly jsonLine: (json: object) => string
}

/**
 * Runs work for the chosen site, or for all sites in turn. The error of one of all sites does not prevent
 * the others. Resolves to the exit status.
 */
export async function forEachSite(
  chosen: {
    readonly site?: string | undefined
    readonly all?: boolean | undefined
    readonly json?: boolean | undefined
  },
  context: CommandContext,
  work: (site: ChosenSite) => Promise<number | void>,
): Promise<number> {
  if (!chosen.all) {
    const config = commandConfig(chosen, context)
    return (await work({ config, name: undefined, jsonLine: lineFromJson })) ?? 0
  }
  if (chosen.site !== undefined) throw new UsageError('--all cannot be combined with --site.')
  const { stdout, stderr } = context
  const { sites, faulty } = allSites(context)
  let status = 0
  for (const { name, config } of sites) {
    if (!chosen.json) stdout.write(`Site ${name}:\n`)
    try {
      const jsonLine = (json: object) => lineFromJson({ siteName: name, ...json })
      if ((await work({ config, name, jsonLine })) === 1) status = 1
    } catch (error) {
      const sentences = userMessagesFrom(error, '') ?? [String(error)]
      for (const sentence of sentences) stderr.write(`Site ${name}: ${sentence}\n`)
      status = 1
    }
    if (!chosen.json) stdout.write('\n')
  }
  for (const fault of faulty.flatMap(({ faults }) => faults)) stderr.write(`${fault}\n`)
  return faulty.length > 0 ? 1 : status
}

function allSites(context: CommandContext) {
  const { environment, directory, faults, warnings } = settingsIn(
    context.directory,
    context.environment,
  )
  if (!hasSitesFile(environment))
    throw new UsageError('--all requires SITES_FILE, which is not set.')
  const config = readSitesConfig(environment, faults, directory)
  for (const warning of warnings) context.stderr.write(`Warning: ${warning}\n`)
  const sites = config.sites.map((site) => ({
    name: site.name,
    config: completeConfig(site, config),
  }))
  return { sites, faulty: config.faulty }
}

export function lineFromJson(json: object): string {
  return `${JSON.stringify(json)}\n`
}
