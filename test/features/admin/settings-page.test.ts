import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { adminEnvironment, createAdmin, faultsIn, revisionIn } from '../../support/admin.ts'
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { fewRecords } from '../../support/few-records.ts'
import { backUp } from '../../support/merge-backup.ts'
import { startTestService, temporaryDirectory } from '../../support/service.ts'
import { waitFor } from '../../support/wait-for.ts'

const pollMs = 2_000

/** Starts replicas with one store, and signs in at the first one. */
async function startedReplicas(count: number) {
  const starting = new AsyncDisposableStack()
  onTestFinished(() => starting.disposeAsync())
  const directory = starting.use(temporaryDirectory())
  const storeFile = join(directory.path, 'store.sqlite')
  const start = () =>
    startTestService({
      sandbox: fewRecords,
      environment: adminEnvironment,
      publicFeedIds: ['events'],
      storeFileIn: () => storeFile,
    })
  const replicas: Awaited<ReturnType<typeof start>>[] = []
  for (let index = 0; index < count; index += 1) replicas.push(starting.use(await start()))
  const [first] = replicas
  if (!first) throw new Error('no replica')
  const { see, submit } = await createAdmin(first.url).signIn()
  const page = () => see('/admin/settings')
  const revision = async () => revisionIn(await page())
  const post = async (fields: Record<string, string>) =>
    submit('/admin/settings', { feeds: 'default', revision: await revision(), ...fields })
  const pollAll = async () => {
    for (const { clock } of replicas) await clock.advance(pollMs)
  }
  return { first, replicas, storeFile, start, page, see, revision, post, pollAll }
}

const textAt = async (url: string) => (await fetch(url)).text()

const revisionLine = /^(SEQUENCE|DTSTAMP|LAST-MODIFIED):(.*)\r\n/gm

/** Returns the revisions of a calendar's entries, and the calendar without them. */
function revisionsIn(calendar: string) {
  const revisions = Map.groupBy(calendar.matchAll(revisionLine), ([, name]) => name)
  const valuesOf = (name: string) => revisions.get(name)?.map(([, , value]) => String(value)) ?? []
  const values = ['SEQUENCE', 'DTSTAMP', 'LAST-MODIFIED'].map(valuesOf)
  return { values, rest: calendar.replace(revisionLine, '') }
}

test('settings take effect on every replica within seconds, survive a restart, and can be reset', async () => {
  const { first, replicas, page, see, post, pollAll, start } = await startedReplicas(2)
  const before = await textAt(`${first.url}/events.ics`)
  for (const { url } of replicas) {
    expect((await fetch(`${url}/events.ics`)).status).toBe(200)
    expect((await fetch(`${url}/rental.ics`)).status).toBe(403)
  }
  const chosen = (await page()).matchAll(/name="feed" value="(\w+)" checked/g)
  expect([...chosen].map(([, id]) => id)).toEqual(['events'])
  const changed = { name: 'Miller Pond FD', place: 'Miller Pond, VT', color: 'navy' }
  const german = { language: 'de' }
  const saved = await post({ ...changed, ...german, feeds: 'some', feed: 'rental' })
  expect([saved.status, saved.headers['location']]).toEqual([303, '/admin/settings?done=saved'])
  // A feed is private once the page says that the settings are saved.
  expect((await fetch(`${first.url}/events.ics`)).status).toBe(403)
  await pollAll()
  await using restarted = await start()
  for (const { url } of [...replicas, restarted]) {
    await waitFor(async () => {
      expect(await textAt(`${url}/rental.ics`)).toContain('Miller Pond FD')
      expect((await fetch(`${url}/events.ics`)).status).toBe(403)
      const home = await textAt(`${url}/`)
      expect(home).toContain('<b dir="auto">Miller Pond FD</b>')
      expect(home).toContain('Miller Pond, VT')
      expect(await textAt(`${url}/board?show=rental`)).toContain('Keine Termine geplant')
      const [style = ''] = /\/assets\/identity\.[^"]+/.exec(home) ?? []
      expect(await textAt(`${url}${style}`)).toContain('#000080')
    })
  }
  expect(await page()).toContain('name="name" value="Miller Pond FD"')
  expect(await see('/admin/status')).toMatch(/Gelesen: <span class="whole">\d+\. März, \d+:\d\d</)
  await post({})
  await pollAll()
  await waitFor(async () => expect((await fetch(`${first.url}/events.ics`)).status).toBe(200))
  const after = revisionsIn(await textAt(`${first.url}/events.ics`))
  const { values, rest } = revisionsIn(before)
  expect(after.rest).toBe(rest)
  // Entries show the language, so they were last modified when it was changed back.
  for (const [index, earlier] of values.entries()) {
    const [latest = '', ...others] = new Set(after.values[index])
    expect(others).toEqual([])
    expect(earlier.every((value) => value < latest)).toBe(true)
  }
})

const hint = (text: string) => /<small class="(\w+)" id="name-default">/.exec(text)?.[1]

test('the page shows the defaults, and which of them are replaced', async () => {
  const { page, see, post, pollAll } = await startedReplicas(1)
  const before = await page()
  expect(before).toContain('value="" placeholder="Cedar Hollow Volunteer Fire Department"')
  expect(before).toContain('Default: Events (<code>PUBLIC_FEEDS</code>)')
  expect(before).toContain('<details>')
  expect(hint(before)).toBe('unseen')
  await post({ name: 'Miller Pond FD', fresh: '600', language: 'de' })
  await pollAll()
  const after = await see('/admin/settings?lang=en')
  expect(after).toContain('value="Miller Pond FD"')
  expect(after).toContain('<option value="">Default: en-US (SITE_LANGUAGE)')
  expect(after).toContain('<option value="de" selected>de')
  expect(after).toContain('<option value="fr-CA">Canadian French')
  expect(after).toContain('<details open>')
  expect(hint(after)).toBe('muted')
})

test('invalid and outdated settings are explained, and lose nothing', async () => {
  const { post, page, revision } = await startedReplicas(1)
  const { status, text } = await post({
    name: 'x'.repeat(101),
    color: 'nocolor',
    language: 'Klingon',
    logo: '/etc/passwd.png',
    fresh: '59',
    feeds: 'some',
    feed: 'secret',
    places: 'Station 1 | 12 Mill Road\r\n\r\nBarn | 3 <Barn> Lane | 91, x',
  })
  expect(status).toBe(400)
  expect(faultsIn(text)).toEqual([
    'The name must have at most 100 characters.',
    'The color must be six hex digits, like b3261e, or a color name, like firebrick.',
    'The logo must be an https URL of a PNG, JPEG, WebP or GIF picture.',
    'The language must be a language, like en-US, es-PR or fr-CA.',
    expect.stringMatching(/^The public feeds must be/),
    'The interval must be a whole number from 60 to 86400.',
    'Places, line 1 (Station 1): must have a name, an address and a position, separated by |.',
    'Places, line 3 (Barn): latitude must be a number from -90 to 90.',
    'Places, line 3 (Barn): longitude must be a number from -180 to 180.',
  ])
  expect(text).toContain(
    '>\nStation 1 | 12 Mill Road\n\nBarn | 3 &lt;Barn&gt; Lane | 91, x</textarea>',
  )
  expect(text).toContain('name="color" value="nocolor"')
  const opened = await revision()
  expect((await post({ name: 'First' })).status).toBe(303)
  const second = await post({ name: 'Second', revision: opened })
  expect(second.status).toBe(409)
  expect(second.text).toContain('name="name" value="Second"')
  expect(await page()).toContain('name="name" value="First"')
})

test('a running service uses the settings in a backup that is restored', async () => {
  const { first, storeFile, post, pollAll } = await startedReplicas(1)
  const nameIn = async () => /<b dir="auto">([^<]*)<\/b>/.exec(await textAt(`${first.url}/`))?.[1]
  const place = 'Social Hall, 14 Mill Road, Cedar Hollow | 14 Mill Road, NY 10001 | 42.5, -74.25'
  await post({ name: 'Miller Pond FD', places: place })
  await using store = openSqliteStore(storeFile, first.clock.now)
  const restore = await backUp(store, first.clock)
  await post({ name: 'Changed later' })
  const restoreWithoutPlaces = await backUp(store, first.clock)
  await pollAll()
  await waitFor(async () => expect(await nameIn()).toBe('Changed later'))
  await restore()
  await pollAll()
  await waitFor(async () => expect(await nameIn()).toBe('Miller Pond FD'))
  const events = () => textAt(`${first.url}/events.ics`)
  await waitFor(async () => expect(await events()).toContain('GEO:42.5;-74.25'))
  await restoreWithoutPlaces()
  await pollAll()
  await waitFor(async () => expect(await events()).not.toContain('GEO:42.5;-74.25'))
})

test('the interval between reads can be changed, and the page lists settings that need a restart', async () => {
  const { first, page, post, pollAll } = await startedReplicas(1)
  const interval = async () =>
    (await first.status()).collections.find(({ name }) => name === 'events')?.intervalSeconds
  await fetch(`${first.url}/events.ics`)
  const before = await interval()
  expect(before).toBeLessThan(86_400)
  await post({ fresh: '86400' })
  await pollAll()
  await waitFor(async () => expect(await interval()).toBe(86_400))
  expect(await page()).toContain('name="fresh" value="86400"')
  expect(await page()).toContain('They take effect when Feedhouse is restarted.')
})
