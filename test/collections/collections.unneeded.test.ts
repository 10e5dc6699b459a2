import { expect, test } from 'vitest'
import type { FeedResource } from '../../src/records/resources.ts'
import { UpstreamError } from '../../src/upstream/upstream-error.ts'
import { collectionsOf, minuteMs } from '../support/collections.ts'

const hourMs = 60 * minuteMs

test("deletes members' contact data a day after the last link that needs it has ended", async () => {
  const resources: FeedResource[] = ['members/contacts', 'news']
  const { collections, clock, website, store } = collectionsOf({ resources })
  website.items['members/contacts'] = [{ id: 1, lastName: 'Vale' }]
  collections.start()
  await clock.advance(2 * hourMs)
  const stored = async (bucket: string) => [...(await store.documents.all(bucket)).keys()]
  resources.shift()
  await clock.advance(21 * hourMs)
  expect(await stored('items')).toEqual(['members/contacts', 'news'])
  await clock.advance(3 * hourMs)
  for (const bucket of ['collections', 'items', 'ledgers']) {
    expect([bucket, await stored(bucket)]).toEqual([bucket, ['news']])
  }
  expect(collections.copyOf('members/contacts')).toBeUndefined()
})

test("keeps members' contact data during an outage, and other collections without readers", async () => {
  const resources: FeedResource[] = ['members/contacts', 'news']
  const { collections, clock, website, store } = collectionsOf({ resources })
  website.items['members/contacts'] = [{ id: 1, lastName: 'Vale' }]
  collections.start()
  await clock.advance(0)
  resources.pop()
  website.failure = new UpstreamError('unreachable', 'the site cannot be reached')
  await clock.advance(48 * hourMs)
  expect([...(await store.documents.all('items')).keys()]).toEqual(['members/contacts', 'news'])
})
