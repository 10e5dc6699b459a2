import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { parsedJson } from '../json.ts'
import { openedOnUse } from '../store/opened-on-use.ts'
import { connectToRedis, type RedisConnection } from '../store/redis/redis-connection.ts'
import { announceHost, withdrawHost } from '../store/redis/redis-scripts.ts'
import { withFallback } from '../store/store-error.ts'
import { hostMs } from './live-hosts.ts'

/** Interval at which each host announces itself and discovers other hosts. */
export const announceMs = 2_000

/** How long the previous key is valid, because other hosts may not know the current one yet. */
const previousKeyMs = 2 * hostMs

/** Number of announcements that may go unheard before the message connection is replaced. */
const maxUnheard = hostMs / announceMs

/** One hash slot for everything. Not a valid host name, so no website's store can have this name. */
const prefix = 'feedhouse:{_hosts}'
const redisKeys = [`${prefix}:hosts`, `${prefix}:key`]

/** Channels are shared by the databases of a Redis server, but the key is not. */
const channelOf = (secret: string) =>
  `${prefix}:${createHash('sha256').update(secret).digest('hex')}`

const receivedMessage = z.tuple([z.string(), z.string(), z.string()], z.unknown())

/** The hosts' keys, the current one first, and when it became the current one. */
type HostKeys = { readonly keys: readonly string[]; readonly changedAt: number }

export type HostChannel = AsyncDisposable & {
  /** Secrets with which hosts prove that they belong together, the current one first. */
  readonly keys: () => readonly string[]
  /**
   * Announces this host at its URL. If the URL is empty, only reads the announcements. Resolves to
   * those of all hosts.
   */
  readonly announce: (self: string) => Promise<Announcement>
  readonly withdraw: () => Promise<void>
  /** True while messages from other hosts are arriving. */
  readonly isFollowing: () => boolean
  readonly send: (name: string, ...values: readonly unknown[]) => void
  /** Sends a heartbeat, which this host also receives. Reconnects if heartbeats stop arriving. */
  readonly beat: () => void
  /** Resolves once all earlier messages have been sent or have failed. */
  readonly sent: () => Promise<unknown>
}

export type Announcement = {
  /** True if another host has announced the same URL. */
  readonly isShared: boolean
  /** Hosts with the time since they last announced themselves. */
  readonly hosts: readonly { readonly url: string; readonly ageMs: number }[]
}

/** Exchanges messages with other hosts through Redis. Connects when it is first needed. */
export function createHostChannel(options: {
  readonly redisUrl: string
  readonly id: string
  readonly url: string
  /** Aborted when the host stops, so that it does not wait for Redis. */
  readonly signal: AbortSignal
  readonly elapsed: () => number
  readonly keysChanged: () => void
  readonly received: (
    sender: string,
    message: readonly [from: string, name: string, ...unknown[]],
  ) => void
  /** Called when messages may have been lost. */
  readonly missed: () => void
}): HostChannel {
  const { redisUrl, id, url, signal, elapsed, keysChanged, received, missed } = options
  const connection = openedOnUse(() => connectToRedis({ url: redisUrl, signal }))
  let subscription: Awaited<ReturnType<RedisConnection['subscribe']>> | undefined
  let known: HostKeys = { keys: [], changedAt: -Infinity }
  /** When the latest message arrived, and the number of announcements since then. */
  let heard = { at: -Infinity, unheard: 0 }
  let hasUnsent = false
  let sent: Promise<unknown> = Promise.resolve()

  function receive(text: string): void {
    const { data } = receivedMessage.safeParse(parsedJson(text))
    if (!data) return
    const [sender, ...message] = data
    heard = { at: elapsed(), unheard: 0 }
    received(sender, message)
  }

  /** Leaves the channel of a key that somebody has deleted, or that Redis has lost. */
  function leaveChannel(): void {
    // Other hosts notice at different times. Until then, they send on another channel.
    if (known.keys.length > 0) missed()
    hasUnsent ||= known.keys.length > 0
    subscription?.close()
    subscription = undefined
  }

  function send(name: string, ...values: readonly unknown[]): void {
    const text = JSON.stringify([id, url, name, ...values])
    const published = withFallback(
      async () => (await connection.opened()).publish(channelOf(known.keys[0] ?? ''), text),
      () => void (hasUnsent = true),
    )
    sent = sent.then(() => published)
  }

  return {
    keys: () => known.keys,
    async announce(self) {
      const { evaluate, subscribe } = await connection.opened()
      const proposed = randomBytes(32).toString('base64url')
      const args = [self, id, String(hostMs), proposed]
      const reply = (await evaluate(announceHost, redisKeys, args)) as readonly string[]
      const [latest = '', isShared, ...hosts] = reply
      const next = keysAfter(known, latest, elapsed())
      if (next !== known) {
        if (latest !== known.keys[0]) leaveChannel()
        known = next
        keysChanged()
      }
      subscription ??= await subscribe(channelOf(latest), receive, missed)
      return { isShared: isShared === '1', hosts: hostsIn(hosts) }
    },
    async withdraw() {
      await withFallback(async () =>
        (await connection.opened()).evaluate(withdrawHost, redisKeys, [url, id]),
      )
    },
    // This host also receives its own messages, so silence means that the connection is broken.
    isFollowing: () => subscription?.isReady() === true && elapsed() - heard.at < hostMs,
    send,
    beat() {
      // A connection can be lost without an error, for example in a router.
      const isLost = heard.unheard >= maxUnheard
      if (isLost) subscription?.renew()
      const isCounted = !isLost && subscription?.isReady() === true
      heard = { ...heard, unheard: isCounted ? heard.unheard + 1 : 0 }
      send(hasUnsent ? 'missed' : 'alive')
      hasUnsent = false
    },
    sent: () => sent,
    async [Symbol.asyncDispose]() {
      await sent
      subscription?.close()
      await connection[Symbol.asyncDispose]()
    },
  }
}

/** Returns the keys after an announcement. The previous one is valid for a while. */
function keysAfter(known: HostKeys, latest: string, now: number): HostKeys {
  const [current, previous] = known.keys
  if (latest !== current) return { keys: [latest, ...known.keys.slice(0, 1)], changedAt: now }
  const isOver = previous !== undefined && now - known.changedAt >= previousKeyMs
  return isOver ? { ...known, keys: [latest] } : known
}

/** Splits the script's reply, in which each URL is followed by its age. */
function hostsIn(reply: readonly string[]): Announcement['hosts'] {
  const urls = reply.filter((_value, index) => index % 2 === 0)
  const hosts = urls.map((url, index) => ({ url, ageMs: Number(reply[2 * index + 1]) }))
  return hosts.filter(({ url }) => isUrlOfHost(url))
}

/** Returns false for URLs that Feedhouse itself never writes. */
function isUrlOfHost(url: string): boolean {
  return /^https?:\/\/[^/]/.test(url) && URL.canParse(url)
}
