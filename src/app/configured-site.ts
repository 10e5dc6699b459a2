import { every } from '../clock.ts'
import {
  parseStoredSettings,
  withStoredSettings,
  type StoredSettings,
} from '../config/stored-settings.ts'
import type { SettingsEditor } from '../http/admin/settings-form.ts'
import { Unavailable } from '../http/server/errors.ts'
import { withFallback } from '../store/store-error.ts'
import type { Documents, Store } from '../store/store.ts'
import { createRetirableFront } from './retirable-front.ts'
import { createRepeatableRequests } from './repeatable-requests.ts'
import { startSiteService, type SiteService, type SiteServiceOptions } from './site-service.ts'

/** Poll interval. A change on one replica reaches the other replicas within this time. */
const pollMs = 2_000

const notAppliedText =
  'The settings are saved, but cannot be applied yet. Feedhouse tries again every two seconds; the log shows the reason.'
const notAppliedRetryMs = 5_000

const damagedText =
  'the stored settings are damaged, so no feed is public until the settings are saved again on the admin page'

const settingsDocument = { bucket: 'settings', id: 'site' }

/**
 * Starts a site with the settings stored on its admin page. Whenever they change, on any replica,
 * replaces the site with one that has the new settings. Rejects like `startSiteService`, and if the
 * stored settings cannot be read, because the defaults could make a private feed public.
 */
export async function startConfiguredSite(
  options: Omit<SiteServiceOptions, 'settings'>,
): Promise<SiteService> {
  const { clock, log, server } = options
  await using starting = new AsyncDisposableStack()
  const store = starting.use(await options.openStore())
  const stored = createSettingsEditor(store.documents, options)
  const settings: SettingsEditor = {
    ...stored,
    async save(...saved) {
      const isSaved = await stored.save(...saved)
      // A feed is private once the admin's page says so.
      if (isSaved && !(await apply())) throw new Unavailable(notAppliedText, notAppliedRetryMs)
      return isSaved
    },
  }
  // The replacement uses the same store, which stays open.
  const borrowed: Store = { ...store, [Symbol.asyncDispose]: async () => undefined }

  async function start(changed: StoredSettings) {
    if (changed.isDamaged) log.error({}, damagedText)
    const front = createRetirableFront(server.front, server.name)
    const service = await startSiteService({
      ...withStoredSettings(options, changed),
      openStore: async () => borrowed,
      server: { ...server, front },
      settings,
    })
    return { service, front, requests: createRepeatableRequests(service.front.listener) }
  }

  let known = await stored.read()
  let current = await start(known.settings)
  current.front.activate()
  starting.defer(() => current.service[Symbol.asyncDispose]())

  let applying = Promise.resolve(true)
  let closing = Promise.resolve()

  /** Applies the stored settings, one change after the other. Resolves to false if it cannot. */
  function apply(): Promise<boolean> {
    applying = applying.then(applyLatest)
    return applying
  }

  async function applyLatest(): Promise<boolean> {
    const latest = await withFallback(stored.read, () => undefined)
    if (latest?.revision === known.revision || !latest) return latest !== undefined
    try {
      const next = await start(latest.settings)
      const before = current
      // From now on, requests reach the new site, so nothing of the old one may be sent.
      before.front.retireAll()
      next.front.activate()
      before.requests.repeat()
      current = next
      known = latest
      closing = close(before.service)
      log.info({}, 'settings changed')
      await server.front.done()
      return true
    } catch (error) {
      log.error({ err: error }, 'the changed settings cannot be applied yet')
      return false
    }
  }

  async function close(service: SiteService): Promise<void> {
    await closing
    try {
      await service[Symbol.asyncDispose]()
    } catch (error) {
      log.error({ err: error }, 'the site with the previous settings cannot be closed')
    }
  }

  const stopping = new AbortController()
  const polling = every(clock, pollMs, stopping.signal, apply)
  starting.defer(async () => {
    stopping.abort()
    await Promise.all([polling, applying])
    await closing
  })
  const running = starting.move()
  return {
    front: {
      listener: (request, response) => current.requests.listener(request, response),
      metrics: { values: () => current.service.front.metrics.values() },
    },
    status: () => current.service.status(),
    abortUpstream: () => current.service.abortUpstream(),
    addLink: (wish) => current.service.addLink(wish),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

function createSettingsEditor(
  documents: Pick<Documents, 'get' | 'write'>,
  {
    site,
    publicFeedIds,
    config,
    server,
  }: Pick<SiteServiceOptions, 'site' | 'publicFeedIds' | 'config' | 'server'>,
): SettingsEditor {
  const { bucket, id } = settingsDocument
  return {
    isInSitesFile: !server.isAlone,
    defaults: {
      name: site.name,
      place: site.identity?.place,
      color: site.identity?.color,
      logo: site.identity?.logo,
      publicFeeds: publicFeedIds,
      places: site.places,
      freshSeconds: config.freshMs / 1000,
    },
    async read() {
      const stored = await documents.get(bucket, id)
      return { settings: parseStoredSettings(stored?.value), revision: stored?.revision ?? 0 }
    },
    save: (settings, revision) =>
      documents.write([{ bucket, id, value: JSON.stringify(settings) }], { bucket, id, revision }),
  }
}
