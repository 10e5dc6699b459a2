import {
  createMessages,
  type MessageOptions,
} from '../../../src/delivery/following/create-message.ts'
import type { FoundChanges } from '../../../src/delivery/following/followed-changes.ts'
import type { Collection } from '../../../src/collections/collection.ts'
import { createCatalog } from '../../../src/feeds/catalog.ts'
import type { Follower } from '../../../src/followers/follower.ts'
import type { FeedLink } from '../../../src/links/feed-link.ts'
import type { OpenLinks } from '../../../src/links/link-service.ts'
import type { FeedResource } from '../../../src/records/resources.ts'
import {
  earlierPlaces,
  type EmergencyPlace,
  type EmergencyText,
} from '../../../src/site/emergency-text.ts'
import { sampleFollower } from '../../followers/follower.ts'
import { collectionAfter } from '../../support/feed-text.ts'
import { testSite } from '../../support/site.ts'

/** Thursday, March 5, 2026, 8 AM in New York. */
export const morning = Date.parse('2026-03-05T13:00:00Z')

export const urls = {
  confirm: 'https://feeds.example.org/follow/confirm/t1',
  manage: 'https://feeds.example.org/follow/manage/t2',
  end: 'https://feeds.example.org/follow/end/t3',
}

export const event = {
  status: 2,
  startDate: '2026-03-06',
  startTime: '19:00:00',
  endTime: '21:00:00',
  location: 'Station 1',
}
export const dinner = { ...event, id: 1, title: 'Dinner &lt;A&gt; & B' }
export const parade = {
  ...event,
  id: 2,
  title: 'Parade',
  startDate: '2026-03-12',
  startTime: '07:59:00',
}
export const fire = {
  id: 7,
  date: '2026-03-04 10:00:00',
  headline: 'Fire',
  deployed: 1,
  text: 'Out.',
}
export const drill = { ...event, id: 8, title: 'Drill', calendarId: 1, calendar: 'Drills' }

export const follower = sampleFollower({
  choice: { changes: true, tomorrow: true, emergency: true },
})

export const flood = {
  title: 'Flood',
  text: '',
  since: morning,
  until: morning + 10 * 3_600_000,
  places: earlierPlaces,
}

/** Returns the text that is current at one place. */
export const emergencyOn =
  (place: EmergencyPlace, text: EmergencyText) => (asked?: EmergencyPlace) =>
    asked === place ? text : undefined

export function linkWith(changed: Partial<FeedLink> = {}): FeedLink {
  return {
    id: 'link',
    keyHash: '',
    label: 'zqlabelzq',
    profile: 'members',
    createdAt: 0,
    ...changed,
  }
}

type Readings = Partial<Record<FeedResource, readonly (readonly unknown[])[]>>

/** Returns what messages need from a site whose website was read several times, an hour apart. */
export async function messageSite(
  readings: Readings,
  {
    now = morning,
    start = morning - 24 * 3_600_000,
    link,
    publicFeedIds = ['events', 'news'],
    ...changed
  }: {
    readonly now?: number
    readonly start?: number
    readonly link?: FeedLink
    readonly publicFeedIds?: readonly string[]
  } & Partial<MessageOptions> = {},
) {
  const copies = new Map<FeedResource, Collection>()
  for (const [name, read] of Object.entries(readings)) {
    const resource = name as FeedResource
    copies.set(resource, await collectionAfter(resource, read ?? [], start))
  }
  const catalog = createCatalog()
  const entry = link && { link, servesUntil: Infinity }
  const options: MessageOptions = {
    site: testSite,
    catalog,
    publicFeeds: catalog.feeds.filter(({ id }) => publicFeedIds.includes(id)),
    collections: {
      copyOf: (resource: FeedResource) => copies.get(resource),
    } as MessageOptions['collections'],
    duplicatesFor: () => Promise.resolve([]),
    links: {
      byId: (id) => (id === entry?.link.id ? entry : undefined),
      open: () => (link ? [link] : []),
    } as OpenLinks,
    emergency: () => undefined,
    urlsFor: () => urls,
    clock: { now: () => now },
    ...changed,
  }
  const send = (
    follower: Follower,
    kind: keyof Follower['sent'],
    at = now,
    found: FoundChanges = [],
  ) => createMessages(options, found)(follower, { kind, at })
  return { options, send }
}

/** Returns the text of HTML, line by line. */
export function linesOf(html = ''): readonly string[] {
  const lines = html.split(/\n|<br>/).map((line) => line.replaceAll(/<[^>]*>/g, ''))
  return lines.filter((line) => line !== '')
}
