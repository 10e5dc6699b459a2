import { expect, test } from 'vitest'
import { sampleDatasetOn } from '../../src/sandbox/sample/sample-dataset.ts'
import { serviceOf } from '../support/odd-website.ts'
import { advanceUntil } from '../support/wait-for.ts'

const mediaIn = (feed: string) =>
  feed.match(/<(?:media:content|enclosure) [^>]*image\.cfm\?id=55"[^>]*>/g) ?? []

test('gives the type of a front picture whose URL does not show it, once it has been fetched', async () => {
  const images = [{ id: 1, url: '/image.cfm?id=55', caption: 'Flames', front: 1 }]
  const story = { ...sampleDatasetOn('2026-03-05').news[0], id: 1, images, deployed: 1 }
  const { get, clock, website, change, startReplica } = await serviceOf({ news: [story] })
  expect(mediaIn(await get('/news.rss'))).toEqual([expect.not.stringContaining('type=')])
  await advanceUntil(clock, async () => {
    const typed = expect.stringContaining('type="image/png"')
    expect(mediaIn(await get('/news.rss'))).toEqual([typed, typed])
  })

  website.hasPicture = false
  const fetched = website.pictures
  const replica = await startReplica()
  const { text } = await replica.get('/news.rss')
  expect(mediaIn(text)).toEqual(mediaIn(await get('/news.rss')))
  await change({ ...website.records, news: [story, { ...story, id: 2, headline: 'Second' }] })
  expect(mediaIn(await get('/news.rss'))).toHaveLength(4)
  expect(website.pictures).toBe(fetched)
})
