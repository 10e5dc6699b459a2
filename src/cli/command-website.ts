import { keptIdHost } from '../app/id-host.ts'
import { connectWebsite } from '../app/site.ts'
import { systemClock } from '../clock.ts'
import type { Config, SiteSettings } from '../config/config.ts'
import type { Catalog } from '../feeds/catalog.ts'
import { createDuplicatesFor } from '../feeds/duplicates.ts'
import type { Feed } from '../feeds/feed.ts'
import { siteFrom } from '../feeds/site.ts'
import { storedEntrySettings } from '../representations/entry-settings.ts'
import type { Store } from '../store/store.ts'
import { configuredAddress } from './chosen-site.ts'
import type { CommandContext } from './command.ts'

/** Creates the site as the service would show it, without feed links. */
export async function openWebsite(
  running: AsyncDisposableStack,
  options: {
    readonly config: Config & {
      readonly site: SiteSettings
      readonly publicFeeds: readonly string[]
    }
    readonly store: Store
    readonly catalog: Catalog
    readonly publicFeeds: readonly Feed[]
  },
  context: CommandContext,
) {
  const { config, store, catalog, publicFeeds } = options
  const { documents } = store
  const { site: settings, publicFeeds: publicFeedIds, hubs } = config
  const log = context.createLogger('silent')
  const idHost = await keptIdHost(store, { ...config, siteUrl: settings.url, log })
  const { publicUrl } = await configuredAddress(documents, config)
  const site = {
    ...siteFrom(settings, { idHost, publicUrl, publicFeedIds, hubs }),
    entrySettingsChangedAt: await storedEntrySettings(documents),
  }
  const links = { byId: () => undefined, open: () => [] }
  const clock = systemClock
  const runtime = { clock, log, random: Math.random }
  const feeds = { catalog, publicFeeds }
  const { client, collections } = await connectWebsite(
    running,
    { config, site: settings, store, feeds, links, runtime },
    new AbortController(),
  )
  const duplicatesFor = createDuplicatesFor(catalog.feeds, collections.copyOf, site)
  return { site, catalog, publicFeeds, links, client, collections, duplicatesFor, clock, log }
}
