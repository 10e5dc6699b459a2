import { expect, test } from 'vitest'
import { sendingState } from '../../../src/delivery/following/sending-state.ts'
import { waitFor } from '../../support/wait-for.ts'
import { dayMs, hourMs, startService } from './follow-service.ts'

const refused = { ok: false, failed: 'once', reason: 'the mail server rejects it (550)' } as const

/** Starts an emergency, and waits for eight days while emails to some followers are refused. */
async function refuse(count: number, fine: number) {
  const service = startService()
  const { followers, start, advance, leap, follow, state, clock, sent } = service
  for (let index = 0; index < count + fine; index += 1) {
    await follow(`${index < count ? 'refused' : 'fine'}${index}@example.org`, { emergency: true })
  }
  start('a')
  await advance(15_000)
  let tries = 0
  state.result = (address) => {
    if (!address.startsWith('refused')) return { ok: true }
    tries += 1
    return refused
  }
  state.emergencySince = clock.now()
  const from = clock.now()
  let rejectedDays: number | undefined
  let reportedHours: number | undefined
  for (let passed = 0; passed < 8 * dayMs; passed += hourMs) {
    await leap(hourMs)
    const isRejected = (await followers.counts()).rejected > 0
    if (isRejected) rejectedDays ??= (clock.now() - from) / dayMs
    const { refused: reported } = await sendingState(service.store.documents)
    if (reported === count) reportedHours ??= (clock.now() - from) / hourMs
  }
  return { rejectedDays, reportedHours, tries, sent }
}

test('rejects an address whose mail server refuses the emails for a week', async () => {
  const { rejectedDays, reportedHours, tries, sent } = await refuse(1, 1)
  expect(rejectedDays).toBeGreaterThan(6)
  expect(rejectedDays).toBeLessThan(8)
  expect([tries, sent.length, reportedHours]).toEqual([20, 1, undefined])
})

test('reports many refusals without rejecting addresses, because the sender is the likely reason', async () => {
  const { rejectedDays, reportedHours } = await refuse(3, 20)
  expect(rejectedDays).toBeUndefined()
  expect(reportedHours).toBeGreaterThan(20)
  expect(reportedHours).toBeLessThan(36)
})

/** Waits for three weeks while the push service of Apple refuses notifications to some devices. */
async function refuseDevices(count: number, fine: number) {
  const service = startService()
  const { followers, store, start, advance, leap, addReachedDevice, state, clock } = service
  for (let index = 0; index < count + fine; index += 1) {
    const name = index < count ? 'refused' : 'fine'
    await addReachedDevice(`https://web.push.apple.com/${name}${index}`, { emergency: true })
  }
  start('a')
  await advance(15_000)
  const tries: number[] = []
  state.result = (address) => {
    if (!address.includes('refused')) return { ok: true }
    tries.push(clock.now())
    return { ok: false, failed: 'once', reason: 'status 403' }
  }
  state.emergencySince = clock.now()
  for (let hour = 0; hour < 21 * 24; hour += 1) await leap(hourMs)
  const left = (await followers.all()).length
  return { ...service, left, tries, refused: (await sendingState(store.documents)).refusedDevices }
}

test('reports that a push service refuses most devices, and deletes none', async () => {
  const { left, refused, tries, followers, leap, state, clock } = await refuseDevices(2, 1)
  expect(left).toBe(3)
  const [first = 0] = tries
  const report = { service: 'Apple', refused: 2, devices: 3, reason: 'status 403' }
  expect(refused).toMatchObject([report])
  expect((refused?.[0]?.since ?? 0) - first).toBeLessThanOrEqual(2 * hourMs)
  // Soon after PUSH_SUBJECT has been corrected, all devices get messages again.
  state.result = () => ({ ok: true })
  const since = clock.now()
  state.emergencySince = since
  await leap(hourMs)
  const sentAt = async () => (await followers.all()).map(({ sent }) => sent.emergency)
  await waitFor(async () => expect(await sentAt()).toEqual([since, since, since]))
})

test('deletes a device that its push service refuses for a week, unless it refuses most', async () => {
  const { left, refused } = await refuseDevices(1, 3)
  expect(left).toBe(3)
  expect(refused).toEqual([])
})
