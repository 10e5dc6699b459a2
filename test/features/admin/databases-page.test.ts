import { parseEnv } from 'node:util'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../../src/config/config.ts'
import { adminEnvironment, createAdmin, faultsIn, revisionIn } from '../../support/admin.ts'
import { settingsDocument } from '../../../src/config/stored-settings.ts'
import type { Store } from '../../../src/store/store.ts'
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
  { change: { id: 'news' }, fault: 'cannot have a feed named “news”' },
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

const feedsIn = (text: string) =>
  [...text.matchAll(/name="feeds" value="([^"]*)"/g)].map(([, feeds = '']) => feeds)

async function startedSite() {
  let store!: Store
  const own = await startTestService({
    publicFeedIds: [],
    environment: adminEnvironment,
    databases: [databaseFrom('hydrants=1 title:Hydrant {number}')],
    changeStore: (opened) => (store = opened),
  })
  onTestFinished(() => own[Symbol.asyncDispose]())
  const { see, submit } = await createAdmin(own.url).signIn()
  const save = (feeds: string, revision: string) =>
    submit('/admin/databases', { database: '2', feeds, revision })
  return { own, see, submit, save, documents: store.documents }
}

describe('saving', () => {
  test('makes a feed without a restart, which other settings keep, and removes it again', async () => {
    const { own, see, submit, save } = await startedSite()
    const path = `/admin/databases?${new URLSearchParams(gear).toString()}`
    const text = await see(path)
    const [feeds = ''] = feedsIn(text)
    expect(feeds).toBe('hydrants=1 title:Hydrant {number}; gear=2 title:{serial} {kind}')
    const saved = await save(feeds, revisionIn(text))
    expect(saved.headers['location']).toBe('/admin/databases?database=2&done=saved')
    const revision = revisionIn(await see('/admin/settings'))
    await submit('/admin/settings', { name: 'Miller Pond FD', feeds: 'default', revision })
    const link = await own.addLink({ feedIds: ['gear', 'hydrants'] })
    await own.readAll()
    const feed = await (await fetch(`${link}gear.rss`)).text()
    expect(feed).toContain('Miller Pond FD: Gear')
    expect(feed).toContain('CHV-2119 Boots')
    const after = await see(path)
    expect(after).toContain('is the feed gear')
    const [, without = ''] = feedsIn(after)
    expect(without).toBe('hydrants=1 title:Hydrant {number}')
    expect((await save(without, revisionIn(after))).status).toBe(303)
    expect((await fetch(`${link}gear.rss`)).status).toBe(404)
    expect((await fetch(`${link}hydrants.rss`)).status).toBe(200)
  })

  test('does not make damaged settings permanent, with which no feed is public', async () => {
    const { see, save, documents } = await startedSite()
    const { bucket, id } = settingsDocument
    await documents.write([{ bucket, id, value: 'nonsense' }])
    const { status, text } = await save('', revisionIn(await see('/admin/databases')))
    expect([status, faultsIn(text)]).toEqual([409, [expect.stringContaining('cannot be read')]])
    expect((await documents.get(bucket, id))?.value).toBe('nonsense')
  })

  test('explains invalid and outdated settings, and saves nothing', async () => {
    const { see, save } = await startedSite()
    const before = revisionIn(await see('/admin/databases'))
    const invalid = await save('news=2 title:{serial}', before)
    expect(invalid.status).toBe(400)
    expect(faultsIn(invalid.text)).toEqual([
      expect.stringContaining('cannot have a feed named “news”'),
    ])
    expect((await save('', before)).status).toBe(303)
    const outdated = await save('gear=2 title:{serial}', before)
    const changed = expect.stringContaining('Someone else has changed the settings')
    expect([outdated.status, faultsIn(outdated.text)]).toEqual([409, [changed]])
    expect(await see('/admin/databases')).not.toContain('is the feed')
  })
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
  const fault = expect.stringContaining('The API Project does not allow this endpoint.')
  expect(faultsIn(await page())).toEqual([fault])
})
