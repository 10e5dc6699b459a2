import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { every, type Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import { connectToRedis, type RedisConnection } from '../store/redis/redis-connection.ts'
import { announceHost, withdrawHost } from '../store/redis/redis-scripts.ts'
import { createStoreAccess, withFallback } from '../store/store-error.ts'

/** Interval at which each host announces itself and discovers other hosts. */
const announceMs = 2_000

/** A host counts as gone if it has not announced itself for this long. */
export const hostMs = 8_000

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

export type HostMessage = {
  /** URL of the host that sent it. */
  readonly from: string
  readonly name: string
  readonly values: readonly unknown[]
}

export type Hosts = ReturnType<typeof openHosts>

/**
 * Tracks live hosts, and exchanges messages with them, through Redis. All of them serve the sites
 * of the same sites file. While Redis cannot be reached, the list of hosts does not change.
 */
export function openHosts(options: {
  readonly redisUrl: string
  /** URL at which the other hosts reach this one. */
  readonly url: string
  /** Returns the id of the host that answers at `url`, and has one of the keys. Rejects if none does. */
  readonly idAtUrl: () => Promise<string>
  readonly clock: Clock
  /** Returns milliseconds on a clock that never jumps. */
  readonly elapsed: () => number
  readonly log: Logger
  /** Called every two seconds, when this host has been announced. */
  readonly announced: () => void
  /** Called when hosts have joined or left, or the keys have changed. */
  readonly changed: () => void
  readonly received: (message: HostMessage) => void
  /** Called when messages from a host, or from any if `host` is undefined, may have been lost. */
  readonly missed: (host?: string) => void
}) {
  const { redisUrl, url, idAtUrl, clock, elapsed, log } = options
  const { announced, changed, received, missed } = options
  const id = randomUUID()
  const access = createStoreAccess(log)
  const stopping = new AbortController()
  /** When each host was last known to be alive, on a clock that never jumps. */
  const seenAt = new Map<string, number>()
  let members: readonly string[] = []
  let connecting: Promise<RedisConnection> | undefined
  let subscription: Awaited<ReturnType<RedisConnection['subscribe']>> | undefined
  let keys: readonly string[] = []
  let keyChangedAt = -Infinity
  let isJoining = false
  let isJoined = false
  /** Why this host could not join. */
  let problem: string | undefined
  let hasAnnounced = false
  let wasReached = true
  let hasUnsent = false
  let heardAt = -Infinity
  /** Successful announcements since the last message. */
  let unheard = 0
  let wasFollowing = false
  let sent: Promise<unknown> = Promise.resolve()
  let announcements = Promise.resolve()

  function connected(): Promise<RedisConnection> {
    connecting ??= connectToRedis({ url: redisUrl, signal: stopping.signal }).catch(
      (error: unknown) => {
        connecting = undefined
        throw error
      },
    )
    return connecting
  }

  function receive(text: string): void {
    type Received = readonly [string, string, string, ...unknown[]]
    const [sender, from, name, ...values] = JSON.parse(text) as Received
    heardAt = elapsed()
    unheard = 0
    if (sender === id || name === 'alive') return
    if (name === 'left' && isJoined && from === url) return
    if (name === 'missed') return missed(from)
    if (name !== 'left') return received({ from, name, values })
    seenAt.delete(from)
    setMembers(members.filter((host) => host !== from))
  }

  function update(): void {
    const now = elapsed()
    const alive = [...seenAt].flatMap(([host, at]) => (now - at < hostMs ? [host] : []))
    setMembers(alive.toSorted())
  }

  function setMembers(latest: readonly string[]): void {
    if (latest.join() === members.join()) return
    members = latest
    log.info({ hosts: members }, 'the hosts have changed')
    changed()
  }

  async function exchange(): Promise<readonly string[]> {
    const { evaluate, subscribe } = await connected()
    const proposed = randomBytes(32).toString('base64url')
    const args = [isJoined ? url : '', id, String(hostMs), proposed]
    const reply = (await evaluate(announceHost, redisKeys, args)) as readonly string[]
    const [latest = ''] = reply
    if (latest !== keys[0]) {
      // Somebody has deleted the key, or Redis has lost its data. The other hosts learn of that
      // earlier or later, and until then their messages are on another channel.
      if (keys.length > 0) missed()
      hasUnsent ||= keys.length > 0
      subscription?.close()
      subscription = undefined
      keys = [latest, ...keys.slice(0, 1)]
      keyChangedAt = elapsed()
      changed()
    } else if (keys.length > 1 && elapsed() - keyChangedAt >= previousKeyMs) {
      keys = [latest]
      changed()
    }
    subscription ??= await subscribe(channelOf(latest), receive, missed)
    return reply
  }

  /** This host also receives its own messages, so silence means that the connection is broken. */
  const isFollowing = () => subscription?.isReady() === true && elapsed() - heardAt < hostMs

  /** Joins if this host answers at its own URL. Otherwise, the others could not reach its sites. */
  async function tryToJoin(): Promise<void> {
    const latest = await idAtUrl().then(
      (found) => (found === id ? undefined : 'another server responds there'),
      ({ message, cause }: Error) => (cause instanceof Error ? cause.message : message),
    )
    if (!isJoining) return
    isJoined = latest === undefined
    // Another host may have used this URL until now.
    if (isJoined) members = members.filter((host) => host !== url)
    if (latest !== undefined && problem === undefined) {
      const text = 'this host gets no sites until it can be reached at its ADVERTISE_URL'
      log.error({ url, reason: latest }, text)
    }
    problem = latest
  }

  async function announce(): Promise<void> {
    if (isJoining && !isJoined && keys.length > 0) await tryToJoin()
    const reply = await access.use('hosts', exchange, undefined)
    const wasReachedBefore = wasReached
    wasReached = reply !== undefined
    if (wasFollowing && !isFollowing()) missed()
    wasFollowing = isFollowing()
    if (!reply) return
    const now = elapsed()
    // The others could not announce themselves either.
    if (!wasReachedBefore) for (const host of seenAt.keys()) seenAt.set(host, now)
    const [, isShared, ...hosts] = reply
    for (let index = 0; index < hosts.length; index += 2) {
      const [host = '', age] = hosts.slice(index)
      // Before it joins, its URL may be that of its previous process, or of another host.
      const isKnown = isJoined || problem !== undefined || host !== url
      if (isUrlOfHost(host) && isKnown) seenAt.set(host, now - Number(age))
    }
    if (isShared === '1' && hasAnnounced) {
      log.error({ url }, 'another host has the same ADVERTISE_URL')
    }
    hasAnnounced = isJoined
    // A connection can be lost without an error, for example in a router.
    const isLost = unheard >= maxUnheard
    if (isLost) subscription?.renew()
    unheard = isLost || subscription?.isReady() !== true ? 0 : unheard + 1
    send(hasUnsent ? 'missed' : 'alive')
    hasUnsent = false
    announced()
    update()
  }

  function send(name: string, ...values: readonly unknown[]): void {
    const text = JSON.stringify([id, url, name, ...values])
    const published = withFallback(
      async () => (await connected()).publish(channelOf(keys[0] ?? ''), text),
      () => void (hasUnsent = true),
    )
    sent = sent.then(() => published)
  }

  const announceNext = () => (announcements = announcements.then(announce))
  const announcing = every(clock, announceMs, stopping.signal, announceNext)
  void announceNext()
  return {
    id,
    url,
    /** Its own URL as a member, which is empty until it joins. */
    self: () => (isJoined ? url : ''),
    /** Sorted URLs of all live hosts, including this one after it has joined. */
    members: () => members,
    /** Secrets with which hosts prove that they belong together, the current one first. */
    keys: () => keys,
    /** True while messages from other hosts are arriving. */
    isFollowing,
    send,
    /** Resolves once all earlier messages have been sent or have failed. */
    sent: () => sent,
    /** Resolves once the latest announcement has succeeded or failed. */
    settled: () => announcements,
    /** Joins as soon as this host can be reached at its URL. */
    async join(): Promise<void> {
      if (isJoining || stopping.signal.aborted) return
      isJoining = true
      await announceNext()
    },
    /** Hands over this host's sites to the others. */
    async leave(): Promise<void> {
      isJoining = false
      if (!isJoined) return
      isJoined = false
      seenAt.delete(url)
      setMembers(members.filter((host) => host !== url))
      // Redis has never been reached.
      if (keys.length === 0) return
      await withFallback(async () =>
        (await connected()).evaluate(withdrawHost, redisKeys, [url, id]),
      )
      send('left')
      await sent
    },
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await Promise.all([announcing, announcements, sent])
      subscription?.close()
      const connection = await connecting?.catch(() => undefined)
      await connection?.[Symbol.asyncDispose]()
    },
  }
}

/** Returns false for URLs that Feedhouse itself never writes. */
function isUrlOfHost(url: string): boolean {
  return /^https?:\/\/[^/]/.test(url) && URL.canParse(url)
}
