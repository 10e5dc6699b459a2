import type { RequestListener } from 'node:http'
import supertest from 'supertest'
import { expect, test } from 'vitest'
import { feeds } from '../../../src/feeds/catalog.ts'
import { feedResponse } from '../../../src/http/feeds/feed-response.ts'
import { sendEncoded } from '../../../src/http/responses/send-encoded.ts'
import { representationOf } from '../../../src/representations/representation.ts'
import { plainTargets } from '../../../src/representations/target.ts'
import { testSite } from '../../support/site.ts'

const about = { format: 'rss', title: 'News', lastModified: 0 } as const

test('keeps shared caches from storing private responses, and scripts from other origins from reading them', async () => {
  const target = plainTargets(feeds, 'members').find(({ name }) => name === 'members news.rss')
  if (!target) throw new TypeError('no news')
  const site = { ...testSite, hubs: ['https://hub.example/'] }
  const representation = await representationOf(Buffer.from('a'), about)
  const encoded = feedResponse(representation, { target, isDownload: false }, site)
  const listener: RequestListener = (request, response) =>
    sendEncoded(request, response, encoded, { now: Date.now() })
  const http = supertest(listener)
  const { headers } = await http.get('/')
  const failed = await http.get('/').set('If-Match', '"other"')
  expect([failed.status, failed.headers['cache-control']]).toEqual([412, 'no-store'])
  expect(headers).toMatchObject({
    'cache-control': expect.stringMatching(/^private, max-age=300/),
    'x-robots-tag': 'noindex',
    'referrer-policy': 'no-referrer',
  })
  for (const name of ['access-control-allow-origin', 'cross-origin-resource-policy', 'link']) {
    expect(headers).not.toHaveProperty(name)
    expect(failed.headers).not.toHaveProperty(name)
  }
})
