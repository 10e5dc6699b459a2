import { expect, test } from 'vitest'
import { createFollowKeys } from '../../src/followers/follow-keys.ts'
import { isFollowing, type Follower } from '../../src/followers/follower.ts'
import {
  createFollowers,
  maxFollowers,
  maxUnconfirmed,
  requestGapMs,
  retryRejectedMs,
} from '../../src/followers/followers.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { openTestStore } from '../support/store.ts'
import { onEveryStore, storesAt } from '../support/stores.ts'
import { silent } from './follower.ts'

const dayMs = 24 * 60 * 60_000
const keys = createFollowKeys('a secret with enough letters')
const address = 'neighbor@example.org'
const weekly = { ...silent, weekly: { day: 7, hour: 18 } }
const wish = { address, choice: weekly, language: 'en' }

onEveryStore((placeOf) => {
  async function start() {
    const { clock, store } = await storesAt(placeOf(), 1)
    const followers = createFollowers(store.documents, { keys, clock })
    const only = async (): Promise<Follower> => {
      const [follower] = await followers.all()
      if (!follower) throw new Error('there is no follower')
      return follower
    }
    return { clock, store, followers, only }
  }

  test('stores a request until it is confirmed', async () => {
    const { clock, followers, only } = await start()
    expect(await followers.request(wish)).toBe(true)
    const requested = await only()
    expect(isFollowing(requested)).toBe(false)
    expect(followers.addressOf(requested)).toBe(address)
    expect(await followers.counts()).toEqual({
      following: { mail: 0, push: 0 },
      unconfirmed: 1,
      rejected: 0,
    })
    await followers.confirm(requested)
    const confirmed = await only()
    expect(confirmed).toMatchObject({ choice: weekly, confirmedAt: clock.now() })
    expect(confirmed.requested).toBeUndefined()
    expect(await followers.counts()).toMatchObject({ following: { mail: 1 }, unconfirmed: 0 })
  })

  test('stores no address as plain text', async () => {
    const { store, followers } = await start()
    await followers.request(wish)
    const stored = JSON.stringify([...(await store.documents.all('followers'))])
    expect(stored).not.toContain('neighbor')
    expect(stored).not.toContain('example.org')
  })

  test('forgets a request that is not confirmed in time', async () => {
    const { clock, followers } = await start()
    await followers.request(wish)
    await clock.advance(3 * dayMs - 1)
    expect(await followers.all()).toHaveLength(1)
    await clock.advance(1)
    expect(await followers.all()).toEqual([])
  })

  test('keeps the choice of a follower until another one is confirmed', async () => {
    const { clock, followers, only } = await start()
    await followers.request(wish)
    await followers.confirm(await only())
    await clock.advance(requestGapMs)
    const changes = { ...silent, changes: true }
    await followers.request({ ...wish, choice: changes, language: 'es' })
    expect(await only()).toMatchObject({ choice: weekly, language: 'en' })
    await followers.confirm(await only())
    expect(await only()).toMatchObject({ choice: changes, language: 'es' })
  })

  test('a request that was confirmed too late only renews the choice', async () => {
    const { clock, followers, only } = await start()
    await followers.request(wish)
    await followers.confirm(await only())
    await clock.advance(requestGapMs)
    await followers.request({ ...wish, choice: silent })
    await clock.advance(3 * dayMs)
    await followers.confirm(await only())
    expect(await only()).toMatchObject({ choice: weekly, confirmedAt: clock.now() })
  })

  test('an address can ask for one message in ten minutes', async () => {
    const { clock, followers, only } = await start()
    await followers.request(wish)
    const first = await only()
    await clock.advance(requestGapMs - 1)
    expect(await followers.request({ ...wish, choice: silent })).toBe(true)
    expect(await only()).toEqual(first)
    await clock.advance(1)
    await followers.request({ ...wish, choice: silent })
    expect(await only()).toMatchObject({ requested: { choice: silent, at: clock.now() } })
  })

  test('an address gets fewer and fewer messages, no matter how often it is entered', async () => {
    const { clock, followers, only } = await start()
    await followers.request(wish)
    await followers.confirm(await only())
    const times = new Set<number | undefined>()
    for (let minutes = 0; minutes < 3 * 24 * 60; minutes += 5) {
      await followers.request(wish)
      times.add((await only()).requested?.at)
      await clock.advance(5 * 60_000)
    }
    const [first = 0, ...others] = [...times] as number[]
    const minutes = others.map((at) => (at - first) / 60_000)
    expect(minutes).toEqual([10, 20, 40, 80, 160, 320, 640, 1280, 2560])
  })

  test('an address that was rejected can be tried again the next day', async () => {
    const { clock, followers, only } = await start()
    await followers.request(wish)
    const { id } = await only()
    await followers.confirm(await only())
    const rejectedAt = clock.now()
    await followers.change(id, (known) => known && { ...known, rejectedAt })
    await clock.advance(retryRejectedMs - 1)
    await followers.request(wish)
    expect(await only()).toMatchObject({ rejectedAt })
    await clock.advance(1)
    await followers.request(wish)
    expect((await only()).rejectedAt).toBeUndefined()
    expect(isFollowing(await only())).toBe(false)
  })

  test('deletes followers who do not answer the yearly question', async () => {
    const { clock, followers, only } = await start()
    await followers.request(wish)
    await followers.confirm(await only())
    await clock.advance(400 * dayMs)
    const { id } = await only()
    const renewal = clock.now()
    await followers.change(id, (known) => known && { ...known, sent: { renewal } })
    await clock.advance(30 * dayMs - 1)
    await followers.confirm(await only())
    await clock.advance(60 * dayMs)
    await followers.change(id, (known) => known && { ...known, sent: { renewal: clock.now() } })
    await clock.advance(30 * dayMs)
    expect(await followers.all()).toEqual([])
  })

  test('keeps followers who change their choice after the yearly question', async () => {
    const { clock, followers, only } = await start()
    await followers.request(wish)
    await followers.confirm(await only())
    const { id } = await only()
    await followers.change(id, (known) => known && { ...known, sent: { renewal: clock.now() } })
    await followers.choose(await only(), silent)
    await clock.advance(31 * dayMs)
    expect(await only()).toMatchObject({ choice: silent, sent: {} })
  })

  test('finds a follower by a token with the right purpose until the follower is deleted', async () => {
    const { clock, followers, only } = await start()
    await followers.request(wish)
    const follower = await only()
    const token = followers.tokenFor('end', follower)
    expect(await followers.byToken(token, 'end')).toEqual(follower)
    expect(await followers.byToken(token, 'manage')).toBeUndefined()
    expect(await followers.byToken('no token', 'end')).toBeUndefined()
    await followers.remove(follower)
    expect(await followers.all()).toEqual([])
    await clock.advance(1)
    await followers.request(wish)
    expect(await followers.byToken(token, 'end')).toBeUndefined()
  })

  test('adds a device at once, and the same device only once', async () => {
    const { followers, only } = await start()
    await followers.addDevice({ ...wish, address: 'https://push.example/a key secret' })
    await followers.addDevice({
      ...wish,
      address: 'https://push.example/a other keys',
      choice: silent,
    })
    expect(isFollowing(await only())).toBe(true)
    expect((await only()).choice).toEqual(silent)
    expect(followers.addressOf(await only())).toBe('https://push.example/a other keys')
    expect(await followers.counts()).toMatchObject({ following: { mail: 0, push: 1 } })
  })

  test('a device that is added again with the same choice still gets what is due', async () => {
    const { followers, clock, only } = await start()
    const device = { ...wish, address: 'https://push.example/a key secret' }
    await followers.addDevice(device)
    const { confirmedAt } = await only()
    await clock.advance(60_000)
    await followers.addDevice({ ...device, address: 'https://push.example/a other keys' })
    expect((await only()).confirmedAt).toBe(confirmedAt)
    await followers.addDevice({ ...device, choice: silent })
    expect((await only()).confirmedAt).toBe(clock.now())
  })

  test('deletes a device by its endpoint, on its own link only', async () => {
    const { followers } = await start()
    const [address, linkId] = ['https://push.example/a key secret', 'link']
    await followers.addDevice({ ...wish, address })
    await followers.addDevice({ ...wish, address, linkId })
    await followers.removeDevice('https://push.example/b')
    await followers.removeDevice('https://push.example/a', linkId)
    expect((await followers.all()).map((each) => each.linkId)).toEqual([undefined])
    await followers.removeDevice('https://push.example/a')
    expect(await followers.all()).toEqual([])
  })

  test('the version changes with every change', async () => {
    const { followers, only } = await start()
    const versions = [await followers.version()]
    await followers.request(wish)
    versions.push(await followers.version())
    await followers.confirm(await only())
    versions.push(await followers.version())
    await followers.remove(await only())
    versions.push(await followers.version())
    expect(new Set(versions).size).toBe(4)
  })
})

test('rejects requests while too many are unconfirmed', async () => {
  const clock = createFakeClock()
  const followers = createFollowers(openTestStore(clock.now).documents, { keys, clock })
  for (let index = 0; index < maxUnconfirmed; index += 1) {
    expect(await followers.request({ ...wish, address: `${index}@example.org` })).toBe(true)
  }
  expect(await followers.request(wish)).toBe(false)
})

test('refuses requests and devices while there are too many followers', async () => {
  const clock = createFakeClock()
  const { documents } = openTestStore(clock.now)
  const followers = createFollowers(documents, { keys, clock })
  const device = { ...wish, address: 'https://push.example/a key secret' }
  await followers.addDevice(device)
  const [[, { value }] = ['', { value: '' }]] = [...(await documents.all('followers'))]
  const full = new Map(Array.from({ length: maxFollowers }, (_, id) => [`${id}`, { value }]))
  const all = async () => full as unknown as Awaited<ReturnType<typeof documents.all>>
  const crowded = createFollowers({ ...documents, all }, { keys, clock })
  expect(await crowded.request(wish)).toBe(false)
  expect(await crowded.addDevice(device)).toBeUndefined()
})
