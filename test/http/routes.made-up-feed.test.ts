import supertest from 'supertest'
import { expect, onTestFinished, test } from 'vitest'
import { standardCatalog } from '../../src/feeds/catalog.ts'
import type { Site } from '../../src/feeds/site.ts'
import { plannedVisit, visits } from '../support/made-up-feed.ts'
import { readCalendar } from '../support/read-calendar.ts'
import { testSite } from '../support/site.ts'
import { siteApplication } from './site-application.ts'

/* A site with a single feed. The test itself defines the feed and its options. */

const site: Site = { ...testSite, publicFeedIds: ['visits'] }
const formerVisit = { ...plannedVisit, id: 6, name: 'Kim', created: '2026-03-01 10:00:00' }

function startSite() {
  const catalog = { ...standardCatalog, feeds: [visits], combinedFeeds: [] }
  const application = siteApplication({ site, catalog })
  onTestFinished(() => application[Symbol.asyncDispose]())
  const { listener, website } = application
  website.items = { guestbook: [plannedVisit, formerVisit] }
  const http = supertest(listener)
  const textOf = async (path: string) => (await http.get(path).buffer(true).expect(200)).text
  return { http, textOf }
}

test('serves the feed as a calendar', async () => {
  const { textOf } = startSite()
  const text = await textOf('/visits.ics?mood=good')
  const { events } = readCalendar(text)
  expect(events.map(({ uid }) => uid)).toContain(`guestbook-7@${site.idHost}`)
  expect(text).toContain('SUMMARY:Visit of Robin')
  expect(text.replaceAll('\r\n ', '')).toContain(`${site.publicUrl}/visits.ics?mood=good`)
})

test('serves the feed in formats for feed readers', async () => {
  const { textOf } = startSite()
  for (const format of ['rss', 'atom', 'json']) {
    const content = await textOf(`/visits.${format}?mood=good`)
    expect(content).toContain('Kim was here')
    expect(content).toContain(`${site.publicUrl}/visits.${format}?mood=good`)
  }
  expect(await textOf('/feeds.opml')).toContain(`${site.publicUrl}/visits.rss`)
})

test('shows the feed on the feeds page, with a form', async () => {
  const { textOf } = startSite()
  // Triggers the first read. The page does not wait for it.
  await textOf('/visits.ics')
  const page = await textOf('/feeds')
  for (const part of ['Visit of Robin', '<select name="mood">', 'good ones'])
    expect(page).toContain(part)
  const composed = await textOf('/feeds?feed=visits&mood=good&quiet=1')
  expect(composed).toContain('/visits.ics?mood=good&amp;quiet=1')
  expect(composed).toContain('/visits.rss?mood=good')
})

test('shows the feed on boards, in embedded lists and on item pages', async () => {
  const { http, textOf } = startSite()
  const { body } = await http.get('/board.json?show=visits&mood=good').expect(200)
  expect(body).toMatchObject([{ id: 'visits-7', kind: 'visits', title: 'Visit of Robin' }])
  for (const path of ['board?show=visits', 'board.rss', 'embed/visits?mood=good', 'visits/7']) {
    expect([path, await textOf(`/${path}`)]).toEqual([path, expect.stringContaining('Visit of')])
  }
})
