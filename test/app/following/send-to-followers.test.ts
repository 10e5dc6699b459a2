import { expect, onTestFinished, test } from 'vitest'
import type { FollowMessage, Sent, Transport } from '../../../src/app/following/messages.ts'
import { sendToFollowers } from '../../../src/app/following/send-to-followers.ts'
import type { ChangeItem } from '../../../src/app/notifications/change-webhooks.ts'
import { createFollowKeys } from '../../../src/followers/follow-keys.ts'
import { createFollowers } from '../../../src/followers/followers.ts'
import type { FollowChoice, Follower } from '../../../src/followers/follower.ts'
import { createLogger } from '../../../src/log.ts'
import type { Store } from '../../../src/store/store.ts'
import { silent } from '../../followers/follower.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { openTestStore } from '../../support/store.ts'
import { waitFor } from '../../support/wait-for.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

const keys = createFollowKeys('a secret with enough letters')

type Delivery = Pick<FollowMessage, 'id' | 'kind'> & { readonly address: string }

/** Replicas that send messages to a list instead of a mail server, which responds with `result`. */
function startService({ maxPerDay = 1_000 } = {}) {
  const clock = createFakeClock('2026-03-05T15:00:00Z')
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
    emergencySince: undefined as number | undefined,
    isEmpty: false,
    hasConfirmed: false,
    isStoreDown: false,
  }
  let turns = 0
  const transport: Transport = {
    maxPerDay,
    async send({ id, kind }, { address }) {
      const result = state.result(address)
      // A follower may be confirmed while the request for it is being sent.
      if (result.ok && (kind !== 'confirm' || !state.hasConfirmed)) sent.push({ id, kind, address })
      return result
    },
  }

  function start(holder: string) {
    const stopping = new AbortController()
    const running = sendToFollowers({
      followers,
      transports: { mail: transport, push: transport },
      createMessage: () => async (follower, due) =>
        state.isEmpty
          ? undefined
          : {
              id: `${due.kind}-${follower.id}-${due.at}`,
              kind: due.kind,
              language: 'en',
              title: '',
              html: '',
              summary: '',
              url: '',
            },
      urlsFor: () => ({ confirm: '', manage: '', end: '' }),
      feedIdsOf: ({ choice }) => choice.feedIds ?? ['events', 'news'],
      mayFollow: ({ linkId }) => linkId === undefined || !state.ended.has(linkId),
      async findChanges() {
        turns += 1
        return {
          feeds: ['events', 'news'],
          items: items.map((item) => ({ key: item.id, feed: item.feed, make: () => item })),
        }
      },
      emergencySince: () => state.emergencySince,
      timeZone: 'America/New_York',
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

  async function follow(
    address: string,
    choice: Partial<FollowChoice> = {},
    linkId?: string,
  ): Promise<Follower | undefined> {
    await followers.request({ address, choice: { ...silent, ...choice }, language: 'en', linkId })
    state.hasConfirmed = true
    const all = await followers.all()
    const requested = all.find((each) => followers.addressOf(each) === address)
    return requested && followers.confirm(requested)
  }

  const addChange = (id: number, feed = 'events') =>
    items.push({ id: `${feed}-${id}`, kind: 'new', feed, text: 'New: Drill' })

  return { clock, store, followers, sent, lines, state, start, advance, follow, addChange }
}

test('sends a confirmation at once, and again only when it is requested again', async () => {
  const { clock, followers, sent, start, advance } = startService()
  start('a')
  const wish = { address: 'a@example.org', choice: silent, language: 'en' }
  await followers.request(wish)
  await advance(30_000)
  expect(sent).toMatchObject([{ kind: 'confirm', address: 'a@example.org' }])
  await advance(10 * minuteMs)
  await followers.request(wish)
  await advance(30_000)
  expect(sent).toHaveLength(2)
  expect(clock.now()).toBeGreaterThan(0)
})

test('tells followers of changes in their feeds, several at once and each change once', async () => {
  const { sent, start, advance, follow, addChange } = startService()
  await follow('events@example.org', { changes: true, feedIds: ['events'] })
  await follow('news@example.org', { changes: true, feedIds: ['news'] })
  await follow('nothing@example.org')
  addChange(1)
  start('a')
  // Changes that were there at the first start are not news.
  await advance(2 * hourMs, minuteMs)
  expect(sent).toEqual([])
  addChange(2)
  await advance(5 * minuteMs)
  addChange(3)
  await advance(6 * minuteMs)
  expect(sent).toMatchObject([{ kind: 'changes', address: 'events@example.org' }])
  await advance(2 * hourMs, minuteMs)
  expect(sent).toHaveLength(1)
  addChange(4, 'news')
  await advance(11 * minuteMs)
  expect(sent.at(-1)).toMatchObject({ kind: 'changes', address: 'news@example.org' })
})

test('sends each message once with two replicas, also after the first one stops', async () => {
  const { sent, start, advance, follow, state, clock } = startService()
  const stopFirst = start('a')
  start('b')
  await follow('a@example.org', { emergency: true })
  await advance(15_000)
  state.emergencySince = clock.now()
  await advance(30_000)
  expect(sent).toHaveLength(1)
  await stopFirst()
  await advance(6 * minuteMs)
  expect(sent).toHaveLength(1)
  state.emergencySince = clock.now()
  await advance(30_000)
  expect(sent).toHaveLength(2)
})

test('sends a message again with the same id only after a restart without the result', async () => {
  const { sent, start, advance, follow, state, clock } = startService()
  const stop = start('a')
  await follow('a@example.org', { emergency: true })
  await advance(15_000)
  state.emergencySince = clock.now()
  state.result = () => {
    state.isStoreDown = true
    return { ok: true }
  }
  await advance(60_000)
  expect(sent).toHaveLength(1)
  Object.assign(state, { isStoreDown: false, result: () => ({ ok: true }) })
  await advance(60_000)
  expect(sent).toHaveLength(1)
  await stop()
  start('b')
  await advance(60_000)
  expect(sent).toHaveLength(2)
  expect(sent[1]).toEqual(sent[0])
})

test('stays within the limit per day, prefers those who wait, and reserves confirmations', async () => {
  const { sent, start, advance, follow, state, clock } = startService({ maxPerDay: 10 })
  for (let index = 0; index < 12; index += 1) {
    await follow(`${index}@example.org`, { tomorrow: true })
  }
  start('a')
  await advance(15_000)
  expect(sent).toEqual([])
  // 6 PM in New York.
  await advance(8 * hourMs, minuteMs)
  expect(sent.filter(({ kind }) => kind === 'tomorrow')).toHaveLength(9)
  await follow('urgent@example.org', { emergency: true })
  await advance(15_000)
  state.emergencySince = clock.now()
  await advance(30_000)
  expect(sent).toHaveLength(10)
  expect(sent.at(-1)).toMatchObject({ kind: 'emergency' })
  await advance(dayMs, minuteMs)
  const counts = Map.groupBy(sent, ({ address }) => address)
  const late = [...counts.keys()].filter((address) => address !== 'urgent@example.org')
  expect(late).toHaveLength(12)
})

test('stops sending to an address that was rejected', async () => {
  const { followers, sent, lines, start, advance, follow, state, clock } = startService()
  start('a')
  await follow('gone@example.org', { emergency: true })
  await advance(15_000)
  state.result = () => ({ ok: false, failed: 'address', reason: 'no such user' })
  state.emergencySince = clock.now()
  await advance(30_000)
  expect(await followers.counts()).toMatchObject({ following: { mail: 0 }, rejected: 1 })
  const [rejected] = await followers.all()
  expect(rejected?.address).toBeUndefined()
  state.result = () => ({ ok: true })
  await advance(dayMs, minuteMs)
  expect(sent).toEqual([])
  expect(lines.join('')).toContain('no such user')
  expect(lines.join('')).not.toContain('gone@')
})

test('tries an address again later, without delaying others', async () => {
  const { sent, start, advance, follow, state, clock } = startService()
  start('a')
  await follow('gray@example.org', { emergency: true })
  await follow('fine@example.org', { emergency: true })
  await advance(15_000)
  state.result = (to) =>
    to.startsWith('gray') ? { ok: false, failed: 'once', reason: 'greylisted' } : { ok: true }
  state.emergencySince = clock.now()
  await advance(30_000)
  expect(sent).toMatchObject([{ address: 'fine@example.org' }])
  state.result = () => ({ ok: true })
  await advance(4 * minuteMs)
  expect(sent).toHaveLength(1)
  await advance(2 * minuteMs)
  expect(sent).toMatchObject([{ address: 'fine@example.org' }, { address: 'gray@example.org' }])
})

test('deletes a device that cannot be reached for a week', async () => {
  const { followers, lines, start, advance, state, clock } = startService()
  start('a')
  const [endpoint, choice] = ['https://push.example/a', { ...silent, emergency: true }]
  await followers.addDevice({ address: `${endpoint} key secret`, choice, language: 'en' })
  await advance(15_000)
  state.result = () => ({ ok: false, failed: 'once', reason: 'no connection' })
  state.emergencySince = clock.now()
  await advance(6 * dayMs, hourMs)
  expect(await followers.all()).toHaveLength(1)
  await advance(2 * dayMs, hourMs)
  expect(await followers.all()).toEqual([])
  expect(lines.join('')).not.toContain(endpoint)
})

test('waits while the service is down, longer after each failure', async () => {
  const { sent, start, advance, follow, state, clock } = startService()
  let attempts = 0
  start('a')
  await follow('a@example.org', { emergency: true })
  await follow('b@example.org', { emergency: true })
  await advance(15_000)
  state.result = () => {
    attempts += 1
    return { ok: false, failed: 'service', reason: 'down' }
  }
  state.emergencySince = clock.now()
  await advance(8 * minuteMs)
  expect(attempts).toBeGreaterThan(1)
  expect(attempts).toBeLessThan(6)
  state.result = () => ({ ok: true })
  await advance(10 * minuteMs)
  expect(sent).toHaveLength(2)
})

test('deletes the followers of a link that has ended', async () => {
  const { followers, start, advance, follow, state } = startService()
  await follow('crew@example.org', {}, 'link')
  await follow('neighbor@example.org')
  start('a')
  await advance(15_000)
  expect(await followers.all()).toHaveLength(2)
  state.ended.add('link')
  await advance(15_000)
  expect((await followers.all()).map(({ linkId }) => linkId)).toEqual([undefined])
})

test('counts a message with nothing to tell as sent', async () => {
  const { followers, sent, start, advance, follow, state, clock } = startService()
  start('a')
  await follow('a@example.org', { emergency: true })
  await advance(15_000)
  state.isEmpty = true
  state.emergencySince = clock.now()
  await advance(30_000)
  expect(sent).toEqual([])
  expect((await followers.all())[0]?.sent.emergency).toBe(state.emergencySince)
})
