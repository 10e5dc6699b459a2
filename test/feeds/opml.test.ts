import { parseOpml } from 'feedsmith'
import { expect, test } from 'vitest'
import { news } from '../../src/feeds/catalog/news-feeds.ts'
import { rental } from '../../src/feeds/catalog/calendar-feeds.ts'
import { renderOpml } from '../../src/feeds/opml.ts'
import { testSite } from '../support/site.ts'

const text = { title: 'A & "B" <C>', summary: "News's" }

test('lists the feeds for feed readers, with any characters in names', () => {
  const feed = { ...news, textIn: () => text }
  const site = { ...testSite, name: 'Fire & "Rescue"', url: 'https://www.example.org/?a=1&b=2' }
  const { head, body } = parseOpml(renderOpml([feed, rental], 'https://feeds.example', site))
  expect(head?.title).toBe('Fire & "Rescue"')
  expect(body?.outlines).toEqual([
    {
      type: 'rss',
      text: 'Fire & "Rescue": A & "B" <C>',
      title: 'Fire & "Rescue": A & "B" <C>',
      description: "News's",
      xmlUrl: 'https://feeds.example/news.rss',
      htmlUrl: 'https://www.example.org/?a=1&b=2',
    },
  ])
})
