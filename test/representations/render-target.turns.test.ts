import { expect, test } from 'vitest'
import { standardCatalog } from '../../src/feeds/catalog.ts'
import { createRenderers, type ServedFeed } from '../../src/feeds/feed.ts'
import type { FeedFormat } from '../../src/feeds/formats.ts'
import { renderTarget } from '../../src/representations/render-target.ts'
import { targetOf } from '../../src/representations/target.ts'
import { chosenOptions } from '../support/chosen-options.ts'
import { collectionAfter, feedWith } from '../support/feed-text.ts'
import { testSite } from '../support/site.ts'

const now = Date.parse('2026-03-05T15:00:00Z')
const count = 300

const items = Array.from({ length: count }, (_, index) => ({
  id: index + 1,
  title: `Drill ${index}`,
  text: '<p>In the hall</p>',
  status: 2,
  allDay: 1,
  startDate: '2026-03-06',
}))

const events = feedWith('events')
const { combinedFeeds } = standardCatalog

function served(id: string): ServedFeed {
  const feed = [events, ...combinedFeeds].find((each) => each.id === id)
  if (!feed) throw new TypeError(`there is no feed ${id}`)
  return feed
}

test.for<[string, FeedFormat]>([
  ['events', 'ics'],
  ['events', 'json'],
  ['events', 'rss'],
  ['all', 'ics'],
  ['all', 'atom'],
])('lets others go first while it renders %s.%s', async ([id, format]) => {
  const collection = await collectionAfter('events', [items], now)
  const feed = served(id)
  const chosen = chosenOptions(feed, format)
  const target = targetOf(feed, [events], { chosen, format, profile: 'public' })
  const collections = [collection]
  const copies = {
    sources: [{ feed: events, source: collection }],
    personal: undefined,
    collections,
  }
  let elapsed = 0
  let turns = 0
  await renderTarget(
    target,
    { copies, previous: undefined },
    {
      renderers: createRenderers(testSite),
      presentationChangedAt: 0,
      duplicates: () => [],
      now,
      // Each step takes longer than a turn.
      elapsedMs: () => (elapsed += 100),
      takeTurn: async () => void (turns += 1),
    },
  )
  expect(turns).toBeGreaterThanOrEqual(count)
})
