import { ErrorReply } from 'redis'
import { withTimeout } from '../../clock.ts'
import { StoreError } from '../store-error.ts'
import { NoResponse, noResponse, openClient, type RedisClient } from './redis-client.ts'
import { readRedisUrl } from './redis-url.ts'
import { createRenewedClient } from './renewed-client.ts'

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

export type RedisConnection = Readonly<Awaited<ReturnType<typeof connectToRedis>>>

/** Rejects with a `StoreError` if Redis cannot be reached. */
export async function connectToRedis(options: RedisOptions) {
  const { connectMs, firstConnectionMs, commandMs } = { ...defaultTimeouts, ...options.timeouts }
  const read = readRedisUrl(options.url)
  if (!read.ok) throw new StoreError('unusable', `REDIS_URL ${read.problem}.`)
  const { address } = read
  const open = (failed: (error: unknown) => void) => openClient({ address, connectMs, failed })
  const subscribers = new Set<{ renew(): void }>()
  const main = createRenewedClient({ open, isFinal: isRefusal })

  /** Runs `work` with a timeout. Rejects with a `StoreError`. */
  const run = async <T>(work: (client: RedisClient) => Promise<T>): Promise<T> => {
    try {
      return await withTimeout(work(main.client()), commandMs, noResponse)
    } catch (error) {
      if (error instanceof StoreError) throw error
      // While disconnected, the last connection error shows the cause, unlike command errors.
      const fault = error instanceof ErrorReply ? error : (main.lastFault() ?? error)
      if (isLoss(error)) main.renew()
      // Other errors also reach the subscribers.
      if (error instanceof NoResponse) for (const subscriber of subscribers) subscriber.renew()
      throw storeErrorFrom(fault, address.hosts)
    }
  }
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
    /**
     * Joins the parts into a key with the site's prefix. In a cluster, the braces keep a site's
     * keys on one server, as scripts require. In other setups, keys have no braces, so that
     * existing data is found.
     */
    keyOf: (siteName: string, ...parts: readonly string[]) => {
      const name = address.kind === 'cluster' ? `{${siteName}}` : siteName
      return `feedhouse:${name}:${parts.join(':')}`
    },
    evaluate: (script: string, keys: readonly string[], args: readonly string[]) =>
      run<unknown>((client) => client.eval(script, { keys: [...keys], arguments: [...args] })),
    /** Returns the keys that match a pattern. May miss keys that are created in the meantime. */
    async keysLike(pattern: string): Promise<string[]> {
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
    },
    publish: (channel: string, message: string) =>
      run((client) => client.publish(channel, message)),
    /** Receives messages on another connection. Calls `missed` whenever that has been lost. */
    async subscribe(channel: string, receive: (message: string) => void, missed: () => void) {
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
    async unlink(keys: string[]) {
      if (keys.length > 0) await run(async (client) => await client.unlink(keys))
    },
    async [Symbol.asyncDispose]() {
      main.destroy()
    },
  }
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
