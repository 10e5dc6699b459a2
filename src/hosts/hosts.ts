import { randomUUID } from 'node:crypto'
import { every, type Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import { createStoreAccess } from '../store/store-error.ts'
import {
  announceMs,
  createHostChannel,
  type Announcement,
  type HostChannel,
} from './host-channel.ts'
import { createLiveHosts } from './live-hosts.ts'

export type HostMessage = {
  /** URL of the host that sent it. */
  readonly from: string
  readonly name: string
  readonly values: readonly unknown[]
}

export type Hosts = Pick<HostChannel, 'keys' | 'isFollowing' | 'send' | 'sent'> &
  AsyncDisposable & {
    readonly id: string
    readonly url: string
    /** Its own URL as a member, which is empty until it joins. */
    readonly self: () => string
    /** Sorted URLs of all live hosts, including this one after it has joined. */
    readonly members: () => readonly string[]
    /** Resolves once the latest announcement has succeeded or failed. */
    readonly settled: () => Promise<void>
    /** Joins as soon as this host can be reached at its URL. */
    readonly join: () => Promise<void>
    /** Hands over this host's sites to the others. */
    readonly leave: () => Promise<void>
  }

/** Membership of this host. `problem` is the reason why its last attempt to join failed. */
type Membership =
  | { readonly kind: 'apart' }
  | { readonly kind: 'joining'; readonly problem?: string }
  | { readonly kind: 'joined' }

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
}): Hosts {
  const { url, idAtUrl, clock, elapsed, log, announced, changed, missed } = options
  const id = randomUUID()
  const access = createStoreAccess(log)
  const stopping = new AbortController()
  const live = createLiveHosts(elapsed, (hosts) => {
    log.info({ hosts }, 'the hosts have changed')
    changed()
  })
  let membership: Membership = { kind: 'apart' }
  /** The result of the latest announcement. */
  let latest = { isReached: true, isFollowing: false, wasJoined: false }
  let announcements = Promise.resolve()
  const channel = createHostChannel({
    ...options,
    id,
    signal: stopping.signal,
    keysChanged: changed,
    received(sender, [from, name, ...values]) {
      const isJoined = membership.kind === 'joined'
      if (sender === id || name === 'alive') return
      if (name === 'left' && isJoined && from === url) return
      if (name === 'missed') return missed(from)
      if (name !== 'left') return options.received({ from, name, values })
      live.remove(from)
    },
  })
  const self = () => (membership.kind === 'joined' ? url : '')

  /** Joins if this host answers at its own URL. Otherwise, the others could not reach its sites. */
  async function tryToJoin(): Promise<void> {
    const problem = await idAtUrl().then(
      (found) => (found === id ? undefined : 'another server responds there'),
      ({ message, cause }: Error) => (cause instanceof Error ? cause.message : message),
    )
    if (membership.kind !== 'joining') return
    if (problem === undefined) {
      membership = { kind: 'joined' }
      // Another host may have used this URL until now.
      return live.forget(url)
    }
    if (membership.problem === undefined) {
      const text = 'this host gets no sites until it can be reached at its ADVERTISE_URL'
      log.error({ url, reason: problem }, text)
    }
    membership = { kind: 'joining', problem }
  }

  function note({ hosts, isShared }: Announcement): void {
    // The others could not announce themselves either.
    if (!latest.isReached) live.pardon()
    for (const host of hosts) {
      // Before this host joins, its URL may be that of its previous process, or of another host.
      const isUnclear = membership.kind !== 'joined' && !('problem' in membership)
      if (host.url !== url || !isUnclear) live.saw(host.url, host.ageMs)
    }
    if (isShared && latest.wasJoined) log.error({ url }, 'another host has the same ADVERTISE_URL')
  }

  async function announce(): Promise<void> {
    if (membership.kind === 'joining' && channel.keys().length > 0) await tryToJoin()
    const reply = await access.use('hosts', () => channel.announce(self()), undefined)
    const isFollowing = channel.isFollowing()
    if (latest.isFollowing && !isFollowing) missed()
    if (reply) note(reply)
    const wasJoined = reply ? membership.kind === 'joined' : latest.wasJoined
    latest = { isReached: reply !== undefined, isFollowing, wasJoined }
    if (!reply) return
    channel.beat()
    announced()
    live.update()
  }

  const announceNext = () => (announcements = announcements.then(announce))
  const announcing = every(clock, announceMs, stopping.signal, announceNext)
  void announceNext()
  return {
    id,
    url,
    self,
    members: live.members,
    keys: channel.keys,
    isFollowing: channel.isFollowing,
    send: channel.send,
    sent: channel.sent,
    settled: () => announcements,
    async join() {
      if (membership.kind !== 'apart' || stopping.signal.aborted) return
      membership = { kind: 'joining' }
      await announceNext()
    },
    async leave() {
      const wasJoined = membership.kind === 'joined'
      membership = { kind: 'apart' }
      if (!wasJoined) return
      live.remove(url)
      // Redis has never been reached.
      if (channel.keys().length === 0) return
      await channel.withdraw()
      channel.send('left')
      await channel.sent()
    },
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await Promise.all([announcing, announcements])
      await channel[Symbol.asyncDispose]()
    },
  }
}
