import { expect, onTestFinished, test, vi } from 'vitest'
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

test('sends no calls during a pause, and says when it ends', async () => {
  const clock = createFakeClock()
  const guard = { reading: () => undefined, pausedUntil: () => clock.now() + minuteMs }
  let calls = 0
  const website = {
    request: async () => {
      calls += 1
      return { status: 200, body: {}, retryAfterMs: undefined }
    },
  }
  const paused = guardedConnection(website, guard, clock).request(call)
  await expect(paused).rejects.toMatchObject({ kind: 'reading_paused', retryAfterMs: minuteMs })
  expect(calls).toBe(0)
})

test.for([
  { name: 'no exits', exits: [], until: 0 },
  { name: 'one exit', exits: [[['Milbrook'], 10]], until: 0 },
  {
    name: 'exits while other sites were read',
    exits: [
      [['Ashton'], 10],
      [['Ashton'], 11],
    ],
    until: 0,
  },
  {
    name: 'two exits within an hour',
    exits: [
      [['Milbrook'], 10],
      [['Milbrook'], 50],
    ],
    until: 110,
  },
  {
    name: 'two exits far apart',
    exits: [
      [['Milbrook'], 10],
      [['Milbrook'], 80],
    ],
    until: 0,
  },
  {
    name: 'exits while another site was read too, which explains them',
    exits: [
      [['Ashton', 'Milbrook'], 10],
      [['Ashton', 'Milbrook'], 11],
      [['Ashton'], 12],
    ],
    until: 0,
  },
  {
    name: 'exits while other sites were read too',
    exits: [
      [['Ashton', 'Milbrook'], 10],
      [['Milbrook', 'Oakley'], 11],
    ],
    until: 71,
  },
  {
    name: 'exits that another site shares, which resumes earlier',
    exits: [
      [['Milbrook', 'Ashton'], 10],
      [['Milbrook', 'Ashton'], 11],
    ],
    until: 101,
  },
] as const)(
  'pauses a site after two exits within an hour while it was read: $name',
  ({ exits, until }) => {
    const reported = exits.map(([reading, minutes]) => ({ at: minutes * minuteMs, reading }))
    expect(pausedUntil('Milbrook', reported)).toBe(until * minuteMs)
  },
)
