import type { Clock } from '../clock.ts'
import type { SiteSettings } from '../config/config.ts'
import type { Logger } from '../log.ts'
import { createRefreshToken } from '../config/refresh-token.ts'
import { createSharedWindow } from '../store/shared-window.ts'
import { withFallback } from '../store/store-error.ts'
import type { Store } from '../store/store.ts'
import type { Connection } from '../upstream/connection.ts'
import {
  createDataService,
  isTakenAsAccessToken,
  requestAccessToken,
  type DataService,
} from '../upstream/data-service.ts'
import { isDomainOf, type Page } from '../upstream/envelope.ts'
import { createThrottle, shareOfCalls, type CallWindow, type Budget } from '../upstream/throttle.ts'
import { throttledConnection } from '../upstream/throttled-connection.ts'
import type { TokenMemory } from '../upstream/token-memory.ts'
import { createTokenSource, type TokenSource } from '../upstream/token-source.ts'

/** Store bucket of the access token, and of the pause after failed token requests. */
export const tokenBucket = 'tokens'

/** Client of a site's data service, with its budget and token in the store. */
export type SiteClient = {
  readonly dataService: DataService
  readonly tokens: TokenSource
  /** Resolves to true if the configured refresh token is really an access token. Takes one call. */
  readonly isAccessToken: () => Promise<boolean>
  /** Returns the used calls. Also replays calls to the store that it missed while it was gone. */
  readonly budget: () => Promise<Budget>
}

export function createSiteClient(options: {
  readonly site: SiteSettings
  readonly connection: Pick<Connection, 'request'>
  readonly callsPerMinute: number
  readonly callsPerDay: number
  readonly store: Store
  /** This replica's id, and the number of replicas. */
  readonly replica: { readonly id: string; readonly count: () => number }
  readonly clock: Clock
  readonly random: () => number
  readonly log: Logger
  /** True for commands: a person may have fixed the cause of a pause. */
  readonly isForPerson?: boolean
  /** Aborts every wait. */
  readonly signal: AbortSignal
}): SiteClient {
  const { site, callsPerMinute, callsPerDay, store, replica, clock, random, log, signal } = options
  const { now } = clock
  const shareOf = shareOfCalls(callsPerMinute, replica.count)
  const window = createSharedWindow(store.windows, 'calls', { shareOf, now })
  const throttle = createThrottle({ callsPerMinute, callsPerDay, window, clock, signal })
  const connection = throttledConnection(options.connection, throttle)
  const attempts = createSharedWindow(store.windows, 'token requests', {
    shareOf: ({ max }, usedBefore) => (max - usedBefore) / replica.count(),
    now,
  })
  const refreshToken = createRefreshToken(site, log)
  const tokens = createTokenSource({
    requestToken: (admit) => requestAccessToken(connection, refreshToken.current(), admit),
    memory: tokenMemoryIn(store, attempts, replica.id),
    refreshToken,
    ignoresPauses: options.isForPerson ?? false,
    clock,
    random,
  })
  return {
    dataService: createDataService(connection, tokens, warnOfOtherDomain(site.url, log)),
    tokens,
    isAccessToken: () => isTakenAsAccessToken(connection, refreshToken.current()),
    async budget() {
      await attempts.count(0)
      return throttle.used()
    },
  }
}

/** Logs a response from another domain once: it may be another name of the same site. */
function warnOfOtherDomain(siteUrl: string, log: Logger): (page: Page) => void {
  let isTold = false
  return ({ domain }) => {
    if (isTold || isDomainOf(domain, siteUrl)) return
    isTold = true
    log.warn({ domain, siteUrl }, 'the answers say they are of another domain')
  }
}

/** Without the store, nothing is remembered or shared, but attempts stay limited. */
function tokenMemoryIn(
  { documents, leases }: Store,
  attempts: Pick<CallWindow, 'take' | 'release'>,
  holder: string,
): TokenMemory {
  const [bucket, id, lease] = [tokenBucket, 'access', 'token']
  return {
    load: () =>
      withFallback(
        async () => (await documents.get(bucket, id))?.value,
        () => undefined,
      ),
    save: (value) =>
      withFallback(
        () => documents.write([{ bucket, id, value }]),
        () => false,
      ),
    attempts,
    takeLease: (ttlMs) =>
      withFallback(
        () => leases.take(lease, holder, ttlMs),
        () => true,
      ),
    releaseLease: () =>
      withFallback(
        () => leases.release(lease, holder),
        () => undefined,
      ),
  }
}
