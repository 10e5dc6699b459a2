import { describe, expect, test } from 'vitest'
import { newSearches } from '../../../src/web/context.ts'
import { datasetFrom } from '../../../src/sandbox/resources/resources.ts'
import { sampleDatasetOn } from '../../../src/sandbox/sample/sample-dataset.ts'
import { startTestService } from '../../support/service.ts'
import { sharedPages } from '../../support/shared-service.ts'

const sample = sampleDatasetOn('2026-03-05')
const [event] = sample.events
const [entry] = sample.calendar
const [story] = sample.news
const [announcement] = sample.announce
const [member] = sample.members
if (!event || !entry || !story || !announcement || !member) throw new TypeError('an empty sample')

const markup = '<b>"quoted"</b> & <script>alert(1)</script>'
const texts = { title: 'Other', location: '', text: '' }
const shownEntry = { ...entry, ...texts, status: 2, allDay: 0, endDate: '' }
const shownEvent = { ...event, ...texts, status: 2, allDay: 0, endDate: '' }
const shownStory = { ...story, deployed: 1, images: [], attachments: [], videos: [], links: [] }

const dataset = datasetFrom({
  ...sample,
  calendar: [
    { ...shownEntry, id: 1, title: 'Zebra drill', startDate: '2026-03-10', location: 'Zoo' },
    { ...shownEntry, id: 2, title: 'Old zebra', startDate: '2026-02-10' },
    { ...shownEntry, id: 3, title: 'Older zebra', startDate: '2026-01-10' },
    { ...shownEntry, id: 4, title: 'Zebra parade', startDate: '2026-03-07', startTime: '10:00:00' },
    { ...shownEntry, id: 5, title: 'Zebra', startDate: '2026-03-08', status: 0 },
    ...Array.from({ length: 12 }, (_, index) => ({
      ...shownEntry,
      id: 20 + index,
      title: `Quagga ${index}`,
      startDate: `2026-04-${index + 10}`,
    })),
  ],
  events: [
    { ...shownEvent, id: 1, title: 'Zebra parade', startDate: '2026-03-07', startTime: '10:00:00' },
  ],
  news: [
    { ...shownStory, id: 1, headline: 'New', date: '2026-03-04 12:00:00', text: 'Zebra &lt;b&gt;' },
    { ...shownStory, id: 2, headline: 'Zebra', date: '2026-01-04 12:00:00', text: '' },
    { ...shownStory, id: 3, headline: 'Future zebra', date: '2026-04-04 12:00:00', text: '' },
    { ...shownStory, id: 4, headline: markup, date: '2026-01-05 12:00:00', text: `Gnu ${markup}` },
    { ...shownStory, id: 5, headline: 'مدرسة', date: '2026-01-06 12:00:00', text: 'زيارة المدرسة' },
    {
      ...shownStory,
      id: 6,
      headline: 'Long',
      date: '2026-01-06 12:00:00',
      text: `${'<p>Okapi</p>'.repeat(90_000)} giraffe`,
    },
  ],
  announce: [{ ...announcement, id: 1, status: 2, headline: 'Zebra crossing', expires: '' }],
  members: [
    { ...member, id: 1, firstName: 'Zebra', lastName: 'Jones', email: 'zj@example.org' },
    { ...member, id: 2, firstName: 'Ann', lastName: 'Smith', address1: '1 Zebra Road', email: '' },
  ],
})

const publicFeedIds = ['calendar', 'events', 'news', 'announcements']
const { service, get } = sharedPages(dataset, { publicFeedIds })

const linksIn = (text: string) =>
  [...text.matchAll(/<a class="story plain" href="([^"]+)"/g)].map(([, path]) => path)

const headingsIn = (text: string) =>
  [...text.matchAll(/<h2>(.+?) <span class="muted">(\d+)<\/span>/g)].map(([, ...found]) => found)

test('shows only the form without a query', async () => {
  for (const path of ['search', 'search?q=', 'search?q=%22+-']) {
    const { status, text, headers } = await get(path)
    expect([status, headers.get('x-robots-tag')]).toEqual([200, 'noindex'])
    expect(text).toContain('name="q"')
    expect(text).not.toContain('role="status"')
  }
})

test('lists upcoming entries soonest first, then past ones, and the best items first', async () => {
  const { text, headers } = await get('search?q=zebra')
  expect(headers.get('x-robots-tag')).toBe('noindex')
  expect(headingsIn(text)).toEqual([
    ['Calendar', '4'],
    ['News', '3'],
  ])
  expect(linksIn(text)).toEqual([
    'events/1',
    'calendar/1',
    'calendar/2',
    'calendar/3',
    'news/2',
    'announcements/1',
    'news/1',
  ])
  expect(text).toContain('<mark>Zebra</mark> drill</strong>')
  // Otherwise, screen readers would run the parts of a result together.
  expect(text).not.toMatch(/<\/(?:strong|small)><(?:small|span)/)
  expect(text).toContain('7 matches for “zebra”.')
  expect(text).toMatch(/href="webcal:[^"]+\/all\.ics\?q=zebra"/)
  expect(text).toContain('/all.rss?show=news,announcements&amp;q=zebra"')
  expect(text).toContain('href="agenda?q=zebra"')
  expect(text).toContain('href="news?q=zebra"')
})

test('shows ten of many matches, with the total', async () => {
  const { text } = await get('search?q=quagga')
  expect(linksIn(text)).toHaveLength(10)
  expect(text).toContain('10 of 12 shown.')
})

test('links to feeds and pages with the same matches', async () => {
  const { text } = await get('search?q=zebra+-old')
  const urls = [...text.matchAll(/(?:href="|webcal:\/\/[^/]+\/)([a-z]+(?:\.\w+)?\?q=[^"]+)"/g)]
  expect(urls.length).toBeGreaterThan(2)
  for (const [, path = ''] of urls) {
    const page = await get(path.replaceAll('&amp;', '&'))
    expect([path, page.status]).toEqual([path, 200])
    expect(page.text.toLowerCase()).toContain('zebra')
    expect(page.text).not.toContain('Old zebra')
  }
})

test('offers advice if nothing matches', async () => {
  const { status, text } = await get('search?q=unicorn')
  expect(status).toBe(200)
  expect(text).toContain('Nothing matches “unicorn”. Check the spelling')
  expect(linksIn(text)).toEqual([])
})

test.for<[query: string, links: readonly string[], html: string]>([
  ['gnu', ['news/4'], '<mark>Gnu</mark> &quot;quoted&quot; &amp;'],
  ['"quoted"', ['news/4'], 'value="&quot;quoted&quot;"'],
  ['<script>', [], 'value="&lt;script&gt;"'],
  ['" onfocus="alert(1)', [], 'value="&quot; onfocus=&quot;alert(1)"'],
  ['مدرسه', ['news/5'], 'زيارة ال<mark>مدرسة</mark>'],
  ['\u202egnu', [], 'Nothing matches'],
  ['okapi', ['news/6'], '<mark>Okapi</mark>'],
  ['x'.repeat(100), [], 'Nothing matches'],
  ['\u0000', [], 'Nothing matches'],
])('handles %j', async ([query, links, html]) => {
  const { status, text } = await get(`search?q=${encodeURIComponent(query)}`)
  expect(status).toBe(200)
  expect(linksIn(text)).toEqual(links)
  expect(text).toContain(html)
  expect(text).not.toMatch(/<script>|<b>|onfocus="/)
})

test.for([`q=${'x'.repeat(101)}`, 'q=1+2+3+4+5+6+7+8+9', 'q=a&q=b'])(
  'explains why %s is invalid',
  async (query) => {
    const { status, text } = await get(`search?${query}`)
    expect(status).toBe(400)
    expect(text).toMatch(
      /q must be at most 100 characters and 8 words\.|q appears more than once\./,
    )
  },
)

describe('below a link', () => {
  test('searches the feeds of the link, and the members only if the link names them', async () => {
    const feedIds = ['events', 'guestbook']
    const link = await service().addLink({ feedIds })
    const without = await get('search?q=zebra', link)
    expect(linksIn(without.text)).toEqual(['events/1'])
    expect(without.text).toContain('/events.ics?q=zebra"')
    const named = await service().addLink({
      feedIds: [...feedIds, 'calendar', 'members'],
      profile: 'full',
    })
    const found = await get('search?q=zebra', named)
    expect(headingsIn(found.text)).toEqual([
      // With the pending entry.
      ['Calendar', '5'],
      ['Members', '1'],
    ])
    expect(found.text).toContain('href="members#member-1"')
    expect(found.text).toContain('/my.ics?q=zebra"')
    expect(found.headers.get('cache-control')).toBe('private, no-store')
    expect((await get('members', named)).text).toContain('id="member-1"')
  })

  test('ignores the saved selection', async () => {
    const link = await service().addLink({ feedIds: ['events', 'calendar'] })
    await fetch(link, {
      method: 'POST',
      body: new URLSearchParams({ show: 'events' }),
      headers: { origin: new URL(link).origin },
    })
    const { text } = await get('search?q=zebra', link)
    expect(text).toContain('/my.ics?show=calendar,events&amp;q=zebra"')
  })
})

test('keeps the language in its form and links', async () => {
  const { text } = await get('search?q=zebra&lang=de')
  expect(text).toContain('7 Treffer für „zebra“.')
  expect(text).toContain('<input type="hidden" name="lang" value="de">')
  expect(text).toContain('href="agenda?q=zebra&amp;lang=de"')
  expect(text).toContain('/all.ics?q=zebra&amp;lang=de"')
})

test('is linked from every page', async () => {
  for (const path of ['', 'agenda', 'news', 'feeds']) {
    expect((await get(path)).text).toContain('href="./search"')
  }
  expect((await get('month/2026-03')).text).toContain('href="../search"')
})

test('limits the searches of a client', async () => {
  await using part = await startTestService({ publicFeedIds: ['news'] })
  await part.readAll()
  const statuses: number[] = []
  while (statuses.length < newSearches.burst + 1) {
    statuses.push((await get(`search?q=${statuses.length}`, `${part.url}/`)).status)
  }
  expect(statuses.filter((status) => status === 200)).toHaveLength(newSearches.burst)
  expect(statuses.at(-1)).toBe(429)
  expect((await get('search', `${part.url}/`)).status).toBe(200)
})

test('returns 404 if there is nothing to search', async () => {
  await using part = await startTestService({ publicFeedIds: [] })
  expect((await get('search', `${part.url}/`)).status).toBe(404)
  expect((await get('', `${part.url}/`)).text).not.toContain('search"')
})
