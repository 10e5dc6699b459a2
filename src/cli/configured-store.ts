import { existsSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { systemClock } from '../clock.ts'
import type { Config } from '../config/config.ts'
import { openDataDirectory } from '../store/data-directory.ts'
import { openDemoStore, openStore, storeFile } from '../store/open-store.ts'
import type { OpenOptions } from '../store/sqlite/sqlite-database.ts'
import type { Store } from '../store/store.ts'
import { UsageError } from './user-errors.ts'

/** Opens the configured site's or the demo's store for a command. The service may be running. */
export async function openConfiguredStore(config: Config, stderr: Writable): Promise<Store> {
  return openServedStore(config, openDataDirectory(config.dataDirectory), {
    unlessUsedAt: systemClock.now(),
    onMigrated: (copy) =>
      stderr.write(
        `The store was migrated to this version of Feedhouse. A copy of the old store is in ${copy}.\n`,
      ),
  })
}

/**
 * Opens an existing store. Throws if the store does not exist, because DATA_DIR is then probably
 * wrong.
 */
export async function openPresentStore(config: Config, stderr: Writable): Promise<Store> {
  const { site, redisUrl, dataDirectory } = config
  const file = site && storeFile(dataDirectory, { siteUrl: site.url, idHost: config.idHost })
  if (file !== undefined && redisUrl === undefined && !existsSync(file)) {
    throw new UsageError(
      `No data is stored for ${site?.url}: ${file} does not exist. Check DATA_DIR or REDIS_URL.`,
    )
  }
  return openConfiguredStore(config, stderr)
}

/** Opens the store for the service. */
export async function openServedStore(
  config: Config,
  directory: string,
  options: OpenOptions,
): Promise<Store> {
  const { now } = systemClock
  const { site, redisUrl } = config
  if (!site) return openDemoStore(directory, now)
  return openStore({
    directory,
    redisUrl,
    siteUrl: site.url,
    idHost: config.idHost,
    now,
    ...options,
  })
}
