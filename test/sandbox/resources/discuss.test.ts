import { expect, test } from 'vitest'
import { startSandboxWith } from '../../support/dataset.ts'
import { notFound } from '../../support/sandbox.ts'

const post = (id: number, status: number) => ({
  id,
  title: `post ${id}`,
  status,
  created: '2026-01-01 08:00:00',
  lastPost: `2026-01-0${id} 08:00:00`,
  text: `text ${id}`,
})
const discuss = [
  { ...post(1, 1), replies: [post(7, 1), post(8, 2), post(9, 1)] },
  { ...post(2, 2), replyCount: 5 },
  { ...post(3, 3), locked: 1 },
]

test('returns topics of any status with their number of online replies', async () => {
  const { bodyOf } = await startSandboxWith({ discuss })
  const { items } = await bodyOf('discuss/')
  expect(items.map(({ replyCount }: { replyCount: number }) => replyCount)).toEqual([2, 5, 0])
  expect(items[2]).toMatchObject({ id: 3, status: 3, locked: 1 })
  expect(items[0]).not.toHaveProperty('text')
  expect(items[0]).not.toHaveProperty('replies')
})

test('StartDate and EndDate filter by the date of the last post, inclusive', async () => {
  const { ids } = await startSandboxWith({ discuss })
  expect(await ids('discuss/?StartDate=2026-01-02&EndDate=2026-01-02')).toEqual([2])
  expect(await ids('discuss/?StartDate=2026-01-02')).toEqual([2, 3])
})

test('ID returns the replies in `items` and the topic in `topic`', async () => {
  const { ids, bodyOf } = await startSandboxWith({ discuss })
  expect(await ids('discuss/?ID=1')).toEqual([7, 8, 9])
  const { topic, totalCount, items } = await bodyOf('discuss/?ID=1&MaxRows=1')
  expect(topic).toMatchObject({ id: 1, title: 'post 1', text: 'text 1', replyCount: 2 })
  expect(items).toHaveLength(1)
  expect(totalCount).toBe(3)
  expect(await bodyOf('discuss/?ID=7')).toEqual(notFound)
})
