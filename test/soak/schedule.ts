import type { FaultName } from './faults.ts'
import { dayMs, hourMs, minuteMs } from './soak-time.ts'

/** A fault and when it happens, in milliseconds since the start. */
export type Planned = { readonly name: FaultName; readonly at: number; readonly forMs: number }

export type Schedule = {
  /** Start of the run, in milliseconds since the epoch. */
  readonly startAt: number
  readonly forMs: number
  readonly planned: readonly Planned[]
  /** Time between two of the webmaster's edits. */
  readonly workEveryMs: number
}

/**
 * Faults of eight weeks: day, hours, and name. In the last four weeks, only the first replica is replaced,
 * so that the memory of the other processes can be compared.
 */
const plannedFaults: readonly (readonly [number, number, FaultName])[] = [
  [2, 6, 'website unreachable'],
  [3, 0.1, 'kill -9 of every process'],
  [4, 2, 'website silent'],
  [5, 0, 'every process replaced'],
  [6, 3, 'responses cut off'],
  [7, 6, 'full disk'],
  [8, 4, 'Redis unreachable'],
  [9, 20, 'token regenerated'],
  [10, 0, 'Redis evicts keys'],
  [11, 12, 'server errors'],
  [12, 3, 'missing records'],
  [13, 6, 'clock an hour ahead'],
  [14, 0, 'SQLite file deleted'],
  [15, 6, 'clock an hour behind'],
  [17, 0.1, 'Redis failover'],
  [18, 0.1, 'Redis restarted empty'],
  [19, 12, 'project disabled'],
  [20, 24, 'clock a day ahead'],
  [23, 24, 'clock a day behind'],
  [25, 0, 'Redis emptied'],
  [26, 0.1, 'kill -9 of every process'],
  [27, 6, 'website unreachable'],
  [29, 0, 'replica replaced'],
  [30, 0.2, 'kill -9 of a replica'],
  [31, 12, 'full disk'],
  [33, 6, 'clock an hour behind'],
  [35, 24, 'clock a day behind'],
  [38, 20, 'token regenerated'],
  [40, 24, 'website unreachable'],
  [42, 0.1, 'Redis restarted empty'],
  [43, 0.1, 'Redis failover'],
  [44, 24, 'clock a day ahead'],
  [46, 0, 'Redis evicts keys'],
  [47, 6, 'clock an hour ahead'],
  [49, 12, 'server errors'],
  [50, 0.1, 'kill -9 of a replica'],
  [51, 6, 'Redis unreachable'],
  [52, 0, 'replica replaced'],
]

/** Eight weeks. Daylight saving time ends on day 28. */
export function eightWeeks(random: () => number): Schedule {
  return {
    startAt: Date.parse('2026-10-05T04:00:00Z'),
    forMs: 56 * dayMs,
    planned: plannedFaults.map(([day, hours, name]) => ({
      name,
      at: (day - 1) * dayMs + Math.floor(random() * 8 * 60) * minuteMs,
      forMs: hours * hourMs,
    })),
    workEveryMs: 5 * hourMs,
  }
}

/** A night of faults in quick succession, and a calm morning. Daylight saving time ends after three hours. */
export function oneNight(): Schedule {
  const names: readonly FaultName[] = [
    'kill -9 of every process',
    'Redis unreachable',
    'full disk',
    'SQLite file deleted',
    'clock an hour ahead',
    'token regenerated',
    'Redis failover',
    'replica replaced',
    'clock a day behind',
    'Redis restarted empty',
    'Redis emptied',
    'Redis evicts keys',
  ]
  return {
    startAt: Date.parse('2026-11-01T03:00:00Z'),
    forMs: 9 * hourMs,
    planned: names.map((name, index) => ({
      name,
      at: (1 + index / 2) * hourMs,
      forMs: 10 * minuteMs,
    })),
    workEveryMs: 40 * minuteMs,
  }
}
