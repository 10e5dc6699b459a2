import { expect, test } from 'vitest'
import type { ChangeHistory } from '../../src/records/recorded-change.ts'
import { itemDefaults } from '../../src/syndication/feed-item.ts'
import { draftFromStory } from '../../src/syndication/news-items.ts'
import { firstSeenAt, itemSource, itemsWith } from './item-source.ts'

const story = {
  id: 7,
  date: '2026-03-05 10:30:00',
  headline: 'Chimney fire',
  deployed: 1,
  text: '<p>Nobody was hurt.</p>',
}

const itemsOf = (...changes: readonly object[]) => itemsWith('news', story, draftFromStory)(changes)

test('converts a story to an item with its own id and a date in the site’s time zone', () => {
  const [item] = itemsOf({ author: 'Jordan Reyes', category: 'Incidents' })
  expect(item).toEqual({
    ...itemDefaults,
    id: 'tag:cedarhollow.example,2026:news-7',
    recordId: 7,
    url: 'https://feeds.cedarhollow.example/items/7',
    title: 'Chimney fire',
    summary: 'Nobody was hurt.',
    contentHtml: '<p>Nobody was hurt.</p>',
    author: 'Jordan Reyes',
    category: 'Incidents',
    publishedAt: Date.parse('2026-03-05T15:30:00Z'),
    updatedAt: firstSeenAt,
    expiresAt: Infinity,
  })
})

const updatedAt = (change: Partial<ChangeHistory>) => {
  const knownOf = () => ({ ...itemSource.knownOf(7), ...change })
  return itemsWith('news', story, draftFromStory)([{}], { knownOf })[0]?.updatedAt
}

test('dates an update at the time of the observed change, but never before publication', () => {
  const changedAt = Date.parse('2026-03-06T13:00:00Z')
  expect(updatedAt({ revision: 1, changedAt })).toBe(changedAt)
  expect(updatedAt({ saidAt: '2026-03-05T10:45:00' })).toBe(Date.parse('2026-03-05T15:45:00Z'))
  expect(updatedAt({ saidAt: '2026-03-01T08:00:00' })).toBe(Date.parse('2026-03-05T15:30:00Z'))
})

test('escapes incident facts and puts them first', () => {
  const [item] = itemsOf({ address: '5 < 6 Main St', units: 'Engine 1', mutualAid: '' })
  expect(item?.contentHtml).toBe(
    '<ul><li><b>Address:</b> 5 &lt; 6 Main St</li><li><b>Units:</b> Engine 1</li></ul>\n<p>Nobody was hurt.</p>',
  )
})

test('shows the caption of a picture that cannot be shown', () => {
  const images = [
    { id: 1, url: 'file:///C:/barn.jpg', caption: 'Crews <b>on</b> Mill Road' },
    { id: 2, url: 'http://a.example/b.jpg', caption: '' },
  ]
  expect(itemsOf({ images })[0]?.contentHtml).toBe(
    '<p>Nobody was hurt.</p>\n<p>Crews on Mill Road</p>',
  )
})

test('adds content to a story without text', () => {
  const [item] = itemsOf({ text: '', headline: 'Fire & smoke' })
  expect(item?.contentHtml).toBe('<p>Fire &amp; smoke</p>')
})

test('converts headlines to plain text, and replaces empty headlines', () => {
  const items = itemsOf({ headline: 'Fire &amp; <b>smoke</b>' }, { headline: ' ' })
  expect(items.map(({ title }) => title).toSorted()).toEqual(['Fire & smoke', 'Untitled'])
})

test('strips markup from names and facts', () => {
  const [item] = itemsOf({
    author: 'Smith &amp; O&#39;Brien',
    category: 'Fire &amp; EMS',
    address: 'Main &amp; 2nd<br>rear',
  })
  expect(item).toMatchObject({ author: "Smith & O'Brien", category: 'Fire & EMS' })
  expect(item?.contentHtml).toContain('<b>Address:</b> Main &amp; 2nd, rear')
})

test('truncates text without spaces, but never within a character', () => {
  expect(itemsOf({ text: '火'.repeat(500) })[0]?.summary).toBe(`${'火'.repeat(400)}…`)
  expect(itemsOf({ text: `x${'🚒'.repeat(300)}` })[0]?.summary.isWellFormed()).toBe(true)
  expect(itemsOf({ headline: 'long '.repeat(200) })[0]?.title.length).toBeLessThan(310)
})

test('truncates a long summary at a word boundary', () => {
  const [item] = itemsOf({ text: 'word '.repeat(200) })
  expect(item?.summary.length).toBeLessThanOrEqual(401)
  expect(item?.summary).toMatch(/word…$/)
})

const image = (id: number, front: number) => ({ id, url: `/${id}.jpg`, caption: '', front })

test('puts the front picture before the text, other pictures after it, and files and links last', () => {
  const [item] = itemsOf({
    images: [image(1, 0), image(2, 1)],
    attachments: [{ id: 1, url: '/rules.pdf', fileName: 'Rules' }],
    videos: [{ id: 1, embedCode: '<iframe src="https://player.vimeo.com/video/5">' }],
    links: [{ text: 'More', url: '/more' }],
  })
  const text = item?.contentHtml ?? ''
  const parts = ['/2.jpg', 'Nobody was hurt', '/1.jpg', 'vimeo.com/5', '/rules.pdf', '/more']
  const places = parts.map((part) => text.indexOf(part))
  expect(places).not.toContain(-1)
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  expect(item?.pictures.map(({ url }) => url)).toEqual([
    'https://cedarhollow.example/2.jpg',
    'https://cedarhollow.example/1.jpg',
  ])
})

test('does not put a picture before the text if the text already shows the front picture', () => {
  const text = '<p>a<img src="/2.jpg"></p>'
  const [item] = itemsOf({ images: [image(1, 0), image(2, 1)], text })
  const html = item?.contentHtml ?? ''
  expect(html.indexOf('/1.jpg')).toBeGreaterThan(html.indexOf('/2.jpg'))
})

test('does not repeat a picture that is in the text', () => {
  const images = [{ id: 1, url: '/a.jpg?x=1&y=2', caption: '', front: 1 }]
  const [item] = itemsOf({ images, text: '<p>a<img src="/a.jpg?x=1&amp;y=2"></p>' })
  expect(item?.contentHtml.match(/<img/g)).toHaveLength(1)
  expect(item?.pictures).toHaveLength(1)
})
