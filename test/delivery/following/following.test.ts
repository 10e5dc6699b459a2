import { expect, test } from 'vitest'
import type { MailServer } from '../../../src/config/notification-settings.ts'
import { createFollowing } from '../../../src/delivery/following/following.ts'
import { devicesPerNetwork } from '../../../src/delivery/following/sign-up-limits.ts'
import { hourMs, minuteMs } from '../../../src/clock.ts'
import { addressFrom } from '../../../src/followers/push-subscription.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { startFollowedService } from '../../support/following.ts'
import { openTestStore } from '../../support/store.ts'
import { waitFor } from '../../support/wait-for.ts'
import { createBrowserKeys } from './received-push.ts'

const choice = { changes: false, tomorrow: true, emergency: false }

test('sends notifications of the next day’s entries to devices, and logs no address', async () => {
  await using site = await startFollowedService()
  const { service, followers } = site
  await service.readAll()
  // A private address, to which nothing is sent.
  const address = addressFrom({ endpoint: 'https://localhost:9/abc', ...createBrowserKeys() })
  const device = await followers.addDevice({ address, choice, language: 'en' })
  await followers.change(device?.id ?? '', (known) => known && { ...known, lastSentAt: 1 })
  // Shortly before 6 PM in New York.
  await service.clock.leap(8 * hourMs - minuteMs)
  await service.clock.advance(2 * minuteMs)
  const line = await waitFor(() => {
    const found = service.lines.find((each) => each.includes('could not be sent'))
    expect(found).toBeDefined()
    return found ?? ''
  })
  expect(JSON.parse(line)).toMatchObject({
    means: 'push',
    kind: 'tomorrow',
    reason: expect.stringMatching(/^the push service cannot be reached/),
  })
  expect(service.lines.join('')).not.toContain('localhost:9')
})

const server = { host: 'localhost', port: 9, secure: false, isLocal: true, auth: undefined }

/** A site, and functions for other sites of the same deployment. */
function followingWith(maxPerDay: number, idHost = 'example.org') {
  const clock = createFakeClock('2026-03-05T15:00:00Z')
  const own = openTestStore(clock.now)
  const { windows: sharedCounts } = openTestStore(clock.now)
  const start = (store = own, changed: Partial<MailServer> = {}) => {
    return createFollowing(
      {
        mail: {
          server: { ...server, ...changed },
          from: 'news@example.org',
          postalAddress: undefined,
          maxPerDay,
        },
        bounces: undefined,
        pushSubject: undefined,
      },
      { secret: 'a secret with enough letters', store, sharedCounts, clock, idHost },
    )
  }
  let clients = 0
  /** Asks for emails, by default from another network each time. */
  const askAt = (
    { signUp }: ReturnType<typeof start>,
    address: string,
    client = `198.18.${(clients += 1)}.1`,
  ) => signUp({ address, choice, language: 'en' }, client)
  const first = start()
  const ask = (address: string, client?: string) => askAt(first, address, client)
  const startOther = (changed?: Partial<MailServer>) => start(openTestStore(clock.now), changed)
  return { clock, followers: first.followers, ask, askAt, start, startOther }
}

test('limits the sign-ups in an hour and in a day, so that others get their emails', async () => {
  const { clock, followers, ask } = followingWith(24)
  await followers.confirm({ address: 'known@example.org', choice, language: 'en' })
  let asked = 0
  for (let hour = 0; hour < 4; hour += 1) {
    for (let count = 0; count < 3; count += 1) {
      expect(await ask(`${(asked += 1)}@example.org`)).toBeUndefined()
    }
    // The response is the same for known and unknown addresses.
    for (const address of ['known@example.org', '1@example.org', 'new@example.org']) {
      expect(await ask(address)).toMatchObject({ ok: false, retryAfterMs: expect.any(Number) })
    }
    await clock.advance(60 * 60_000)
  }
  expect(await followers.ofAddress('new@example.org')).toEqual([])
  expect(await ask('new@example.org')).toMatchObject({ retryAfterMs: 20 * 60 * 60_000 })
  await clock.advance(20 * 60 * 60_000)
  expect(await ask('new@example.org')).toBeUndefined()
})

test('a confirmation token works only on its site', async () => {
  const { followers, ask } = followingWith(24)
  await ask('neighbor@example.org')
  const [follower] = await followers.all()
  const token = follower ? followers.confirmationFor(follower) : ''
  expect(await followers.requestIn(token)).toBeDefined()
  expect(await followingWith(24, 'example.net').followers.requestIn(token)).toBeUndefined()
})

test('a mailbox gets at most one confirmation in ten minutes, and four in a day', async () => {
  const { clock, followers, ask } = followingWith(10_000)
  const minutes: number[] = []
  const from = clock.now()
  for (let minute = 0; minute < 23 * 60; minute += 5) {
    expect(await ask(`neighbor+${minute}@example.org`)).toBeUndefined()
    expect(await ask('neighbor@example.org')).toBeUndefined()
    if ((await followers.all()).length > minutes.length) minutes.push((clock.now() - from) / 60_000)
    await clock.advance(5 * 60_000)
  }
  expect(minutes).toEqual([0, 10, 20, 30])
})

test('requests for one address use up nobody else’s limit', async () => {
  const { ask, followers } = followingWith(400)
  for (let index = 0; index < 60; index += 1) {
    expect(await ask('neighbor@example.org', '198.51.100.1')).toBeUndefined()
  }
  expect(await followers.ofAddress('neighbor@example.org')).toHaveLength(1)
  for (let index = 0; index < 24; index += 1) {
    expect(await ask(`other${index}@example.org`, '198.51.100.1')).toBeUndefined()
  }
  expect(await ask('last@example.org')).toBeUndefined()
})

test('requests from one network leave room for others, on all sites together', async () => {
  const { ask, askAt, startOther, clock } = followingWith(400)
  const [site, other] = [startOther(), startOther()]
  let asked = 0
  const admitted: number[] = []
  for (let hour = 0; hour < 4; hour += 1) {
    let count = 0
    for (let index = 0; index < 40; index += 1) {
      const client = `2001:db8:1:${(asked += 1).toString(16)}::1`
      const refused = await askAt(index % 2 === 0 ? site : other, `a${asked}@example.org`, client)
      count += refused ? 0 : 1
    }
    admitted.push(count)
    await clock.advance(hourMs)
  }
  expect(admitted).toEqual([25, 25, 0, 0])
  expect(await askAt(site, 'neighbor@example.org')).toBeUndefined()
  expect(await ask('neighbor@example.org')).toBeUndefined()
})

test('requests from a few networks leave room for others', async () => {
  const { ask } = followingWith(400)
  let admitted = 0
  for (let index = 0; index < 120; index += 1) {
    const refused = await ask(`a${index}@example.org`, `198.51.${index % 3}.1`)
    admitted += refused ? 0 : 1
  }
  expect(admitted).toBe(28)
  expect(await ask('neighbor@example.org')).toBeUndefined()
})

test('requests from many networks leave room for one that has not asked', async () => {
  const { ask } = followingWith(400)
  for (let index = 0; index < 72; index += 1) {
    await ask(`a${index}@example.org`, `198.51.${index % 24}.1`)
  }
  expect(await ask('neighbor@example.org')).toBeUndefined()
})

test('requests from a few networks leave room for others all day, on all sites', async () => {
  const { askAt, startOther, clock } = followingWith(400)
  const sites = [startOther(), startOther(), startOther()] as const
  let asked = 0
  for (let hour = 0; hour < 12; hour += 1) {
    for (let count = 0; count < 30; count += 1) {
      const [site, client] = [sites[count % 3] ?? sites[0], `198.51.${count % 5}.1`]
      await askAt(site, `a${(asked += 1)}@example.org`, client)
    }
    await clock.advance(hourMs)
  }
  expect(await askAt(sites[0], 'neighbor@example.org')).toBeUndefined()
})

test('a mailbox gets four confirmations in a day from all sites together', async () => {
  const { askAt, startOther } = followingWith(10_000)
  const counts: number[] = []
  for (const spelling of ['a.b', 'ab', 'A.B', 'ab+c', 'a.b+d', 'a..b']) {
    const site = startOther()
    expect(await askAt(site, `${spelling}@gmail.com`)).toBeUndefined()
    counts.push((await site.followers.all()).length)
  }
  expect(counts).toEqual([1, 1, 1, 1, 0, 0])
})

test('sites with the same mail account share the confirmations of a day', async () => {
  const { askAt, startOther, clock } = followingWith(8)
  const user = { auth: { user: 'news@example.org', pass: 'secret' } }
  let asked = 0
  const ask = async (site: ReturnType<typeof startOther>) =>
    (await askAt(site, `${(asked += 1)}@example.org`)) === undefined
  const sites = [startOther(), startOther({ host: 'LOCALHOST', port: 25 }), startOther()]
  for (const site of [...sites, ...sites]) {
    expect(await ask(site)).toBe(asked <= 4)
    await clock.advance(hourMs)
  }
  expect(await ask(startOther(user))).toBe(true)
  expect(await ask(startOther({ host: 'smtp.example.org' }))).toBe(true)
})

test('limits the new devices of a network on all replicas together, and after a restart', async () => {
  const { clock, start } = followingWith(24)
  let count = 0
  const add = ({ addDevice }: ReturnType<typeof start>) => {
    const endpoint = `https://fcm.googleapis.com/fcm/send/${(count += 1)}`
    const address = addressFrom({ endpoint, ...createBrowserKeys() })
    return addDevice({ address, choice, language: 'en' }, `2001:db8:1:${count}::1`)
  }
  const replicas = [start(), start()]
  const [{ max: perHour }] = devicesPerNetwork
  for (let index = 0; index < perHour; index += 1) {
    const [replica = start()] = index % 2 === 0 ? replicas : replicas.toReversed()
    expect(await add(replica)).toBeUndefined()
  }
  const refused = { reason: 'too many', retryAfterMs: hourMs }
  for (const replica of [...replicas, start()]) expect(await add(replica)).toMatchObject(refused)
  await clock.advance(hourMs)
  expect(await add(start())).toBeUndefined()
})
