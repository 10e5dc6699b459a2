import { expect, test } from 'vitest'
import type { Collection } from '../../../src/collections/collection.ts'
import { feeds } from '../../../src/feeds/catalog.ts'
import { createRenderers } from '../../../src/feeds/feed.ts'
import { picturedItems } from '../../../src/http/board/board-pictures.ts'
import { createFeedOverviews } from '../../../src/representations/feed-overviews.ts'
import { renderingHere } from '../../../src/representations/rendering.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { collectionAfter } from '../../support/feed-text.ts'
import { oneCollection } from '../../support/one-collection.ts'
import { testSite } from '../../support/site.ts'

test('a replica finds the pictures of boards with any filters, whoever made them', async () => {
  const news = feeds.find(({ id }) => id === 'news')
  if (!news) throw new TypeError('there is no news')
  const clock = createFakeClock()
  // A board shows 30 stories: the first of these is on none without filters.
  const stories = Array.from({ length: 80 }, (_, index) => ({
    ...{ id: index + 1, headline: 'Story', deployed: 1, category: `Category ${index % 2}` },
    ...{ categoryId: (index % 2) + 1, featured: Number(index < 4) },
    date: `2026-02-01 10:${String(index % 60).padStart(2, '0')}:00`,
    images: [{ id: index, url: `https://cedarhollow.example/${index + 1}.jpg`, front: 1 }],
  }))
  const collection = (await collectionAfter('news', [stories], clock.now())) as Collection
  const overviews = createFeedOverviews(oneCollection(collection).collections, {
    rendering: renderingHere(createRenderers(testSite)),
    clock,
  })
  const known = new Set((await picturedItems(feeds, overviews)).map(({ pictureUrl }) => pictureUrl))
  for (const filters of ['', 'category=1', 'category=1,2', 'featured=1', 'category=2&featured=1']) {
    const { board } = await overviews.read(news, 'public', filters)
    expect(board.length).toBeGreaterThan(1)
    for (const { pictureUrl } of board) expect(known).toContain(pictureUrl)
  }
  expect(known.size).toBeGreaterThan(30)
})
