import type { Clock } from '../clock.ts'
import type { SiteSettings } from '../config/config.ts'
import type { Logger } from '../log.ts'
import { createRefreshToken } from '../config/refresh-token.ts'
import { createSharedWindow } from '../store/shared-window.ts'
import { StoreError } from '../store/store-error.ts'
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

/** Where the access token is kept, and how long none may be requested. */
export const tokenBucket = 'tokens'

/** The client of a site's data service, whose budget and tokens last in the store. */
export type SiteClient = {
  readonly dataService: DataService
  readonly tokens: TokenSource
  /** Whether what is configured as the refresh token is in truth an access token; takes a call. */
  readonly isAccessToken: () => Promise<boolean>
  /** How much of the calls is used up; also tells the store what it has missed. */
  readonly budget: () => Promise<Budget>
}

export function createSiteClient(options: {
  readonly site: SiteSettings
  readonly connection: Pick<Connection, 'request'>
  readonly callsPerMinute: number
  readonly callsPerDay: number
  readonly store: Store
  /** This replica among all, and how many there are. */
  readonly replica: { readonly id: string; readonly count: () => number }
  readonly clock: Clock
  readonly random: () => number
  readonly log: Logger
  /** Whether a person asks, who may have mended what calls are put off for. */
  readonly isForPerson?: boolean
  /** Ends every waiting. */
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

/** Another domain may be another name of the same site, and it is told once. */
function warnOfOtherDomain(siteUrl: string, log: Logger): (page: Page) => void {
  let isTold = false
  return ({ domain }) => {
    if (isTold || isDomainOf(domain, siteUrl)) return
    isTold = true
    log.warn({ domain, siteUrl }, 'the answers say they are of another domain')
  }
}

/** Without the store there is nothing to remember and nobody to ask; the attempts stay limited. */
function tokenMemoryIn(
  { documents, leases }: Store,
  attempts: Pick<CallWindow, 'take' | 'release'>,
  holder: string,
): TokenMemory {
  const [bucket, id, lease] = [tokenBucket, 'access', 'token']
  return {
    load: () => orWithout(async () => (await documents.get(bucket, id))?.value, undefined),
    save: (value) => orWithout(() => documents.write([{ bucket, id, value }]), false),
    attempts,
    takeLease: (ttlMs) => orWithout(() => leases.take(lease, holder, ttlMs), true),
    releaseLease: () => orWithout(() => leases.release(lease, holder), undefined),
  }
}

async function orWithout<T>(work: () => Promise<T>, without: T): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof StoreError) return without
    throw error
  }
}
