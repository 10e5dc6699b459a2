import { expect, onTestFinished } from 'vitest'
import type { FollowMessage, Sent, Transport } from '../../../src/delivery/following/messages.ts'
import { sendToFollowers } from '../../../src/delivery/following/send-to-followers.ts'
import type { ChangeItem } from '../../../src/delivery/notifications/change-webhooks.ts'
import { createFollowKeys } from '../../../src/followers/follow-keys.ts'
import { createFollowers } from '../../../src/followers/followers.ts'
import type { FollowChoice, Follower } from '../../../src/followers/follower.ts'
import { createLogger } from '../../../src/log.ts'
import type { Store } from '../../../src/store/store.ts'
import { silent } from '../../followers/follower.ts'
import { createFakeClock, oneTurn } from '../../support/fake-clock.ts'
import { openTestStore } from '../../support/store.ts'
import { waitFor } from '../../support/wait-for.ts'

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

export const keys = createFollowKeys('a secret with enough letters')

type Delivery = Pick<FollowMessage, 'id' | 'kind'> & { readonly address: string }

/** Messages to devices take turns. */
async function severalTurns(): Promise<void> {
  for (let turn = 0; turn < 8; turn += 1) await oneTurn()
}

/** Replicas that send messages to a list that responds with `result`, or by `mail` or `push`. */
export function startService({
  maxPerDay = 1_000,
  mail,
  push,
}: {
  readonly maxPerDay?: number
  readonly mail?: Transport
  readonly push?: Transport
} = {}) {
  const clock = createFakeClock('2026-03-05T15:00:00Z', severalTurns)
  const store = openTestStore(clock.now)
  const documents: Store['documents'] = {
    ...store.documents,
    write: (...parameters) =>
      state.isStoreDown
        ? Promise.reject(new Error('the store is down'))
        : store.documents.write(...parameters),
  }
  const followers = createFollowers(documents, { keys, clock })
  const sent: Delivery[] = []
  const lines: string[] = []
  const items: ChangeItem[] = []
  const state = {
    result: (_to: string): Sent => ({ ok: true }),
    ended: new Set<string>(),
    loadLinks: () => true,
    emergencySince: undefined as number | undefined,
    isEmpty: false,
    /** Id of a follower for whom no message can be created. */
    faulty: '',
    isStoreDown: false,
  }
  let turns = 0
  const transport: Transport = {
    maxPerDay,
    async send({ id, kind }, { address }) {
      const result = state.result(address)
      if (result.ok) sent.push({ id, kind, address })
      return result
    },
  }

  function start(holder: string) {
    const stopping = new AbortController()
    const running = sendToFollowers({
      followers,
      transports: { mail: mail ?? transport, push: push ?? transport },
      createMessage: () => async (follower, due) => {
        if (follower.id === state.faulty) throw new Error('an entry cannot be shown')
        if (state.isEmpty) return undefined
        const id = `${due.kind}-${follower.id}-${due.at}`
        const texts = { title: 'Title', html: '', summary: '', url: '' }
        return { id, kind: due.kind, language: 'en', ...texts }
      },
      urlsFor: () => ({ confirm: '', manage: '', end: '' }),
      feedIdsOf: ({ choice }) => choice.feedIds ?? ['events', 'news'],
      mayFollow: ({ linkId }) => linkId === undefined || !state.ended.has(linkId),
      loadLinks: async () => state.loadLinks(),
      async findChanges() {
        turns += 1
        return {
          feeds: ['events', 'news'],
          items: items.map((item) => ({ ...item, key: item.id, make: () => item })),
        }
      },
      emergencySince: () => state.emergencySince,
      timeZone: 'America/New_York',
      takeFromDay: (means, limit) => store.windows.take(`follow ${means}`, [limit]),
      store: { ...store, documents },
      holder,
      clock,
      log: createLogger('info', { write: (line) => lines.push(line) }),
      signal: stopping.signal,
    })
    const stop = async () => {
      stopping.abort()
      await running
    }
    onTestFinished(stop)
    return stop
  }

  /** Advances the time in steps, with at least one finished turn each. */
  async function advance(ms: number, stepMs = Math.min(ms, 15_000)): Promise<void> {
    for (let passed = 0; passed < ms; passed += stepMs) {
      const before = turns
      await clock.advance(stepMs)
      await waitFor(() => expect(turns).toBeGreaterThan(before))
    }
  }

  /** Advances the time in one step or several, with at least one finished turn after each. */
  async function leap(ms: number, stepMs = ms): Promise<void> {
    for (let passed = 0; passed < ms; passed += stepMs) {
      const before = turns
      await clock.leap(stepMs)
      await waitFor(() => expect(turns).toBeGreaterThan(before))
    }
  }

  async function follow(
    address: string,
    choice: Partial<FollowChoice> = {},
    linkId?: string,
  ): Promise<Follower | undefined> {
    return followers.confirm({ address, choice: { ...silent, ...choice }, language: 'en', linkId })
  }

  /** Adds a device that has already got a message. */
  async function addReachedDevice(endpoint: string, choice: Partial<FollowChoice>): Promise<void> {
    const wish = { address: `${endpoint} key secret`, choice: { ...silent, ...choice } }
    const device = await followers.addDevice({ ...wish, language: 'en' })
    await followers.change(device?.id ?? '', (known) => known && { ...known, lastSentAt: 1 })
  }

  /** Lets others come first, who have waited longer. */
  async function tellLast(follower: Follower | undefined): Promise<void> {
    const lastSentAt = clock.now()
    await followers.change(follower?.id ?? '', (known) => known && { ...known, lastSentAt })
  }

  /** Starts an emergency. The store fails after the message is sent, before its result is stored. */
  function loseResult(): void {
    state.emergencySince = clock.now()
    state.result = () => {
      state.isStoreDown = true
      return { ok: true }
    }
  }

  const addChange = (id: number, feed = 'events') =>
    items.push({ id: `${feed}-${id}`, kind: 'new', feed, text: 'New: Drill' })

  const actions = {
    start,
    advance,
    leap,
    follow,
    addReachedDevice,
    tellLast,
    loseResult,
    addChange,
  }
  return { clock, store, followers, sent, lines, state, ...actions }
}
