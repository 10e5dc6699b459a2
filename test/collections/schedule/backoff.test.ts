import { expect, test } from 'vitest'
import { createBackoff } from '../../../src/collections/schedule/backoff.ts'
import { UpstreamError, type UpstreamErrorKind } from '../../../src/upstream/upstream-error.ts'
import { createFakeClock } from '../../support/fake-clock.ts'

const minuteMs = 60_000

function backoffOf(names = 6) {
  const clock = createFakeClock()
  const shift = { ms: 0 }
  const now = () => clock.now() + shift.ms
  const backoff = createBackoff({ clock: { now }, random: () => 0, keyCount: () => names })
  const fail = (name: string, kind: UpstreamErrorKind = 'unreachable') =>
    backoff.failed(name, new UpstreamError(kind, kind))
  return { clock, shift, backoff, fail }
}

test('makes the whole site wait longer after each failure', async () => {
  const { backoff, fail, clock } = backoffOf()
  expect(backoff.mayTry('news')).toBe(true)
  fail('news')
  expect([backoff.mayTry('news'), backoff.mayTry('events')]).toEqual([false, false])
  await clock.advance(10_000)
  expect([backoff.mayTry('news'), backoff.mayTry('events')]).toEqual([true, true])
  fail('news')
  await clock.advance(10_000)
  expect(backoff.mayTry('news')).toBe(false)
  await clock.advance(10_000)
  expect(backoff.mayTry('news')).toBe(true)
})

test('makes only the endpoint with the problem wait', () => {
  const { backoff, fail } = backoffOf()
  fail('news', 'endpoint_not_allowed')
  expect([backoff.mayTry('news'), backoff.mayTry('events')]).toEqual([false, true])
})

test('treats three consecutive failures across several endpoints as an outage until a call succeeds', async () => {
  const { backoff, fail, clock } = backoffOf()
  for (const name of ['news', 'news', 'news']) {
    fail(name)
    await clock.advance(minuteMs)
  }
  expect(backoff.isOutage()).toBe(false)
  fail('events')
  expect(backoff.isOutage()).toBe(true)
  backoff.succeeded('events')
  expect(backoff.isOutage()).toBe(false)
  expect(backoff.failureOf('news')).toBeUndefined()
})

test('makes only the failing resource wait after an error that does not affect the whole site', async () => {
  const { backoff, fail, clock } = backoffOf(0)
  for (const name of ['sheet 1', 'sheet 2', 'sheet 1', 'sheet 2']) {
    fail(name)
    expect(backoff.mayTry('sheet 3')).toBe(true)
    await clock.advance(minuteMs)
  }
  expect(backoff.isOutage()).toBe(false)
})

test('ends all waits when an operator reports a fix', () => {
  const { backoff, fail } = backoffOf()
  fail('news', 'project_disabled')
  backoff.forget()
  expect(backoff.mayTry('news')).toBe(true)
})

test('ends waits that were recorded while the clock was ahead', () => {
  const { backoff, fail, shift } = backoffOf()
  shift.ms = 24 * 60 * minuteMs
  fail('news')
  shift.ms = 0
  expect(backoff.mayTry('news')).toBe(true)
})

test('ends an outage when the site responds, even with endpoint_not_allowed', async () => {
  const { backoff, fail, clock } = backoffOf()
  for (const name of ['news', 'events', 'news']) {
    fail(name)
    await clock.advance(minuteMs)
  }
  expect(backoff.isOutage()).toBe(true)
  fail('rental', 'endpoint_not_allowed')
  expect(backoff.isOutage()).toBe(false)
  expect(['news', 'events', 'rental'].map(backoff.mayTry)).toEqual([true, true, false])
})

test('ignores calls that were not sent', () => {
  const { backoff, fail } = backoffOf()
  fail('news')
  fail('events', 'budget_spent')
  expect(backoff.mayTry('rental')).toBe(false)
})
