import { expect, test } from 'vitest'
import type { Transport } from '../../../src/app/following/messages.ts'
import { createFollowKeys } from '../../../src/followers/follow-keys.ts'
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
})

test('sends nothing to people who stop while others are told', async () => {
  const sent: string[] = []
  const service = startService({
    mail: {
      maxPerDay: 100,
      async send(_message, { address }) {
        sent.push(address)
        for (const follower of await service.followers.all()) {
          if (service.followers.addressOf(follower) !== address) {
            await service.followers.remove(follower)
          }
        }
        return { ok: true }
      },
    },
  })
  const { start, advance, follow, state, clock } = service
  await follow('a@example.org', emergency)
  await follow('b@example.org', emergency)
  state.emergencySince = clock.now() + 1
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

test('sends several notifications at once, so that silent push services delay the others less', async () => {
  let [open, most, done] = [0, 0, 0]
  const push: Transport = {
    maxPerDay: 1_000,
    async send() {
      open += 1
      most = Math.max(most, open)
      await new Promise((resolve) => setImmediate(resolve))
      open -= 1
      done += 1
      return { ok: true }
    },
  }
  const { clock, followers, start, advance, state } = startService({ push })
  const choice = { ...silent, emergency: true }
  for (let index = 0; index < 25; index += 1) {
    await followers.addDevice({ address: `${index}`, choice, language: 'en' })
  }
  start('a')
  await advance(15_000)
  state.emergencySince = clock.now()
  await clock.advance(15_000)
  await waitFor(() => expect(done).toBe(25))
  expect(most).toBe(10)
})
