import type { RequestListener, ServerResponse } from 'node:http'
import { every, withTimeout } from '../clock.ts'
import { isSameSite, type FaultySite, type NamedSite } from '../config/sites-config.ts'
import type { Front } from '../front/protocol.ts'
import { restoring, starting } from '../features/monitoring/worker-reports.ts'
import type { ServiceStatus } from '../representations/service-status.ts'
import type { HostedSite as ReportedSite } from '../features/monitoring/server-pages.ts'
import type { MountedSite } from './virtual-hosts.ts'
import {
  respondRestoring,
  respondStarting,
  respondUnavailable,
  waitMsFor,
} from '../front/starting.ts'
import type { NewLink } from '../links/stored-links.ts'
import { StoreError } from '../store/store-error.ts'
import type { RunningSite } from '../app/running-site.ts'
import type { Runtime } from '../app/runtime.ts'

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

export type SiteHost = {
  /** Applies the settings that an admin has stored. Resolves to false if that is not possible now. */
  readonly settingsSaved: () => Promise<boolean>
  readonly withFault: (status: ServiceStatus) => ServiceStatus
  /** Stops the site, because another host has taken it over. */
  readonly lost: () => void
}

export type HostedSite = ReportedSite &
  MountedSite & {
    readonly publicUrl: string
    /**
     * Resolves after the first attempt to start the site. If that fails, requests get 503 until a
     * later attempt succeeds, or this rejects if the process serves only this site.
     */
    readonly start: () => Promise<void>
    /** Replaces the site with one that has these settings. Until that has started, the old one serves. */
    readonly change: (site: NamedSite) => void
    /** Stops the site, and removes its responses from the cache. */
    readonly remove: () => Promise<void>
    /** Aborts upstream requests, all requests that are waiting for them, and all changes. */
    readonly abort: () => void
    readonly addLink: (wish: NewLink) => Promise<string>
    readonly [Symbol.asyncDispose]: () => Promise<void>
  }

type HostedSiteOptions = Runtime & {
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
}

/**
 * Creates a site whose running site is replaced whenever its settings change, whether in the sites
 * file or by an admin.
 */
export function createHostedSite(first: NamedSite, options: HostedSiteOptions): HostedSite {
  const { front, clock } = options
  const { name } = first
  const stopping = new AbortController()
  const { signal } = stopping
  const runner = createRunner(first, signal, options)
  const { state, started, applyLatest, apply, change } = runner
  const startBy = clock.now() + maxStartMs
  let polling = Promise.resolve()

  const respond: RequestListener = (request, response) => {
    if (response.destroyed) return
    const { running, kind, failure } = state()
    if (running) {
      running.open.add(response)
      response.once('close', () => running.open.delete(response))
      return running.site.http.listener(request, response)
    }
    const unavailable = kind === 'restoring' ? respondRestoring : respondStarting
    return (failure ? respondUnavailable : unavailable)(request, response)
  }

  const listener: RequestListener = (request, response) => {
    if (state().running) return respond(request, response)
    options.startNext()
    // The front has an outdated response. Requests that wait for hundreds of sites would exceed the
    // limit of open responses.
    if ('if-none-match' in request.headers) return respond(request, response)
    const waitMs = waitMsFor(request.url ?? '', maxHeldMs)
    const waited = withTimeout(started(), waitMs, () => undefined, { clock })
    void waited.then(() => respond(request, response))
  }

  function abort(): void {
    stopping.abort()
    state().running?.site.abort()
  }

  async function dispose(): Promise<void> {
    abort()
    await polling
    await runner.dispose()
  }

  front.onUse(name, (use, count) => state().running?.site.http.used(use, count))
  return {
    name,
    get publicUrl() {
      const { running, wanted } = state()
      return (running?.settings ?? wanted).config.publicUrl
    },
    listener,
    status: async () => {
      const { running, kind, failure } = state()
      if (running) return running.site.status()
      if (failure) return undefined
      if (kind === 'restoring') return restoring
      return clock.now() >= startBy ? undefined : starting
    },
    metrics: async () => state().running?.site.http.metrics.figures(),
    async start() {
      await (options.isAlone ? applyLatest() : apply())
      polling = every(clock, pollMs, signal, async () => {
        if (state().running || isRetryDue(state(), clock.now())) await apply()
      })
    },
    change,
    remove: async () => {
      front.remove(name)
      await dispose()
    },
    abort,
    addLink: (wish) => {
      const { running } = state()
      if (!running) throw new Error('the site has not started')
      return running.site.addLink(wish)
    },
    [Symbol.asyncDispose]: dispose,
  }
}

/** Starts, replaces and stops the running site, one change at a time. */
function createRunner(first: NamedSite, signal: AbortSignal, options: HostedSiteOptions) {
  const { startSite, front, clock, log, random } = options
  let state: HostedSiteState = { kind: 'starting', wanted: first }
  /** Resolves once the first attempt to start the site has succeeded or failed. */
  let attempted = Promise.withResolvers<void>()
  let applying = Promise.resolve(true)
  let finishing = Promise.resolve()

  /**
   * Starts the site, or replaces it if its settings have changed. Resolves to true once it runs with
   * the latest settings, and to false if they cannot be read. Rejects if it cannot be started.
   */
  async function applyLatest(): Promise<boolean> {
    const { running: before, kind } = state
    const settings = settingsToApply(state, clock.now())
    const isLatest = before?.settings === settings && (await before.site.hasLatestSettings())
    if (isLatest !== false || signal.aborted) {
      if (isLatest) state = settingsApplied(state, settings)
      return isLatest === true
    }
    const withFault: SiteHost['withFault'] = (status) => statusIn(state, status)
    const host: SiteHost = { settingsSaved: apply, withFault, lost: () => lost(host) }
    const site = await startSite(settings, host, signal)
    if (signal.aborted) {
      await site?.[Symbol.asyncDispose]()
      return false
    }
    attempted.resolve()
    if (!site) {
      if (kind !== 'restoring') log.info({}, 'out of service while a backup is being restored')
      return stop(takenOutOfService(state))
    }
    // From now on, requests reach the new site. No response with other settings may be sent.
    const replaced = new AbortController()
    state = siteStarted(state, { host, settings, site, open: new Set(), replaced })
    if (kind !== 'starting') options.replaced()
    if (before) front.remove(first.name)
    site.http.resume()
    if (!before) return true
    log.info({}, 'settings changed')
    before.replaced.abort()
    finishing = finish(before, AbortSignal.any([replaced.signal, signal]), finishing, options)
    await front.done()
    return true
  }

  /** Applies the latest settings. Resolves to false if it cannot. */
  function apply(): Promise<boolean> {
    applying = applying.then(applyLatest).catch((error: unknown) => {
      // The owner stops it as soon as it learns that the site has moved to this host.
      if (error instanceof StoreError && error.kind === 'owned') return false
      state = applyFailed(state, clock.now(), random())
      attempted.resolve()
      const text = 'the changed settings cannot be applied yet'
      log.error({ err: error }, state.running ? text : 'the site cannot be started')
      return false
    })
    return applying
  }

  async function stop(next: HostedSiteState): Promise<false> {
    const { running } = state
    state = next
    running?.site.abort()
    if (running) await (finishing = finish(running, signal, finishing, options))
    return false
  }

  function lost(host: SiteHost): void {
    log.warn({}, 'another host has taken over the site')
    // The other host may have revoked links in the meantime, so the front gets responses from that
    // host.
    if (!state.running) front.lost(first.name)
    applying = applying.then(async () => {
      if (state.running?.host !== host) return false
      front.lost(first.name)
      // Requests wait, because this host may get the site back right away.
      attempted = Promise.withResolvers()
      return stop(takenOver(state))
    })
  }

  function change(site: NamedSite): void {
    const before = state
    state = settingsChanged(before, site)
    if (state !== before) void apply()
  }

  async function dispose(): Promise<void> {
    await applying
    await finishing
    await state.running?.site[Symbol.asyncDispose]()
  }

  const started = () => attempted.promise
  return { state: () => state, started, applyLatest, apply, change, dispose }
}

/** Disposes of a site after its open requests, or sooner if the signal aborts. */
async function finish(
  { site, open }: Running,
  signal: AbortSignal,
  previous: Promise<void>,
  { clock, log }: Runtime,
): Promise<void> {
  const closed = [...open].map(
    (response) => new Promise((resolve) => response.once('close', resolve)),
  )
  await withTimeout(Promise.all(closed), maxFinishMs, () => undefined, { clock, signal })
  try {
    await site[Symbol.asyncDispose]()
  } catch (error) {
    log.error({ err: error }, 'the site with the previous settings cannot be closed')
  }
  await previous
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

type Running = {
  readonly host: SiteHost
  readonly settings: NamedSite
  readonly site: RunningSite
  readonly open: Set<ServerResponse>
  readonly replaced: AbortController
}

/** Settings of a site, and what serves it. The transitions below are pure functions. */
export type HostedSiteState = {
  /** Latest settings from the sites file. */
  readonly wanted: NamedSite
  /** Set while settings cannot be applied. Those from the sites file are not tried before `retryAt`. */
  readonly failure?: { readonly retryAt: number } | undefined
} & (
  | { readonly kind: 'starting' | 'restoring'; readonly running?: undefined }
  | { readonly kind: 'running'; readonly running: Running }
)

/** While new settings from the sites file are waiting for a retry, stored settings still apply. */
export function settingsToApply(state: HostedSiteState, now: number): NamedSite {
  return (isRetryDue(state, now) ? undefined : state.running?.settings) ?? state.wanted
}

export function settingsApplied(state: HostedSiteState, settings: NamedSite): HostedSiteState {
  return settings === state.wanted ? { ...state, failure: undefined } : state
}

export function siteStarted(state: HostedSiteState, running: Running): HostedSiteState {
  const { wanted, failure } = settingsApplied(state, running.settings)
  return { kind: 'running', wanted, failure, running }
}

export function takenOver({ wanted, failure }: HostedSiteState): HostedSiteState {
  return { kind: 'starting', wanted, failure }
}

export function takenOutOfService({ wanted }: HostedSiteState): HostedSiteState {
  return { kind: 'restoring', wanted }
}

/** Stored settings are tried again at the next poll. */
export function applyFailed(state: HostedSiteState, now: number, random: number): HostedSiteState {
  const { failure = { retryAt: now }, running, wanted } = state
  const isDelayed = running?.settings !== wanted && isRetryDue(state, now)
  const retryAt = now + retryMs * (1 + retrySpread * random)
  return { ...state, failure: isDelayed ? { retryAt } : failure }
}

/** Returns the same state if the settings have not changed. */
export function settingsChanged(state: HostedSiteState, latest: NamedSite): HostedSiteState {
  if (isSameSite(latest, state.wanted)) return state
  const current = state.running?.settings
  const wanted = current && isSameSite(latest, current) ? current : latest
  return { ...state, wanted, failure: undefined }
}

function isRetryDue({ failure }: HostedSiteState, now: number): boolean {
  return now >= (failure?.retryAt ?? -Infinity)
}

function statusIn({ failure }: HostedSiteState, status: ServiceStatus): ServiceStatus {
  if (!failure) return status
  const sentences = [notAppliedText, ...status.sentences]
  return { ...status, ok: false, state: 'failing', sentences }
}
