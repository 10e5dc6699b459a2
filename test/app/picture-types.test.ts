import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { createPictureTypes } from '../../src/app/picture-types.ts'
import { createPictureSource } from '../../src/pictures/picture-source.ts'
import { sampleDatasetOn } from '../../src/sandbox/sample/sample-dataset.ts'
import { collectionAfter } from '../support/feed-text.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { startHttpsServer } from '../support/https-server.ts'

test('leaves room for the pictures that readers wait for', async () => {
  const waiting = new Map<string, ServerResponse>()
  const { url: siteUrl, caPem } = await startHttpsServer(({ url = '' }, response) => {
    waiting.set(url, response)
  })
  const { now } = createFakeClock()
  const source = { siteUrl, caPem, now, maxKeptBytes: 1024 * 1024 }
  await using pictures = createPictureSource(source)
  const [sample] = sampleDatasetOn('2026-03-05').news
  const stories = Array.from({ length: 60 }, (_, index) => ({
    ...sample,
    id: index + 1,
    deployed: 1,
    images: [{ id: 1, url: `${siteUrl}/image.cfm?id=${index}`, caption: '', front: 1 }],
  }))
  const news = await collectionAfter('news', [stories], now())
  const typesIn = createPictureTypes(pictures, siteUrl)
  expect([typesIn(news), typesIn(news)]).toEqual([undefined, undefined])
  const shown = pictures.fetch(`${siteUrl}/shown.png`)
  await expect.poll(() => waiting.get('/shown.png')).toBeDefined()
  expect(waiting.size).toBe(2)
  waiting.get('/shown.png')?.writeHead(404).end()
  expect(await shown).toBeUndefined()
})
