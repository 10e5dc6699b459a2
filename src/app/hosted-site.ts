import type { RequestListener } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import { withTimeout, type Clock } from '../clock.ts'
import type { FaultySite, NamedSite } from '../config/sites-config.ts'
import { starting } from '../http/monitoring/maker-reports.ts'
import type { HostedSite } from '../http/monitoring/server-pages.ts'
import type { MountedSite } from '../http/server/virtual-hosts.ts'
import { respondUnavailable, respondStarting } from '../http/server/starting.ts'
import type { Logger } from '../log.ts'
import { createRepeatableRequests, type RepeatableRequests } from './repeatable-requests.ts'
import type { SiteService } from './site-service.ts'

/**
 * Delay before a failed site is started again, and the maximum random jitter as a fraction of that
 * delay.
 */
const retryMs = 60_000
const retrySpread = 0.5

const notAppliedText =
  "The site's changed settings cannot be applied yet, so the settings from before are still in use. The log shows the reason."

/** How long requests wait for a site that is starting. */
const maxHeldMs = 5_000

/** A start that takes longer than this is a problem. */
const maxStartMs = 5 * 60_000

/** A site that has started. */
export type StartedSite = SiteService & {
  /** Publishes what it has to publish. */
  readonly activate: () => void
  /** Removes everything that it has published. */
  readonly retireAll: () => void
}

/** One of several sites of a maker. A site that fails to start responds with 503 and is retried. */
export type RunningSite = AsyncDisposable &
  HostedSite &
  MountedSite & {
    /** Resolves after the first attempt to start the site. Retries in the background until aborted. */
    readonly start: (signal: AbortSignal) => Promise<void>
    /** Replaces the site with one that has these settings. Until it has started, this one serves. */
    readonly change: (site: NamedSite, signal: AbortSignal) => void
    /** Aborts upstream requests and all requests that are waiting for them. */
    readonly abortUpstream: () => void
    /** Removes everything that the site has published. */
    readonly retireAll: () => void
  }

export function createHostedSite(
  first: NamedSite,
  options: {
    /** Starts the site. Rejects if it cannot be started now. */
    readonly startSite: (site: NamedSite) => Promise<StartedSite>
    /** Called when the site has been replaced, so its public URL may have changed. */
    readonly replaced?: () => void
    readonly clock: Clock
    readonly log: Logger
    /** Returns a random number from 0 up to 1. */
    readonly random: () => number
  },
): RunningSite {
  const { startSite, replaced, clock, log, random } = options
  let wanted = first
  let running:
    | {
        readonly site: NamedSite
        readonly service: StartedSite
        readonly requests: RepeatableRequests
      }
    | undefined
  let hasFailed = false
  const firstTry = Promise.withResolvers<void>()
  const startBy = clock.now() + maxStartMs
  let waiting = new AbortController()
  let trying = Promise.resolve()

  const isDone = () => running?.site === wanted

  async function tryOnce(): Promise<void> {
    const site = wanted
    const before = running
    try {
      const service = await startSite(site)
      const requests = createRepeatableRequests((...asked) => service.front.listener(...asked))
      running = { site, service, requests }
      hasFailed = false
    } catch (error) {
      hasFailed = true
      const text = before ? 'the changed settings cannot be applied' : 'the site cannot be started'
      return log.error({ err: error }, text)
    }
    // From now on, requests reach the new site, so nothing of the old one may be sent.
    before?.service.retireAll()
    running.service.activate()
    if (!before) return
    replaced?.()
    before.requests.repeat()
    log.info({}, 'settings changed')
    try {
      await before.service[Symbol.asyncDispose]()
    } catch (error) {
      log.error({ err: error }, 'the site with the previous settings cannot be closed')
    }
  }

  async function tryAgain(signal: AbortSignal): Promise<void> {
    while (!isDone() && !signal.aborted) {
      if (hasFailed) {
        const delayMs = retryMs * (1 + retrySpread * random())
        const ending = AbortSignal.any([signal, waiting.signal])
        await clock.sleep(delayMs, ending).catch(() => undefined)
      }
      if (!isDone() && !signal.aborted) await tryOnce()
    }
    if (signal.aborted) running?.service.abortUpstream()
  }

  return {
    name: first.name,
    get publicUrl() {
      return (running?.site ?? wanted).config.publicUrl
    },
    listener(request, response) {
      const respond = () => {
        const fallback = hasFailed ? respondUnavailable : respondStarting
        const listener = running?.requests.listener ?? fallback
        if (!response.destroyed) listener(request, response)
      }
      if (running) return respond()
      void withTimeout(firstTry.promise, maxHeldMs, () => undefined, { clock }).then(respond)
    },
    async status() {
      if (!running && !hasFailed && clock.now() < startBy) return starting
      const status = await running?.service.status()
      if (!status || isDone() || !hasFailed) return status
      return {
        ...status,
        ok: false,
        state: 'failing',
        sentences: [notAppliedText, ...status.sentences],
      }
    },
    metrics: async () => running?.service.front.metrics.values(),
    async start(signal) {
      await tryOnce()
      firstTry.resolve()
      trying = tryAgain(signal)
    },
    change(site, signal) {
      if (isSameSite(site, wanted)) return
      wanted = running && isSameSite(site, running.site) ? running.site : site
      hasFailed = false
      waiting.abort()
      waiting = new AbortController()
      trying = trying.then(() => tryAgain(signal))
    },
    abortUpstream: () => running?.service.abortUpstream(),
    retireAll: () => running?.service.retireAll(),
    async [Symbol.asyncDispose]() {
      await trying
      await running?.service[Symbol.asyncDispose]()
    },
  }
}

function isSameSite(a: NamedSite, b: NamedSite): boolean {
  return isDeepStrictEqual(comparableSettings(a), comparableSettings(b))
}

/** Returns the settings without a refresh token from a file, which a running site reads again. */
function comparableSettings({ config }: NamedSite) {
  const { refreshToken, ...site } = config.site
  return { ...config, site, ownToken: site.refreshTokenFile === undefined && refreshToken }
}

/** Creates a placeholder for a site with invalid settings. It always responds with 503. */
export function createFaultySite({
  name,
  publicUrl,
  faults,
}: FaultySite): HostedSite & MountedSite {
  const listener: RequestListener = respondUnavailable
  return {
    name,
    publicUrl,
    listener,
    status: async () => ({ ok: false, state: 'failing', sentences: faults }),
    metrics: async () => undefined,
  }
}
