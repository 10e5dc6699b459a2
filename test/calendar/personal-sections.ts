import type { Collection } from '../../src/collections/collection.ts'
import type { FeedResource } from '../../src/records/resources.ts'
import { renderCombined } from '../support/combined-calendar.ts'
import { collectionAfter } from '../support/feed-text.ts'

const now = Date.parse('2026-03-05T15:00:00Z')

export const sheet = (slots: readonly object[], change: object = {}) => ({
  id: 5,
  title: 'Weekend standby crew',
  status: 2,
  date: '2026-03-14',
  eventDate: '22:00',
  details: { sheet: { contact: 'Capt. Okafor' }, groups: [{ id: 51, name: 'Engine 1', slots }] },
  ...change,
})

export const cert = (change: object = {}) => ({
  id: 90,
  status: 1,
  memberId: 7,
  member: 'Ann Cole',
  certId: 3,
  certName: 'CPR',
  issued: '2024-06-30',
  expires: '2026-06-30',
  certNumber: 'CP-4090',
  ...change,
})

export type Items = Partial<Record<FeedResource, readonly unknown[]>>

/** Returns the collections after readings an hour apart. A missing resource is not changed. */
export async function collectionsAfter(
  ...readings: readonly [Items, ...Items[]]
): Promise<Collection[]> {
  const resources = Object.keys(readings[0]) as FeedResource[]
  return Promise.all(
    resources.map((resource) => {
      let items: readonly unknown[] = []
      const all = readings.map((reading) => (items = reading[resource] ?? items))
      return collectionAfter(resource, all, now - readings.length * 3_600_000)
    }),
  )
}

type Options = Partial<Parameters<typeof renderCombined>[1]>

/** Renders the calendar of a link for Ann. */
export async function annsCalendar(items: Items | Collection[], options: Options = {}) {
  const collections = Array.isArray(items) ? items : await collectionsAfter(items)
  const shared = { now, id: 'my', profile: 'members', memberId: 7 } as const
  return renderCombined(collections, { ...shared, ...options })
}

export const ownOf = ({ events }: Awaited<ReturnType<typeof annsCalendar>>) =>
  events.filter(({ uid }) => uid.startsWith('member-'))
