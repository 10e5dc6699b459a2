import { parseRssFeed } from 'feedsmith'
import { expect, test } from 'vitest'
import { readOptions } from '../../src/options/option.ts'
import { forum } from '../../src/feeds/catalog/news-feeds.ts'
import type { FeedFormat } from '../../src/feeds/formats.ts'
import { renderReplies } from '../support/feed-text.ts'
import { expectDistinctLinks } from '../support/golden-feed.ts'
import { testSite } from '../support/site.ts'

const now = Date.parse('2026-03-05T15:00:00Z')
const topic = {
  id: 7,
  title: 'New radios: channel &amp; order?',
  status: 1,
  locked: 0,
  created: '2026-03-01 09:00:00',
  createdBy: 'Robin Vale',
  lastPost: '2026-03-03 21:14:00',
  replyCount: 2,
}
const reply = {
  id: 71,
  title: 'Re: New radios',
  status: 1,
  locked: 0,
  created: '2026-03-02 18:30:00',
  createdBy: 'Kim &amp; Ashby',
  lastPost: '2026-03-02 18:30:00',
  text: 'Put <b>county dispatch</b> first.<script>alert(1)</script>',
}
const later = { ...reply, id: 72, status: 3, created: '2026-03-03 21:14:00', text: 'Agreed.' }
const offline = { ...reply, id: 73, status: 2, text: 'Removed by a moderator' }
const topics = [topic, { ...topic, id: 8, status: 2 }]

function render(
  format: FeedFormat,
  { replies = [reply, later, offline] as readonly unknown[], topicId = 7, query = '' } = {},
) {
  return renderReplies({ topics, replies }, { now, format, topicId, query })
}

test('lists the replies to a topic, newest first, without Offline ones', async () => {
  const text = await render('rss')
  const { title, items = [] } = parseRssFeed(text)
  expect(title).toBe(`${testSite.name}: New radios: channel & order?`)
  expect(items).toMatchObject([
    { title: 'Re: New radios', guid: { value: `tag:${testSite.idHost},2026:reply-72` } },
    {
      guid: { value: `tag:${testSite.idHost},2026:reply-71` },
      description: 'Put county dispatch first.',
      dc: { creators: ['Kim & Ashby'] },
      pubDate: 'Mon, 02 Mar 2026 23:30:00 GMT',
      link: `${testSite.publicUrl}/forum/7#reply-71`,
    },
  ])
  expectDistinctLinks('rss', text)
  expect(items).toHaveLength(2)
  expect(text).toContain('<b>county dispatch</b>')
  expect(text).not.toContain('alert(1)')
})

test('accepts the other options of news feeds', async () => {
  const { items = [] } = parseRssFeed(await render('rss', { query: 'limit=1&content=summary' }))
  expect(items.map(({ content }) => content?.encoded)).toEqual(['<p>Agreed.</p>'])
})

test('shows the public no replies', async () => {
  const text = await renderReplies(
    { topics, replies: [reply] },
    { now, topicId: 7, profile: 'public' },
  )
  expect(parseRssFeed(text).items ?? []).toEqual([])
})

test.for([8, 9])('says that topic %i is not available', async (id) => {
  const text = await render('rss', { topicId: id, replies: [] })
  expect(parseRssFeed(text)).toMatchObject({
    title: `${testSite.name}: Forum`,
    description: 'This topic is not available.',
  })
})

test.for(['topic=0', 'topic=x', 'topic=7,8', 'topic=7&topic=8', 'topic='])(
  'rejects %s',
  (query) => {
    expect(readOptions(forum.options('rss'), new URLSearchParams(query))).toMatchObject({
      ok: false,
    })
  },
)
