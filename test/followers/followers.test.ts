import { expect, test } from 'vitest'
import { createFollowKeys } from '../../src/followers/follow-keys.ts'
import { isFollowing, type Follower } from '../../src/followers/follower.ts'
import { maxFollowers } from '../../src/followers/follower-room.ts'
import { createFollowers, type Followers } from '../../src/followers/followers.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { openTestStore } from '../support/store.ts'
import { onEveryStore, storesAt } from '../support/stores.ts'
import { sampleFollower, silent } from './follower.ts'

const dayMs = 24 * 60 * 60_000
const keys = createFollowKeys('a secret with enough letters')
const address = 'neighbor@example.org'
const weekly = { ...silent, weekly: { day: 7, hour: 18 } }
const wish = { address, choice: weekly, language: 'en' }

/** Adds a follower. Returns the confirmation token that was used. */
async function confirmed(followers: Followers) {
  await followers.request(wish)
  const [requested] = await followers.all()
  const token = requested ? followers.confirmationFor(requested) : ''
  const request = await followers.requestIn(token)
  if (!requested || !request) throw new Error('nothing was requested')
  const follower = await followers.confirm(request)
  return { token, follower: follower ?? requested }
}

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

  test('adds a follower who confirms a request', async () => {
    const { clock, followers, only } = await start()
    await followers.request(wish)
    const requested = await only()
    expect(isFollowing(requested)).toBe(false)
    expect(followers.addressOf(requested)).toBe(address)
    expect(await followers.counts()).toEqual({ following: { mail: 0, push: 0 }, rejected: 0 })
    const token = followers.confirmationFor(requested)
    await followers.remove(requested)
    const found = await followers.requestIn(token)
    expect(found).toMatchObject(wish)
    if (found) await followers.confirm(found)
    const confirmed = await only()
    expect(confirmed).toMatchObject({ id: requested.id, choice: weekly, confirmedAt: clock.now() })
    expect(followers.addressOf(confirmed)).toBe(address)
    expect(await followers.counts()).toMatchObject({ following: { mail: 1 } })
  })

  test('a confirmation token hides the address, expires, and cannot be forged', async () => {
    const { clock, followers, only } = await start()
    await followers.request({ ...wish, linkId: 'abcdefgh' })
    const follower = await only()
    const token = followers.confirmationFor(follower)
    // Proxies recognize the start, and keep tokens out of their logs.
    expect(token).toMatch(/^[a-z2-7]{32}/)
    expect(Buffer.from(token.slice(32), 'base64url').toString('latin1')).not.toContain('neighbor')
    expect((await followers.requestIn(token))?.linkId).toBe('abcdefgh')
    // An encrypted address in the store must not work as a token.
    const text = JSON.stringify({ ...wish, expiresAt: clock.now() + dayMs })
    expect(await followers.requestIn(`${follower.id}${keys.encrypt(text)}`)).toBeUndefined()
    expect(await followers.requestIn(`${token.slice(0, -8)}AAAAAAAA`)).toBeUndefined()
    await clock.advance(3 * dayMs - 1)
    expect(await followers.requestIn(token)).toBeDefined()
    await clock.advance(1)
    expect(await followers.requestIn(token)).toBeUndefined()
  })

  test('a confirmation token does not work again after the person has left', async () => {
    const { clock, store, followers } = await start()
    const { token, follower } = await confirmed(followers)
    await clock.advance(1)
    await followers.remove(follower)
    expect(await followers.all()).toEqual([])
    expect(await followers.requestIn(token)).toBeUndefined()
    const otherId = keys.idOf('mail', 'other@example.org')
    expect(await followers.requestIn(`${otherId}${token.slice(32)}`)).toBeUndefined()
    const marks = [...(await store.documents.all('followers'))]
    expect(marks).toEqual([[`left ${follower.id}`, expect.anything()]])
    expect(JSON.stringify(marks)).not.toContain('neighbor')
    // A request that is repeated, but not confirmed, changes nothing.
    await followers.request(wish)
    const [again] = await followers.all()
    const newToken = again ? followers.confirmationFor(again) : ''
    expect(await followers.requestIn(token)).toBeUndefined()
    expect(await followers.requestIn(newToken)).toMatchObject(wish)
  })

  test('forgets that a person has left when all tokens have expired', async () => {
    const { clock, store, followers } = await start()
    const { follower } = await confirmed(followers)
    await followers.remove(follower)
    await clock.advance(3 * dayMs - 1)
    expect((await store.documents.all('followers')).size).toBe(1)
    await clock.advance(1)
    expect((await store.documents.all('followers')).size).toBe(0)
  })

  test('a token for the yearly question does not work again after the person has left', async () => {
    const { clock, followers } = await start()
    const { follower } = await confirmed(followers)
    await clock.advance(365 * dayMs)
    const token = followers.confirmationFor(follower)
    await clock.advance(1)
    await followers.remove(follower)
    await clock.advance(30 * dayMs - 2)
    expect(await followers.requestIn(token)).toBeUndefined()
  })

  test('stores nothing about people who leave without having confirmed', async () => {
    const { store, followers, only } = await start()
    await followers.request(wish)
    await followers.remove(await only())
    expect((await store.documents.all('followers')).size).toBe(0)
  })

  test('a confirmation token does not undo a later choice', async () => {
    const { clock, followers, only } = await start()
    const { token, follower } = await confirmed(followers)
    await clock.advance(1)
    const choice = { ...silent, changes: true }
    await followers.choose(follower, choice)
    const request = await followers.requestIn(token)
    expect(request && (await followers.confirm(request))).toMatchObject({ choice })
    expect(await only()).toMatchObject({ choice })
  })

  test('a request does not change a known address', async () => {
    const { followers, only } = await start()
    await followers.confirm(wish)
    await followers.request({ ...wish, address: 'NEIGHBOR@example.org' })
    expect(followers.addressOf(await only())).toBe(address)
  })

  test('a token for the yearly question confirms the current choice within 30 days', async () => {
    const { clock, followers, only } = await start()
    await followers.confirm(wish)
    const token = followers.confirmationFor(await only())
    await clock.advance(30 * dayMs - 1)
    expect(await followers.requestIn(token)).toMatchObject({ choice: weekly })
    await clock.advance(1)
    expect(await followers.requestIn(token)).toBeUndefined()
  })

  test('stores no address as plain text', async () => {
    const { store, followers } = await start()
    await followers.request(wish)
    const stored = JSON.stringify([...(await store.documents.all('followers'))])
    expect(stored).not.toContain('neighbor')
    expect(stored).not.toContain('example.org')
  })

  test('deletes a request whose confirmation cannot be sent in time', async () => {
    const { clock, followers } = await start()
    await followers.request(wish)
    await clock.advance(3 * dayMs - 1)
    expect(await followers.all()).toHaveLength(1)
    await clock.advance(1)
    expect(await followers.all()).toEqual([])
  })

  test('keeps the choice of a follower until another one is confirmed', async () => {
    const { followers, only } = await start()
    await followers.confirm(wish)
    const changed = { ...wish, choice: { ...silent, changes: true }, language: 'es' }
    await followers.request(changed)
    expect(await only()).toMatchObject({ choice: weekly, language: 'en' })
    await followers.confirm(changed)
    expect(await only()).toMatchObject({ choice: changed.choice, language: 'es' })
  })

  test('an address that was rejected can be requested and confirmed again', async () => {
    const { clock, followers, only } = await start()
    const rejectedAt = clock.now()
    const reject = async () =>
      void followers.change((await only()).id, (known) => known && { ...known, rejectedAt })
    await followers.confirm(wish)
    await reject()
    await followers.request(wish)
    expect((await only()).rejectedAt).toBeUndefined()
    expect(isFollowing(await only())).toBe(false)
    await followers.confirm(wish)
    await reject()
    await followers.confirm(wish)
    expect(isFollowing(await only())).toBe(true)
  })

  test('deletes followers who do not answer the yearly question', async () => {
    const { clock, followers, only } = await start()
    await followers.request(wish)
    await followers.confirm(wish)
    await clock.advance(400 * dayMs)
    const { id } = await only()
    const renewal = clock.now()
    await followers.change(id, (known) => known && { ...known, sent: { renewal } })
    await clock.advance(30 * dayMs - 1)
    await followers.confirm(wish)
    await clock.advance(60 * dayMs)
    await followers.change(id, (known) => known && { ...known, sent: { renewal: clock.now() } })
    await clock.advance(30 * dayMs)
    expect(await followers.all()).toEqual([])
  })

  test('keeps followers who change their choice after the yearly question', async () => {
    const { clock, followers, only } = await start()
    await followers.request(wish)
    await followers.confirm(wish)
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
    await followers.confirm(wish)
    versions.push(await followers.version())
    await followers.remove(await only())
    versions.push(await followers.version())
    expect(new Set(versions).size).toBe(4)
  })
})

const device = { ...wish, address: 'https://push.example/a key secret' }

/** Followers in a store that also has `others`, which are read at most once a minute. */
function startCrowded(others: readonly Follower[]) {
  const clock = createFakeClock()
  const { documents } = openTestStore(clock.now)
  const stored = others.map(
    (each) => [each.id, { value: JSON.stringify(each), revision: 1 }] as const,
  )
  let reads = 0
  const all = async (bucket: string) => {
    reads += 1
    return new Map([...stored, ...(await documents.all(bucket))])
  }
  const followers = createFollowers({ ...documents, all }, { keys, clock })
  return { clock, followers, reads: () => reads }
}

const many = (count: number, changed: Partial<Follower>) =>
  Array.from({ length: count }, (_, id) => sampleFollower({ id: `${id}`, ...changed }))

test('counts at most once a minute, and rejects new followers while there are too many', async () => {
  const { followers, reads } = startCrowded(many(maxFollowers - 1, { means: 'mail' }))
  expect(await followers.confirm(wish)).toBeDefined()
  expect(await followers.confirm({ ...wish, address: 'another@example.org' })).toBeUndefined()
  expect(await followers.hasRoom('mail')).toBe(false)
  expect(await followers.confirm({ ...wish, choice: silent })).toMatchObject({ choice: silent })
  expect(reads()).toBe(1)
})

test('has separate room for devices and for followers by email', async () => {
  const reached = startCrowded(many(maxFollowers, { means: 'push', lastSentAt: 1 }))
  expect(await reached.followers.addDevice(device)).toBeUndefined()
  expect(await reached.followers.confirm(wish)).toBeDefined()
  const mail = startCrowded(many(maxFollowers, { means: 'mail' }))
  expect(await mail.followers.confirm(wish)).toBeUndefined()
  expect(await mail.followers.addDevice(device)).toBeDefined()
})

test('deletes the oldest devices that have not got a message to make room for new ones', async () => {
  const { clock, followers } = startCrowded(
    many(maxFollowers - 3, { means: 'push', lastSentAt: 1 }),
  )
  const add = async (name: string) => {
    await clock.advance(61_000)
    return followers.addDevice({ ...wish, address: `https://push.example/${name} key secret` })
  }
  const [reached, older, newer] = [await add('reached'), await add('older'), await add('newer')]
  await followers.change(reached?.id ?? '', (known) => known && { ...known, lastSentAt: 1 })
  const isKept = async (follower: Follower | undefined) =>
    (await followers.byId(follower?.id ?? '')) !== undefined
  const [first, second] = [await add('first'), await add('second')]
  expect(await Promise.all([reached, older, newer, first, second].map(isKept))).toEqual([
    true,
    false,
    false,
    true,
    true,
  ])
})
