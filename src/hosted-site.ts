import type { RequestListener } from 'node:http'
import type { Clock } from './clock.ts'
import type { NamedSite } from './deployment.ts'
import { serveStarting } from './http/starting.ts'
import type { HostedSite } from './http/server-pages.ts'
import type { Logger } from './log.ts'
import type { SiteService } from './site-service.ts'

/** When a site that could not be started is tried again. */
const retryMs = 60_000

/** One of several sites, which is there, and started again, whatever becomes of it. */
export type RunningSite = AsyncDisposable &
  HostedSite & {
    readonly listener: RequestListener
    /** Resolves once it was tried; until the signal it is tried again. */
    readonly start: (signal: AbortSignal) => Promise<void>
    /** Whoever waits for its website is answered. */
    readonly stopWaiting: () => void
  }

export function createHostedSite(
  { name, config }: NamedSite,
  options: {
    readonly startSite: () => Promise<SiteService>
    readonly clock: Clock
    readonly log: Logger
  },
): RunningSite {
  const { startSite, clock, log } = options
  let service: SiteService | undefined
  let trying = Promise.resolve()

  async function tryOnce(): Promise<void> {
    try {
      service = await startSite()
    } catch (error) {
      log.error({ err: error }, 'the site cannot be started')
    }
  }

  async function tryAgain(signal: AbortSignal): Promise<void> {
    while (!service && !signal.aborted) {
      await clock.sleep(retryMs, signal).catch(() => undefined)
      if (!signal.aborted) await tryOnce()
    }
  }

  return {
    name,
    publicUrl: config.publicUrl,
    listener: (request, response) =>
      (service ? service.front.listener : serveStarting)(request, response),
    status: () => service?.status(),
    metrics: () => service?.front.metrics.values(),
    async start(signal) {
      await tryOnce()
      trying = tryAgain(signal)
    },
    stopWaiting: () => service?.stopWaiting(),
    async [Symbol.asyncDispose]() {
      await trying
      await service?.[Symbol.asyncDispose]()
    },
  }
}
