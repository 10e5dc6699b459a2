import { expect, test } from 'vitest'
import type { Transport } from '../../../src/delivery/following/messages.ts'
import { sendingState } from '../../../src/delivery/following/sending-state.ts'
import { createFollowKeys } from '../../../src/followers/follow-keys.ts'
import type { Follower } from '../../../src/followers/follower.ts'
import { createFollowers } from '../../../src/followers/followers.ts'
import { silent } from '../../followers/follower.ts'
import { waitFor } from '../../support/wait-for.ts'
import { dayMs, hourMs, minuteMs, startService } from './follow-service.ts'

const emergency = { emergency: true }
const routine = { changes: true }

/** More followers than one turn sends messages to. */
const many = 120

test('tells others if the message to a follower cannot be created', async () => {
  const { sent, lines, start, advance, follow, tellLast, state, clock } = startService()
  const faulty = await follow('faulty@example.org', emergency)
  await tellLast(await follow('fine@example.org', emergency))
  start('a')
  await advance(15_000)
  Object.assign(state, { emergencySince: clock.now(), faulty: faulty?.id })
  await advance(30_000)
  expect(sent).toMatchObject([{ address: 'fine@example.org' }])
  expect(lines.join('')).toContain('an entry cannot be shown')
  state.faulty = ''
  await advance(10 * minuteMs)
  expect(sent).toMatchObject([{ address: 'fine@example.org' }, { address: 'faulty@example.org' }])
})

test('is not delayed by addresses that were encrypted with another secret', async () => {
  const { store, sent, lines, start, advance, follow, tellLast, state, clock } = startService()
  const keys = createFollowKeys('another secret with enough letters')
  const before = createFollowers(store.documents, { keys, clock })
  for (let index = 0; index < many; index += 1) {
    const address = `https://push.example/${index} key secret`
    await before.addDevice({ address, choice: { ...silent, ...emergency }, language: 'en' })
  }
  await tellLast(await follow('new@example.org', emergency))
  start('a')
  await advance(15_000)
  state.emergencySince = clock.now()
  await advance(30_000)
  expect(sent).toMatchObject([{ address: 'new@example.org' }])
  const warnings = lines.filter((line) => line.includes('another MAIL_KEY'))
  expect(warnings).toHaveLength(1)
  expect(warnings[0]).toContain(`"unreadable":${many}`)
  expect(await sendingState(store.documents)).toMatchObject({ unreadable: many })
})

test.for<{ name: string; change?: (follower: Follower, at: number) => Follower }>([
  { name: 'who stop' },
  {
    name: 'who choose other messages',
    change: (follower) => ({
      ...follower,
      choice: { ...follower.choice, ...routine, emergency: false },
    }),
  },
  {
    name: 'whom another replica has told',
    change: (follower, at) => ({ ...follower, sent: { emergency: at } }),
  },
])('sends nothing to people $name while others are told', async ({ change }) => {
  const sent: string[] = []
  const service = startService({
    mail: {
      maxPerDay: 100,
      async send(_message, { address }) {
        sent.push(address)
        for (const follower of await followers.all()) {
          if (followers.addressOf(follower) === address) continue
          if (!change) await followers.remove(follower)
          else await followers.change(follower.id, (each) => each && change(each, startedAt))
        }
        return { ok: true }
      },
    },
  })
  const { followers, start, advance, follow, state, clock } = service
  await follow('a@example.org', emergency)
  await follow('b@example.org', emergency)
  const startedAt = clock.now() + 1
  state.emergencySince = startedAt
  start('a')
  await advance(30_000)
  expect(sent).toHaveLength(1)
})

test('sends nothing to people who have not answered the yearly question', async () => {
  const { followers, sent, start, advance, leap, follow, state, clock } = startService()
  start('a')
  const follower = await follow('a@example.org', emergency)
  const renewal = clock.now()
  await followers.change(follower?.id ?? '', (known) => known && { ...known, sent: { renewal } })
  await advance(15_000)
  await leap(31 * dayMs)
  state.emergencySince = clock.now()
  await advance(30_000)
  expect(sent).toEqual([])
})

test('sends emergencies first, then confirmations, and last to those that have failed', async () => {
  const service = startService()
  const { followers, sent, start, advance, follow, tellLast, addChange, state, clock } = service
  const failed = await follow('failed@example.org', routine)
  await followers.change(failed?.id ?? '', (known) => known && { ...known, failures: 1 })
  await tellLast(await follow('fine@example.org', routine))
  await tellLast(await follow('urgent@example.org', emergency))
  const stop = start('a')
  await advance(15_000)
  addChange(1)
  await advance(15_000)
  await stop()
  await followers.request({ address: 'new@example.org', choice: silent, language: 'en' })
  Object.assign(state, { emergencySince: clock.now() + 1 })
  await clock.leap(hourMs)
  start('b')
  await advance(15_000)
  expect(sent.map(({ address }) => address.replace(/@.*/, ''))).toEqual([
    'urgent',
    'new',
    'fine',
    'failed',
  ])
})

test('sends last to those that were slow the last time', async () => {
  const { sent, start, advance, follow, tellLast, state, clock } = startService()
  await follow('slow@example.org', emergency)
  await tellLast(await follow('fine@example.org', emergency))
  start('a')
  await advance(15_000)
  state.result = (to) => ({ ok: true, isSlow: to.startsWith('slow') })
  for (const order of [
    ['slow', 'fine'],
    ['fine', 'slow'],
  ]) {
    state.emergencySince = clock.now()
    await advance(60_000)
    expect(sent.splice(0).map(({ address }) => address.replace(/@.*/, ''))).toEqual(order)
  }
})

test('stores what was sent as soon as the store is up again', async () => {
  const { followers, sent, start, advance, follow, state, loseResult } = startService()
  const stop = start('a')
  await follow('a@example.org', { emergency: true })
  await advance(15_000)
  loseResult()
  await advance(60_000)
  Object.assign(state, { isStoreDown: false, result: () => ({ ok: true }) })
  await followers.request({ address: 'b@example.org', choice: silent, language: 'en' })
  await advance(30_000)
  await stop()
  start('b')
  await advance(60_000)
  expect(sent).toMatchObject([{ address: 'a@example.org' }, { address: 'b@example.org' }])
})

const services = {
  google: 'https://fcm.googleapis.com',
  apple: 'https://web.push.apple.com',
  other: 'https://push.example',
}

/** Counts the messages that are sent at the same time, which end when `release` is called. */
function startHeldService(isHeld: (address: string) => boolean) {
  const [open, most, done] = [
    new Map<string, number>(),
    new Map<string, number>(),
    new Set<string>(),
  ]
  const held = Promise.withResolvers<void>()
  const transport: Transport = {
    maxPerDay: 10_000,
    async send(_message, { address }) {
      const host = address.replace(/(?:\/send|.*(?=@)).*/, '')
      const count = (change: number) => open.set(host, (open.get(host) ?? 0) + change)
      most.set(host, Math.max(most.get(host) ?? 0, count(1).get(host) ?? 0))
      await (isHeld(address) ? held.promise : new Promise((resolve) => setImmediate(resolve)))
      count(-1)
      done.add(address)
      return { ok: true }
    },
  }
  const service = startService({ mail: transport, push: transport })
  const addDevices = async (host: string, count: number) => {
    for (let index = 0; index < count; index += 1) {
      await service.addReachedDevice(`${host}/send/${index}`, emergency)
    }
  }
  const doneAt = (host: string) => [...done].filter((address) => address.includes(host)).length
  async function startEmergency(): Promise<void> {
    service.start('a')
    await service.advance(15_000)
    service.state.emergencySince = service.clock.now()
    await service.clock.advance(15_000)
  }
  return { ...service, addDevices, startEmergency, most, doneAt, release: () => held.resolve() }
}

test('services that do not respond delay no messages to others', async () => {
  const { google, apple, other } = services
  const service = startHeldService((address) => !address.startsWith(google))
  const { addDevices, startEmergency, follow, doneAt, most, release } = service
  await follow('slow@example.org', emergency)
  for (const host of [other, apple, google]) await addDevices(host, 60)
  await startEmergency()
  await waitFor(() => expect(doneAt(google)).toBe(60))
  expect([doneAt(other), doneAt(apple), doneAt('@')]).toEqual([0, 0, 0])
  expect([most.get(apple), most.get(other)]).toEqual([20, 20])
  release()
  await waitFor(() => expect([doneAt(other), doneAt(apple), doneAt('@')]).toEqual([60, 60, 1]))
})

test('sends a new emergency to one service while another still holds the last message', async () => {
  const service = startHeldService((address) => address.startsWith(services.other))
  const { addDevices, startEmergency, clock, state, followers, doneAt, release } = service
  await addDevices(services.other, 1)
  await addDevices(services.google, 1)
  await startEmergency()
  await waitFor(() => expect(doneAt(services.google)).toBe(1))
  const since = clock.now()
  state.emergencySince = since
  await clock.advance(15_000)
  const times = async () => (await followers.all()).map(({ sent }) => sent.emergency)
  await waitFor(async () => expect(new Set(await times())).toEqual(new Set([since, undefined])))
  release()
  await waitFor(async () => expect((await times()).every((at) => at !== undefined)).toBe(true))
})

test('sends emails one after another', async () => {
  const service = startHeldService(() => false)
  for (let index = 0; index < 5; index += 1) await service.follow(`${index}@a.example`, emergency)
  await service.startEmergency()
  await waitFor(() => expect(service.doneAt('@')).toBe(5))
  expect([...service.most.values()]).toEqual([1])
})

/** Starts a service that counts the messages to each device. */
async function startCountedService(hosts: readonly string[]) {
  const sends = new Map<string, number>()
  const push: Transport = {
    maxPerDay: 10_000,
    async send(_message, { address }) {
      await new Promise((resolve) => setImmediate(resolve))
      sends.set(address, (sends.get(address) ?? 0) + 1)
      return { ok: true }
    },
  }
  const service = startService({ push })
  for (const [index, host] of hosts.entries()) {
    await service.addReachedDevice(`${host}/send/${index}`, emergency)
  }
  service.start('a')
  await service.advance(15_000)
  return { ...service, sends }
}

const hostOf = (index: number) => (index % 4 === 0 ? services.other : services.google)

test('sends no more after the store has failed, and later sends each message once', async () => {
  const hosts = Array.from({ length: 120 }, (_, index) => hostOf(index))
  const { sends, advance, lines, clock, state } = await startCountedService(hosts)
  Object.assign(state, { emergencySince: clock.now(), isStoreDown: true })
  await advance(15_000)
  await waitFor(() => expect(lines.join('')).toContain('the store is down'))
  expect(sends.size).toBeLessThanOrEqual(40)
  state.isStoreDown = false
  await waitFor(async () => {
    await advance(15_000)
    expect(sends.size).toBe(hosts.length)
  })
  expect(new Set(sends.values())).toEqual(new Set([1]))
})

test('sends each message once while two services take several turns', async () => {
  const hosts = Array.from({ length: 700 }, (_, index) => hostOf(index))
  const { sends, clock, state } = await startCountedService(hosts)
  state.emergencySince = clock.now()
  await clock.advance(15_000)
  await waitFor(() => expect(sends.size).toBe(hosts.length))
  await clock.advance(60_000)
  expect(new Set(sends.values())).toEqual(new Set([1]))
})
