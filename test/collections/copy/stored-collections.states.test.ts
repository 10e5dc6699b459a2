import { expect, test } from 'vitest'
import {
  collectionBuckets,
  createStateReader,
  type State,
} from '../../../src/collections/copy/stored-collections.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { openTestStore } from '../../support/store.ts'

const bucket = collectionBuckets.states
const state: State = {
  version: 'a',
  contentId: 'a',
  fetchedAt: 1,
  changedAt: 1,
  readAt: 1,
  calls: 1,
  details: {},
}

test('parses only states that have changed since the last reading', async () => {
  const { documents } = openTestStore(createFakeClock().now)
  const write = (id: string, change: Partial<State> = {}) =>
    documents.write([{ bucket, id, value: JSON.stringify({ ...state, ...change }) }])
  await write('news')
  await write('events')
  const read = createStateReader(documents)
  const before = await read()
  await write('events', { readAt: 2 })
  const after = await read()
  expect(after.get('news')).toBe(before.get('news'))
  expect(after.get('events')).toMatchObject({ readAt: 2, revision: 2 })
  await documents.write([{ bucket, id: 'events', value: undefined }])
  expect([...(await read()).keys()]).toEqual(['news'])
})
