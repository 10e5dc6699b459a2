import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { BoardItem } from '../../../src/signage/board-item.ts'
import { adminEnvironment, createAdmin, faultsIn } from '../../support/admin.ts'
import { followEnvironment, startFollowedService } from '../../support/following.ts'
import { fewRecords } from '../../support/few-records.ts'
import { startTestService, temporaryDirectory } from '../../support/service.ts'
import { waitFor } from '../../support/wait-for.ts'

const pollMs = 2_000
const hourMs = 60 * 60 * 1000

const started = new AsyncDisposableStack()
afterAll(() => started.disposeAsync())
const directory = started.use(temporaryDirectory())
const start = () =>
  startTestService({
    sandbox: fewRecords,
    environment: adminEnvironment,
    publicFeedIds: ['events'],
    storeFileIn: () => join(directory.path, 'store.sqlite'),
  })
const first = started.use(await start())
const replicas = [first, started.use(await start())]
for (const { url } of replicas) await fetch(`${url}/events.ics`)
const link = new URL(await first.addLink({}))
const urls = replicas.flatMap(({ url }) => [url, `${url}${link.pathname.replace(/\/$/, '')}`])
for (const { clock } of replicas) await clock.advance(pollMs)
const { see, submit } = await createAdmin(first.url).signIn()

const until = '2026-03-05T12:00'
const onScreens = { text: '', until, screens: 'on' }

const post = (form: Record<string, string>, path = '/admin/screens') =>
  submit(path, { screens: 'on', ...form })

const page = () => see('/admin/screens')

const textAt = async (path: string) => (await fetch(`${first.url}${path}`)).text()

const emergencyAt = async (url: string) => {
  const response = await fetch(`${url}/board.json?show=events`)
  expect(response.status).toBe(200)
  const [first] = (await response.json()) as readonly BoardItem[]
  return first?.role === 'emergency' ? first : undefined
}

/** Checks the boards after each replica has polled, even if the front still has published boards. */
async function onAllBoards(check: (item: BoardItem | undefined) => void) {
  for (const { clock } of replicas) await clock.advance(pollMs)
  for (const url of urls) await waitFor(async () => check(await emergencyAt(url)))
}

test('covers the boards of all replicas and links, and ends automatically', async () => {
  await onAllBoards((item) => expect(item).toBeUndefined())
  const title = 'Boil water <now>'
  const shown = await post({ title, text: 'Until further notice.\r\nAsk the chief.', until })
  expect([shown.status, shown.headers['location']]).toEqual([303, '/admin/screens?done=shown'])
  const text = 'Until further notice.\nAsk the chief.'
  const times = { end: '2026-03-05T12:00:00', endAt: '2026-03-05T12:00:00-05:00' }
  const expected = { id: 'emergency', kind: 'emergency', title, text, ...times }
  await onAllBoards((item) => expect(item).toMatchObject(expected))
  const [, emergency] = (await textAt('/board')).split('<div id="emergency" role="alert">')
  expect(emergency).toContain(
    '<h3 dir="auto">Boil water &#60;now&#62;</h3><p dir="auto">Until further notice.',
  )
  expect(await textAt('/board.rss')).toMatch(/<item>\s*<title>.*Boil water/)
  expect(await textAt('/board/concerto.json')).toContain('Boil water')
  expect(await page()).toContain('Boil water &lt;now&gt;” until Mar 5, 12:00 PM')
  for (const { clock } of replicas) await clock.leap(2 * hourMs)
  await onAllBoards((item) => expect(item).toBeUndefined())
  expect(await page()).not.toContain('Boil water')
})

test('previews the end as boards write it, in the website’s language', async () => {
  await using spanish = await startTestService({
    sandbox: fewRecords,
    environment: adminEnvironment,
    language: 'es-MX',
  })
  await fetch(`${spanish.url}/events.ics`)
  const admin = await createAdmin(spanish.url).signIn()
  const previewAt = async (path: string) =>
    /<p lang="es-MX">(\w+)<\/p>[^]*<p lang="es-MX" id="alarm-end">([^<]*)</
      .exec(await admin.see(path))
      ?.slice(1)
  expect(await previewAt('/admin/screens')).toEqual(['Emergencia', 'hasta las 12 p.m.'])
  expect(await previewAt('/admin/screens?until=')).toEqual(['Emergencia', ''])
  const tomorrow = await previewAt('/admin/screens?until=2026-03-06T18:00')
  await admin.submit('/admin/screens', { ...onScreens, title: 'Agua', until: '2026-03-06T18:00' })
  await spanish.clock.advance(pollMs)
  const board = (await spanish.get('/board')).text
  expect(board).toContain(`<p id="emergency-until">${tomorrow?.[1]}</p>`)
})

test('can be replaced and cleared', async () => {
  const end = '2026-03-05T18:00'
  await post({ title: 'First', text: '', until: end })
  await onAllBoards((item) => expect(item?.title).toBe('First'))
  await post({ title: 'Second', text: '', until: end })
  await onAllBoards((item) => expect(item?.title).toBe('Second'))
  const cleared = await post({}, '/admin/screens/clear')
  expect(cleared.headers['location']).toBe('/admin/screens?done=cleared')
  await onAllBoards((item) => expect(item).toBeUndefined())
})

test('tests on the screens of one link or on public ones, but never replaces a text', async () => {
  await first.addLink({ label: 'Member', memberId: 1 })
  const options = (await page()).matchAll(/<option value="(\w*)"[^>]*>([^<]*)</g)
  const screens = [...options].map(([, id = '', label]) => [label, id] as const)
  expect(screens.map(([label]) => label)).toEqual(['Screens with public feeds', 'Test'])
  for (const [label, testedAt] of screens) {
    const tested = await post({ title: 'Drill', text: '', until: '', test: '1', testedAt })
    expect(tested.headers['location']).toBe('/admin/screens?done=tested')
    for (const { clock } of replicas) await clock.advance(pollMs)
    for (const url of urls) {
      const isTested = url.includes('/l/') === (testedAt !== '')
      const expected = isTested ? 'Test: Drill' : undefined
      await waitFor(async () => expect((await emergencyAt(url))?.title).toBe(expected))
    }
    expect(await page()).toContain(`Test on ${label}:</strong>`.replace(/S(?=creens)/, 's'))
  }
  for (const { clock } of replicas) await clock.leap(5 * 60_000)
  await onAllBoards((item) => expect(item).toBeUndefined())
  await post({ title: 'Flood', text: '', until: '2026-03-05T18:00' })
  const refused = await post({ title: 'Drill', text: '', until: '', test: '1' })
  expect(faultsIn(refused.text)).toEqual(['Clear the emergency text before you test.'])
  await post({}, '/admin/screens/clear')
})

test('a test on one replica never replaces the text that another has just stored', async () => {
  const [, second] = replicas
  const other = await createAdmin(second?.url ?? '').signIn()
  expect((await post({ title: 'Flood', text: '', until: '2026-03-05T18:00' })).status).toBe(303)
  const drill = { screens: 'on', title: 'Drill', text: '', until: '', test: '1' }
  const { status, text } = await other.submit('/admin/screens', drill)
  expect([status, faultsIn(text)]).toEqual([400, ['Clear the emergency text before you test.']])
  await onAllBoards((item) => expect(item?.title).toBe('Flood'))
  await post({}, '/admin/screens/clear')
})

test('the end of a test never clears the text that has replaced it', async () => {
  const [, second] = replicas
  const other = await createAdmin(second?.url ?? '').signIn()
  await post({ title: 'Drill', text: '', until: '', test: '1', testedAt: '' })
  expect(await page()).toContain('<input type="hidden" name="test" value="1">')
  await other.submit('/admin/screens', {
    screens: 'on',
    title: 'Flood',
    text: '',
    until: '2026-03-05T18:00',
  })
  const { headers } = await post({ test: '1' }, '/admin/screens/clear')
  expect(headers['location']).toBe('/admin/screens?done=kept')
  await onAllBoards((item) => expect(item?.title).toBe('Flood'))
  await post({}, '/admin/screens/clear')
  await onAllBoards((item) => expect(item).toBeUndefined())
})

test('says how many people get it, and shows it where the captain has chosen', async () => {
  await using followed = await startFollowedService({
    sandbox: fewRecords,
    environment: adminEnvironment,
    publicFeedIds: ['events'],
  })
  const { service, followers, addLink } = followed
  await fetch(`${service.url}/events.ics`)
  const choice = { changes: true, tomorrow: false, emergency: true }
  const added = { choice, language: 'en' }
  await followers.addDevice({ ...added, address: 'a device' })
  await followers.addDevice({ ...added, address: 'another', linkId: 'ended' })
  await followers.confirm({ ...added, address: 'a@example.org' })
  await followers.confirm({ ...added, address: 'b@example.org' })
  const other = { ...choice, emergency: false }
  await followers.confirm({ ...added, address: 'c@example.org', choice: other })
  const admin = await createAdmin(service.url, followEnvironment.PUBLIC_URL).signIn()
  const form = await admin.see('/admin/screens')
  expect(form).toContain('A notification to 1 device and an email to 2 followers')
  const chosen = () =>
    admin
      .see('/admin/screens')
      .then((text) => [...text.matchAll(/name="(\w+)" checked/g)].map(([, name]) => name))
  expect(await chosen()).toEqual(['screens', 'devices', 'pages'])
  const missing = await admin.submit('/admin/screens', { title: 'Flood', text: '', until })
  expect(faultsIn(missing.text)).toEqual(['Choose where to show the text.'])

  const text = { title: 'Flood <now>', text: 'Leave.\n\nGo.', until, pages: 'on' }
  await admin.submit('/admin/screens', text)
  expect(await chosen()).toEqual(['pages'])
  expect(await emergencyAt(service.url)).toBeUndefined()
  const banner =
    '<aside class="emergency screen" aria-label="Emergency">\n<p><b>Emergency</b> until 12 PM</p>\n' +
    '<p dir="auto"><strong>Flood &lt;now&gt;</strong></p>\n<p dir="auto">Leave.</p>\n<p dir="auto">Go.</p>'
  for (const path of ['/', '/agenda', '/embed/events', await addLink({})]) {
    expect((await service.get(path)).text.replaceAll(/\n+/g, '\n')).toContain(banner)
  }
  expect((await service.get('/?lang=es')).text).toMatch(
    /<b>Emergencia<\/b> hasta las 12 p.m.<\/p>\n<p dir="auto" lang="en-US"><strong>Flood/,
  )
  expect(await admin.see('/admin/screens')).not.toContain('class="emergency')
  await admin.submit('/admin/screens/clear')
  expect((await service.get('/')).text).not.toContain('Flood')
})

test('explains invalid fields, and keeps the submitted values', async () => {
  const faultsFor = async (form: Record<string, string>) => {
    const valid = { title: 'x', text: '', until: '2026-03-06T12:00' }
    const { status, text } = await post({ ...valid, ...form })
    expect(status).toBe(400)
    return faultsIn(text)
  }
  expect(await faultsFor({ title: ' ', text: 'x'.repeat(301), until: '' })).toEqual([
    'Enter a title.',
    'The text must have at most 300 characters.',
    'Enter the date and time when the text ends.',
  ])
  expect(await faultsFor({ title: 'x'.repeat(81), until: '2026-03-05T09:00' })).toEqual([
    'The title must have at most 80 characters.',
    'The end must be in the future.',
  ])
  expect(await faultsFor({ until: '2026-03-13T12:00' })).toEqual(['The end must be within 7 days.'])
  expect((await post({ title: 'Kept <b>', until: '' })).text).toContain('value="Kept &lt;b&gt;"')
  expect(await page()).not.toContain('Kept')
})

test('reaches screens even if there is nothing else to show', async () => {
  const sandbox = { apiEnabled: false }
  await using cold = await startTestService({ environment: adminEnvironment, sandbox })
  const admin = await createAdmin(cold.url).signIn()
  expect((await fetch(`${cold.url}/board.json`)).status).toBe(503)
  await admin.submit('/admin/screens', { ...onScreens, title: 'Evacuate' })
  expect((await emergencyAt(cold.url))?.title).toBe('Evacuate')
})

test('stays private where no feed is public', async () => {
  await using station = await startTestService({
    sandbox: fewRecords,
    environment: adminEnvironment,
    publicFeedIds: [],
  })
  const url = await station.addLink({})
  await fetch(`${url}events.ics`)
  const admin = await createAdmin(station.url).signIn()
  await admin.submit('/admin/screens', { ...onScreens, title: 'Evacuate' })
  expect((await emergencyAt(url.replace(/\/$/, '')))?.title).toBe('Evacuate')
  for (const path of ['/board', '/board.json', '/board.rss', '/board/concerto.json']) {
    expect(await (await fetch(`${station.url}${path}`)).text()).not.toContain('Evacuate')
  }
})
