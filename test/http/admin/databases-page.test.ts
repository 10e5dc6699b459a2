import { parseEnv } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { readConfig } from '../../../src/config/config.ts'
import { adminEnvironment, createAdmin, faultsIn } from '../../support/admin.ts'
import { databaseFrom } from '../../support/database-settings.ts'
import { createManager } from '../../support/manager.ts'
import { siteEnvironment } from '../../support/site-environment.ts'
import { startTestService } from '../../support/service.ts'

const service = await startTestService({
  publicFeedIds: [],
  environment: adminEnvironment,
  databases: [databaseFrom('hydrants=1 title:Hydrant {number} fields:street full:notes')],
})
afterAll(() => service[Symbol.asyncDispose]())
const admin = createAdmin(service.url)
let { cookie } = await admin.signIn()

async function page(query: Readonly<Record<string, string>> = {}): Promise<string> {
  const search = new URLSearchParams(query).toString()
  const { text, status } = await admin.visit(`/admin/databases?${search}`, { cookie })
  expect(status).toBe(200)
  return text.replaceAll('&quot;', '"')
}

const settingIn = (text: string) => /<textarea[^>]*>([^<]*)</.exec(text)?.[1]

const gear = { database: '2', chosen: '1', id: 'gear', title: '{serial} {kind}' }

test('lists the databases, and suggests a setting that keeps the others', async () => {
  expect(await page()).toContain('is the feed hydrants')
  const text = await page({ database: '2' })
  const setting = settingIn(text)
  expect(setting).toBe(
    'DATABASE_FEEDS=hydrants=1 title:Hydrant {number} fields:street full:notes; turnoutgear=2 title:{serial} {kind} date:retire name:Turnout gear',
  )
  const { site } = readConfig({ ...siteEnvironment, ...parseEnv(setting ?? '') })
  expect(site?.databases).toHaveLength(2)
  expect(text).toContain('CHV-2008 Coat</strong> · Thursday, February 1, 2024')
  expect(text).not.toContain('CHV-2007')
})

test('shows the configured settings of a database', async () => {
  const text = await page({ database: '1' })
  expect(text).toContain('value="Hydrant {number}"')
  expect(text).toContain('Hydrant H-003</strong><br>Street: Orchard Lane 40')
})

test('previews and prints the choices in the form', async () => {
  const text = await page({ ...gear, 'show.kind': 'all', 'show.retire': 'full', name: 'Our gear' })
  expect(settingIn(text)).toContain(
    '; gear=2 title:{serial} {kind} fields:kind full:retire name:Our gear',
  )
  expect(text).toContain('CHV-2008 Coat</strong><br>Kind: Coat<br>Retire on: 2024-02-01')
})

test.for([
  { change: { title: '{serail}' }, fault: 'Did you mean serial?' },
  { change: { title: '' }, fault: 'needs a title:' },
  { change: { date: 'kind' }, fault: 'has no dates like 2027-02-01, so gear.ics is empty' },
  { change: { id: 'news' }, fault: 'must not name a feed news' },
  { change: { id: 'Gear!' }, fault: 'must be like gear=2' },
  { change: { id: 'hydrants' }, fault: 'has more than one feed hydrants' },
  { change: { name: 'a; b=3 title:{x}' }, fault: 'cannot contain quotes' },
  { change: { name: 'Gear #1' }, fault: 'cannot contain quotes' },
  { change: { title: '{serial} "x"' }, fault: 'cannot contain quotes' },
  { change: { title: '{serial} date:kind' }, fault: 'cannot contain quotes' },
])('explains why $change does not work', async ({ change, fault }) => {
  const text = await page({ ...gear, ...change })
  expect(faultsIn(text)).toEqual([expect.stringContaining(fault)])
  expect(settingIn(text)).toBeUndefined()
})

test('reads a database from the website only once in ten minutes', async () => {
  const calls = async () => (await service.status()).budget.day.used
  await page({ database: '2' })
  const before = await calls()
  await page(gear)
  await page({ database: '2' })
  expect(await calls()).toBe(before)
  await service.clock.advance(11 * 60_000)
  await page({ database: '2' })
  expect(await calls()).toBeGreaterThanOrEqual(before + 2)
})

test('explains that the API Project may not read the databases', async () => {
  await service.clock.advance(11 * 60_000)
  await (await createManager(service.sandbox)).setProject(1, { endpoints: ['events'] })
  cookie = (await admin.signIn()).cookie
  expect(faultsIn(await page())).toEqual([
    expect.stringContaining('The API Project does not allow this endpoint.'),
  ])
})
