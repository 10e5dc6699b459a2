import { ErrorReply } from 'redis'
import { retryDelayMs, systemClock, withTimeout } from '../../clock.ts'
import { StoreError } from '../store-error.ts'
import { NoResponse, noResponse, openClient, type RedisClient } from './redis-client.ts'
import { readRedisUrl, type RedisAddress } from './redis-url.ts'
import { createSilentServers } from './silent-servers.ts'

const defaultTimeouts = {
  connectMs: 5_000,
  firstConnectionMs: 10_000,
  commandMs: 5_000,
}
const keysPerScan = 1_000

export type RedisOptions = {
  readonly url: string
  readonly timeouts?: Partial<typeof defaultTimeouts>
  /** Aborts the initial connection attempts. */
  readonly signal?: AbortSignal
}

export type RedisConnection = AsyncDisposable & {
  /**
   * Runs `work` with a timeout. Rejects with a `StoreError`, without a wait if the server is known not
   * to respond. In a cluster, servers fail separately, so that is known only for a `site`.
   */
  readonly run: <T>(work: (client: RedisClient) => Promise<T>, site?: string) => Promise<T>
  /** The hosts as written in the URL, for messages. */
  readonly address: string
  /**
   * Joins the parts into a key with the site's prefix. In a cluster, the braces keep a site's
   * keys on one server, as scripts require. In other setups, keys have no braces, so that
   * existing data is found.
   */
  readonly keyOf: (siteName: string, ...parts: readonly string[]) => string
  readonly evaluate: (
    script: string,
    keys: readonly string[],
    args: readonly string[],
  ) => Promise<unknown>
  /** Returns the keys that match a pattern. May miss keys that are created in the meantime. */
  readonly keysLike: (pattern: string) => Promise<string[]>
  readonly publish: (channel: string, message: string) => Promise<unknown>
  /** Receives messages on another connection. Calls `missed` whenever that has been lost. */
  readonly subscribe: (
    channel: string,
    receive: (message: string) => void,
    missed: () => void,
  ) => Promise<RedisSubscription>
  readonly unlink: (keys: string[]) => Promise<void>
}

export type RedisSubscription = {
  readonly isReady: () => boolean
  readonly renew: () => void
  readonly close: () => void
}

/** Rejects with a `StoreError` if Redis cannot be reached. */
export async function connectToRedis(options: RedisOptions): Promise<RedisConnection> {
  const { connectMs, firstConnectionMs, commandMs } = { ...defaultTimeouts, ...options.timeouts }
  const read = readRedisUrl(options.url)
  if (!read.ok) throw new StoreError('unusable', `REDIS_URL ${read.problem}.`)
  const { address } = read
  const open = (failed: (error: unknown) => void) => openClient({ address, connectMs, failed })
  const subscribers = new Set<{ renew(): void }>()
  const main = createRenewedClient({ open, isFinal: isRefusal })
  const commands = createCommands(main, address, {
    commandMs,
    serverSilent: () => subscribers.forEach((subscriber) => subscriber.renew()),
  })
  const { run } = commands

  const limits = options.signal ? { signal: options.signal } : {}
  await withTimeout(main.connect(), firstConnectionMs, noResponse, limits).catch(
    (error: unknown) => {
      main.destroy()
      throw storeErrorFrom(main.lastFault() ?? error, address.hosts)
    },
  )

  return {
    run,
    address: address.hosts,
    keyOf: (...names) => keyIn(address, ...names),
    evaluate: (script, keys, args) =>
      run<unknown>(
        (client) => client.eval(script, { keys: [...keys], arguments: [...args] }),
        // In a cluster, keys have their site in braces.
        /\{([^{}]*)\}/.exec(keys[0] ?? '')?.[1],
      ),
    keysLike: (pattern) => keysLike(run, pattern),
    publish: (channel, message) => run((client) => client.publish(channel, message)),
    async subscribe(channel, receive, missed) {
      const subscriber = createRenewedClient({
        open: async (failed) => {
          const client = await open(failed)
          await withTimeout(client.subscribe(channel, receive), commandMs, noResponse)
          return client
        },
        isFinal: () => true,
        changed: missed,
      })
      await run(() => subscriber.connect()).catch((error: unknown) => {
        subscriber.destroy()
        throw error
      })
      subscribers.add(subscriber)
      return {
        isReady: subscriber.isReady,
        renew: subscriber.renew,
        close() {
          subscribers.delete(subscriber)
          subscriber.destroy()
        },
      }
    },
    async unlink(keys) {
      if (keys.length > 0) await run(async (client) => await client.unlink(keys))
    },
    async [Symbol.asyncDispose]() {
      commands.close()
      main.destroy()
    },
  }
}

/** See `RedisConnection`. */
function keyIn({ kind }: RedisAddress, siteName: string, ...parts: readonly string[]): string {
  const name = kind === 'cluster' ? `{${siteName}}` : siteName
  return `feedhouse:${name}:${parts.join(':')}`
}

/** Runs commands, which fail at once while their server is known not to respond. */
function createCommands(
  main: RenewedClient,
  address: RedisAddress,
  options: { readonly commandMs: number; readonly serverSilent: () => void },
) {
  const { commandMs, serverSilent } = options
  /** Servers of a cluster fail separately, so the place is a site. Otherwise, there is only one. */
  const placeOf = (site = '') => (address.kind === 'cluster' ? site : 'server')
  const silent = createSilentServers(async (place) => {
    try {
      const probed = main.client().exists(keyIn(address, place, 'schema'))
      await withTimeout(probed, commandMs, noResponse)
      return true
    } catch (error) {
      renewAfter(error)
      return error instanceof ErrorReply
    }
  })

  function renewAfter(error: unknown): void {
    if (isLoss(error)) main.renew()
    // Other errors also reach the subscribers.
    if (error instanceof NoResponse) serverSilent()
  }

  const run: RedisConnection['run'] = async (work, site) => {
    const place = placeOf(site)
    let used: RedisClient | undefined
    try {
      // Otherwise, each command of a request would wait in turn.
      if (silent.has(place)) noResponse()
      used = main.client()
      return await withTimeout(work(used), commandMs, noResponse)
    } catch (error) {
      if (error instanceof StoreError) throw error
      // While disconnected, the last connection error shows the cause, unlike command errors.
      const fault = error instanceof ErrorReply ? error : (main.lastFault() ?? error)
      // A new connection is not to blame for a command on the one before.
      if (used !== undefined && used === main.client()) {
        renewAfter(error)
        if (error instanceof NoResponse && place !== '') silent.add(place)
      }
      throw storeErrorFrom(fault, address.hosts)
    }
  }

  return { run, close: silent.close }
}

async function keysLike(run: RedisConnection['run'], pattern: string): Promise<string[]> {
  const found = new Set<string>()
  // Another server would not know the cursor.
  let scanned: RedisClient | undefined
  let cursor = '0'
  do {
    const page = await run((client) => {
      scanned ??= client
      return scanned.scan(cursor, { MATCH: pattern, COUNT: keysPerScan })
    })
    for (const key of page.keys) found.add(key)
    cursor = page.cursor
  } while (cursor !== '0')
  return [...found]
}

/** Maps a Redis error by its prefix, https://redis.io/docs/latest/develop/reference/protocol-spec/. */
function storeErrorFrom(error: unknown, address: string): StoreError {
  const reason = error instanceof Error ? error.message : String(error)
  const where = `Redis at ${address} (REDIS_URL)`
  if (/^(?:OOM|MISCONF)\b/.test(reason)) {
    return new StoreError('full', `${where} is out of memory: ${reason}`, { cause: error })
  }
  if (/^FENCED\b/.test(reason)) return new StoreError('owned', 'Another host serves the site.')
  if (isRefusal(error)) {
    const sentence = `${where} rejects the login; correct the user and password: ${reason}`
    return new StoreError('unusable', sentence, { cause: error })
  }
  const sentence = `${where} cannot be reached: ${reason}. Start it, or correct REDIS_URL.`
  return new StoreError('unreachable', sentence, { cause: error })
}

/** Returns true if Redis rejects the login, so that retrying does not help. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && /^(?:NOAUTH|WRONGPASS|NOPERM)\b/.test(error.message)
}

/** Returns true if another server may now be the primary. */
function isLoss(error: unknown): boolean {
  return !(error instanceof ErrorReply) || /^(?:CLUSTERDOWN|READONLY)\b/.test(error.message)
}

const reconnect = { initialMs: 200, maxMs: 2_000 }

type RenewedClient = {
  readonly connect: () => Promise<void>
  readonly renew: () => void
  /** Throws before the first connection. */
  readonly client: () => RedisClient
  /** Returns false while the connection is being replaced. */
  readonly isReady: () => boolean
  readonly lastFault: () => unknown
  readonly destroy: () => void
}

/** Time for commands to finish on a connection that has been replaced. */
const graceMs = 1_000

/**
 * Keeps a client that is replaced when its connection fails, because other servers may be in charge
 * after a failover. Commands that were sent are never repeated, since they may have been executed.
 */
function createRenewedClient(options: {
  readonly open: (failed: (error: unknown) => void) => Promise<RedisClient>
  /** Returns true for an error that makes retrying the first connection pointless. */
  readonly isFinal: (error: unknown) => boolean
  /** Called when the connection fails, and again when there is a new one. */
  readonly changed?: () => void
}): RenewedClient {
  const { open, isFinal, changed } = options
  let client: RedisClient | undefined
  let attempt = 0
  let lastFault: unknown
  let replacing: Promise<void> | undefined
  const closing = new AbortController()

  async function opened(): Promise<RedisClient> {
    const number = (attempt += 1)
    let fault: unknown
    const next = await open((error) => {
      fault = error
      if (number !== attempt) return
      lastFault = error
      renew()
    })
    if (fault === undefined && !closing.signal.aborted) return next
    next.destroy()
    throw fault ?? closing.signal.reason
  }

  async function replace(): Promise<void> {
    for (let attempts = client ? 1 : 0; ; attempts += 1) {
      if (attempts > 0) await systemClock.sleep(retryDelayMs(reconnect, attempts), closing.signal)
      try {
        const [next, old] = [await opened(), client]
        if (old) setTimeout(() => old.destroy(), graceMs).unref()
        client = next
        lastFault = undefined
        replacing = undefined
        if (old) changed?.()
        return
      } catch (error) {
        lastFault = error
        if (closing.signal.aborted || (!client && isFinal(error))) throw error
      }
    }
  }

  /** Opens a new connection, unless one is already being opened. */
  function renew(): void {
    if (replacing || closing.signal.aborted) return
    if (client) changed?.()
    replacing = replace()
    replacing.catch(() => undefined)
  }

  return {
    async connect() {
      renew()
      await replacing
    },
    renew,
    client() {
      if (!client) throw new Error('not connected')
      return client
    },
    isReady: () => client !== undefined && !replacing,
    lastFault: () => lastFault,
    destroy() {
      closing.abort()
      client?.destroy()
    },
  }
}
