import { expect, test } from 'vitest'
import { StoreError } from '../../src/store/store-error.ts'
import type { Store } from '../../src/store/store.ts'
import { adminEnvironment, createAdmin } from '../support/admin.ts'
import { startTestService } from '../support/service.ts'
import { waitFor } from '../support/wait-for.ts'

const pollMs = 2_000

/** Replaces what is read for the site's stored settings. */
const withSettings =
  (read: (store: Store) => Promise<Stored>) =>
  (store: Store): Store => ({
    ...store,
    documents: {
      ...store.documents,
      get: (bucket, id) => (bucket === 'settings' ? read(store) : store.documents.get(bucket, id)),
    },
  })

type Stored = Awaited<ReturnType<Store['documents']['get']>>

const unreachable = () =>
  Promise.reject(new StoreError('unreachable', 'The store does not respond.'))

test('does not start with wider settings if the stored ones cannot be read', async () => {
  const starting = startTestService({ changeStore: withSettings(unreachable) })
  await expect(starting).rejects.toThrow('The store does not respond.')
})

test.for(['{"publicFeeds":["rental"', '"text"', '{"publicFeeds":"events"}'])(
  'publishes no feed with damaged settings: %s',
  async (value) => {
    await using service = await startTestService({
      changeStore: withSettings(async () => ({ value, revision: 3 })),
    })
    expect((await fetch(`${service.url}/events.ics`)).status).toBe(403)
    expect(service.lines.join('')).toContain('the stored settings are damaged')
  },
)

test('keeps the other custom databases if a stored one cannot be used', async () => {
  const databaseFeeds = 'gear=2 title:{serial} date:retire; events=3 title:{id}; hoses=4 title:{id}'
  const value = JSON.stringify({ databaseFeeds })
  await using service = await startTestService({
    changeStore: withSettings(async () => ({ value, revision: 3 })),
  })
  const page = await service.addLink({ feedIds: ['gear', 'hoses'] })
  expect((await service.get(`${page}gear.ics`)).status).toBe(200)
  expect((await service.get(`${page}feeds`)).text).toContain('Hoses')
  const { sentences } = await service.status()
  const fault = 'The saved database feed events=3 title:{id} cannot have a feed named “events”'
  expect(sentences).toContainEqual(expect.stringContaining(fault))
  expect(service.lines.join('')).toContain(fault)
})

test('keeps its settings while the store cannot be read', async () => {
  let reads = 0
  await using service = await startTestService({
    changeStore: withSettings((store) => {
      reads += 1
      return reads > 1 ? unreachable() : store.documents.get('settings', 'site')
    }),
  })
  await service.clock.advance(pollMs)
  await waitFor(() => expect(reads).toBeGreaterThan(1))
  expect((await fetch(`${service.url}/events.ics`)).status).toBe(200)
  expect(service.lines.join('')).not.toContain('cannot be applied')
})

const otherFeeds = {
  name: '',
  place: '',
  color: '',
  logo: '',
  places: '',
  fresh: '',
  feeds: 'some',
  feed: 'rental',
  revision: '0',
}

test('keeps serving, and reports this at /status, until a site with the new settings can start', async () => {
  let isFull = false
  await using service = await startTestService({
    environment: adminEnvironment,
    changeStore(store) {
      if (isFull) throw new StoreError('unreachable', 'The store cannot be opened.')
      return store
    },
  })
  const admin = createAdmin(service.url)
  const { cookie, token } = await admin.signIn()
  isFull = true
  const form = { token, ...otherFeeds }
  const { status, text } = await admin.post('/admin/settings', { cookie, form })
  expect([status, text]).toEqual([503, expect.stringContaining('cannot be applied yet')])
  const events = async () => (await fetch(`${service.url}/events.ics`)).status
  expect(await events()).toBe(200)
  const fault =
    "The site's changed settings cannot be applied yet, so the previous settings are still in use. The log shows the reason."
  const statusText = async () => (await fetch(`${service.url}/status`)).text()
  expect(await statusText()).toContain(`"ok":false,"state":"failing","sentences":["${fault}"`)
  isFull = false
  await service.clock.advance(pollMs)
  await waitFor(async () => expect(await events()).toBe(403))
  expect(await statusText()).not.toContain(fault)
})
