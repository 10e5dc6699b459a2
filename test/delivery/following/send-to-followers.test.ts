import { expect, test } from 'vitest'
import { sendingState } from '../../../src/delivery/following/sending-state.ts'
import { silent } from '../../followers/follower.ts'
import { waitFor } from '../../support/wait-for.ts'
import { dayMs, hourMs, minuteMs, startService } from './follow-service.ts'

test('sends a confirmation immediately, and then deletes the request', async () => {
  const { followers, sent, start, advance } = startService()
  start('a')
  const wish = { address: 'a@example.org', choice: silent, language: 'en' }
  await followers.request(wish)
  await advance(30_000)
  expect(sent).toMatchObject([{ kind: 'confirm', address: 'a@example.org' }])
  expect(await followers.all()).toEqual([])
  await advance(10 * minuteMs)
  const confirmed = await followers.confirm(wish)
  await followers.request({ ...wish, choice: { ...silent, changes: true } })
  await advance(30_000)
  expect(sent).toHaveLength(2)
  const { id } = confirmed ?? {}
  expect(await followers.all()).toMatchObject([{ id, choice: silent }])
  expect((await followers.all())[0]?.requested).toBeUndefined()
})

test('sends each change to followers of its feed once, and combines several in one message', async () => {
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

test('sends each message once with two replicas, even after the first one stops', async () => {
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

test('repeats a message, with the same id, only after a restart without its result', async () => {
  const { sent, start, advance, follow, state, loseResult } = startService()
  const stop = start('a')
  await follow('a@example.org', { emergency: true })
  await advance(15_000)
  loseResult()
  await advance(60_000)
  expect(sent).toHaveLength(1)
  await stop()
  Object.assign(state, { isStoreDown: false, result: () => ({ ok: true }) })
  start('b')
  await advance(60_000)
  expect(sent).toHaveLength(2)
  expect(sent[1]).toEqual(sent[0])
})

test('stays within the daily limit, sends to the longest-waiting first, and reserves confirmations', async () => {
  const { store, sent, start, advance, leap, follow, state, clock } = startService({
    maxPerDay: 10,
  })
  for (let index = 0; index < 12; index += 1) {
    await follow(`${index}@example.org`, { tomorrow: true })
  }
  start('a')
  await advance(15_000)
  expect(sent).toEqual([])
  // 6 PM in New York.
  await leap(8 * hourMs, 10 * minuteMs)
  expect(sent.filter(({ kind }) => kind === 'tomorrow')).toHaveLength(9)
  await advance(15_000)
  expect((await sendingState(store.documents)).waiting).toBe(3)
  await follow('urgent@example.org', { emergency: true })
  await advance(15_000)
  state.emergencySince = clock.now()
  await advance(30_000)
  expect(sent).toHaveLength(10)
  expect(sent.at(-1)).toMatchObject({ kind: 'emergency' })
  await leap(dayMs, 10 * minuteMs)
  const counts = Map.groupBy(sent, ({ address }) => address)
  const late = [...counts.keys()].filter((address) => address !== 'urgent@example.org')
  expect(late).toHaveLength(12)
})

test('stops sending to an address that was rejected', async () => {
  const { followers, sent, lines, start, advance, leap, follow, state, clock } = startService()
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
  await leap(dayMs, 10 * minuteMs)
  expect(sent).toEqual([])
  expect(lines.join('')).toContain('no such user')
  expect(lines.join('')).not.toContain('gone@')
})

test('stores nothing about a requested address that does not exist', async () => {
  const { followers, lines, start, advance, state } = startService()
  state.result = () => ({ ok: false, failed: 'address', reason: 'no such user' })
  await followers.request({ address: 'gone@example.org', choice: silent, language: 'en' })
  start('a')
  await advance(30_000)
  expect(lines.join('')).toContain('no such user')
  expect(await followers.all()).toEqual([])
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

test('waits as long as a receiver asks for, and then counts its failures anew', async () => {
  const { followers, sent, start, advance, leap, follow, state, clock } = startService()
  start('a')
  await follow('a@example.org', { emergency: true })
  await advance(15_000)
  const busy = { reason: 'busy', retryAfterMs: 30 * minuteMs }
  for (const failed of ['once', 'service'] as const) {
    state.result = () => ({ ok: false, failed, ...busy })
    state.emergencySince = clock.now()
    await advance(15_000)
    state.result = () => ({ ok: true })
    sent.length = 0
    await leap(29 * minuteMs)
    expect(sent).toEqual([])
    await leap(minuteMs)
    expect(sent).toHaveLength(1)
    expect(await followers.all()).toMatchObject([{ failures: 0 }])
  }
})

const newDevice = {
  address: 'https://fcm.googleapis.com/fcm/send/a key secret',
  choice: { ...silent, changes: true },
  language: 'en',
}

test('welcomes a new device once', async () => {
  const { followers, sent, start, advance } = startService()
  start('a')
  await followers.addDevice(newDevice)
  await advance(60_000)
  expect(sent).toMatchObject([{ kind: 'welcome', address: newDevice.address }])
  // The browser sends the same subscription again, with another choice.
  await followers.addDevice({ ...newDevice, choice: { ...silent, emergency: true } })
  await advance(60_000)
  expect(sent).toHaveLength(1)
  const [device] = await followers.all()
  // Earlier versions could not read other kinds.
  expect(device?.sent).toEqual({})
})

test('deletes a made-up device as soon as its service does not know it', async () => {
  const { followers, start, advance, state } = startService()
  state.result = () => ({ ok: false, failed: 'address', reason: 'status 404' })
  start('a')
  await followers.addDevice(newDevice)
  await advance(15_000)
  expect(await followers.all()).toEqual([])
})

test('deletes a device that cannot be reached with its first message within a day', async () => {
  const { followers, start, advance, leap, state } = startService()
  state.result = () => ({ ok: false, failed: 'once', reason: 'no connection' })
  start('a')
  await followers.addDevice(newDevice)
  await advance(15_000)
  await leap(10 * hourMs, hourMs)
  expect(await followers.all()).toHaveLength(1)
  await leap(26 * hourMs, hourMs)
  await waitFor(async () => expect(await followers.all()).toEqual([]))
})

test('deletes a device that cannot be reached for a week', async () => {
  const { followers, lines, start, advance, leap, addReachedDevice, state, clock } = startService()
  start('a')
  const endpoint = 'https://push.example/a'
  await addReachedDevice(endpoint, { emergency: true })
  await advance(15_000)
  state.result = () => ({ ok: false, failed: 'once', reason: 'no connection' })
  state.emergencySince = clock.now()
  await leap(6 * dayMs, hourMs)
  expect(await followers.all()).toHaveLength(1)
  await leap(2 * dayMs, hourMs)
  expect(await followers.all()).toEqual([])
  expect(lines.join('')).not.toContain(endpoint)
})

test('waits while the service is down, longer after each failure', async () => {
  const { sent, start, advance, follow, state, clock, store } = startService()
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
  const since = (state.emergencySince ?? 0) + 15_000
  const failure = { since, reason: 'down' }
  expect((await sendingState(store.documents)).mailFailure).toEqual(failure)
  state.result = () => ({ ok: true })
  await advance(10 * minuteMs)
  expect(sent).toHaveLength(2)
  expect((await sendingState(store.documents)).mailFailure).toBeUndefined()
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

test('keeps the followers of a link that this replica has not loaded yet', async () => {
  const { followers, start, advance, follow, state } = startService()
  state.ended.add('new')
  state.loadLinks = () => false
  await follow('crew@example.org', {}, 'new')
  start('a')
  await advance(15_000)
  expect(await followers.all()).toHaveLength(1)
  state.loadLinks = () => state.ended.delete('new')
  await advance(15_000)
  expect(await followers.all()).toHaveLength(1)
})

test('counts an empty message as sent', async () => {
  const { followers, sent, start, advance, follow, state, clock } = startService()
  start('a')
  await follow('a@example.org', { emergency: true })
  await advance(15_000)
  state.isEmpty = true
  state.emergencySince = clock.now()
  await advance(30_000)
  expect(sent).toEqual([])
  const { emergencySince } = state
  expect(await followers.all()).toMatchObject([
    { sent: { emergency: emergencySince }, lastSentAt: 0 },
  ])
})
