import { expect, test } from 'vitest'
import { findFollowedItems } from '../../../src/delivery/following/followed-changes.ts'
import { mailBody } from '../../../src/delivery/following/mail-body.ts'
import { publishableFeeds } from '../../../src/feeds/catalog.ts'
import type { Feed } from '../../../src/feeds/feed.ts'
import type { LinkProfile } from '../../../src/links/feed-link.ts'
import { sampleFollower } from '../../followers/follower.ts'
import {
  documentedMarks,
  markedCatalog,
  markedDataset,
  marksIn,
} from '../../service/marked-website.ts'
import { itemsOf } from '../../support/feed-text.ts'
import { testSite } from '../../support/site.ts'
import { linkWith, messageSite, morning, urls } from './message-site.ts'

/* Each text field of the website has a different mark, and everything is as public as it can be. */

const { feeds, feedsOf } = markedCatalog
const idsOf = (some: readonly Feed[]) => some.map(({ id }) => id)
const dayMs = 24 * 3_600_000
const kinds = ['confirm', 'renewal', 'weekly', 'changes', 'tomorrow', 'emergency'] as const

const dataset = markedDataset()
const resources = new Set(['members', ...feeds.map(({ resource }) => resource)] as const)

/** Every record is new, changes once, and then changes back. */
const readings = Object.fromEntries(
  [...resources].map((resource) => {
    const items = itemsOf(dataset, resource)
    const changed = items.map((item) => ({ ...(item as object), startDate: '2026-03-07' }))
    return [resource, [[], items, changed, items]]
  }),
)

/** Returns the marks in all messages to a follower, as text and as emails. */
async function marksFor(link?: { profile: LinkProfile; feedIds?: readonly string[] | undefined }) {
  const { options, send } = await messageSite(readings, {
    catalog: markedCatalog,
    publicFeedIds: idsOf(publishableFeeds),
    ...(link && { link: linkWith(link) }),
  })
  const { items } = await findFollowedItems(options)
  const found = items.map(({ make }) => ({ item: make(), at: morning }))
  const follower = sampleFollower({
    choice: { changes: true, tomorrow: true, emergency: true, weekly: { day: 4, hour: 8 } },
    ...(link && { linkId: 'link' }),
  })
  const texts: string[] = []
  for (const kind of kinds) {
    for (const at of [morning, morning + dayMs]) {
      const message = await send(follower, kind, at, found)
      if (!message) continue
      const body = mailBody(message, urls, { site: testSite, postalAddress: undefined })
      texts.push(JSON.stringify(message), body.html, body.text)
    }
  }
  return marksIn(texts.join('\n'))
}

test.for<[name: string, readable: readonly Feed[], link?: Parameters<typeof marksFor>[0]]>([
  ['a neighbor', publishableFeeds],
  [
    'a link to each feed, with the profile members',
    feeds,
    { profile: 'members', feedIds: idsOf(feeds) },
  ],
  ['a link to each feed, with the profile full', feeds, { profile: 'full', feedIds: idsOf(feeds) }],
  [
    'a link to one feed',
    feedsOf({ feedIds: ['calendar'] }),
    { profile: 'full', feedIds: ['calendar'] },
  ],
])('tells the follower of %s only documented fields', async ([, readable, link]) => {
  const marks = await marksFor(link)
  const documented = documentedMarks(readable, link?.profile ?? 'public')
  expect([...marks].filter((mark) => !documented.includes(mark))).toEqual([])
  expect(marks.size).toBeGreaterThan(1)
})
