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

test('does not say that settings are saved if they cannot be applied', async () => {
  let isDown = false
  await using service = await startTestService({
    environment: adminEnvironment,
    changeStore: withSettings((store) =>
      isDown ? unreachable() : store.documents.get('settings', 'site'),
    ),
  })
  const admin = createAdmin(service.url)
  const { cookie, token } = await admin.signIn()
  isDown = true
  const fields = { name: '', place: '', color: '', logo: '', places: '', fresh: '', feeds: 'some' }
  const { status, text } = await admin.post('/admin/settings', {
    cookie,
    form: { token, ...fields, feed: 'rental', revision: '0' },
  })
  expect([status, text]).toEqual([503, expect.stringContaining('cannot be applied yet')])
})
