import type { RequestListener } from 'node:http'
import type { Clock } from '../clock.ts'
import type { FaultySite, NamedSite } from '../config/sites-config.ts'
import type { HostedSite } from '../http/monitoring/server-pages.ts'
import type { MountedSite } from '../http/server/virtual-hosts.ts'
import { respondUnavailable, respondStarting } from '../http/server/starting.ts'
import type { Logger } from '../log.ts'
import type { SiteService } from './site.ts'

/** When a site that could not be started is tried again, and up to how much later by chance. */
const retryMs = 60_000
const retrySpread = 0.5

/** One of several sites, which is there, and started again, whatever becomes of it. */
export type RunningSite = AsyncDisposable &
  HostedSite &
  MountedSite & {
    /** Resolves once it was tried; until the signal it is tried again. */
    readonly start: (signal: AbortSignal) => Promise<void>
    /** Whoever waits for its website is answered. */
    readonly abortUpstream: () => void
  }

export function createHostedSite(
  { name, config }: NamedSite,
  options: {
    /** Rejects when it cannot be started at present. */
    readonly startSite: () => Promise<SiteService>
    readonly clock: Clock
    readonly log: Logger
    /** From 0 up to 1. */
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
      const napMs = retryMs * (1 + retrySpread * random())
      await clock.sleep(napMs, signal).catch(() => undefined)
      if (!signal.aborted) await tryOnce()
    }
    if (signal.aborted) service?.abortUpstream()
  }

  return {
    name,
    publicUrl: config.publicUrl,
    listener(request, response) {
      const instead = hasFailed ? respondUnavailable : respondStarting
      const listener = service?.front.listener ?? instead
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

/** One whose settings are wrong: it is there to say so. */
export function createFaultySite({
  name,
  publicUrl,
  faults,
}: FaultySite): HostedSite & MountedSite {
  const listener: RequestListener = respondUnavailable
  return {
    ...{ name, publicUrl, listener },
    status: async () => ({ ok: false, sentences: faults }),
    metrics: async () => undefined,
  }
}
