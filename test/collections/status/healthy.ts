import type { StatusOptions } from '../../../src/collections/status/status-sentences.ts'
import { minuteMs } from '../../support/collections.ts'

export const now = Date.parse('2026-03-05T15:00:00Z')

/** Status of a service without collections or problems. */
export const healthy: StatusOptions = {
  collections: [],
  load: { freshMs: 5 * minuteMs, callsPerDay: 5000, usedToday: 0, callsPerRound: 1, details: 0 },
  storeFailure: undefined,
  budget: { minute: { used: 0, max: 30 }, day: { used: 0, max: 5000 } },
  token: { expiresAt: undefined, failure: undefined },
  timeZone: 'America/New_York',
  now,
}
