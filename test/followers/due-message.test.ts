import { describe, expect, test } from 'vitest'
import { dueMessage, type MessageTriggers } from '../../src/followers/due-message.ts'
import { confirmWithinMs, type FollowChoice, type Follower } from '../../src/followers/follower.ts'
import { sampleFollower, silent } from './follower.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

function dueAt(
  time: string | number,
  follower: Partial<Follower> & { readonly wants?: Partial<FollowChoice> },
  triggers: Partial<MessageTriggers> = {},
) {
  const { wants, ...changed } = follower
  const due = dueMessage(
    { ...sampleFollower(changed), choice: { ...silent, ...wants } },
    {
      now: new Date(time).getTime(),
      timeZone: 'America/New_York',
      changesAfter: () => undefined,
      emergencySince: undefined,
      ...triggers,
    },
  )
  return due && { ...due, at: new Date(due.at).toISOString() }
}

const changedAt = (...times: readonly string[]): Partial<MessageTriggers> => {
  const found = times.map((time) => Date.parse(time))
  return {
    changesAfter(since) {
      const [first, ...others] = found.filter((at) => at > since)
      return first === undefined ? undefined : { first, last: others.at(-1) ?? first }
    },
  }
}

test('sends only the confirmation until a new follower confirms', () => {
  const at = Date.parse('2026-03-03T12:00:00Z')
  const requested = { choice: silent, language: 'en', at }
  const asked = { requested, confirmedAt: undefined, wants: { emergency: true } }
  const emergency = { emergencySince: at + 1 }
  expect(dueAt(at, asked)).toEqual({ kind: 'confirm', at: '2026-03-03T12:00:00.000Z' })
  expect(dueAt(at + confirmWithinMs, asked, emergency)).toBeUndefined()
  expect(dueAt(at + confirmWithinMs - 1, asked)).toMatchObject({ kind: 'confirm' })
  expect(dueAt(at + confirmWithinMs, asked)).toBeUndefined()
})

test('requests confirmation of a new choice, and follows the earlier one until then', () => {
  const at = Date.parse('2026-03-03T12:00:00Z')
  const requested = { choice: silent, language: 'en', at }
  const asked = { wants: { emergency: true } }
  expect(dueAt(at, { ...asked, requested })).toMatchObject({ kind: 'confirm' })
  expect(dueAt(at + 2, asked, { emergencySince: at + 1 })).toMatchObject({ kind: 'emergency' })
})

test('sends an invitation once, and nothing else before people confirm', () => {
  const at = Date.parse('2026-03-03T12:00:00Z')
  const invited = { confirmedAt: undefined, wants: { emergency: true } }
  const emergency = { emergencySince: at + 1 }
  const unsent = { ...invited, invited: { at, key: 'encrypted' } }
  expect(dueAt(at + 2, unsent, emergency)).toEqual({
    kind: 'invite',
    at: '2026-03-03T12:00:00.000Z',
  })
  const sent = { ...invited, invited: { at, sentAt: at } }
  expect(dueAt(at + 2, sent, emergency)).toBeUndefined()
})

test('sends nothing to a rejected address, or before a retry is due', () => {
  const emergency = { emergencySince: Date.parse('2026-03-03T12:00:00Z') }
  const wants = { emergency: true }
  const time = '2026-03-03T12:00:01Z'
  expect(dueAt(time, { wants }, emergency)).toMatchObject({ kind: 'emergency' })
  expect(dueAt(time, { wants, rejectedAt: 1 }, emergency)).toBeUndefined()
  expect(dueAt(time, { wants, nextAt: Date.parse(time) + 1 }, emergency)).toBeUndefined()
  expect(dueAt(time, { wants, nextAt: Date.parse(time) }, emergency)).toBeDefined()
})

describe('a weekly overview', () => {
  const weekly = { day: 7, hour: 18 }
  const wants = { weekly }

  test.each([
    ['2026-03-01T22:59:59Z', undefined],
    ['2026-03-01T23:00:00Z', '2026-03-01T23:00:00.000Z'],
    // Five days later, it is no longer worth sending.
    ['2026-03-06T22:59:59Z', '2026-03-01T23:00:00.000Z'],
    ['2026-03-06T23:00:00Z', undefined],
    // Daylight saving time starts on the day of the next one.
    ['2026-03-08T21:59:59Z', undefined],
    ['2026-03-08T22:00:00Z', '2026-03-08T22:00:00.000Z'],
  ])('at %s', (time, at) => {
    expect(dueAt(time, { wants })).toEqual(at && { kind: 'weekly', at })
  })

  test('is due even if its hour is skipped by daylight saving time', () => {
    const skipped = { wants: { weekly: { day: 7, hour: 2 } } }
    expect(dueAt('2026-03-08T07:00:00Z', skipped)).toMatchObject({ kind: 'weekly' })
  })

  test('is sent once a week, even if another day is chosen in between', () => {
    const sent = { weekly: Date.parse('2026-03-08T22:00:00Z') }
    expect(dueAt('2026-03-08T22:00:01Z', { wants, sent })).toBeUndefined()
    const onTuesdays = { wants: { weekly: { day: 2, hour: 18 } }, sent }
    expect(dueAt('2026-03-10T22:00:01Z', onTuesdays)).toBeUndefined()
    expect(dueAt('2026-03-17T22:00:01Z', onTuesdays)).toMatchObject({ kind: 'weekly' })
  })

  test('is not due for a time before the confirmation', () => {
    const confirmedAt = Date.parse('2026-03-08T22:00:00Z')
    expect(dueAt('2026-03-08T22:30:00Z', { wants, confirmedAt })).toBeUndefined()
  })
})

describe('changes', () => {
  const wants = { changes: true }

  test('wait until edits have settled, and are due for the latest one', () => {
    const changes = changedAt('2026-03-03T12:00:00Z', '2026-03-03T12:05:00Z')
    expect(dueAt('2026-03-03T12:09:59Z', { wants }, changes)).toBeUndefined()
    expect(dueAt('2026-03-03T12:10:00Z', { wants }, changes)).toEqual({
      kind: 'changes',
      at: '2026-03-03T12:05:00.000Z',
    })
  })

  test('are at least an hour apart', () => {
    const sent = { changes: Date.parse('2026-03-03T12:00:00Z') }
    const changes = changedAt('2026-03-03T12:20:00Z')
    expect(dueAt('2026-03-03T12:59:59Z', { wants, sent }, changes)).toBeUndefined()
    expect(dueAt('2026-03-03T13:00:00Z', { wants, sent }, changes)).toBeDefined()
  })

  test('in other feeds are ignored', () => {
    const asked: (readonly string[] | undefined)[] = []
    const changesAfter: MessageTriggers['changesAfter'] = (_, feedIds) => {
      asked.push(feedIds)
      return undefined
    }
    dueAt('2026-03-03T12:00:00Z', { wants: { ...wants, feedIds: ['news'] } }, { changesAfter })
    expect(asked).toEqual([['news']])
  })
})

test('sends the next day once, in the evening', () => {
  const wants = { tomorrow: true }
  const at = '2026-03-03T23:00:00.000Z'
  expect(dueAt('2026-03-03T22:59:59Z', { wants })).toBeUndefined()
  expect(dueAt('2026-03-03T23:00:00Z', { wants })).toEqual({ kind: 'tomorrow', at })
  const sent = { tomorrow: Date.parse(at) }
  expect(dueAt('2026-03-04T04:59:59Z', { wants, sent })).toBeUndefined()
  // After midnight, it would be too late.
  expect(dueAt('2026-03-04T05:00:00Z', { wants })).toBeUndefined()
})

test('sends an emergency that began after the confirmation, once', () => {
  const wants = { emergency: true }
  const since = Date.parse('2026-03-03T12:00:00Z')
  const now = since + minuteMs
  const emergency = { emergencySince: since }
  expect(dueAt(now, { wants }, emergency)).toMatchObject({ kind: 'emergency' })
  expect(dueAt(now, { wants, sent: { emergency: since } }, emergency)).toBeUndefined()
  expect(dueAt(now, { wants, confirmedAt: since }, emergency)).toBeUndefined()
  expect(dueAt(now, {}, emergency)).toBeUndefined()
})

test('asks followers by email once a year whether they want to continue', () => {
  const time = '2027-03-01T17:00:00Z'
  expect(dueAt(Date.parse(time) - 1, {})).toBeUndefined()
  expect(dueAt(time, {})).toMatchObject({ kind: 'renewal' })
  expect(dueAt(time, { sent: { renewal: 1 } })).toBeUndefined()
  expect(dueAt(time, { linkId: 'a' })).toBeUndefined()
  expect(dueAt(time, { means: 'push' })).toBeUndefined()
})

test('asks 90 days after the confirmation if a forwarded email has bounced since then', () => {
  const confirmedAt = Date.parse('2026-03-01T17:00:00Z')
  const forwardFailedAt = confirmedAt + 1
  const time = confirmedAt + 90 * dayMs
  expect(dueAt(time - 1, { confirmedAt, forwardFailedAt })).toBeUndefined()
  expect(dueAt(time, { confirmedAt, forwardFailedAt })).toMatchObject({ kind: 'renewal' })
  expect(dueAt(time, { confirmedAt, forwardFailedAt: confirmedAt })).toBeUndefined()
})

test('welcomes a device that has not got a message, within a day', () => {
  const createdAt = Date.parse('2026-03-03T12:00:00Z')
  const device = { means: 'push', createdAt, confirmedAt: createdAt, lastSentAt: 0 } as const
  const welcome = { kind: 'welcome', at: '2026-03-03T12:00:00.000Z' }
  expect(dueAt(createdAt, device)).toEqual(welcome)
  expect(dueAt(createdAt + dayMs - 1, device)).toEqual(welcome)
  expect(dueAt(createdAt + dayMs, device)).toBeUndefined()
  expect(dueAt(createdAt, { ...device, lastSentAt: 1 })).toBeUndefined()
  expect(dueAt(createdAt, { ...device, means: 'mail' })).toBeUndefined()
  const urgent = { ...device, wants: { emergency: true } }
  const emergency = { emergencySince: createdAt + 1 }
  expect(dueAt(createdAt + 2, urgent, emergency)).toMatchObject({ kind: 'emergency' })
})
