import { expect, test } from 'vitest'
import { testSite } from '../../support/site.ts'
import { createMailTransport } from '../../../src/delivery/following/mail-transport.ts'
import { smtpServer } from '../../../src/config/notification-settings.ts'
import { sampleFollower, silent } from '../../followers/follower.ts'
import { busiest } from '../../support/fake-clock.ts'
import { startMailServer } from '../../support/receivers.ts'
import { waitFor } from '../../support/wait-for.ts'
import { dayMs, hourMs, keys, minuteMs, startService } from './follow-service.ts'

type Service = ReturnType<typeof startService>

/** Adds confirmed followers with a weekly email on Sunday at 2 AM, a time that March 8 does not have. */
async function addFollowers({ followers }: Service, addresses: readonly string[]) {
  const choice = { ...silent, weekly: { day: 7, hour: 2 } }
  for (const address of addresses) {
    const id = keys.idOf('mail', address)
    const follower = sampleFollower({ id, address: keys.encrypt(address), choice })
    await followers.change(id, () => follower)
  }
}

test('sends each message once, and takes turns if there are more than the limit allows', async () => {
  const [count, maxPerDay, weeks] = [500, 50, 3]
  const service = startService({ maxPerDay })
  const { clock, sent, start, leap } = service
  await addFollowers(
    service,
    Array.from({ length: count }, (_, index) => `a${index}@example.org`),
  )
  start('a')
  start('b')
  const times: number[] = []
  for (let hour = 0; hour < weeks * 7 * 24; hour += 1) {
    await leap(hourMs)
    times.push(...sent.slice(times.length).map(() => clock.now()))
  }
  expect(new Set(sent.map(({ id }) => id)).size).toBe(sent.length)
  expect(busiest(times, dayMs)).toBeLessThanOrEqual(maxPerDay)
  expect(new Set(sent.map(({ address }) => address)).size).toBe(count)
  expect(sent.length).toBeGreaterThan(count)
}, 120_000)

const named = (name: string) => Array.from({ length: 8 }, (_, index) => `${name}${index}@a.example`)

test('sends each email once over SMTP with two replicas, while some addresses fail', async () => {
  const server = await startMailServer()
  const settings = {
    server: smtpServer.parse(server.url),
    from: 'news@example.org',
    postalAddress: undefined,
    maxPerDay: 1_000,
  }
  const site = {
    name: 'Cedar Hollow',
    publicUrl: 'https://feeds.example.org',
    idHost: 'example.org',
    identity: testSite.identity,
  }
  const tries = new Map<string, number>()
  server.state.responseTo = (address) => {
    const count = (tries.get(address) ?? 0) + 1
    tries.set(address, count)
    if (address.startsWith('bad')) return '550 5.1.1 unknown'
    return address.startsWith('gray') && count < 3 ? '450 4.2.0 try later' : undefined
  }
  const service = startService({
    mail: createMailTransport(settings, site, { now: () => service.clock.now() }),
  })
  const { clock, followers, lines, start, leap } = service
  const [good, gray, bad] = [named('good'), named('gray'), named('bad')]
  await addFollowers(service, [...good, ...gray, ...bad])
  start('a')
  start('b')
  /** Waits until the results of a turn are stored. */
  const settled = (sent: number, failures: number) =>
    waitFor(async () => {
      const all = await followers.all()
      expect(all.filter((each) => each.rejectedAt !== undefined)).toHaveLength(bad.length)
      expect(all.filter((each) => each.sent.weekly !== undefined)).toHaveLength(sent)
      expect(all.filter((each) => each.failures === failures)).toHaveLength(gray.length)
    })
  const untilSunday = Date.parse('2026-03-08T07:00:00Z') - clock.now()
  await leap(untilSunday - minuteMs)
  expect(server.mails).toEqual([])
  await leap(minuteMs)
  await settled(good.length, 1)
  await leap(5 * minuteMs)
  await settled(good.length, 2)
  await leap(10 * minuteMs)
  await waitFor(() => expect(server.mails).toHaveLength(good.length + gray.length))
  // Nothing is sent again later.
  for (let hour = 0; hour < 24; hour += 1) await leap(hourMs)
  const receivers = server.mails.flatMap(({ to }) => to)
  expect(receivers.toSorted()).toEqual([...good, ...gray].toSorted())
  expect(
    [...tries].filter(([address]) => address.startsWith('bad')).map(([, count]) => count),
  ).toEqual(bad.map(() => 1))
  expect(lines.join('')).not.toContain('a.example')
}, 120_000)

test('sends more emails than fit in a turn without a pause, and then disconnects', async () => {
  let disconnected = 0
  const sent = new Set<string>()
  const service = startService({
    mail: {
      maxPerDay: 1_000,
      async send(_message, { address }) {
        sent.add(address)
        return { ok: true }
      },
      disconnect: () => void (disconnected += 1),
    },
  })
  const { start, advance, follow, state, clock } = service
  for (let index = 0; index < 150; index += 1) {
    await follow(`${index}@example.org`, { emergency: true })
  }
  start('a')
  await advance(15_000)
  state.emergencySince = clock.now()
  disconnected = 0
  await clock.advance(15_000)
  await waitFor(() => expect(disconnected).toBe(1))
  expect(sent.size).toBe(150)
})

test('handles requests between messages', async () => {
  const { start, advance, addReachedDevice, state, sent, clock } = startService()
  for (let index = 0; index < 30; index += 1) {
    await addReachedDevice(`https://fcm.googleapis.com/fcm/send/${index}`, { emergency: true })
  }
  start('a')
  await advance(15_000)
  /** Number of messages between two requests. */
  const counts: number[] = []
  let known = 0
  const handle = () => {
    counts.push(sent.length - known)
    known = sent.length
    if (known < 30) setImmediate(handle)
  }
  state.emergencySince = clock.now()
  setImmediate(handle)
  await clock.advance(15_000)
  await waitFor(() => expect(known).toBe(30))
  expect(Math.max(...counts)).toBe(1)
})
