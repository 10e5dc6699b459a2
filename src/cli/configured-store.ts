import { systemClock } from '../clock.ts'
import type { Config } from '../config.ts'
import { openDemoStore, openStore } from '../store/open-store.ts'
import type { Store } from '../store/store.ts'

/** The store of the configured site, for a command beside the service; that of the demo without one. */
export async function openConfiguredStore(
  config: Config,
  directory: string,
  onMigrated: (copy: string) => void = sayMigrated,
): Promise<Store> {
  const { now } = systemClock
  const { site, redisUrl } = config
  if (!site) return openDemoStore(directory, now)
  return openStore({ directory, redisUrl, siteUrl: site.url, now, onMigrated })
}

function sayMigrated(copy: string): void {
  process.stderr.write(
    `The store was brought forward to this version of Feedhouse. As it was before, it is kept as ${copy}.\n`,
  )
}
