import type { RequestListener, ServerResponse } from 'node:http'
import { every, withTimeout } from '../clock.ts'
import { isSameSite, type FaultySite, type NamedSite } from '../config/sites-config.ts'
import type { Front } from '../http/front/protocol.ts'
import { restoring, starting } from '../http/monitoring/worker-reports.ts'
import type { ServiceStatus } from '../representations/service-status.ts'
import type { HostedSite as ReportedSite } from '../http/monitoring/server-pages.ts'
import type { MountedSite } from '../http/server/virtual-hosts.ts'
import {
  respondRestoring,
  respondStarting,
  respondUnavailable,
  waitMsFor,
} from '../http/server/starting.ts'
import type { NewLink } from '../links/stored-links.ts'
import { StoreError } from '../store/store-error.ts'
import type { RunningSite } from './running-site.ts'
import type { Runtime } from './runtime.ts'

/** Poll interval for stored settings. Changes on one replica reach the others within this time. */
const pollMs = 2_000

/** Delay before a failed site is restarted, and the maximum random delay added to it. */
const retryMs = 60_000
const retrySpread = 0.5

const notAppliedText =
  "The site's changed settings cannot be applied yet, so the previous settings are still in use. The log shows the reason."

/** How long requests wait for a site that is starting. */
const maxHeldMs = 5_000

export const maxFinishMs = 10_000

const maxStartMs = 5 * 60_000

/** Parts of a hosted site that its running site uses. */
export type SiteHost = {
  /** Applies the settings that an admin has stored. Resolves to false if that is not possible now. */
  readonly settingsSaved: () => Promise<boolean>
  readonly withFault: (status: ServiceStatus) => ServiceStatus
  /** Stops the site, because another host has taken it over. */
  readonly lost: () => void
}

export type HostedSite = ReturnType<typeof createHostedSite>

type Current = {
  readonly host: SiteHost
  readonly settings: NamedSite
  readonly site: RunningSite
  readonly open: Set<ServerResponse>
}

/**
 * Creates a site whose running site is replaced whenever its settings change, whether in the sites
 * file or by an admin.
 */
export function createHostedSite(
  first: NamedSite,
  options: Runtime & {
    /** Resolves to undefined while a backup of the site is being restored, or if it is stopped. */
    readonly startSite: (
      site: NamedSite,
      host: SiteHost,
      signal: AbortSignal,
    ) => Promise<RunningSite | undefined>
    /** Called when a request waits for the site, which may itself wait for other sites. */
    readonly startNext: () => void
    readonly front: Front
    readonly isAlone: boolean
    /** Called when the site has been replaced, so its public URL may have changed. */
    readonly replaced: () => void
  },
) {
  const { startSite, front, replaced, clock, log, random } = options
  let started = Promise.withResolvers<void>()
  const startBy = clock.now() + maxStartMs
  const stopping = new AbortController()
  let wanted = first
  let current: Current | undefined
  let isFailing = false
  let isOutOfService = false
  let retryAt = 0
  let applying = Promise.resolve(true)
  let polling = Promise.resolve()
  let finishing = Promise.resolve()
  let nextReplaced = new AbortController()

  /**
   * Starts the site, or replaces it if its settings have changed. Resolves to true once it runs with
   * the latest settings, and to false if they cannot be read. Rejects if it cannot be started.
   */
  async function applyLatest(): Promise<boolean> {
    const before = current
    // While new settings from the sites file are waiting for a retry, stored settings still apply.
    const settings = before && clock.now() < retryAt ? before.settings : wanted
    const isLatest = before?.settings === settings && (await before.site.hasLatestSettings())
    if (isLatest !== false || stopping.signal.aborted) {
      if (isLatest && settings === wanted) isFailing = false
      return isLatest === true
    }
    const host: SiteHost = { settingsSaved: apply, withFault, lost: () => lost(host) }
    const site = await startSite(settings, host, stopping.signal)
    if (stopping.signal.aborted) {
      await site?.[Symbol.asyncDispose]()
      return false
    }
    if (!site) return stopForRestore()
    if (settings === wanted) isFailing = false
    // From now on, requests reach the new site. No response with other settings may be sent.
    current = { host, settings, site, open: new Set() }
    started.resolve()
    if (before || isOutOfService) replaced()
    isOutOfService = false
    if (before) front.remove(first.name)
    site.http.resume()
    if (!before) return true
    log.info({}, 'settings changed')
    nextReplaced.abort()
    nextReplaced = new AbortController()
    finishing = finish(before, nextReplaced.signal, finishing)
    await front.done()
    return true
  }

  /** Stops the site until its backup has been restored. The next polls start it again. */
  async function stopForRestore(): Promise<false> {
    if (!isOutOfService) log.info({}, 'out of service while a backup is being restored')
    isOutOfService = true
    isFailing = false
    started.resolve()
    return stopCurrent()
  }

  async function stopCurrent(): Promise<false> {
    const before = current
    current = undefined
    before?.site.abort()
    if (before) await (finishing = finish(before, stopping.signal, finishing))
    return false
  }

  /** Disposes of a replaced site after its open requests, or sooner if its successor is replaced, too. */
  async function finish({ site, open }: Current, signal: AbortSignal, previous: Promise<void>) {
    const closed = [...open].map(
      (response) => new Promise((resolve) => response.once('close', resolve)),
    )
    const limits = { clock, signal: AbortSignal.any([signal, stopping.signal]) }
    await withTimeout(Promise.all(closed), maxFinishMs, () => undefined, limits)
    try {
      await site[Symbol.asyncDispose]()
    } catch (error) {
      log.error({ err: error }, 'the site with the previous settings cannot be closed')
    }
    await previous
  }

  /** Applies the latest settings, one change at a time. Resolves to false if it cannot. */
  function apply(): Promise<boolean> {
    applying = applying.then(applyLatest).catch((error: unknown) => {
      // The owner stops it as soon as it learns that the site has moved to this host.
      if (error instanceof StoreError && error.kind === 'owned') return false
      isFailing = true
      started.resolve()
      // Stored settings are tried again at the next poll.
      if (current?.settings !== wanted && clock.now() >= retryAt) {
        retryAt = clock.now() + retryMs * (1 + retrySpread * random())
      }
      const text = 'the changed settings cannot be applied yet'
      log.error({ err: error }, current ? text : 'the site cannot be started')
      return false
    })
    return applying
  }

  function lost(host: SiteHost): void {
    log.warn({}, 'another host has taken over the site')
    // The other host may have revoked links in the meantime, so the front gets responses from that
    // host.
    if (!current) front.lost(first.name)
    applying = applying.then(async () => {
      if (current?.host !== host) return false
      front.lost(first.name)
      // Requests wait, because this host may get the site back right away.
      started = Promise.withResolvers()
      return stopCurrent()
    })
  }

  function withFault(status: ServiceStatus): ServiceStatus {
    if (!isFailing) return status
    const sentences = [notAppliedText, ...status.sentences]
    return { ...status, ok: false, state: 'failing', sentences }
  }

  function abort(): void {
    stopping.abort()
    current?.site.abort()
  }

  async function dispose(): Promise<void> {
    abort()
    await Promise.all([applying, polling])
    await finishing
    await current?.site[Symbol.asyncDispose]()
  }

  front.onUse(first.name, (use, count) => current?.site.http.used(use, count))

  /**
   * Resolves after the first attempt to start the site. If that fails, requests get 503 until a later
   * attempt succeeds, or this rejects if the process serves only this site.
   */
  async function start(): Promise<void> {
    await (options.isAlone ? applyLatest() : apply())
    polling = every(clock, pollMs, stopping.signal, async () => {
      if (current || clock.now() >= retryAt) await apply()
    })
  }

  /** Replaces the site with one that has these settings. Until that has started, the old one serves. */
  function change(site: NamedSite): void {
    if (isSameSite(site, wanted)) return
    wanted = current && isSameSite(site, current.settings) ? current.settings : site
    isFailing = false
    retryAt = 0
    void apply()
  }

  const unavailable = () =>
    isFailing ? respondUnavailable : isOutOfService ? respondRestoring : respondStarting

  const listener: RequestListener = (request, response) => {
    const respond = () => {
      if (response.destroyed) return
      if (!current) return unavailable()(request, response)
      const { site, open } = current
      open.add(response)
      response.once('close', () => open.delete(response))
      site.http.listener(request, response)
    }
    if (current) return respond()
    options.startNext()
    // The front has an outdated response. Requests that wait for hundreds of sites would exceed the
    // limit of open responses.
    if ('if-none-match' in request.headers) return respond()
    const waitMs = waitMsFor(request.url ?? '', maxHeldMs)
    void withTimeout(started.promise, waitMs, () => undefined, { clock }).then(respond)
  }

  return {
    name: first.name,
    get publicUrl() {
      return (current?.settings ?? wanted).config.publicUrl
    },
    listener,
    status: async () => {
      if (current) return current.site.status()
      if (isOutOfService && !isFailing) return restoring
      return isFailing || clock.now() >= startBy ? undefined : starting
    },
    metrics: async () => current?.site.http.metrics.figures(),
    start,
    change,
    /** Stops the site, and removes its responses from the cache. */
    remove: async () => {
      front.remove(first.name)
      await dispose()
    },
    /** Aborts upstream requests, all requests that are waiting for them, and all changes. */
    abort,
    addLink: (wish: NewLink) => {
      if (!current) throw new Error('the site has not started')
      return current.site.addLink(wish)
    },
    [Symbol.asyncDispose]: dispose,
  }
}

/** Creates a placeholder for a site with invalid settings. It always responds with 503. */
export function createFaultySite({ faults, ...site }: FaultySite): ReportedSite & MountedSite {
  return {
    ...site,
    listener: respondUnavailable,
    status: async () => ({ ok: false, state: 'failing', sentences: faults }),
    metrics: async () => undefined,
  }
}
