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

test('what fails waits longer each time, and all else of the site waits with it', async () => {
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

test('what is wrong with one endpoint leaves the others alone', () => {
  const { backoff, fail } = backoffOf()
  fail('news', 'endpoint_not_allowed')
  expect([backoff.mayTry('news'), backoff.mayTry('events')]).toEqual([false, true])
})

test('three failures in a row, of more than one thing, are an outage; one success ends it', async () => {
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

test('what says nothing of the site only waits for itself', async () => {
  const { backoff, fail, clock } = backoffOf(0)
  for (const name of ['sheet 1', 'sheet 2', 'sheet 1', 'sheet 2']) {
    fail(name)
    expect(backoff.mayTry('sheet 3')).toBe(true)
    await clock.advance(minuteMs)
  }
  expect(backoff.isOutage()).toBe(false)
})

test('all is forgotten when somebody says that it is mended', () => {
  const { backoff, fail } = backoffOf()
  fail('news', 'project_disabled')
  backoff.forget()
  expect(backoff.mayTry('news')).toBe(true)
})

test('what a clock that was ahead has noted is over once the clock is right', () => {
  const { backoff, fail, shift } = backoffOf()
  shift.ms = 24 * 60 * minuteMs
  fail('news')
  shift.ms = 0
  expect(backoff.mayTry('news')).toBe(true)
})

test('an outage is over when the site answers, also that an endpoint is not allowed', async () => {
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

test('a call that was not sent says nothing of the site', () => {
  const { backoff, fail } = backoffOf()
  fail('news')
  fail('events', 'budget_spent')
  expect(backoff.mayTry('rental')).toBe(false)
})
