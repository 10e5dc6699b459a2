import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { createCollectionSync } from '../../../src/collections/copy/collection-sync.ts'
import { upcoming } from '../../../src/collections/copy/sign-up-details.ts'
import { collectionBuckets } from '../../../src/collections/copy/stored-collections.ts'
import { createLogger } from '../../../src/log.ts'
import { siteDateTime } from '../../../src/sandbox/site-dates.ts'
import type { Store } from '../../../src/store/store.ts'
import { createConnection, type Call } from '../../../src/upstream/connection.ts'
import { createDataService } from '../../../src/upstream/data-service.ts'
import { createFakeClock, type FakeClock } from '../../support/fake-clock.ts'
import { startHttpsServer } from '../../support/https-server.ts'
import { seededRandom } from '../../support/seeded-random.ts'
import { openTestStore } from '../../support/store.ts'

const resources = ['news', 'events', 'signup'] as const
type Name = (typeof resources)[number]
type Item = Readonly<Record<string, unknown>>

const siteTimeZone = 'America/New_York'
const hourMs = 3_600_000
const rowsOfAPage = 4

const created: { readonly [N in Name]: (id: number) => Item } = {
  news: (id) => ({ id, headline: `Story ${id}`, date: '2026-03-01 09:00:00', deployed: 1 }),
  events: (id) => ({ id, title: `Drill ${id}`, status: 2, startDate: '2026-03-20', allDay: 1 }),
  signup: (id) => ({ id, title: `Crew ${id}`, status: 2, date: '2026-04-20' }),
}

/** A website whose pages have four rows each. */
async function websiteAt(now: () => number) {
  const items: Record<Name, readonly Item[]> = { news: [], events: [], signup: [] }
  const website = { items, contact: 'Pat', failsAtRow: 0, isUndated: false }
  const { url: siteUrl, caPem } = await startHttpsServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'https://localhost')
    const endpoint = pathname.split('/')[3] as Name
    const startRow = Number(searchParams.get('StartRow'))
    if (startRow === website.failsAtRow) return void response.writeHead(500).end()
    const generated = website.isUndated ? {} : { generated: siteDateTime(now(), siteTimeZone) }
    const id = searchParams.get('ID')
    const rows = id === null ? items[endpoint] : [{ id: Number(id), slots: [] }]
    const page = rows.slice(startRow - 1, startRow - 1 + rowsOfAPage)
    const envelope = { endpoint, ...generated, startRow, totalCount: rows.length }
    const sheet = id === null ? {} : { sheet: { contact: website.contact } }
    response.end(JSON.stringify({ ...envelope, ...sheet, items: page }))
  })
  const connection = createConnection({ siteUrl, caPem, now: Date.now })
  onTestFinished(() => connection[Symbol.asyncDispose]())
  return { website, connection }
}

type Website = Awaited<ReturnType<typeof websiteAt>>

const tokens = {
  current: async () => 'token',
  discard: () => undefined,
  blocked: async () => undefined,
}

/** A replica. Without `isSkipping`, it never gets the hashes of pages, so it parses all of them. */
function replicaOf(
  { connection }: Website,
  { clock, store, isSkipping }: { clock: FakeClock; store: Store; isSkipping: boolean },
) {
  const calls = { known: 0 }
  const request = async (call: Call) => {
    if (!isSkipping) {
      const response = await connection.request({ ...call, knownHash: undefined })
      return { ...response, bodyHash: undefined }
    }
    const response = await connection.request(call)
    if (response.isKnown === true) calls.known += 1
    return response
  }
  const sync = createCollectionSync({
    dataService: createDataService({ request }, tokens),
    store,
    clock,
    log: createLogger('fatal', { write: () => undefined }),
    resources: () => resources,
    siteTimeZone,
    window: { pastDays: 30, futureDays: 300 },
    holder: randomUUID(),
    onChange: () => undefined,
  })
  return { sync, calls }
}

/** Everything that a replica keeps and stores, without random ids. */
async function stateOf({ sync }: ReturnType<typeof replicaOf>, store: Store) {
  const stored: Record<string, unknown> = {}
  for (const [name, bucket] of Object.entries(collectionBuckets)) {
    for (const [id, { value, revision }] of await store.documents.all(bucket)) {
      const text = value.replace(/"contentId":"[^"]*"/, '')
      stored[`${name} ${id}`] = { text, revision: name === 'states' ? revision : 0 }
    }
  }
  const kept = resources.map((resource) => {
    const { collection, items: _packed, pageHashes: _hashes, ...rest } = sync.kept(resource) ?? {}
    return { ...rest, ...collection, ledger: [...(collection?.ledger ?? [])] }
  })
  return { stored, kept }
}

/** Changes the website like an editor, or makes it misbehave. Usually does nothing. */
function changeAtRandom({ website }: Website, random: () => number, history: Item[][]): void {
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)]
  const name = pick(resources) ?? 'news'
  const list = website.items[name]
  const at = Math.floor(random() * list.length)
  const withItem = (item: Item | undefined) => (item ? list.with(at, item) : list)
  const item = list[at]
  const newId = Math.floor(random() * 1000)
  const changes: readonly (() => readonly Item[])[] = [
    () => withItem(item && { ...item, title: `Changed ${newId}`, headline: `Changed ${newId}` }),
    () => withItem(item && { ...item, modifiedBy: `Editor ${newId}` }),
    () => withItem(item && { ...item, unknown: newId }),
    () => withItem(item && { ...item, date: 'soon', startDate: 'soon' }),
    () => [...list, created[name](newId)],
    () => [created[name](newId), ...list],
    () => list.toSpliced(at, 1),
    () => list.slice(0, 2),
    () => (list[0] ? [...list, list[0]] : list),
    () => [],
    () => history.findLast((each) => each[0] !== undefined) ?? list,
  ]
  website.failsAtRow = random() < 0.1 ? 1 + rowsOfAPage * Math.floor(random() * 3) : 0
  website.isUndated = random() < 0.1
  // The details often become what they were before.
  if (random() < 0.4) website.contact = `Pat ${newId % 3}`
  if (random() < 0.5) return
  history.splice(0, history.length, [...website.items.news])
  website.items[name] = pick(changes)?.() ?? list
}

async function readEverything({ sync }: ReturnType<typeof replicaOf>): Promise<void> {
  const options = { priority: () => 'scheduled' as const, isDue: () => true }
  for (const resource of resources) await sync.refresh(resource, options).catch(() => undefined)
  const sheets = sync.kept('signup')?.collection.records ?? []
  for (const { id, modified = '' } of upcoming(sheets, '2026-03-05').slice(0, 2)) {
    await sync.refreshDetail({ id, modified }).catch(() => undefined)
  }
}

test.for([1, 2, 3, 4, 5, 6, 2047, 2057, 2058, 30447])(
  'keeps and stores the same data whether or not it parses unchanged pages (seed %i)',
  async (seed) => {
    const random = seededRandom(seed)
    const clock = createFakeClock()
    const site = await websiteAt(clock.now)
    for (const name of resources) {
      site.website.items[name] = Array.from({ length: 9 }, (_, id) => created[name](id + 1))
    }
    const worlds = [true, false].map((isSkipping) => {
      const options = { clock, store: openTestStore(clock.now), isSkipping }
      const start = () => replicaOf(site, options)
      return { ...options, start, replicas: [start(), start()] }
    })
    const history: Item[][] = []
    let known = 0
    for (let step = 0; step < 40; step += 1) {
      changeAtRandom(site, random, history)
      const [whose, restarted, waitMs] = [
        random() < 0.8 ? 0 : 1,
        random() < 0.05,
        random() * hourMs,
      ]
      await clock.advance(random() < 0.1 ? 24 * hourMs : waitMs)
      const states: unknown[] = []
      for (const { start, replicas, store } of worlds) {
        if (restarted) replicas[0] = start()
        const replica = replicas[whose] ?? start()
        await replica.sync.pull()
        await readEverything(replica)
        known += replica.calls.known
        replica.calls.known = 0
        states.push(await stateOf(replica, store))
      }
      expect(states[0], `step ${step}`).toEqual(states[1])
    }
    expect(known).toBeGreaterThan(40)
  },
)
