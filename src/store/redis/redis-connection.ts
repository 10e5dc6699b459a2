import { createClient } from 'redis'
import { retryDelayMs, withTimeout } from '../../clock.ts'
import { StoreError } from '../store-error.ts'

const defaultTimeouts = {
  connectMs: 5_000,
  firstConnectionMs: 10_000,
  commandMs: 5_000,
}
const reconnect = { initialMs: 100, maxMs: 2_000 }
/** Applies to all sites that share a connection. */
const maxQueuedCommands = 10_000
const keysPerScan = 1_000

export type RedisOptions = {
  readonly url: string
  readonly timeouts?: Partial<typeof defaultTimeouts>
}

export type RedisConnection = Readonly<Awaited<ReturnType<typeof connectToRedis>>>

/** Rejects with a `StoreError` if Redis cannot be reached. */
export async function connectToRedis(options: RedisOptions) {
  const { url } = options
  const { connectMs, firstConnectionMs, commandMs } = { ...defaultTimeouts, ...options.timeouts }
  let isConnected = false
  let lastFault: unknown
  const address = new URL(url).host
  const client = clientOf(url, connectMs, () => isConnected)
  // Without a listener, Node would exit on a connection error.
  client.on('error', (fault: unknown) => {
    lastFault = fault
  })
  // While disconnected, the last connection error shows the cause, but command errors do not.
  const faultOf = (error: unknown) =>
    storeErrorFrom(client.isReady ? error : (lastFault ?? error), address)
  /** Runs `work` with a timeout. Rejects with a `StoreError`. */
  const run = <T>(work: () => Promise<T>): Promise<T> =>
    withTimeout(work(), commandMs, noResponse).catch((error: unknown) => {
      throw faultOf(error)
    })
  await withTimeout(client.connect(), firstConnectionMs, noResponse).catch((error: unknown) => {
    const fault = faultOf(error)
    if (client.isOpen) client.destroy()
    throw fault
  })
  isConnected = true
  const evaluate = (script: string, keys: readonly string[], args: readonly string[]) =>
    run<unknown>(() => client.eval(script, { keys: [...keys], arguments: [...args] }))

  return {
    client,
    run,
    evaluate,
    address,
    /** Returns the keys that match a pattern. May miss keys that are created meanwhile. */
    async keysLike(pattern: string): Promise<string[]> {
      const keys = new Set<string>()
      const scan = client.scanIterator({ MATCH: pattern, COUNT: keysPerScan })
      for (;;) {
        const { done, value } = await run(() => scan.next())
        if (done) return [...keys]
        for (const key of value) keys.add(key)
      }
    },
    publish: (channel: string, message: string) => run(() => client.publish(channel, message)),
    /** Receives messages on a connection of its own. Calls `missed` whenever that has been lost. */
    async subscribe(channel: string, receive: (message: string) => void, missed: () => void) {
      const subscriber = client.duplicate()
      subscriber.on('error', () => missed())
      await run(async () => {
        await subscriber.connect()
        await subscriber.subscribe(channel, receive)
      })
      return { isReady: () => subscriber.isReady, close: () => subscriber.destroy() }
    },
    async unlink(keys: string[]) {
      if (keys.length > 0) await run(async () => await client.unlink(keys))
    },
    async [Symbol.asyncDispose]() {
      client.destroy()
    },
  }
}

function clientOf(url: string, connectTimeout: number, isConnected: () => boolean) {
  return createClient({
    url,
    disableOfflineQueue: true,
    commandsQueueMaxLength: maxQueuedCommands,
    socket: {
      connectTimeout,
      reconnectStrategy: (retries, cause) =>
        !isConnected() && isRefusal(cause) ? cause : retryDelayMs(reconnect, retries + 1),
    },
  })
}

function noResponse(): never {
  throw new Error('no response in time')
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
