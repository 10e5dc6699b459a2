import { parseJsonFeed } from 'feedsmith'
import ical from 'node-ical'
import { expect, test } from 'vitest'
import { databaseFrom, gearSetting } from '../support/database-settings.ts'
import { readCalendar } from '../support/read-calendar.ts'
import { startTestService } from '../support/service.ts'
import { sharedService } from '../support/shared-service.ts'

const service = sharedService({
  publicFeedIds: ['events'],
  databases: [
    databaseFrom(gearSetting),
    databaseFrom('hydrants=1 title:Hydrant {number} fields:street,gpm full:notes'),
  ],
})

const statusOf = async (url: string) => (await fetch(url)).status
const textOf = async (url: string) => (await fetch(url)).text()

test('writes calendars of databases and certifications that another parser reads alike', async () => {
  const link = await service().addLink({ feedIds: ['gear', 'training'] })
  for (const path of ['gear.ics', 'training.ics']) {
    const text = await textOf(`${link}${path}`)
    const parsed = Object.values(ical.sync.parseICS(text)).filter(
      (component) => component?.type === 'VEVENT',
    )
    const { events } = readCalendar(text)
    expect(events.length).toBeGreaterThan(10)
    expect(parsed.map((event) => event.summary)).toEqual(events.map(({ summary }) => summary))
    expect(parsed.every(({ datetype }) => datetype === 'date')).toBe(true)
  }
})

test('serves a dated database as a calendar, a feed, pages and a board', async () => {
  const link = await service().addLink({ feedIds: ['gear'] })
  const { events } = readCalendar(await textOf(`${link}gear.ics`))
  expect(events).toContainEqual(
    expect.objectContaining({ summary: 'CHV-2119 Boots', start: '2033-02-01' }),
  )
  expect(events.map(({ summary }) => summary)).not.toContain('CHV-2000 Coat')
  expect(readCalendar(await textOf(`${link}my.ics`)).events).toHaveLength(events.length)
  const { items = [] } = parseJsonFeed(await textOf(`${link}gear.json?limit=200`))
  expect(items).toHaveLength(112)
  expect(await textOf(`${link}gear/120`)).toContain('Tuesday, February 1, 2033')
  expect(await textOf(link)).toContain('Gear')
  expect(await textOf(`${link}feeds`)).toContain('gear.ics')
  expect(await textOf(`${link}board.json?show=gear`)).toContain('CHV-2036 Coat')
  expect(await service().resourcesRead()).toContain('databases/2')
  expect(await service().resourcesRead()).not.toContain('databases/1')
})

test('serves a database without dates as a feed, with more fields for the profile full', async () => {
  const members = await service().addLink({ feedIds: ['hydrants'] })
  const full = await service().addLink({ feedIds: ['hydrants'], profile: 'full' })
  expect(await statusOf(`${members}hydrants.ics`)).toBe(404)
  const forMembers = await textOf(`${members}hydrants.rss`)
  expect(forMembers).toContain('Hydrant H-003')
  expect(forMembers).toContain('Street: Orchard Lane 40')
  expect(forMembers).not.toMatch(/Stiff|H-005/)
  expect(await textOf(`${full}hydrants.rss`)).toContain('Notes: Stiff; two turns')
  expect(await textOf(`${full}hydrants/3`)).toContain('Stiff')
  expect(await textOf(`${members}hydrants/3`)).not.toContain('Stiff')
})

test('reports fields that the database does not have, and records without a valid date', async () => {
  await using other = await startTestService({
    publicFeedIds: [],
    databases: [databaseFrom('gear=2 title:{serail} {kind} date:kind fields:weight')],
  })
  const link = await other.addLink({ feedIds: ['gear'] })
  expect(readCalendar(await textOf(`${link}gear.ics`)).events).toEqual([])
  const { sentences } = await other.status()
  expect(sentences).toEqual(
    expect.arrayContaining([
      'DATABASE_FEEDS names the field serail in the feed gear, but the database 2 does not have it. Did you mean serial?',
      'DATABASE_FEEDS names the field weight in the feed gear, but the database 2 does not have it. Its fields are serial, kind and retire.',
      'gear.ics omits 112 records, whose field kind does not contain a date like 2027-02-01. Correct them on the website.',
    ]),
  )
})
