import { expect, test } from 'vitest'
import { findFollowedItems } from '../../../src/delivery/following/followed-changes.ts'
import {
  dinner,
  drill,
  fire,
  follower,
  linesOf,
  linkWith,
  messageSite,
  morning,
  parade,
} from './message-site.ts'

const dayMs = 24 * 60 * 60 * 1000

async function changedSite(link?: ReturnType<typeof linkWith>) {
  const site = await messageSite(
    {
      events: [[dinner], [dinner, parade], [{ ...dinner, location: 'Hall' }, parade]],
      calendar: [[drill], [{ ...drill, startTime: '20:00:00' }]],
      news: [[fire]],
    },
    link && { link },
  )
  const { items } = await findFollowedItems(site.options)
  const found = items.map(({ make }, index) => ({ item: make(), at: morning + index }))
  return { ...site, found }
}

test('lists changes and news since the last message', async () => {
  const { send, found } = await changedSite()
  const until = morning + dayMs
  const message = await send(follower, 'changes', until, found)
  expect(message?.title).toBe('2 changes and news')
  expect(linesOf(message?.html).toSorted()).toEqual([
    'New place: Dinner &lt;A&gt; &amp; B, Fri, Mar 6, 7 PM, now Hall (was Station 1)',
    'New: Parade, Thu, Mar 12, 7:59 AM, Station 1',
    'News: Fire',
  ])
  const latest = found.at(-1)?.at ?? 0
  const next = { ...follower, sent: { changes: latest - 1 } }
  expect(await send(next, 'changes', until, found)).toMatchObject({
    title: 'News: Fire',
    url: expect.stringMatching(/^https:\/\/feeds\.cedarhollow\.example\/news\/\d+$/),
  })
  expect(message?.url).toBe('https://feeds.cedarhollow.example/')
  expect(
    await send({ ...next, sent: { changes: latest } }, 'changes', until, found),
  ).toBeUndefined()
  expect((await send(next, 'changes', latest - 1, found))?.title).toBeUndefined()
})

test('omits changes to entries that no longer exist', async () => {
  const { send, found } = await changedSite()
  const [change] = found
  if (!change) throw new TypeError('no change')
  const gone = { ...change, item: { ...change.item, id: 'events-99-1-1', text: 'zqgonezq' } }
  expect(await send(follower, 'changes', morning + dayMs, [gone])).toBeUndefined()
})

test('lists changes in private feeds only for followers of links that show them', async () => {
  const moved = 'Moved: Drill, now Fri, Mar 6, 8 PM – 9 PM (was Fri, Mar 6, 7 PM – 9 PM)'
  const { send, found } = await changedSite(linkWith({ feedIds: ['calendar'] }))
  expect(found.map(({ item }) => item.text)).toContain(moved)
  const until = morning + dayMs
  expect((await send(follower, 'changes', until, found))?.html).not.toContain('Drill')
  const message = await send({ ...follower, linkId: 'link' }, 'changes', until, found)
  expect(linesOf(message?.html)).toEqual([moved])
  // The public page would say that the entry is private.
  expect(message?.html).not.toContain('<a')
})

test('lists a change once that two feeds of a link report', async () => {
  const link = linkWith({ feedIds: ['calendar', 'events'] })
  const calendar = [[drill], [{ ...drill, location: 'Hall' }]]
  const { options, send } = await messageSite({ events: calendar, calendar }, { link })
  const { items } = await findFollowedItems(options)
  const found = items.map(({ make }) => ({ item: make(), at: morning }))
  expect(found.map(({ item }) => item.feed).toSorted()).toEqual(['calendar', 'events'])
  const message = await send({ ...follower, linkId: 'link' }, 'changes', morning + dayMs, found)
  expect(linesOf(message?.html)).toHaveLength(1)
})
