import { hourMs } from '../clock.ts'
import type { SiteSettings } from '../config/config.ts'
import type { Logger } from '../log.ts'
import { createRefreshToken } from '../config/refresh-token.ts'
import { createSharedWindow } from '../store/shared-window.ts'
import type { Store, Windows } from '../store/store.ts'
import type { Transport } from '../upstream/connection.ts'
import {
  createDataService,
  isTakenAsAccessToken,
  requestAccessToken,
  type DataService,
} from '../upstream/data-service.ts'
import { isDomainOf, type Page } from '../upstream/envelope.ts'
import {
  createThrottle,
  shareOfCalls,
  throttledConnection,
  type Budget,
} from '../upstream/throttle.ts'
import { createTokenSource, tokenBucket, type TokenSource } from '../upstream/token-source.ts'
import type { Runtime } from './runtime.ts'

export { tokenBucket }

export type UpstreamClient = {
  readonly dataService: DataService
  readonly tokens: TokenSource
  readonly refreshTokenFingerprint: () => string
  /** Resolves to true if the configured refresh token is actually an access token. Uses one call. */
  readonly isAccessToken: () => Promise<boolean>
  /** Returns the number of calls used. Also stores the count of calls made during a store outage. */
  readonly budget: () => Promise<Budget>
}

/** Name of the window that counts the calls of all replicas. */
export const callsWindow = 'calls'

/** Resolves to the number of calls in each of the last 24 hours, most recent last. */
export async function callsPerHour(windows: Windows): Promise<readonly number[]> {
  const within = (hours: number) => windows.count(callsWindow, hours * hourMs)
  const counts = await Promise.all(Array.from({ length: 24 }, (_, index) => within(index + 1)))
  return counts.map((count, index) => Math.max(0, count - (counts[index - 1] ?? 0))).toReversed()
}

/** Creates a client for a site's data service. The store holds its call budget and token. */
export function createUpstreamClient(
  options: Runtime & {
    readonly site: SiteSettings
    readonly connection: Transport
    readonly callsPerMinute: number
    readonly callsPerDay: number
    readonly store: Store
    readonly replica: { readonly id: string; readonly count: () => number }
    /** True for commands. They ignore pauses, because an operator may have fixed the problem. */
    readonly isForPerson?: boolean
    readonly signal: AbortSignal
  },
): UpstreamClient {
  const { site, callsPerMinute, callsPerDay, store, replica, clock, random, log, signal } = options
  const { now } = clock
  const shareOf = shareOfCalls(callsPerMinute, replica.count)
  const window = createSharedWindow(store.windows, callsWindow, { shareOf, now })
  const throttle = createThrottle({ callsPerMinute, callsPerDay, window, clock, signal })
  const connection = throttledConnection(options.connection, throttle)
  const attempts = createSharedWindow(store.windows, 'token requests', {
    shareOf: ({ max }, usedBefore) => (max - usedBefore) / replica.count(),
    now,
  })
  const refreshToken = createRefreshToken(site, log)
  const tokens = createTokenSource({
    requestToken: (admit) => requestAccessToken(connection, refreshToken.current(), admit),
    store,
    holder: replica.id,
    attempts,
    refreshToken,
    ignoresPauses: options.isForPerson ?? false,
    clock,
    random,
  })
  return {
    dataService: createDataService(connection, tokens, warnOfOtherDomain(site.url, log)),
    tokens,
    refreshTokenFingerprint: refreshToken.fingerprint,
    isAccessToken: () => isTakenAsAccessToken(connection, refreshToken.current()),
    budget: async () => {
      await attempts.count(0)
      return throttle.used()
    },
  }
}

/** Logs the first response from another domain, which is accepted, because it may be an alias. */
function warnOfOtherDomain(siteUrl: string, log: Logger): (page: Page) => void {
  let isLogged = false
  return ({ domain }) => {
    if (isLogged || isDomainOf(domain, siteUrl)) return
    isLogged = true
    log.warn({ domain, siteUrl }, 'the website reports a different domain name')
  }
}
