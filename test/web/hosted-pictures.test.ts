import express from 'express'
import supertest from 'supertest'
import { expect, test } from 'vitest'
import type { Collection } from '../../src/collections/collection.ts'
import { feeds, standardCatalog } from '../../src/feeds/catalog.ts'
import { createRenderers } from '../../src/feeds/feed.ts'
import { createHostedPictures } from '../../src/web/hosted-pictures.ts'
import { createPageContent } from '../../src/representations/page-content.ts'
import { chosenForList } from '../support/chosen-options.ts'
import { contextWith } from '../support/context.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { collectionAfter } from '../support/feed-text.ts'
import { oneCollection } from '../support/one-collection.ts'
import { testSite } from '../support/site.ts'

const clock = createFakeClock()

async function newsOf(categories: number): Promise<Collection> {
  // A board without filters shows 30 stories, so the first of these stories appears on no board.
  const stories = Array.from({ length: 80 }, (_, index) => ({
    id: index + 1,
    headline: 'Story',
    deployed: 1,
    category: `Category ${index % categories}`,
    categoryId: (index % categories) + 1,
    featured: Number(index < 4),
    date: `2026-02-01 10:${String(index % 60).padStart(2, '0')}:00`,
    images: [{ id: index + 1, url: `https://cedarhollow.example/${index + 1}.jpg`, front: 1 }],
  }))
  return collectionAfter('news', [stories], clock.now())
}

const fetchPicture = async (url: string) => ({ type: 'image/png', bytes: Buffer.from(url) })

/** Serves the pictures of one replica. Each body is the URL of the picture on the website. */
function replicaOf(collection: Collection) {
  const { source, collections } = oneCollection(collection)
  const site = { site: testSite, catalog: standardCatalog, collections, fetchPicture }
  const pictures = createHostedPictures(contextWith(site))
  const http = supertest(express().get('/board/images/:file', pictures.send))
  return { source, pictures, http }
}

test('finds pictures by the names that another replica generated, regardless of the board’s filters', async () => {
  const news = feeds.find(({ id }) => id === 'news')
  if (!news) throw new TypeError('there is no news')
  const collection = await newsOf(2)
  const { collections } = oneCollection(collection)
  const overviews = createPageContent(collections, {
    renderers: createRenderers(testSite),
    maxBytes: 1_000_000,
    clock,
  })(undefined).overviews
  const { pictures } = replicaOf(collection)
  const { http } = replicaOf(collection)
  for (const filters of ['', 'category=1', 'category=1,2', 'featured=1', 'category=2&featured=1']) {
    const { board } = await overviews.read(news, 'public', chosenForList(news, filters))
    expect(board.length).toBeGreaterThan(1)
    const [item] = pictures.hosted(board.slice(-1), testSite.publicUrl)
    const { pathname } = new URL(item?.pictureUrl ?? '')
    const { status, body } = await http.get(pathname)
    expect([status, String(body)]).toEqual([200, board.at(-1)?.pictureUrl])
  }
})

test('hashes picture names once, regardless of how many unknown names are requested', async () => {
  const { records, ...rest } = await newsOf(40)
  let looks = 0
  const collection = {
    ...rest,
    get records() {
      looks += 1
      return records
    },
  }
  const { http } = replicaOf(collection)
  for (const letter of 'abcde') {
    expect((await http.get(`/board/images/${letter.repeat(22)}`)).status).toBe(404)
  }
  expect(looks).toBe(1)
})

test('stops serving a picture when its story is no longer on the website', async () => {
  const news = await newsOf(2)
  const { source, pictures, http } = replicaOf(news)
  const picture = { pictureUrl: 'https://cedarhollow.example/1.jpg', pictureType: 'image/jpeg' }
  const item = { ...picture, pictureWidth: null, pictureHeight: null }
  const [hosted] = pictures.hosted([item], testSite.publicUrl)
  const { pathname } = new URL(hosted?.pictureUrl ?? '')
  expect((await http.get(pathname)).status).toBe(200)
  const records = news.records.filter(({ id }) => id !== 1)
  source.change({ ...news, records, ledger: new Map(news.ledger) })
  expect((await http.get(pathname)).status).toBe(404)
})
