import { expect } from 'vitest'
import { atOnce } from '../../src/steps.ts'
import type { Collection } from '../../src/collections/collection.ts'
import { standardCatalog } from '../../src/feeds/catalog.ts'
import { createRenderers, type Feed } from '../../src/feeds/feed.ts'
import { duplicatesIn } from '../../src/feeds/duplicates.ts'
import type { FeedResource } from '../../src/records/resources.ts'
import { personalCopies } from '../../src/representations/target.ts'
import type { Profile } from '../../src/records/profile.ts'
import { lintCalendar } from './calendar-lint.ts'
import { chosenOptions } from './chosen-options.ts'
import { readCalendar } from './read-calendar.ts'
import { testSite } from './site.ts'

/** An event that several feeds list. */
export const openHouse = {
  id: 1,
  title: 'Open house',
  status: 2,
  startDate: '2026-03-07',
  startTime: '10:00:00',
  endTime: '12:00:00',
  allDay: 0,
}

const { combinedFeeds, feeds } = standardCatalog
const sharedRenderers = createRenderers(testSite)

/** Returns the combined feed with an id. */
export function combinedFeed(id: string) {
  const feed = combinedFeeds.find((each) => each.id === id)
  if (!feed) throw new TypeError(`there is no combined feed ${id}`)
  return feed
}

/** Renders, checks and parses a combined calendar from the collections of its sources. */
export function renderCombined(
  collections: readonly Collection[],
  options: {
    readonly now: number
    readonly query?: string
    readonly profile?: Profile
    readonly id?: string
    readonly site?: typeof testSite
    readonly renderers?: ReturnType<typeof createRenderers>
    /** The member whom the calendar is for. */
    readonly memberId?: number | undefined
  },
) {
  const { now, query = '', profile = 'public', id = 'all', site = testSite } = options
  const { renderers = site === testSite ? sharedRenderers : createRenderers(site) } = options
  const { memberId } = options
  const feed = combinedFeed(id)
  const chosen = chosenOptions(feed, 'ics', query)
  const withRecords = (wanted: readonly Feed[]) =>
    wanted.flatMap((each) => {
      const source = collections.find(({ resource }) => resource === each.resource)
      return source ? [{ feed: each, source }] : []
    })
  const sources = withRecords(feed.sourcesFrom(feeds, 'ics', chosen))
  const duplicates = atOnce(duplicatesIn(withRecords(feeds), { site, profile }))
  const copyOf = <R extends FeedResource>(resource: R) =>
    collections.find((each): each is Collection<R> => each.resource === resource)
  const personal = memberId === undefined ? undefined : personalCopies(memberId, copyOf)
  const request = {
    format: 'ics',
    profile,
    now,
    chosen,
    personal,
    duplicates: () => duplicates,
  } as const
  const rendered = atOnce(feed.render(sources, request, renderers))
  expect(lintCalendar(rendered.body)).toEqual([])
  const text = rendered.body.toString()
  return {
    ...rendered,
    text,
    duplicates,
    /** Events, as an independent parser reads them. */
    get events() {
      return readCalendar(text).events
    },
  }
}
