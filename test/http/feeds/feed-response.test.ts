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

function targetOf(profile: 'public' | 'members') {
  const target = plainTargets(feeds, 'public').find(({ name }) => name === 'public news.rss')
  if (!target) throw new TypeError('no news')
  return { ...target, profile }
}

async function headOf(profile: 'public' | 'members', isDownload = false) {
  const site = { ...testSite, hubs: ['https://hub.example/'] }
  const address = { target: targetOf(profile), isDownload, link: undefined, route: '' }
  const encoded = feedResponse(await representationOf(Buffer.from('a'), about), address, site)
  const listener: RequestListener = (request, response) =>
    sendEncoded(request, response, encoded, { now: Date.now() })
  const http = supertest(listener)
  const { headers } = await http.get('/')
  const failed = await http.get('/').set('If-Match', '"other"')
  expect(failed.status).toBe(412)
  expect(failed.headers['cache-control']).toBe('no-store')
  return { headers, failed: failed.headers }
}

test('lets shared caches store public responses, and lets scripts from any origin read them', async () => {
  const { headers, failed } = await headOf('public')
  expect(headers['cache-control']).toMatch(/^public, max-age=300/)
  expect(headers).toHaveProperty('access-control-allow-origin')
  expect(headers).toHaveProperty('link')
  expect(failed).toHaveProperty('access-control-allow-origin')
})

test('keeps shared caches from storing private responses, and scripts from other origins from reading them', async () => {
  const { headers, failed } = await headOf('members')
  expect(headers).toMatchObject({
    'cache-control': expect.stringMatching(/^private, max-age=300/),
    'x-robots-tag': 'noindex',
    'referrer-policy': 'no-referrer',
  })
  for (const name of ['access-control-allow-origin', 'cross-origin-resource-policy', 'link']) {
    expect(headers).not.toHaveProperty(name)
    expect(failed).not.toHaveProperty(name)
  }
})

test('offers a download under a file name', async () => {
  const heads = await Promise.all([headOf('public'), headOf('public', true)])
  expect(heads.map(({ headers }) => headers['content-disposition']?.split(';')[0])).toEqual([
    'inline',
    'attachment',
  ])
})
