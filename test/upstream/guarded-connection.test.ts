import { expect, onTestFinished, test, vi } from 'vitest'
import type { Transport } from '../../src/upstream/connection.ts'
import { guardedConnection, pausedUntil } from '../../src/upstream/guarded-connection.ts'
import { createFakeClock } from '../support/fake-clock.ts'

const call = { method: 'GET', path: '/apps/api/news', token: '' } as const
const minuteMs = 60_000

test('reports that a website is being read until its records have been processed', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const reports: boolean[] = []
  const guard = { reading: (isDone: boolean) => void reports.push(isDone), pausedUntil: () => 0 }
  const answer = { status: 200, body: {}, retryAfterMs: undefined }
  const website = { request: async () => answer }
  const connection = guardedConnection(website, guard, createFakeClock())
  expect(await connection.request(call)).toBe(answer)
  vi.advanceTimersByTime(4_000)
  await connection.request(call)
  vi.advanceTimersByTime(4_000)
  expect(reports).toEqual([false])
  vi.advanceTimersByTime(1_000)
  expect(reports).toEqual([false, true])
})

test('reports that a website is being read while any of its calls is pending', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const reading = vi.fn<(isDone: boolean) => void>()
  const { promise: pending, resolve } = Promise.withResolvers<void>()
  const answer = { status: 200, body: {}, retryAfterMs: undefined }
  const request = vi
    .fn<Transport['request']>(async () => answer)
    .mockReturnValueOnce(pending.then(() => answer))
  const guard = { reading, pausedUntil: () => 0 }
  const connection = guardedConnection({ request }, guard, createFakeClock())
  const slow = connection.request(call)
  await connection.request(call)
  vi.advanceTimersByTime(60_000)
  expect(reading.mock.calls).toEqual([[false]])
  resolve()
  await slow
  vi.advanceTimersByTime(5_000)
  expect(reading.mock.calls).toEqual([[false], [true]])
})

test('sends no calls during a pause, and says when it ends', async () => {
  const clock = createFakeClock()
  const guard = { reading: () => undefined, pausedUntil: () => clock.now() + minuteMs }
  const request = vi.fn<Transport['request']>()
  const paused = guardedConnection({ request }, guard, clock).request(call)
  await expect(paused).rejects.toMatchObject({ kind: 'reading_paused', retryAfterMs: minuteMs })
  expect(request).not.toHaveBeenCalled()
})

/** The minutes of exits, each with the initials of the sites that were being read. */
test.for([
  { name: 'no exits', exits: {}, until: 0 },
  { name: 'one exit', exits: { 10: 'M' }, until: 0 },
  { name: 'exits while other sites were read', exits: { 10: 'A', 11: 'A' }, until: 0 },
  { name: 'two exits within an hour', exits: { 10: 'M', 50: 'M' }, until: 110 },
  { name: 'two exits far apart', exits: { 10: 'M', 80: 'M' }, until: 0 },
  {
    name: 'exits while another site was read too, which explains them',
    exits: { 10: 'AM', 11: 'AM', 12: 'A' },
    until: 0,
  },
  { name: 'exits while other sites were read too', exits: { 10: 'AM', 11: 'MO' }, until: 71 },
  {
    name: 'exits that another site shares, which resumes earlier',
    exits: { 10: 'MA', 11: 'MA' },
    until: 101,
  },
])('pauses a site after two exits within an hour while it was read: $name', ({ exits, until }) => {
  const reported = Object.entries(exits).map(([minute, sites]) => ({
    at: Number(minute) * minuteMs,
    reading: sites.split(''),
  }))
  expect(pausedUntil('M', reported)).toBe(until * minuteMs)
})
