import { existsSync } from 'node:fs'
import { systemClock } from '../clock.ts'
import type { Config } from '../config/config.ts'
import { settingsIn, type LoadedSettings } from '../config/environment.ts'
import { completeConfig, readSiteConfig, readSitesConfig } from '../config/sites-config.ts'
import { hasSitesFile } from '../config/sites-location.ts'
import { databasesFrom, parseStoredSettings, settingsDocument } from '../config/stored-settings.ts'
import { openDataDirectory } from '../store/data-directory.ts'
import { demoStore, lostFile, openStore, storeFile, type StoredSite } from '../store/open-store.ts'
import { isRunning } from '../store/replicas.ts'
import { storedServiceSettings, type ServiceSettings } from '../store/service-signals.ts'
import type { Documents, Store } from '../store/store.ts'
import { flag, printTo, valueOption, type CommandContext, type Print } from './command.ts'
import { UsageError, userMessagesFrom } from './user-errors.ts'

export const siteOption = {
  site: valueOption('NAME', 'name of the site, if SITES_FILE lists several'),
}

export function sitesOptions(aboutAll: string) {
  return { ...siteOption, all: flag(aboutAll) }
}

/** Reads the settings for a command's site and prints warnings about them. Throws a `ConfigError`. */
export function commandConfig(
  { site }: { readonly site?: string | undefined },
  context: CommandContext,
): Config {
  return readSettings(context, ({ environment, faults, directory }) =>
    readSiteConfig(environment, site, faults, directory),
  )
}

function readSettings<T>(context: CommandContext, read: (loaded: LoadedSettings) => T): T {
  const loaded = settingsIn(context.directory, context.environment)
  const settings = read(loaded)
  for (const warning of loaded.warnings) context.stderr.write(`Warning: ${warning}\n`)
  return settings
}

export type ChosenSite = {
  readonly config: Config
  /** Name of the site if the command runs for all sites. */
  readonly name: string | undefined
  /** Prints a result about the site. Its JSON has the name if the command runs for all sites. */
  readonly print: Print
}

/** If one site fails, still runs for the others. Resolves to the exit status. */
export async function forEachSite(
  chosen: {
    readonly site?: string | undefined
    readonly all?: boolean | undefined
    readonly json?: boolean | undefined
  },
  context: CommandContext,
  work: (site: ChosenSite) => Promise<number | void>,
): Promise<number> {
  const { stdout, stderr } = context
  if (!chosen.all) {
    const config = commandConfig(chosen, context)
    return (await work({ config, name: undefined, print: printTo(stdout, chosen) })) ?? 0
  }
  if (chosen.site !== undefined) throw new UsageError('--all cannot be combined with --site.')
  const sites = readSettings(context, ({ environment, faults, directory }) => {
    if (hasSitesFile(environment)) return readSitesConfig(environment, faults, directory)
    throw new UsageError('--all requires SITES_FILE, which is not set.')
  })
  let status = 0
  for (const [index, site] of sites.sites.entries()) {
    const { name } = site
    if (!chosen.json) stdout.write(`Site ${name} (${index + 1} of ${sites.sites.length}):\n`)
    try {
      const print = printTo(stdout, chosen, { siteName: name })
      if ((await work({ config: completeConfig(site, sites), name, print })) === 1) status = 1
    } catch (error) {
      const sentences = userMessagesFrom(error, '') ?? [String(error)]
      for (const sentence of sentences) stderr.write(`Site ${name}: ${sentence}\n`)
      status = 1
    }
    if (!chosen.json) stdout.write('\n')
  }
  for (const fault of sites.faulty.flatMap(({ faults }) => faults)) stderr.write(`${fault}\n`)
  return sites.faulty.length > 0 ? 1 : status
}

/** Returns the public URL and time zone from the settings, or from the running service. */
export async function configuredAddress(
  documents: Documents,
  { host, port, site, publicUrl }: Config,
): Promise<ServiceSettings> {
  const [noted, serviceRuns] = await Promise.all([
    storedServiceSettings(documents),
    isRunning(documents),
  ])
  return {
    publicUrl:
      publicUrl ?? (serviceRuns ? noted?.publicUrl : undefined) ?? `http://${host}:${port}`,
    timeZone: site?.timeZone ?? noted?.timeZone ?? 'UTC',
  }
}

/** Returns the custom databases used as feeds, which can be changed on the admin page. */
export async function currentDatabases(documents: Documents, { site }: Config) {
  const { bucket, id } = settingsDocument
  const stored = parseStoredSettings((await documents.get(bucket, id))?.value)
  return databasesFrom(stored.databaseFeeds) ?? site?.databases
}

/**
 * Opens the configured site's or the demo's store for a command. The service may be running. Throws if
 * the site's file has been lost, because a new one would hide that.
 */
export async function openConfiguredStore(config: Config, context: CommandContext) {
  const { redisUrl, dataDirectory } = config
  const lost = redisUrl === undefined ? lostFile(dataDirectory, servedStore(config)) : undefined
  if (lost !== undefined) {
    throw new UsageError(
      `The store ${lost} is missing, though Feedhouse has used it. Move it back or restore a backup.`,
    )
  }
  return openStoreToRestore(config, context)
}

/** Opens the store for a command that replaces its content, even if it has been lost. */
export async function openStoreToRestore(config: Config, { stderr }: CommandContext) {
  return openStore({
    ...servedStore(config),
    directory: openDataDirectory(config.dataDirectory),
    redisUrl: config.site && config.redisUrl,
    now: systemClock.now,
    unlessUsedAt: systemClock.now(),
    onMigrated: (copy) =>
      stderr.write(
        `The store was migrated to this version of Feedhouse. A copy of the old store is in ${copy}.\n`,
      ),
  })
}

/**
 * Like `openConfiguredStore`, but throws if there is no store, because that probably means a wrong
 * DATA_DIR.
 */
export async function openPresentStore(config: Config, context: CommandContext): Promise<Store> {
  const { site, redisUrl, dataDirectory, idHost } = config
  const file = site && storeFile(dataDirectory, { siteUrl: site.url, idHost })
  if (file !== undefined && redisUrl === undefined && !existsSync(file)) {
    throw new UsageError(
      `No data is stored for ${site?.url}: ${file} does not exist. Check DATA_DIR or REDIS_URL.`,
    )
  }
  return openConfiguredStore(config, context)
}

export function servedStore({ site, idHost }: Pick<Config, 'site' | 'idHost'>): StoredSite {
  return site ? { siteUrl: site.url, idHost } : demoStore
}
