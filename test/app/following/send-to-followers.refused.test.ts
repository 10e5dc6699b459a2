import { expect, test } from 'vitest'
import { sendingState } from '../../../src/app/following/send-to-followers.ts'
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
