import { beforeAll, expect, test } from 'vitest'
import type { Collection } from '../../src/collections/collection.ts'
import { standardCatalog } from '../../src/feeds/catalog.ts'
import { createRenderers, type FeedFormat } from '../../src/feeds/feed.ts'
import { boardOptionsFor } from '../../src/http/board/board-options.ts'
import { readOptions } from '../../src/options/option.ts'
import { feedSections } from '../../src/http/pages/feeds-page.ts'
import { createFeedOverviews } from '../../src/representations/feed-content.ts'
import { viewOf } from '../../src/signage/board-view.js'
import { chosenOptions } from '../support/chosen-options.ts'
import { contextWith } from '../support/context.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { collectionAfter } from '../support/feed-text.ts'
import { plannedVisit, visits } from '../support/made-up-feed.ts'
import { oneCollection } from '../support/one-collection.ts'
import { readCalendar } from '../support/read-calendar.ts'
import { testSite } from '../support/site.ts'

const clock = createFakeClock()
const renderers = createRenderers(testSite)
let collection: Collection

beforeAll(async () => {
  collection = await collectionAfter('guestbook', [[plannedVisit]], clock.now())
})

function rendered(format: FeedFormat, profile: 'public' | 'full' = 'public'): string {
  // Feeds for feed readers do not include a visit until it has happened.
  const now = Date.parse('2030-02-01T12:00:00Z')
  const request = { format, profile, now, chosen: chosenOptions(visits, format) }
  return visits.render(collection, request, renderers).body.toString()
}

test('a new feed renders a calendar for each profile', () => {
  const { events } = readCalendar(rendered('ics'))
  expect(events).toMatchObject([{ uid: `guestbook-7@${testSite.idHost}` }])
  expect(rendered('ics')).toContain('SUMMARY:Visit of Robin')
  expect(rendered('ics')).not.toContain('robin@example.org')
  expect(rendered('ics', 'full')).toContain('robin@example.org')
})

test('a new feed renders items for feed readers', () => {
  for (const format of ['rss', 'atom', 'json'] as const) {
    expect(rendered(format)).toContain('Robin was here')
  }
})

test('a new feed has a section with a form on the page with all feeds', async () => {
  const { collections } = oneCollection(collection)
  const context = contextWith({
    site: testSite,
    catalog: { ...standardCatalog, combinedFeeds: [] },
    collections,
    overviews: createFeedOverviews(collections, { site: testSite, clock }),
    isOffered: () => true,
  })
  const viewer = {
    base: testSite.publicUrl,
    profile: 'public',
    feeds: [visits],
    link: undefined,
    closed: undefined,
    hasMembers: false,
  }
  const query = new URLSearchParams('feed=visits&quiet=1')
  const [section] = await feedSections(context, { ...viewer, profile: 'public' }, query)
  expect(section).toMatchObject({
    id: 'visits',
    title: 'Visits',
    entries: [{ title: 'Visit of Robin', path: 'visits/7' }],
    composer: { chosen: ['sound off'], queries: { ics: 'quiet=1', rss: '' } },
  })
  expect(section?.addresses.map(({ url }) => url)).toEqual([
    `${testSite.publicUrl}/visits.ics?quiet=1`,
    ...['rss', 'atom', 'json'].map((format) => `${testSite.publicUrl}/visits.${format}`),
  ])
})

test('boards show a new feed according to its role, and accept its id as an option', () => {
  const context = { site: testSite, profile: 'public', now: clock.now() } as const
  const { board } = visits.overview(collection, context)
  expect(board).toMatchObject([
    { id: 'visits-7', kind: 'visits', title: 'Visit of Robin', start: '2030-01-05T18:00:00' },
  ])
  const { sections, stories } = viewOf(board, {
    now: '2030-01-05T10:00:00',
    instant: Date.parse('2030-01-05T15:00:00Z'),
  })
  expect(sections).toMatchObject([{ kind: 'day', items: [{ title: 'Visit of Robin' }] }])
  expect(stories).toEqual([])
  expect(
    readOptions(boardOptionsFor([{ id: 'news' }, visits]), new URLSearchParams('show=visits')),
  ).toMatchObject({
    ok: true,
    chosen: { values: { show: ['visits'] } },
  })
})

test('a board shows a feed that must be named only if it is named', () => {
  const known = [{ id: 'news' }, { ...visits, isNamedOnly: true }]
  const shownBy = (query: string) => readOptions(boardOptionsFor(known), new URLSearchParams(query))
  expect(shownBy('')).toMatchObject({ ok: true, chosen: { values: { show: ['news'] } } })
  expect(shownBy('show=visits')).toMatchObject({
    ok: true,
    chosen: { values: { show: ['visits'] } },
  })
})

test('an item of a new feed has a page', () => {
  const context = { site: testSite, profile: 'public', now: clock.now() } as const
  const url = `${testSite.publicUrl}/visits/7`
  expect(visits.page(collection, { id: 7, url }, context).page).toMatchObject({
    title: 'Visit of Robin',
    contentHtml: '<p>A fine station.</p>',
  })
})
