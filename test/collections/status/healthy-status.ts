import { dayMs, minuteMs } from '../../../src/clock.ts'
import type {
  LinkActivity,
  Observations,
} from '../../../src/collections/status/observed-problems.ts'
import { problemsFrom } from '../../../src/collections/status/problems.ts'
import type { StatusOptions } from '../../../src/collections/status/status-sentences.ts'
import { zoneData } from '../../support/zone-files.ts'

export const now = Date.parse('2026-03-05T15:00:00Z')

/** Status of a service without collections or problems. */
export const healthy: StatusOptions = {
  collections: [],
  load: { freshMs: 5 * minuteMs, callsPerDay: 5000, usedToday: 0, callsPerRound: 1, details: 0 },
  storeFailure: undefined,
  budget: { minute: { used: 0, max: 30 }, day: { used: 0, max: 5000 } },
  token: { expiresAt: undefined, failure: undefined },
  timeZone: 'America/New_York',
  zoneData,
  language: 'en-US',
  now,
}

export const observed: Observations = {
  disk: { freeBytes: 1e10, totalBytes: 1e11 },
  certificate: { validFrom: now - 30 * dayMs, validUntil: now + 60 * dayMs },
  refreshToken: { createdAt: now - 30 * dayMs, isEstimate: false },
  links: [],
  followMail: {},
}

export const keysOf = (status: Partial<StatusOptions>, more: Partial<Observations> = {}) =>
  problemsFrom({ ...healthy, ...status }, { ...observed, ...more }).open.map(({ key }) => key)

export const linkOf = (more: Partial<LinkActivity>): Observations => ({
  links: [{ id: 'a', createdAt: 0, lastUsedAt: now, appsUsedAt: [], ...more }],
})
