import { parseOpml } from 'feedsmith'
import { expect, test } from 'vitest'
import { renderOpml } from '../../src/syndication/opml.ts'

test('keeps any characters in names', () => {
  const feed = {
    title: 'A & "B" <C>',
    description: "News's",
    url: 'https://feeds.example/news.rss?a=1&b=2',
    homeUrl: 'https://www.example.org/',
  }
  const { head, body } = parseOpml(renderOpml('Fire & "Rescue"', [feed]))
  expect(head?.title).toBe('Fire & "Rescue"')
  expect(body?.outlines).toMatchObject([
    {
      type: 'rss',
      text: feed.title,
      title: feed.title,
      description: feed.description,
      xmlUrl: feed.url,
      htmlUrl: feed.homeUrl,
    },
  ])
})
