import { expect, test } from 'vitest'
import { dayMs, hourMs } from '../../src/clock.ts'
import { signInTries } from '../../src/web/password-pages.ts'
import { createTryLimit, type TryLimits } from '../../src/web/try-limit.ts'
import { StoreError } from '../../src/store/store-error.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { openTestStore } from '../support/store.ts'
import { onEveryStore, storesAt } from '../support/stores.ts'

type Options = Partial<Parameters<typeof createTryLimit>[0]>

const limits: TryLimits = {
  windowMs: 60_000,
  ofClient: 5,
  ofNetwork: 15,
  ofAll: 60,
  maxWaitMs: 0,
}

/** Creates a limit, and a function that fails once from each address and counts the allowed attempts. */
function limitOf(options: Options = {}) {
  const clock = createFakeClock()
  const { windows } = openTestStore(clock.now)
  const limit = createTryLimit({ name: 'tests', limits, windows, clock, ...options })
  async function failFrom(addresses: readonly string[], browserId?: string) {
    let allowed = 0
    for (const address of addresses) {
      if ((await limit.begin(address, browserId)).ok) allowed += 1
    }
    return allowed
  }
  return { clock, ...limit, failFrom }
}

const down = () => Promise.reject(new StoreError('unreachable', 'The store is down.'))

const many = Array.from({ length: 100 }, (_, number) => number)
const times = (count: number, address: string) => Array.from({ length: count }, () => address)

test('counts all addresses in an IPv6 /64 network as one client', async () => {
  const { failFrom } = limitOf()
  expect(await failFrom(many.map((number) => `2001:db8:1:2::${number.toString(16)}`))).toBe(5)
})

test('allows fifteen failed attempts per minute from a network', async () => {
  const unlimited = { ...limits, ofAll: 12_000 }
  const { failFrom } = limitOf({ limits: unlimited })
  expect(await failFrom(many.map((number) => `2001:db8:1:${number.toString(16)}::1`))).toBe(15)
  expect(await failFrom(many.map((number) => `198.51.100.${number}`))).toBe(15)
  expect(await failFrom(['192.0.2.1'])).toBe(1)
})

test('allows sixty failed attempts per minute in total, five of them at once', async () => {
  const { clock, failFrom, begin } = limitOf()
  const addresses = many.map((number) => `198.51.${number}.1`)
  expect(await failFrom(addresses)).toBe(5)
  expect(await begin('192.0.2.1')).toMatchObject({ ok: false, retryAfterMs: 5_000 })
  let allowed = 0
  for (let part = 0; part < 12; part += 1) {
    await clock.advance(5_000)
    allowed += await failFrom(addresses)
  }
  expect(allowed).toBe(60)
})

test('lets the network that has failed least often go first', async () => {
  const { clock, begin, failFrom } = limitOf({ limits: { ...limits, maxWaitMs: 8_000 } })
  const guessers = many.slice(0, 5).map((number) => `198.51.${number}.1`)
  expect(await failFrom(guessers)).toBe(5)
  const answered: string[] = []
  const attempts = [...guessers, '192.0.2.1'].map(async (address) => {
    if ((await begin(address)).ok) answered.push(address)
  })
  for (let time = 0; time < 20; time += 1) await clock.advance(250)
  expect(answered[0]).toBe('192.0.2.1')
  for (let time = 0; time < 20; time += 1) await clock.advance(250)
  await Promise.all(attempts)
})

test('refuses attempts from a network that already waits, and more than sixteen in total', async () => {
  const { clock, begin, failFrom } = limitOf({ limits: { ...limits, maxWaitMs: 8_000 } })
  const addresses = many.slice(0, 30).map((number) => `198.51.${number}.1`)
  expect(await failFrom(addresses.slice(0, 5))).toBe(5)
  let refused = 0
  const attempts = addresses.map(async (address) => {
    const { ok } = await begin(address)
    refused += Number(!ok)
  })
  await clock.advance(250)
  expect(refused).toBe(14)
  expect(await begin('198.51.20.2')).toMatchObject({ ok: false, retryAfterMs: 5_000 })
  for (let time = 0; time < 40; time += 1) await clock.advance(250)
  await Promise.all(attempts)
})

test('lets a new client in soon, even while new networks keep using up the limit', async () => {
  const { clock, begin } = limitOf({ limits: { ...limits, maxWaitMs: 8_000 } })
  let networks = 0
  let guesses = 0
  const guess = async () => {
    networks += 1
    const { ok } = await begin(`10.${networks >> 8}.${networks & 255}.1`)
    guesses += Number(ok)
  }
  let secondsUntilIn: number | undefined
  const signIn = async () => {
    const startedAt = clock.now()
    for (;;) {
      const attempt = await begin('192.0.2.1')
      if (attempt.ok) break
      await clock.sleep(attempt.retryAfterMs)
    }
    secondsUntilIn = (clock.now() - startedAt) / 1000
  }
  const attempts: Promise<void>[] = []
  for (let time = 0; time < 240; time += 1) {
    attempts.push(...many.slice(0, 16).map(guess))
    await clock.advance(125)
    // By now, new networks have taken the places that became free.
    if (time === 40) attempts.push(signIn())
    await clock.advance(125)
  }
  expect(secondsUntilIn).toBeLessThan(30)
  expect(guesses).toBeLessThanOrEqual(64)
  for (let time = 0; time < 40; time += 1) await clock.advance(250)
  await Promise.all(attempts)
})

test('lets only one of many simultaneous attempts of a network wait', async () => {
  const clock = createFakeClock()
  const { windows } = openTestStore(clock.now)
  // Another replica has used up the limit, so each attempt asks the store.
  await limitOf({ windows, clock }).failFrom(many.slice(0, 5).map((number) => `198.51.${number}.1`))
  const { begin } = limitOf({ limits: { ...limits, maxWaitMs: 8_000 }, windows, clock })
  const guesses = many.slice(0, 20).map((number) => begin(`203.0.113.${number}`))
  await clock.advance(250)
  const attempt = begin('192.0.2.1')
  for (let time = 0; time < 40; time += 1) await clock.advance(250)
  expect(await attempt).toMatchObject({ ok: true })
  const answers = await Promise.all(guesses)
  expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
})

/** Addresses in different networks of different providers. */
const providers = Array.from(
  { length: 300 },
  (_, number) => `${10 + (number >> 8)}.${number & 255}.1.1`,
)

test('lets a new client in at once while three hundred networks guess for an hour', async () => {
  const { clock, begin } = limitOf({ limits: signInTries })
  let guesses = 0
  const guess = async (address: string) => {
    const { ok } = await begin(address)
    guesses += Number(ok)
  }
  const attempts: Promise<void>[] = []
  const answers: object[] = []
  for (let second = 0; second < 3_600; second += 1) {
    if (second % 60 === 0) attempts.push(...providers.map(guess))
    if (second % 600 === 599) {
      const startedAt = clock.now()
      const { ok } = await begin(`192.0.${second % 250}.1`)
      answers.push({ ok, waitMs: clock.now() - startedAt })
    }
    await clock.advance(1_000)
  }
  expect(answers).toEqual(Array.from({ length: 6 }, () => ({ ok: true, waitMs: 0 })))
  expect(guesses).toBeGreaterThan(900)
  expect(guesses).toBeLessThanOrEqual(3_600)
  await Promise.all(attempts)
})

test('sets places apart for the first attempts of a network in a day, of which a provider gets a tenth', async () => {
  const limits = { ...signInTries, ofClient: 100, ofNetwork: 1_000, ofAll: 12, maxWaitMs: 0 }
  const { clock, failFrom } = limitOf({ limits: { ...limits, firstPerHour: [20, 10] } })
  const [first = '', ...others] = providers
  // One of the attempts takes the place of an attempt that is not among the first ones.
  expect(await failFrom(times(9, first))).toBe(3)
  const ofOneProvider = many.map((number) => `2001:db8:${number.toString(16)}::1`)
  expect(await failFrom(ofOneProvider)).toBe(3)
  expect(await failFrom(others)).toBe(25)
  await clock.advance(hourMs)
  expect(await failFrom([...times(9, first)])).toBe(1)
  expect(await failFrom(others.slice(25))).toBe(30)
  await clock.advance(dayMs)
  expect(await failFrom([...times(9, first)])).toBe(3)
})

test('does not let other clients lock out a client that has succeeded before', async () => {
  const { begin, failFrom } = limitOf()
  const attempt = await begin('192.0.2.1')
  if (attempt.ok) await attempt.succeeded()
  expect(await failFrom(many.map((number) => `198.51.${number}.1`))).toBe(5)
  expect(await begin('192.0.2.1')).toMatchObject({ ok: true })
})

test('does not count attempts that succeed', async () => {
  const { begin } = limitOf()
  for (const _ of many) {
    const attempt = await begin('192.0.2.1')
    expect(attempt.ok).toBe(true)
    if (attempt.ok) await attempt.succeeded()
  }
})

test('limits a known browser as one client, regardless of its addresses', async () => {
  const addresses = many.map((number) => `198.51.100.${number}`)
  expect(await limitOf().failFrom(addresses, 'b')).toBe(5)
})

onEveryStore((placeOf) => {
  test('counts failed attempts on all replicas together, and keeps them across restarts', async () => {
    const { clock, stores, open } = await storesAt(placeOf(), 2)
    const replicas = stores.map(({ windows }) => limitOf({ windows, clock }))
    const address = '192.0.2.1'
    const allowed = []
    for (const { failFrom } of replicas) allowed.push(await failFrom(times(3, address)))
    expect(allowed).toEqual([3, 2])
    const { windows } = await open()
    const restarted = limitOf({ windows, clock })
    expect(await restarted.failFrom([address])).toBe(0)
    await clock.advance(5_000)
    expect(await restarted.failFrom(times(9, '192.0.2.2'))).toBe(5)
    await clock.advance(60_000)
    expect(await restarted.failFrom([address])).toBe(1)
  })

  test('counts the first attempts of a day on all replicas together', async () => {
    const { clock, stores, open } = await storesAt(placeOf(), 2)
    const options = { limits: { ...limits, ofAll: 0, firstPerHour: [2, 1] }, clock }
    const [one, other] = stores.map(({ windows }) => limitOf({ ...options, windows }))
    expect(await one?.failFrom(['192.0.2.1'])).toBe(1)
    expect(await other?.failFrom(times(3, '192.0.2.1'))).toBe(1)
    const { windows } = await open()
    const restarted = limitOf({ ...options, windows })
    expect(await restarted.failFrom(providers)).toBe(1)
    await clock.advance(hourMs)
    expect(await restarted.failFrom(['192.0.2.1'])).toBe(0)
    expect(await restarted.failFrom(providers.slice(1))).toBe(3)
  })
})

test('does not ask the store again until a full window has room', async () => {
  const clock = createFakeClock()
  const { windows } = openTestStore(clock.now)
  await limitOf({ windows, clock }).failFrom(times(5, '192.0.2.1'))
  let asked = 0
  const take: typeof windows.take = async (...args) => {
    asked += 1
    return windows.take(...args)
  }
  const other = limitOf({ windows: { ...windows, take }, clock })
  expect(await other.failFrom(times(20, '192.0.2.1'))).toBe(0)
  expect(asked).toBe(1)
})

test('keeps counting while the store is down', async () => {
  const { failFrom } = limitOf({ windows: { take: down, release: down } })
  expect(await failFrom(times(9, '192.0.2.1'))).toBe(5)
})

test('limits nobody for an hour after the clock was an hour ahead', async () => {
  const ahead = { now: () => clock.now() + 60 * 60_000 }
  const clock = createFakeClock()
  let time: Pick<typeof clock, 'now'> = ahead
  const now = () => time.now()
  const { windows } = openTestStore(now)
  const { failFrom, begin } = limitOf({
    limits: { ...limits, ofAll: 12_000 },
    windows,
    clock: { ...clock, now },
  })
  expect(await failFrom(times(9, '192.0.2.1'))).toBe(5)
  time = clock
  expect(await begin('192.0.2.1')).toMatchObject({ ok: false, retryAfterMs: 60_000 })
  // The store moves the attempts to the correct time only when it is asked again.
  await clock.advance(60_000)
  expect(await begin('192.0.2.1')).toMatchObject({ ok: false, retryAfterMs: 60_000 })
  await clock.advance(60_000)
  expect(await begin('192.0.2.1')).toMatchObject({ ok: true })
})

test('does not store the addresses of clients', async () => {
  const clock = createFakeClock()
  const store = openTestStore(clock.now)
  await limitOf({ windows: store.windows, clock }).failFrom(['192.0.2.1'])
  const items = []
  for await (const item of store.snapshot()) items.push(item)
  expect(items).toHaveLength(3)
  expect(JSON.stringify(items)).not.toContain('192.0.2')
})
