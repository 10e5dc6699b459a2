import type { RequestListener } from 'node:http'
import type { Clock } from '../clock.ts'
import type { FaultySite, NamedSite } from '../config/sites-config.ts'
import type { HostedSite } from '../http/monitoring/server-pages.ts'
import type { MountedSite } from '../http/server/virtual-hosts.ts'
import { respondUnavailable, respondStarting } from '../http/server/starting.ts'
import type { Logger } from '../log.ts'
import type { SiteService } from './site-service.ts'

/**
 * Delay before a failed site is started again, and the maximum random jitter as a fraction of that
 * delay.
 */
const retryMs = 60_000
const retrySpread = 0.5

/** One of several sites of a maker. A site that fails to start responds with 503 and is retried. */
export type RunningSite = AsyncDisposable &
  HostedSite &
  MountedSite & {
    /** Resolves after the first attempt to start the site. Retries in the background until aborted. */
    readonly start: (signal: AbortSignal) => Promise<void>
    /** Aborts upstream requests and all requests that are waiting for them. */
    readonly abortUpstream: () => void
  }

export function createHostedSite(
  { name, config }: NamedSite,
  options: {
    /** Starts the site. Rejects if it cannot be started now. */
    readonly startSite: () => Promise<SiteService>
    readonly clock: Clock
    readonly log: Logger
    /** Returns a random number from 0 up to 1. */
    readonly random: () => number
  },
): RunningSite {
  const { startSite, clock, log, random } = options
  let service: SiteService | undefined
  let hasFailed = false
  let trying = Promise.resolve()

  async function tryOnce(): Promise<void> {
    try {
      service = await startSite()
    } catch (error) {
      hasFailed = true
      log.error({ err: error }, 'the site cannot be started')
    }
  }

  async function tryAgain(signal: AbortSignal): Promise<void> {
    while (!service && !signal.aborted) {
      const delayMs = retryMs * (1 + retrySpread * random())
      await clock.sleep(delayMs, signal).catch(() => undefined)
      if (!signal.aborted) await tryOnce()
    }
    if (signal.aborted) service?.abortUpstream()
  }

  return {
    name,
    publicUrl: config.publicUrl,
    listener(request, response) {
      const fallback = hasFailed ? respondUnavailable : respondStarting
      const listener = service?.front.listener ?? fallback
      listener(request, response)
    },
    status: async () => service?.status(),
    metrics: async () => service?.front.metrics.values(),
    async start(signal) {
      await tryOnce()
      trying = tryAgain(signal)
    },
    abortUpstream: () => service?.abortUpstream(),
    async [Symbol.asyncDispose]() {
      await trying
      await service?.[Symbol.asyncDispose]()
    },
  }
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
    status: async () => ({ ok: false, sentences: faults }),
    metrics: async () => undefined,
  }
}
