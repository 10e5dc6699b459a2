import { every, type Clock } from '../clock.ts'
import type { Config, SiteSettings } from '../config/config.ts'
import { settingsDocument, withStoredSettings } from '../config/stored-settings.ts'
import { defaultPublicFeeds } from '../feeds/catalog.ts'
import type { Logger } from '../log.ts'
import { logoWithContent, savedSettings } from '../site/settings-store.ts'
import { createStoreAccess } from '../store/store-error.ts'
import { loadChanges, type Store } from '../store/store.ts'

/** How often to check whether an admin has changed the settings. */
const checkMs = 2_000

/** The settings of a site as a running service would use them. */
export type ServedSettings = {
  readonly config: Config & {
    readonly site: SiteSettings
    readonly publicFeeds: readonly string[]
  }
  readonly revision: number
  /** Why the public feeds are unknown, so that none is public. */
  readonly unknown?: 'lost' | 'damaged' | undefined
}

type SettingsIn = Pick<Store, 'documents' | 'lost'>

async function readSettings({ documents, lost }: SettingsIn) {
  const saved = await savedSettings(documents)
  // Redis finds out that a bucket is lost when it is read.
  return { ...saved, isGone: lost?.().includes(settingsDocument.bucket) === true }
}

/** Returns the settings from the environment, with those saved on the admin page in their place. */
export async function servedSettings(
  config: Config & { readonly site: SiteSettings },
  store: SettingsIn,
): Promise<ServedSettings> {
  const { settings, revision, isGone } = await readSettings(store)
  const { publicFeeds = defaultPublicFeeds } = config
  const saved = isGone ? { ...settings, publicFeeds: [] } : settings
  const served = withStoredSettings({ ...config, publicFeeds }, saved)
  const { identity } = served.site
  const logo = await logoWithContent(store.documents, identity?.logo)
  const site = { ...served.site, identity: { ...identity, logo } }
  const damaged = settings.isDamaged ? 'damaged' : undefined
  const unknown = isGone || settings.isLost ? 'lost' : damaged
  return { config: { ...served, site }, revision, unknown }
}

/**
 * Runs `work` until aborted. When an admin has changed the settings, aborts the signal of `work`, and
 * runs it with the new settings.
 */
export async function followSettings(
  first: ServedSettings,
  options: {
    readonly store: Store
    readonly read: () => Promise<ServedSettings>
    readonly clock: Clock
    readonly log: Logger
    readonly signal: AbortSignal
  },
  work: (settings: ServedSettings, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const { store, read, clock, log, signal } = options
  const access = createStoreAccess(log)
  const isSame = async ({ revision }: ServedSettings) => {
    const saved = await readSettings(store)
    // As long as this process runs, it knows the settings that the store has lost.
    return saved.isGone || saved.revision === revision
  }
  let settings = first
  while (!signal.aborted) {
    const changing = new AbortController()
    const used = settings
    const check = loadChanges(store, () =>
      access.use(
        'settings',
        async () => {
          if (await isSame(used)) return true
          settings = await read()
          log.info({}, 'the settings were changed')
          changing.abort()
          return true
        },
        false,
      ),
    )
    const ending = AbortSignal.any([signal, changing.signal])
    const running = [work(used, ending), every(clock, checkMs, ending, check)]
    const stop = () => changing.abort()
    const ended = await Promise.allSettled(running.map((each) => each.finally(stop)))
    for (const each of ended) if (each.status === 'rejected') throw each.reason
  }
}
