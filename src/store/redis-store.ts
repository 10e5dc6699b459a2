import { randomUUID } from 'node:crypto'
import { createClient } from 'redis'
import {
  deleteExpired,
  releaseLease,
  takeFromWindow,
  takeLease,
  writeDocuments,
} from './redis-scripts.ts'
import { StoreError } from './store-error.ts'
import { longestWindowMs, type Document, type Store } from './store.ts'

const defaultTimeouts = {
  connectMs: 5_000,
  firstConnectionMs: 10_000,
  commandMs: 5_000,
}
const longestReconnectMs = 2_000
const maxQueuedCommands = 1_000

export type RedisStoreOptions = {
  readonly url: string
  /** The site that the store belongs to. */
  readonly name: string
  readonly now: () => number
  readonly timeouts?: Partial<typeof defaultTimeouts>
}

/** A store that several replicas share. Rejects with a `StoreError` when it cannot be reached. */
export async function openRedisStore(options: RedisStoreOptions): Promise<Store> {
  const { url, name, now } = options
  const { connectMs, firstConnectionMs, commandMs } = { ...defaultTimeouts, ...options.timeouts }
  let isConnected = false
  let lastFault: unknown
  const address = new URL(url).host
  const client = createClient({
    url,
    disableOfflineQueue: true,
    commandsQueueMaxLength: maxQueuedCommands,
    socket: {
      connectTimeout: connectMs,
      reconnectStrategy: (retries, cause) =>
        !isConnected && isRefusal(cause) ? cause : Math.min(100 * 2 ** retries, longestReconnectMs),
    },
  })
  // Without a listener Node would end the process.
  client.on('error', (fault: unknown) => {
    lastFault = fault
  })
  // Without a connection a command only says that there is none; the connection says why.
  const faultOf = (error: unknown) =>
    storeErrorFrom(client.isReady ? error : (lastFault ?? error), address)
  const run = <T>(work: () => Promise<T>): Promise<T> =>
    inTime(work(), commandMs).catch((error: unknown) => {
      throw faultOf(error)
    })
  await inTime(client.connect(), firstConnectionMs).catch((error: unknown) => {
    const fault = faultOf(error)
    if (client.isOpen) client.destroy()
    throw fault
  })
  isConnected = true
  const key = (...parts: readonly string[]) => `feedhouse:${name}:${parts.join(':')}`
  const evaluate = (script: string, keys: readonly string[], args: readonly string[]) =>
    run(() => client.eval(script, { keys: [...keys], arguments: [...args] }))
  const time = () => String(now())

  return {
    documents: {
      get: (bucket, id) =>
        run(async () => documentFrom(await client.hGet(key('documents', bucket), id), now())),
      all: (bucket) =>
        run(async () => {
          const stored = Object.entries(await client.hGetAll(key('documents', bucket)))
          const found = stored.map(([id, text]) => [id, documentFrom(text, now())] as const)
          const gone = found.flatMap(([id, document]) => (document ? [] : [id]))
          if (gone.length > 0) {
            await evaluate(deleteExpired, [key('documents', bucket)], [time(), ...gone])
          }
          return new Map(found.flatMap(([id, document]) => (document ? [[id, document]] : [])))
        }),
      write: async (writes, expected) => {
        const keys = [expected ?? { bucket: '' }, ...writes].map(({ bucket }) =>
          key('documents', bucket),
        )
        const args = writes.flatMap(({ id, value, expiresAt }) => [
          ...[id, value === undefined ? '0' : '1', String(expiresAt ?? ''), value ?? ''],
        ])
        const condition = [expected?.id ?? '', String(expected?.revision ?? '')]
        return (await evaluate(writeDocuments, keys, [time(), ...condition, ...args])) === 1
      },
    },
    windows: {
      take: async (window, limits) => {
        const id = randomUUID()
        const args = limits.flatMap(({ windowMs, most }) => [String(windowMs), String(most)])
        const reply = await evaluate(
          takeFromWindow,
          [key('window', window)],
          [time(), id, String(longestWindowMs), ...args],
        )
        const [retryAfterMs = 0, ...used] = reply as number[]
        return retryAfterMs > 0 ? { ok: false, retryAfterMs } : { ok: true, id, used }
      },
      giveBack: (window, id) =>
        run(async () => void (await client.zRem(key('window', window), id))),
      add: (window, happenings) =>
        run(async () => {
          const members = [...happenings].map(([value, at]) => ({ value, score: Math.floor(at) }))
          const ifNew = { condition: 'NX' } as const
          if (members.length > 0) await client.zAdd(key('window', window), members, ifNew)
        }),
      count: (window, windowMs) =>
        run(() => client.zCount(key('window', window), `(${now() - windowMs}`, '+inf')),
    },
    leases: {
      take: async (lease, holder, ttlMs) =>
        (await evaluate(takeLease, [key('lease', lease)], [time(), holder, String(ttlMs)])) === 1,
      release: async (lease, holder) =>
        void (await evaluate(releaseLease, [key('lease', lease)], [holder])),
    },
    async [Symbol.asyncDispose]() {
      client.destroy()
    },
  }
}

function documentFrom(stored: string | null, now: number): Document | undefined {
  const [head = '', revision, expiresAt] = /^(\d+):(\d*):/.exec(stored ?? '') ?? []
  if (stored === null || head === '') return undefined
  if (expiresAt && Number(expiresAt) <= now) return undefined
  return { value: stored.slice(head.length), revision: Number(revision) }
}

/** Redis may also just hang. */
async function inTime<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error('no answer in time')), timeoutMs)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Replies begin with a code, https://redis.io/docs/latest/develop/reference/protocol-spec/. */
function storeErrorFrom(error: unknown, address: string): StoreError {
  const reason = error instanceof Error ? error.message : String(error)
  const where = `Redis at ${address} (REDIS_URL)`
  if (/^(?:OOM|MISCONF)\b/.test(reason)) {
    return new StoreError('full', `${where} has no room: ${reason}`, { cause: error })
  }
  if (isRefusal(error)) {
    const sentence = `${where} refuses the access; correct user and password: ${reason}`
    return new StoreError('unusable', sentence, { cause: error })
  }
  const sentence = `${where} cannot be reached: ${reason}. Start it, or correct REDIS_URL.`
  return new StoreError('unreachable', sentence, { cause: error })
}

/** Waiting does not help against it. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && /^(?:NOAUTH|WRONGPASS|NOPERM)\b/.test(error.message)
}
