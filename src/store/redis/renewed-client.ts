import { retryDelayMs, systemClock } from '../../clock.ts'
import type { RedisClient } from './redis-client.ts'

const reconnect = { initialMs: 200, maxMs: 2_000 }

/** Time for commands to finish on a connection that has been replaced. */
const graceMs = 1_000

/**
 * Keeps a client that is replaced when its connection fails, because other servers may be in charge
 * after a failover. Commands that were sent are never repeated, since they may have been executed.
 */
export function createRenewedClient(options: {
  readonly open: (failed: (error: unknown) => void) => Promise<RedisClient>
  /** Returns true for an error that makes retrying the first connection pointless. */
  readonly isFinal: (error: unknown) => boolean
  /** Called when the connection fails, and again when there is a new one. */
  readonly changed?: () => void
}) {
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
    async connect(): Promise<void> {
      renew()
      await replacing
    },
    renew,
    /** Throws before the first connection. */
    client(): RedisClient {
      if (!client) throw new Error('not connected')
      return client
    },
    /** Returns false while the connection is being replaced. */
    isReady: () => client !== undefined && !replacing,
    lastFault: () => lastFault,
    destroy(): void {
      closing.abort()
      client?.destroy()
    },
  }
}
