import { afterAll, expect, test } from 'vitest'
import { partColor } from '../../../src/calendar/color.ts'
import { sampleDatasetOn } from '../../../src/sandbox/sample/sample-dataset.ts'
import { exchangeUrl } from '../../support/raw-http.ts'
import { startDavService, syncFrom } from './account.ts'

/* Requests of certain clients. */

const resources = new AsyncDisposableStack()
afterAll(() => resources.disposeAsync())
const service = resources.use(await startDavService())

test('python-caldav finds the account at the address of the site', async () => {
  const { id, send } = await service.addAccount()
  const { status, headers } = await send('PROPFIND', '/', undefined, { Depth: '0' })
  expect([status, headers.get('Location')]).toEqual([307, '/dav/'])
  // It follows the redirect without its request body.
  const { text } = await send('PROPFIND', '/dav/', undefined, { Depth: '0' })
  expect(text).toContain(`<D:current-user-principal><D:href>/dav/${id}/<`)
  expect((await send('GET', '/')).status).toBe(200)
  const options = await send('OPTIONS', '/')
  expect(options.headers.get('Allow')).toBe('GET, HEAD')
})

test('cadaver lists files with the time of their last change', async () => {
  const { calendars, find, send } = await service.addAccount({ feedIds: ['events', 'signup'] })
  for (const calendar of ['events/', 'signup/']) {
    const { responses } = await find(`${calendars}${calendar}`, '1', 'D:getlastmodified')
    const { href = '', props = '' } = responses[1] ?? {}
    const [, changed = ''] = /^LAST-MODIFIED:(.+)/m.exec((await send('GET', href)).text) ?? []
    expect(props).toMatch(/^\w{3}, \d\d \w{3} 2\d{3} \d\d:\d\d:\d\d GMT$/)
    expect(new Date(props).toISOString().replaceAll(/[-:]|\.000/g, '')).toBe(changed)
  }
})

test('vdirsyncer and Evolution get the notice of a paused link in their existing calendars', async () => {
  const { id, calendars, find, send, edit } = await service.addAccount({
    profile: 'full',
    feedIds: ['rental', 'members'],
  })
  const [rental, book] = [`${calendars}rental-1/`, `/dav/${id}/contacts/members/`]
  const contacts = await send('REPORT', book, syncFrom(''))
  expect(contacts.responses.length).toBeGreaterThan(5)
  await edit({ isPaused: true })
  const { responses } = await send('REPORT', rental, syncFrom('', 'C:calendar-data'))
  expect(responses).toHaveLength(1)
  expect(responses[0]?.href.startsWith(rental)).toBe(true)
  expect(responses[0]?.props).toContain('This feed link is paused')
  expect((await find(`${calendars}other/`, '0')).status).toBe(404)
  // Thunderbird cannot remove contacts from its read-only address book if it has to start over.
  const paused = await send('REPORT', book, syncFrom(contacts.token, 'A:address-data'))
  const [notice, ...removed] = paused.responses
  // vdirsyncer stops with an error if all contacts are removed and none is added.
  expect(notice?.href).toBe(`${book}notice.vcf`)
  expect(notice?.props).toContain('FN:This feed link is paused')
  expect(notice?.props).toContain('NOTE:')
  expect(removed.map(({ href }) => href)).toEqual(contacts.responses.map(({ href }) => href))
  expect(new Set(removed.map(({ status }) => status))).toEqual(new Set(['404']))
  expect((await send('REPORT', book, syncFrom(''))).responses).toHaveLength(1)
  await edit({ isPaused: false })
  expect((await send('REPORT', book, syncFrom(contacts.token))).responses).toEqual([])
})

test('a calendar or address book that was removed from a link is empty for existing clients', async () => {
  const { id, calendars, find, send, edit } = await service.addAccount({
    profile: 'full',
    feedIds: ['events', 'rental', 'members'],
  })
  const [rental, book] = [`${calendars}rental-1/`, `/dav/${id}/contacts/members/`]
  await edit({ feedIds: ['events'], profile: 'members' })
  for (const [home, former] of [
    [calendars, rental],
    [`/dav/${id}/contacts/`, book],
  ] as const) {
    const { responses } = await find(home, '1', 'D:resourcetype')
    expect(responses.map(({ href }) => href)).not.toContain(former)
    expect(await send('REPORT', former, syncFrom(''))).toMatchObject({ status: 207, responses: [] })
  }
  expect((await find(`${calendars}other/`, '0')).status).toBe(404)
  expect((await find(`/dav/${id}/contacts/other/`, '0')).status).toBe(404)
})

test("Thunderbird's address book and other clients sync from scratch after an unknown token", async () => {
  const { calendars, send } = await service.addAccount()
  const request = syncFrom('urn:feedhouse:sync:unknown/1')
  for (const [userAgent, status] of [
    ['Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Thunderbird/153.8.0', 400],
    ['iOS/26.1 (23B85) dataaccessd/1.0', 403],
    ['DAVx5/4.5.7-ose (dav4jvm; okhttp/5.1.0) Android/16', 403],
  ] as const) {
    const answer = await send('REPORT', `${calendars}events/`, request, { 'User-Agent': userAgent })
    expect(answer.status).toBe(status)
    expect(answer.text).toContain('<D:valid-sync-token/>')
  }
})

const datasetWithoutSignups = (today: string) => ({
  ...sampleDatasetOn(today),
  get signup(): never {
    throw new Error('out of order')
  },
})

test('a feed that cannot be read does not take down the others', async () => {
  await using partial = await startDavService({
    sandbox: { datasetOn: datasetWithoutSignups, report: () => {} },
  })
  const { calendars, find, send } = await partial.addAccount({ feedIds: ['events', 'signup'] })
  const home = await find(calendars, '1', 'D:displayname')
  expect(home.responses.map(({ href }) => href)).toEqual([calendars, `${calendars}events/`])
  expect((await send('REPORT', `${calendars}events/`, syncFrom(''))).status).toBe(207)
  // An empty calendar would make clients delete its entries.
  expect((await send('REPORT', `${calendars}signup/`, syncFrom(''))).status).toBe(503)
})

const colorsWith = async (...feedIds: readonly string[]) => {
  const { calendars, find } = await service.addAccount({ profile: 'full', feedIds })
  const { responses } = await find(calendars, '1', 'I:calendar-color')
  return responses.map(({ href, props }) => [href.split('/').at(-2), props])
}

test('calendars have the same colors as on boards, whatever else the account contains', async () => {
  const events = ['events', '#2e8b57']
  expect(await colorsWith('events')).toContainEqual(events)
  const colors = await colorsWith('events', 'calendar', 'rental')
  expect(colors).toContainEqual(events)
  expect(colors).toContainEqual(['rental-2', partColor(2)])
})

test('the tag of a calendar changes whenever its sync token does', async () => {
  const { calendars, find, edit } = await service.addAccount({ profile: 'full' })
  const tags = () => find(`${calendars}rental-1/`, '0', 'CS:getctag')
  const before = await tags()
  expect(await tags()).toMatchObject({ responses: before.responses })
  await edit({ profile: 'members' })
  expect(await tags()).not.toMatchObject({ responses: before.responses })
})

test('other methods are rejected with a list of the allowed ones', async () => {
  const { authorization } = await service.addAccount()
  for (const method of ['SEARCH', 'TRACE', 'QUERY', 'BIND', 'CHECKOUT']) {
    const url = `${service.url}/dav/`
    const { status, headers } = await exchangeUrl(url, { Authorization: authorization }, method)
    expect([status, headers['allow']]).toEqual([405, 'OPTIONS, GET, HEAD, PROPFIND, REPORT'])
  }
})

test('an encoded slash does not separate parts of a path', async () => {
  const { id, find } = await service.addAccount()
  expect((await find(`/dav/${id}%2Fcalendars/`, '0')).status).toBe(404)
  expect((await find(`/dav/${id}/calendars/%65vents/`, '0')).status).toBe(207)
})

test('phones get long lists compressed', async () => {
  const { calendars, find } = await service.addAccount({ feedIds: ['events'] })
  const { headers, responses } = await find(`${calendars}events/`, '1', 'D:getetag')
  expect(headers.get('Content-Encoding')).toBe('gzip')
  expect(responses.length).toBeGreaterThan(30)
})
