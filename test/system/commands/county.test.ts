import ICAL from 'ical.js'
import { expect, test } from 'vitest'
import { serveSites, startWebsites, workersOf } from '../../support/sites-process.ts'
import { waitFor } from '../../support/wait-for.ts'

/** The second worker has cedar. */
const names = ['ashton', 'cedar', 'dover']

/** Serves the county page of three departments with two workers. */
async function serveCounty() {
  const sites = await startWebsites(names, (name) => ({
    SITE_NAME: name,
    ID_HOST: `www.${name}.example`,
    PUBLIC_FEEDS: 'events,news',
    COUNTY_LISTING: 'yes',
  }))
  const county = { SITES_URL: 'https://county.example', COUNTY_NAME: 'Cedar County' }
  const served = await serveSites(sites, county)
  const ask = (path: string) => served.ask('county', path)
  const departments = async () => {
    const { status, body } = await ask('/county.ics')
    expect(status).toBe(200)
    const events = new ICAL.Component(ICAL.parse(body.toString())).getAllSubcomponents('vevent')
    const titles = events.map((event) => String(event.getFirstPropertyValue('summary')))
    return [...new Set(titles.map((title) => /\((\w+)\)$/.exec(title)?.[1] ?? ''))].sort()
  }
  return { ...served, sites, ask, departments }
}

test('combines the departments of two workers, one of which is killed', async () => {
  const { service, sites, write, ask, departments } = await serveCounty()
  await waitFor(async () => expect(await departments()).toEqual([...names].sort()))
  expect((await ask('/county')).body.toString()).toContain('3 departments')
  const feed = await ask('/county.rss')
  expect(feed.headers['etag']).toMatch(/^"/)
  expect(feed.body.toString()).toContain('(cedar)')

  process.kill(workersOf(service)[1] ?? NaN, 'SIGKILL')
  expect(await departments()).toEqual([...names].sort())

  write({ ...sites, cedar: { ...sites['cedar'], COUNTY_LISTING: 'no' } })
  await waitFor(async () => expect(await departments()).toEqual(['ashton', 'dover']))
  expect((await ask('/county')).body.toString()).not.toContain('cedar')
})
