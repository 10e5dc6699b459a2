import { expect } from 'vitest'
import type { Collection } from '../../src/collections/collection.ts'
import { combinedFeeds, feeds } from '../../src/feeds/catalog.ts'
import { readFeedOptions } from '../../src/feeds/feed-options.ts'
import { createRenderers } from '../../src/feeds/feed.ts'
import type { FeedResource } from '../../src/records/resources.ts'
import { personalCopies } from '../../src/representations/source-copies.ts'
import type { Profile } from '../../src/records/profile.ts'
import { lintCalendar } from './calendar-lint.ts'
import { readCalendar } from './read-calendar.ts'
import { testSite } from './site.ts'

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
    readonly renderers?: ReturnType<typeof createRenderers>
    /** The member whom the calendar is for. */
    readonly memberId?: number | undefined
  },
) {
  const { now, query = '', profile = 'public', id = 'all', renderers = sharedRenderers } = options
  const { memberId } = options
  const feed = combinedFeed(id)
  const reading = readFeedOptions(feed, 'ics', new URLSearchParams(query))
  if (!reading.ok) throw new TypeError(reading.reason)
  const { chosen } = reading
  const sources = feed.sourcesFrom(feeds, 'ics', chosen).flatMap((source) => {
    const collection = collections.find(({ resource }) => resource === source.resource)
    return collection ? [{ feed: source, source: collection }] : []
  })
  const copyOf = <R extends FeedResource>(resource: R) =>
    collections.find((each): each is Collection<R> => each.resource === resource)
  const personal = memberId === undefined ? undefined : personalCopies(memberId, copyOf)
  const request = { format: 'ics', profile, now, chosen, personal } as const
  const rendered = feed.render(sources, request, renderers)
  expect(lintCalendar(rendered.body)).toEqual([])
  const text = rendered.body.toString()
  return {
    ...rendered,
    text,
    /** Events, as an independent parser reads them. */
    get events() {
      return readCalendar(text).events
    },
  }
}
