import { randomUUID } from 'node:crypto'
import { problemsFrom } from '../collections/status/problems.ts'
import type { SiteSettings } from '../config/config.ts'
import type { FollowSettings } from '../config/follow-settings.ts'
import type { NamedSite } from '../config/sites-config.ts'
import { databaseFaults, withStoredSettings } from '../config/stored-settings.ts'
import { siteFrom, type Site } from '../feeds/site.ts'
import { createSettingsStore, logoWithContent, type SettingsStore } from '../site/settings-store.ts'
import { createEmergencyStore, type EmergencyTexts } from '../site/emergency-text.ts'
import type { SiteListener } from '../http/application.ts'
import { Unavailable } from '../web/errors.ts'
import { createLinkService, type ServedLinks } from '../links/link-service.ts'
import type { NewLink } from '../links/stored-links.ts'
import { presentationChangedAt } from '../representations/presentation-changed-at.ts'
import type { ServiceStatus } from '../representations/service-status.ts'
import { publishToHubs } from '../delivery/websub.ts'
import { storeServiceSettings } from '../store/service-signals.ts'
import type { SharedCounts } from '../store/shared-counts.ts'
import { withFallback } from '../store/store-error.ts'
import { loadChanges, type Documents, type Store } from '../store/store.ts'
import { createDatabaseReader, createRosterReader } from './website-readers.ts'
import { keptIdHost } from './id-host.ts'
import { confirmedEmergency, confirmedLinks, confirmedSettings } from './confirmed-changes.ts'
import { closeAfterLoss, keepDocuments } from './lost-documents.ts'
import { createMailLogo } from './mail-logo.ts'
import { isOutOfService } from './out-of-service.ts'
import { entrySettingsChangedAt } from '../representations/entry-settings.ts'
import { feedsPrivateSince } from './private-feeds.ts'
import type { SendNotice } from '../channels/notice.ts'
import type { SiteFollowing } from '../delivery/following/following.ts'
import type { AlertSite } from '../delivery/notifications/alert-notices.ts'
import { createObserver } from '../delivery/notifications/observations.ts'
import { sendAlerts } from '../delivery/notifications/alerts.ts'
import { findChangeItems, sendChanges } from '../delivery/notifications/change-webhooks.ts'
import {
  alertSiteFrom,
  createChannels,
  createMessageActions,
  type Channels,
} from '../delivery/notifications/site-notifications.ts'
import type { Runtime } from './runtime.ts'
import { callsPerHour } from './upstream-client.ts'
import { createSite, type SiteParts, type SiteProcess } from './site.ts'

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
export type RunningSite = AsyncDisposable & {
  readonly http: SiteListener
  readonly status: () => Promise<ServiceStatus>
  /** Resolves to true if no admin has stored other settings, and to undefined if that is unknown. */
  readonly hasLatestSettings: () => Promise<boolean | undefined>
  readonly abort: () => void
  /** Creates a feed link. Resolves to the URL of the link's page. The URL is not stored. */
  readonly addLink: (wish: NewLink) => Promise<string>
}

/**
 * Starts a site with its configuration and the settings stored on its admin page. Resolves to
 * undefined while a backup is being restored. Rejects with a `ConfigError` if the host for ids is
 * unclear or would change, and with a `StoreError` if the store cannot be used, because without the
 * stored settings, a private feed could become public.
 */
export async function startSite(options: RunningSiteOptions): Promise<RunningSite | undefined> {
  const { server, clock, log } = options
  await using starting = new AsyncDisposableStack()
  const store = starting.use(await options.openStore())
  const { documents } = store
  const editor = createSettingsStore(documents, options.config, { isInSitesFile: !server.isAlone })
  if (await isOutOfService(documents)) return undefined
  await closeAfterLoss(store, options)
  const { settings: changed, revision } = await editor.read()
  if (changed.isDamaged) log.error({}, damagedText)
  for (const fault of databaseFaults(changed)) log.error({ fault }, 'a stored setting is invalid')
  const config = withStoredSettings(options.config, changed)
  const { publicUrl, adminPassword: password } = config
  const { website, published } = await publishedSite(config, store, options)
  await storeServiceSettings(documents, { publicUrl, timeZone: website.timeZone })
  const links = createLinkService(store, clock, log)
  const emergency = createEmergencyStore(store, { clock, log })
  const channels = createChannels(config.notifications, clock)
  const following = await followingOf(config, published, store, options)
  const alertSite = alertSiteFrom(published, { hasAdminPage: password !== undefined })
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
    settingsFaults: databaseFaults(changed),
    presentationChangedAt: await presentationChangedAt(documents, published, clock.now()),
    // Without the settings, the feeds that were public are unknown.
    privateSince:
      changed.isLost || changed.isDamaged
        ? {}
        : await feedsPrivateSince(documents, config.publicFeeds, clock.now()),
    adminActions: ({ refreshTokenFingerprint, dataService }) =>
      password === undefined
        ? undefined
        : {
            links: confirmedLinks(links, store),
            settings: confirmedSettings(appliedSettings(editor, options.settingsSaved), store),
            emergency: confirmedEmergency(emergency, store),
            password,
            isPublicUrlSet: options.isPublicUrlSet,
            documents,
            databases: createDatabaseReader(dataService, clock),
            readRoster: createRosterReader(dataService),
            callsPerHour: () => callsPerHour(store.windows),
            messages: createMessageActions({
              documents,
              channels,
              alertSite,
              refreshTokenFingerprint,
              clock,
            }),
          },
    requestLog: log,
  })
  const { http, statuses, signal, abort } = site
  const working = [
    links.poll(signal),
    emergency.poll(signal),
    keepDocuments(store, options, signal),
  ]
  starting.defer(async () => void (await Promise.all(working)))
  starting.defer(abort)
  site.pipeline.representations.start()
  site.collections.start(options.readAfterMs)
  const parts = { config, published, store, site, channels, alertSite, following, links, emergency }
  working.push(...(await startSending(parts, options)))
  let isLatest: boolean | undefined
  const checkSettings = loadChanges(store, async () => {
    isLatest = await withFallback(async () => (await editor.read()).revision === revision)
    return isLatest !== undefined
  })
  const running = starting.move()
  return {
    http,
    status: statuses.status,
    async hasLatestSettings() {
      await checkSettings()
      return isLatest
    },
    abort,
    async addLink(wish) {
      const added = await links.add(wish)
      if (!added.ok) throw new Error(`no feed link could be added: ${added.reason}`)
      return `${publicUrl}/l/${added.key}/`
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

type ConfiguredSite = RunningSiteOptions['config']

/** Returns the website's settings, and the site as feeds and pages show it. */
async function publishedSite(
  config: ConfiguredSite,
  store: Store,
  { clock, log }: Runtime,
): Promise<{ readonly website: SiteSettings; readonly published: Site }> {
  const { publicUrl, publicFeeds: publicFeedIds, configuredHosts, hubs, site } = config
  const { documents } = store
  const logo = await logoWithContent(documents, site.identity?.logo)
  const website = { ...site, identity: { ...site.identity, logo } }
  const ids = { siteUrl: site.url, idHost: config.idHost, configuredHosts, log }
  const idHost = await keptIdHost(store, ids)
  const shown = siteFrom(website, { idHost, publicUrl, publicFeedIds, hubs })
  const changedAt = await entrySettingsChangedAt(documents, shown, { now: clock.now() })
  return { website, published: { ...shown, entrySettingsChangedAt: changedAt } }
}

/** Resolves to undefined if following is turned off and has never been on. */
async function followingOf(
  { following: settings }: ConfiguredSite,
  { idHost }: Site,
  store: Store,
  { followSecret, sharedCounts, clock }: RunningSiteOptions,
): Promise<SiteFollowing | undefined> {
  const isOn = settings.mail !== undefined || settings.pushSubject !== undefined
  const secret = followSecret(isOn)
  if (secret === undefined) return undefined
  const { createFollowing } = await import('../delivery/following/following.ts')
  return createFollowing(settings, { secret, sharedCounts, idHost, store, clock })
}

/** Returns a settings store whose settings are in use once they have been saved. */
function appliedSettings(
  editor: SettingsStore,
  settingsSaved: () => Promise<boolean>,
): SettingsStore {
  return {
    ...editor,
    async save(...saved) {
      const isSaved = await editor.save(...saved)
      // Feeds must be private as soon as the admin page says so.
      if (isSaved && !(await settingsSaved())) {
        throw new Unavailable(notAppliedText, notAppliedRetryMs)
      }
      return isSaved
    },
  }
}

type Sending = {
  readonly config: ConfiguredSite
  readonly published: Site
  readonly store: Store
  readonly site: SiteParts
  readonly channels: Channels
  readonly alertSite: AlertSite
  readonly following: SiteFollowing | undefined
  readonly links: ServedLinks
  readonly emergency: EmergencyTexts
}

/** Notifies hubs, operators, other programs and followers, until the site stops. */
async function startSending(
  parts: Sending,
  options: RunningSiteOptions,
): Promise<readonly Promise<void>[]> {
  const { config, published, store, site, channels, alertSite, following, links, emergency } = parts
  const { sendShared, sharedCounts, readAfterMs, dataDirectory, clock, log } = options
  const { collections, signal } = site
  const { catalog, publicFeeds } = site.feeds
  const { representations, duplicatesFor } = site.pipeline
  const { refreshTokenFingerprint } = site.client
  const { documents } = store
  const { publicUrl } = config
  const outbox = { store, holder: randomUUID(), clock, log, signal }
  const working: Promise<void>[] = []
  if (config.hubs.length > 0) {
    const forEveryone = catalog.combinedFeeds.filter(({ isForEveryone }) => isForEveryone)
    const feeds = { feeds: publicFeeds, combinedFeeds: forEveryone }
    working.push(publishToHubs({ ...outbox, ...feeds, site: published, representations }))
  }
  if (channels.alerts.length > 0) {
    const observed = { documents, publicUrl, dataDirectory, refreshTokenFingerprint, clock }
    const observe = createObserver(observed)
    working.push(
      sendAlerts({
        ...outbox,
        settings: config.notifications.alerts,
        channels: channels.alerts,
        sendShared,
        site: alertSite,
        problems: async () => {
          const [state, observations, followMail] = await Promise.all([
            site.statuses.statusOptions(),
            observe(),
            withFallback(() => followMailState(documents, config.following)),
          ])
          return problemsFrom(state, { ...observations, followMail })
        },
        startAfterMs: readAfterMs + settleMs,
      }),
    )
  }
  if (channels.changes.length > 0) {
    const changing = { site: published, publicFeeds, collections, duplicatesFor }
    const find = (now: number) => findChangeItems(changing, now)
    const publicFeedIds = publicFeeds.map(({ id }) => id)
    const sent = { channels: channels.changes, site: published, publicFeedIds, find }
    working.push(sendChanges({ ...outbox, ...sent }))
  }
  if (following?.isOn) {
    const { runFollowing } = await import('../delivery/following/following.ts')
    working.push(
      runFollowing(following, {
        ...outbox,
        settings: config.following,
        sharedCounts,
        parts: { site: published, catalog, publicFeeds, collections, duplicatesFor },
        emergency,
        links,
        drawLogo: createMailLogo(published, site.pictures, clock),
      }),
    )
  }
  return working
}

async function followMailState(
  documents: Documents,
  { mail, bounces, pushSubject }: FollowSettings,
) {
  const { sendingState } = await import('../delivery/following/sending-state.ts')
  const { bounceFailure } = await import('../delivery/following/read-bounces.ts')
  const { refusedDevices, unreadable, ...ofMail } = await sendingState(documents)
  // The stored state of anything that is turned off is out of date.
  return {
    ...(mail && ofMail),
    ...(pushSubject !== undefined && { refusedDevices }),
    ...((mail ?? pushSubject) !== undefined && { unreadable }),
    bounceFailure: bounces && (await bounceFailure(documents)),
  }
}
