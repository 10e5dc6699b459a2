import { expect, test } from 'vitest'
import { feeds } from '../../../src/feeds/catalog.ts'
import { createFeedResponses } from '../../../src/http/feeds/feed-address.ts'
import { acceptedCodings } from '../../../src/http/front/accept-encoding.ts'
import { prepareResponse } from '../../../src/http/front/prepared-response.ts'
import { representationOf } from '../../../src/representations/representation.ts'
import { plainTargets } from '../../../src/representations/target.ts'
import { testSite } from '../../support/site.ts'

const about = { format: 'rss', title: 'News', lastModified: 0 } as const

function targetOf(profile: 'public' | 'members') {
  const target = plainTargets(feeds, 'public').find(({ name }) => name === 'public news.rss')
  if (!target) throw new TypeError('no news')
  return { ...target, profile }
}

async function headOf(profile: 'public' | 'members') {
  const site = { ...testSite, hubs: ['https://hub.example/'] }
  const target = targetOf(profile)
  const representation = await representationOf(Buffer.from('a'), about)
  const response = createFeedResponses(site).responseOf(target, representation)
  const answer = prepareResponse(response, { isDownload: false })
  const { head } = answer.selectionFor(acceptedCodings(undefined)).accepted[0]
  const names = head.filter((_, index) => index % 2 === 0)
  return { names, text: head.join('\n'), failed: answer.preconditionFailed.head.join('\n') }
}

test('lets shared caches store public responses, and lets scripts from any origin read them', async () => {
  const { names, text, failed } = await headOf('public')
  expect(text).toContain('public, max-age=300')
  expect(names).toContain('Access-Control-Allow-Origin')
  expect(names).toContain('Link')
  expect(failed).toContain('Access-Control-Allow-Origin')
})

test('keeps shared caches from storing private responses, and scripts from other origins from reading them', async () => {
  const { names, text, failed } = await headOf('members')
  expect(text).toContain('private, max-age=300')
  expect(text).not.toContain('public')
  expect(text).toContain('X-Robots-Tag\nnoindex\nReferrer-Policy\nno-referrer')
  for (const name of ['Access-Control-Allow-Origin', 'Cross-Origin-Resource-Policy', 'Link']) {
    expect(names).not.toContain(name)
    expect(failed).not.toContain(name)
  }
})

test('builds one response per representation', async () => {
  const responses = createFeedResponses(testSite)
  const representation = await representationOf(Buffer.from('a'), about)
  const response = responses.responseOf(targetOf('public'), representation)
  expect(responses.responseOf(targetOf('public'), representation)).toBe(response)
  const heads = [response.contentHeaders, response.downloadHeaders].map((head) => head.join('\n'))
  expect(heads[0]).toContain('inline')
  expect(heads[1]).toContain('attachment')
})
