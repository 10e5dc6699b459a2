import {
  applyReading,
  type CollectionCopy,
  type FetchResult,
} from '../../src/collections/copy/collection-copy.ts'
import type { FeedResource } from '../../src/records/resources.ts'

export const minuteMs = 60_000
export const start = Date.UTC(2026, 2, 1, 15)

export const drill = {
  id: 1,
  title: 'Drill',
  status: 2,
  location: 'Station 1',
  startDate: '2026-03-03',
  startTime: '19:00:00',
  created: '2026-01-01 09:00:00',
}
export const wednesday = { ...drill, startDate: '2026-03-04' }
export const others = [2, 3, 4].map((id) => ({ ...drill, id, title: `Meeting ${id}` }))

export type Reading = {
  readonly items: readonly object[]
  /** Minutes since the first reading. */
  readonly at: number
  readonly days?: FetchResult['days']
}

/** Readings of these lists of items, half an hour apart. */
export const halfHourly = (...lists: readonly (readonly object[])[]): readonly Reading[] =>
  lists.map((items, index) => ({ items, at: index * 30 }))

export async function after<R extends FeedResource>(
  resource: R,
  readings: readonly Reading[],
  before?: CollectionCopy<R>,
): Promise<CollectionCopy<R>> {
  const [first, ...rest] = readings
  if (!first) {
    if (!before) throw new TypeError('no readings')
    return before
  }
  const { items, at, days } = first
  const now = start + at * minuteMs
  const siteNow = new Date(now).toISOString().slice(0, 19)
  const { kept } = await applyReading(
    resource,
    before,
    { items: async () => items, calls: 1, days, siteNow },
    now,
  )
  return after(resource, rest, kept)
}

export const calendarItems = (readings: readonly Reading[]) =>
  readings.map((reading) => ({
    ...reading,
    items: reading.items.map((item) => ({ calendarId: 3, calendar: 'Drills', ...item })),
  }))
