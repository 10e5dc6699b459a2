import { randomUUID } from 'node:crypto'
import { problemsFrom } from '../collections/status/problems.ts'
import type { NamedSite } from '../config/sites-config.ts'
import { withStoredSettings } from '../config/stored-settings.ts'
import { siteFrom } from '../feeds/site.ts'
import { createSettingsStore, logoWithContent } from '../site/settings-store.ts'
import { createEmergencyStore } from '../site/emergency-text.ts'
import { Unavailable } from '../http/responses/errors.ts'
import { createLinkService } from '../links/link-service.ts'
import type { NewLink } from '../links/stored-links.ts'
import { presentationChangedAt } from '../representations/presentation-changed-at.ts'
import { publishToHubs } from '../representations/websub.ts'
import { storeServiceSettings } from '../store/service-signals.ts'
import type { SharedCounts } from '../store/shared-counts.ts'
import { withFallback } from '../store/store-error.ts'
import { loadChanges, type Store } from '../store/store.ts'
import { createAdminActions } from './admin-actions.ts'
import { keptIdHost } from './id-host.ts'
import { closeAfterLoss, keepDocuments } from './lost-documents.ts'
import { isOutOfService } from './out-of-service.ts'
import { entrySettingsChangedAt } from '../representations/entry-settings.ts'
import { feedsPrivateSince } from './private-feeds.ts'
import type { SendNotice } from '../channels/notice.ts'
import { createFollowing, runFollowing } from './following/following.ts'
import { bounceFailure } from './following/read-bounces.ts'
import { sendingState } from './following/sending-state.ts'
import { createObserver } from './notifications/observations.ts'
import { sendAlerts } from './notifications/alerts.ts'
import { findChangeItems, sendChanges } from './notifications/change-webhooks.ts'
import { alertSiteFrom, createChannels } from './notifications/site-notifications.ts'
import { createSite, type SiteProcess } from './site.ts'

/** Delay before the first alerts. Reads that are due at startup have finished by then. */
const settleMs = 2 * 60_000

const notAppliedText =
  'The settings are saved, but cannot be applied yet. Feedhouse tries again every two seconds; the log shows the reason.'
const notAppliedRetryMs = 5_000

const damagedText =
  'the stored settings are damaged, so no feed is public until the settings are saved again on the admin page'

type RunningSiteOptions = SiteProcess & {
  readonly config: NamedSite['config'] & { readonly publicFeeds: readonly string[] }
  readonly isPublicUrlSet: boolean
  readonly openStore: () => Promise<Store>
  /** Called when an admin has changed settings. Resolves to false if they cannot be applied now. */
  readonly settingsSaved: () => Promise<boolean>
  readonly sendShared?: SendNotice | undefined
  /** Returns the secret that encrypts the addresses of followers. */
  readonly followSecret: (isNeeded: boolean) => string | undefined
  readonly sharedCounts: SharedCounts
  /** Delay before the first scheduled read. A request can trigger an earlier read. */
  readonly readAfterMs: number
}

/** A site with its store, feed links, representations and pages. Its settings never change. */
export type RunningSite = AsyncDisposable &
  Pick<
    NonNullable<Awaited<ReturnType<typeof startSite>>>,
    'http' | 'status' | 'hasLatestSettings' | 'abort' | 'addLink'
  >

/**
 * Starts a site with its configuration and the settings stored on its admin page. Resolves to
 * undefined while a backup is being restored. Rejects with a `ConfigError` if the host for ids is
 * unclear or would change, and with a `StoreError` if the store cannot be used, because without the
 * stored settings, a private feed could become public.
 */
export async function startSite(options: RunningSiteOptions) {
  const { server, dataDirectory, clock, log } = options
  await using starting = new AsyncDisposableStack()
  const store = starting.use(await options.openStore())
  const { documents } = store
  const editor = createSettingsStore(documents, options.config, { isInSitesFile: !server.isAlone })
  if (await isOutOfService(documents)) return undefined
  await closeAfterLoss(store, options)
  const { settings: changed, revision } = await editor.read()
  if (changed.isDamaged) log.error({}, damagedText)
  const config = withStoredSettings(options.config, changed)
  const { publicUrl, publicFeeds: publicFeedIds, configuredHosts, hubs } = config
  const { identity } = config.site
  const logo = await logoWithContent(documents, identity?.logo)
  const website = { ...config.site, identity: { ...identity, logo } }
  const { url: siteUrl, timeZone } = website
  const idHost = await keptIdHost(store, { siteUrl, idHost: config.idHost, configuredHosts, log })
  const shown = siteFrom(website, { idHost, publicUrl, publicFeedIds, hubs })
  const changedAt = await entrySettingsChangedAt(documents, shown, { now: clock.now() })
  const published = { ...shown, entrySettingsChangedAt: changedAt }
  await storeServiceSettings(documents, { publicUrl, timeZone })
  const links = createLinkService(store, clock, log)
  const emergency = createEmergencyStore(store, { clock, log })
  const channels = createChannels(config.notifications, clock)
  const following = createFollowing(config.following, {
    secret: options.followSecret,
    sharedCounts: options.sharedCounts,
    idHost,
    store,
    clock,
  })
  const alertSite = alertSiteFrom(published, { hasAdminPage: config.adminPassword !== undefined })
  const settings: typeof editor = {
    ...editor,
    async save(...saved) {
      const isSaved = await editor.save(...saved)
      // Feeds must be private as soon as the admin page says so.
      if (isSaved && !(await options.settingsSaved())) {
        throw new Unavailable(notAppliedText, notAppliedRetryMs)
      }
      return isSaved
    },
  }
  const { adminPassword: password } = config
  const { isPublicUrlSet } = options
  const admin = { windows: store.windows, isPublicUrlSet, documents, links, emergency, clock }
  await Promise.all([links.pull(), emergency.pull()])
  const site = await createSite(starting, {
    ...options,
    config,
    site: website,
    published,
    store,
    links,
    emergency,
    following,
    presentationChangedAt: await presentationChangedAt(documents, published, clock.now()),
    // Without the settings, the feeds that were public are unknown.
    privateSince:
      changed.isLost || changed.isDamaged
        ? {}
        : await feedsPrivateSince(documents, publicFeedIds, clock.now()),
    adminActions: (parts) =>
      password === undefined
        ? undefined
        : createAdminActions({ ...admin, ...parts, password, settings, channels, alertSite }),
    requestLog: log,
  })
  const { representations, signal, abort } = site
  const working = [
    links.poll(signal),
    emergency.poll(signal),
    keepDocuments(store, options, signal),
  ]
  starting.defer(async () => void (await Promise.all(working)))
  starting.defer(abort)
  representations.start()
  site.collections.start(options.readAfterMs)
  if (hubs.length > 0) {
    const forEveryone = site.catalog.combinedFeeds.filter(({ isForEveryone }) => isForEveryone)
    const feeds = [...site.publicFeeds, ...forEveryone]
    working.push(publishToHubs({ feeds, site: published, representations, clock, log, signal }))
  }
  const observe = createObserver({ ...site, documents, publicUrl, dataDirectory, clock })
  async function problems() {
    const [state, observations, followMail] = await Promise.all([
      site.statusOptions(),
      observe(),
      withFallback(async () => {
        const { mail, bounces, pushSubject } = config.following
        const { refusedDevices, unreadable, ...ofMail } = await sendingState(documents)
        // The stored state of anything that is turned off is out of date.
        return {
          ...(mail && ofMail),
          ...(pushSubject !== undefined && { refusedDevices }),
          ...((mail ?? pushSubject) !== undefined && { unreadable }),
          bounceFailure: bounces && (await bounceFailure(documents)),
        }
      }),
    ])
    return problemsFrom(state, { ...observations, followMail })
  }
  const outbox = { store, holder: randomUUID(), clock, log, signal }
  if (channels.alerts.length > 0) {
    const { sendShared, readAfterMs } = options
    const to = { channels: channels.alerts, sendShared, site: alertSite }
    const startAfterMs = readAfterMs + settleMs
    working.push(
      sendAlerts({
        ...outbox,
        ...to,
        settings: config.notifications.alerts,
        problems,
        startAfterMs,
      }),
    )
  }
  if (channels.changes.length > 0) {
    const find = (now: number) => findChangeItems({ ...site, site: published }, now)
    working.push(sendChanges({ ...outbox, channels: channels.changes, site: published, find }))
  }
  if (following?.isOn) {
    working.push(
      runFollowing(following, {
        settings: config.following,
        sharedCounts: options.sharedCounts,
        parts: { ...site, site: published },
        emergency,
        links,
        ...outbox,
      }),
    )
  }
  let isLatest: boolean | undefined
  const checkSettings = loadChanges(store, async () => {
    isLatest = await withFallback(async () => (await editor.read()).revision === revision)
    return isLatest !== undefined
  })
  const running = starting.move()
  return {
    ...site,
    /** Resolves to true if no admin has stored other settings, and to undefined if that is unknown. */
    async hasLatestSettings(): Promise<boolean | undefined> {
      await checkSettings()
      return isLatest
    },
    /** Creates a feed link. Resolves to the URL of the link's page. The URL is not stored. */
    addLink: async (wish: NewLink) => {
      const added = await links.add(wish)
      if (!added.ok) throw new Error(`no feed link could be added: ${added.reason}`)
      return `${publicUrl}/l/${added.key}/`
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}
