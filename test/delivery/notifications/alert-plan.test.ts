import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  isQuiet,
  noAlerts,
  planAlerts,
  summaryDayAt,
  type Alert,
  type AlertState,
} from '../../../src/delivery/notifications/alert-plan.ts'
import type { Problem } from '../../../src/collections/status/problem.ts'

const minuteMs = 60_000
const start = Date.parse('2026-03-05T15:00:00Z')

const problemOf = (key: string, urgency: Problem['urgency'] = 'normal'): Problem => ({
  key,
  title: `Title of ${key}`,
  sentence: `Sentence of ${key}.`,
  since: start,
  urgency,
})

const held = problemOf('records-held')
const outage = problemOf('website-unreachable')
const disk = problemOf('disk-nearly-full', 'urgent')
const unused = problemOf('links-unused', 'note')

/** Checks once a minute and collects the alerts, with the minute of each. */
function checker() {
  let state: AlertState = noAlerts
  let minute = 0
  const sent: (readonly [minute: number, kind: Alert['kind'], ...keys: string[]])[] = []
  const alerts: Alert[] = []
  /** Replaces the state with the state that a restarted process would load. */
  const restart = () => void (state = JSON.parse(JSON.stringify(state)) as AlertState)

  function check(
    minutes: number,
    open: readonly Problem[],
    more: { unknown?: readonly string[]; isQuiet?: boolean; summaryDay?: string } = {},
  ): void {
    for (let time = 0; time < minutes; time += 1) {
      const { unknown = [], isQuiet = false, summaryDay } = more
      const now = start + minute * minuteMs
      const known = { open, unknown: new Set(unknown) }
      const next = planAlerts(state, known, { now, isQuiet, summaryDay })
      state = next.state
      alerts.push(...next.alerts)
      sent.push(...next.alerts.map((alert) => [minute, alert.kind, ...keysOf(alert)] as const))
      minute += 1
    }
  }

  return { sent, alerts, check, restart, state: () => state }
}

function keysOf(alert: Alert): readonly string[] {
  if (alert.kind === 'opened') return [alert.problem.key]
  return alert.kind === 'over' ? [alert.key] : alert.problems.map(({ key }) => key)
}

test('sends one message when a problem opens and one when it is over, with its times', () => {
  const { check, sent, alerts } = checker()
  check(20, [held])
  check(10, [])
  expect(sent).toEqual([
    [1, 'opened', 'records-held'],
    [21, 'over', 'records-held'],
  ])
  expect(alerts[1]).toMatchObject({ since: start, until: start + 20 * minuteMs })
})

test('keeps the earliest start of a problem, even if checks find later ones', () => {
  const { check, alerts } = checker()
  check(1, [held])
  check(1, [{ ...held, since: start + minuteMs }])
  check(2, [])
  expect(alerts).toMatchObject([
    { kind: 'opened', problem: { since: start } },
    { kind: 'over', since: start },
  ])
})

test('sends nothing about a problem that only one check has seen', () => {
  const { check, sent, state } = checker()
  for (let time = 0; time < 5; time += 1) {
    check(1, [held])
    check(2, [])
  }
  expect(sent).toEqual([])
  expect(state().causes).toEqual({})
})

test('sends nothing about a problem that was gone at only one check', () => {
  const { check, sent } = checker()
  check(90, [held])
  check(1, [])
  check(90, [held])
  check(2, [])
  expect(sent.map(([minute, kind]) => [minute, kind])).toEqual([
    [1, 'opened'],
    [182, 'over'],
  ])
})

test('sends nothing again after a restart', () => {
  const { check, sent, restart } = checker()
  check(5, [held, disk])
  restart()
  check(60, [held, disk])
  restart()
  check(3, [])
  restart()
  check(3, [])
  expect(sent.map(([, kind]) => kind)).toEqual(['opened', 'opened', 'over', 'over'])
})

test('sends at most one message an hour about a problem that comes and goes', () => {
  const { check, sent } = checker()
  for (let time = 0; time < 30; time += 1) {
    check(5, [held])
    check(5, [])
  }
  const [first, second, ...later] = sent.map(([minute]) => minute)
  expect([first, second]).toEqual([1, 6])
  const gaps = later.map((minute, index) => minute - ([second, ...later][index] ?? 0))
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(60)
  expect(later.length).toBeGreaterThan(1)
})

test('holds everything that is not urgent until the quiet hours end', () => {
  const { check, sent } = checker()
  check(30, [held, disk], { isQuiet: true })
  check(30, [held], { isQuiet: true })
  check(1, [held])
  expect(sent).toEqual([
    [1, 'opened', 'disk-nearly-full'],
    [60, 'opened', 'records-held'],
    [60, 'over', 'disk-nearly-full'],
  ])
})

test('never mentions a problem that began and ended within the quiet hours', () => {
  const { check, sent } = checker()
  check(30, [held], { isQuiet: true })
  check(30, [], { isQuiet: true })
  check(30, [])
  expect(sent).toEqual([])
})

test('reports neither the start nor the end of a cause that an outage hides', () => {
  const { check, sent } = checker()
  check(10, [held])
  check(60, [outage], { unknown: ['records-held', 'nothing-read'] })
  check(10, [held])
  expect(sent).toEqual([
    [1, 'opened', 'records-held'],
    [11, 'opened', 'website-unreachable'],
    [71, 'over', 'website-unreachable'],
  ])
})

test('reminds once a day of everything that is still open, and of notes once a week', () => {
  const { check, sent } = checker()
  const day = 24 * 60
  check(2 * day + 30, [held, unused])
  const reminders = () => sent.filter(([, kind]) => kind === 'reminder')
  expect(reminders().map(([, , ...keys]) => keys)).toEqual([
    ['records-held', 'links-unused'],
    ['records-held', 'links-unused'],
  ])
  check(6 * day, [unused])
  expect(reminders()).toHaveLength(2)
  check(2 * day, [unused])
  expect(reminders()).toHaveLength(3)
})

test('sends the weekly summary once, with the problems that ended within the week', () => {
  const { check, sent, alerts } = checker()
  check(10, [held])
  check(10, [disk])
  check(30, [disk], { summaryDay: '2026-03-05' })
  const summaries = alerts.filter(({ kind }) => kind === 'summary')
  expect(summaries).toMatchObject([
    { problems: [{ key: 'disk-nearly-full' }], past: [{ title: held.title }] },
  ])
  check(8 * 24 * 60, [])
  check(2, [], { summaryDay: '2026-03-12', isQuiet: true })
  check(2, [], { summaryDay: '2026-03-12' })
  expect(sent.filter(([, kind]) => kind === 'summary')).toHaveLength(2)
  expect(alerts.at(-1)).toMatchObject({ problems: [], past: [] })
})

test.for([
  [6.9, 1],
  [7.1, 0],
] as const)(
  '%d days after a problem ended, the weekly summary names %i problems',
  ([days, count]) => {
    const { check, alerts } = checker()
    check(3, [held])
    check(days * 24 * 60, [])
    check(1, [], { summaryDay: '2026-03-12' })
    expect(alerts.at(-1)).toMatchObject({ kind: 'summary', past: { length: count } })
  },
)

test('alternates between messages that a problem is open and over, whatever happens', () => {
  const step = fc.record({
    minutes: fc.integer({ min: 1, max: 90 }),
    isOpen: fc.boolean(),
    isHidden: fc.boolean(),
    isQuiet: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const { check, sent } = checker()
      for (const { minutes, isOpen, isHidden, isQuiet } of steps) {
        check(minutes, isOpen && !isHidden ? [held] : [], {
          unknown: isHidden ? [held.key] : [],
          isQuiet,
        })
      }
      const single = sent.filter(([, kind]) => kind === 'opened' || kind === 'over')
      const expected = single.map((_message, index) => (index % 2 === 0 ? 'opened' : 'over'))
      expect(single.map(([, kind]) => kind)).toEqual(expected)
      for (const [index, [minute]] of single.entries()) {
        const [third = -Infinity] = single[index - 2] ?? []
        expect(minute - third).toBeGreaterThanOrEqual(60)
      }
    }),
    { numRuns: 200 },
  )
})

const zone = 'America/New_York'
const night = { from: 22 * 60, until: 6 * 60 + 30 }
const noon = { from: 12 * 60, until: 13 * 60 }

test.for([
  [night, '2026-03-05T21:59:59-05:00', false],
  [night, '2026-03-05T22:00:00-05:00', true],
  [night, '2026-03-06T03:00:00-05:00', true],
  [night, '2026-03-06T06:29:59-05:00', true],
  [night, '2026-03-06T06:30:00-05:00', false],
  // Clocks in New York are set forward on March 8.
  [night, '2026-03-08T06:29:00-04:00', true],
  [night, '2026-03-08T06:30:00-04:00', false],
  [noon, '2026-03-05T12:30:00-05:00', true],
  [noon, '2026-03-05T13:00:00-05:00', false],
  [undefined, '2026-03-05T03:00:00-05:00', false],
] as const)('%o at %s: %s', ([hours, time, expected]) => {
  expect(isQuiet(hours, Date.parse(time), zone)).toBe(expected)
})

test.for([
  [1, '2026-03-02T08:59:00-05:00', undefined],
  [1, '2026-03-02T09:00:00-05:00', '2026-03-02'],
  [1, '2026-03-02T23:59:00-05:00', '2026-03-02'],
  [1, '2026-03-03T09:00:00-05:00', undefined],
  [7, '2026-03-08T09:00:00-04:00', '2026-03-08'],
  [undefined, '2026-03-02T09:00:00-05:00', undefined],
] as const)('the summary of weekday %s is due at %s: %s', ([weekday, time, expected]) => {
  expect(summaryDayAt(weekday, Date.parse(time), zone)).toBe(expected)
})
