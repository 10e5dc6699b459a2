import { expect, test, vi } from 'vitest'
import type { CollectionCopy } from '../../../src/collections/copy/collection-copy.ts'
import { withDetails } from '../../../src/collections/copy/sign-up-details.ts'
import { UpstreamError } from '../../../src/upstream/upstream-error.ts'
import { collectionsOf, minuteMs } from '../../support/collections.ts'

const sheet = (id: number, date: string, changes: object = {}) => ({
  id,
  title: `Sheet ${id}`,
  status: 2,
  date,
  eventDate: 'evening',
  modified: '',
  ...changes,
})

const group = (id: number, names: readonly string[] = []) => ({
  id,
  name: 'Grill',
  slots: [{ id, number: 4, position: 'Cook', signedUp: names.map((name) => ({ name })) }],
})

/** Starts collections for a website with two upcoming sheets, a past and an offline one. */
function sheetsOf() {
  const parts = collectionsOf({ resources: ['signup'] })
  const { website } = parts
  website.items.signup = [
    sheet(1, '2026-01-05'),
    sheet(2, '2026-03-20'),
    sheet(3, '2026-03-10'),
    sheet(4, '2026-03-12', { status: 1 }),
  ]
  for (const id of [1, 2, 3, 4, 5]) {
    website.groups[id] = { sheet: { contact: `Pat ${id}` }, groups: [group(id)] }
  }
  const detailsRead = () => parts.readingsOf('signup').flatMap(({ query }) => query['ID'] ?? [])
  const records = () => parts.collections.copyOf('signup')?.records ?? []
  const failDetailsOf = (id: number, failure: UpstreamError) => {
    Object.defineProperty(website.groups, String(id), {
      get() {
        throw failure
      },
    })
  }
  return { ...parts, detailsRead, records, failDetailsOf }
}

test('reads the details of upcoming sheets one at a time, soonest first', async () => {
  const { clock, detailsRead, records, run } = sheetsOf()
  await run(4_000)
  expect(detailsRead()).toEqual([])
  expect(records().filter(({ groups }) => groups)).toEqual([])
  expect(records()).toHaveLength(4)
  await clock.advance(2_000)
  expect(detailsRead()).toEqual(['3'])
  await clock.advance(5_000)
  expect(detailsRead()).toEqual(['3', '2'])
  await clock.advance(60_000)
  expect(detailsRead()).toEqual(['3', '2'])
  expect(records()[2]).toMatchObject({ contact: 'Pat 3', groups: [{ slots: [{ number: 4 }] }] })
  expect(records()[3]).toMatchObject({ contact: '', groups: undefined })
})

test('leaves enough API calls for other collections', async () => {
  const { readingsOf, run } = sheetsOf()
  await run(6_000)
  expect(readingsOf('signup').at(-1)?.priority()).toBe('details')
})

test('refreshes details when they are due, and keeps them when the list of sheets is read', async () => {
  const { collections, clock, detailsRead, records, website, run } = sheetsOf()
  await run(minuteMs)
  website.groups[2] = { sheet: { contact: 'Pat 2' }, groups: [group(2, ['Robin Vale'])] }
  await clock.advance(6 * minuteMs)
  expect(detailsRead()).toEqual(['3', '2', '3', '2'])
  const changed = records()[1]
  expect(changed?.groups?.[0]?.slots[0]?.signedUp).toMatchObject([{ name: 'Robin Vale' }])
  expect(collections.copyOf('signup')?.ledger.get(2)?.revision).toBe(2)
})

test('reads new and changed sheets before stale ones', async () => {
  const { clock, detailsRead, website, run } = sheetsOf()
  await run(minuteMs)
  website.items.signup = [
    sheet(2, '2026-03-20'),
    sheet(3, '2026-03-10', { modified: '2026-03-05 10:00:00' }),
    sheet(5, '2026-12-01'),
  ]
  const before = detailsRead().length
  await clock.advance(5 * minuteMs)
  expect(detailsRead().slice(before)).toEqual(['5', '3', '2'])
})

test('does not read the details again after a restart or on another replica', async () => {
  const { start, clock, stop, detailsRead, records, run } = sheetsOf()
  await run(minuteMs)
  const before = records()
  await stop()
  const next = start()
  const another = start()
  await next.collections.load()
  expect(next.collections.copyOf('signup')?.records).toEqual(before)
  next.collections.start()
  another.collections.start()
  await clock.advance(2 * minuteMs)
  expect(detailsRead()).toEqual(['3', '2'])
})

test('keeps the details of a sheet that has just been deleted, and stops requesting them', async () => {
  const { collections, detailsRead, failDetailsOf, run } = sheetsOf()
  failDetailsOf(3, new UpstreamError('not_found', 'signup: 404 not_found'))
  await run(4 * minuteMs)
  expect(detailsRead()).toEqual(['3', '2'])
  expect(collections.states()[0]?.failure).toBeUndefined()
})

test.for(['server_error', 'unexpected_answer', 'body_too_large', 'invalid_parameter'] as const)(
  'reports a sheet that fails with %s, and still reads the others on time',
  async (kind) => {
    const { collections, detailsRead, failDetailsOf, run } = sheetsOf()
    const failure = new UpstreamError(kind, `signup: ${kind}`)
    failDetailsOf(3, failure)
    await run(60 * minuteMs)
    expect(detailsRead().filter((id) => id === '2').length).toBeGreaterThan(8)
    expect(detailsRead().filter((id) => id === '3').length).toBeLessThan(25)
    const [state] = collections.states()
    expect(state?.failure).toBeUndefined()
    expect(state?.detailFailures).toMatchObject([{ error: failure }])
  },
)

test('restores, then refreshes, the details of a sheet that reappears', async () => {
  const { clock, detailsRead, website, records, run } = sheetsOf()
  await run(minuteMs)
  const all = website.items.signup ?? []
  website.items.signup = all.slice(0, 2)
  await clock.advance(5 * minuteMs)
  expect(records()).toHaveLength(2)
  const before = detailsRead().length
  website.items.signup = all
  await clock.advance(5 * minuteMs - 4_000)
  expect(records()[2]).toMatchObject({ id: 3, contact: 'Pat 3' })
  await clock.advance(10_000)
  expect(detailsRead().slice(before)).toContain('3')
})

test('does not change details while the collection is held', async () => {
  const { collections, clock, detailsRead, website, run } = sheetsOf()
  await run(minuteMs)
  website.items.signup = []
  await clock.advance(5 * minuteMs)
  const before = detailsRead().length
  await clock.advance(20 * minuteMs)
  expect(collections.states()[0]?.kept?.held).toBeDefined()
  expect(detailsRead()).toHaveLength(before)
})

type Details = { readonly sheet: unknown; readonly groups: readonly unknown[] }

const readingOf = (details: Details) => {
  const parsed = vi.fn<() => Promise<Details>>(async () => details)
  return { pageHashes: [JSON.stringify(details)], details: parsed }
}

test('parses no sheet again if the details of one are unchanged', async () => {
  const { collections, clock, website, run } = sheetsOf()
  await run(minuteMs)
  const kept = collections.states()[0]?.kept as CollectionCopy<'signup'> | undefined
  const read = { id: 3, modified: '' }
  const reading = readingOf(website.groups['3'] ?? { sheet: {}, groups: [] })
  for (const parsings of [1, 1]) {
    const change = await withDetails(kept, read, reading, clock.now())
    expect(change?.kept.collection).toBe(kept?.collection)
    expect(change?.kept.details['3']).toEqual({ readAt: clock.now(), modified: '' })
    expect(reading.details).toHaveBeenCalledTimes(parsings)
  }
})

test('parses details that have changed back to an earlier version', async () => {
  const { collections, clock, website, run } = sheetsOf()
  await run(minuteMs)
  const kept = collections.states()[0]?.kept as CollectionCopy<'signup'> | undefined
  const read = { id: 3, modified: '' }
  const first = readingOf(website.groups['3'] ?? { sheet: {}, groups: [] })
  await withDetails(kept, read, first, clock.now())
  const other = readingOf({ sheet: { contact: 'Pat 9' }, groups: [] })
  const changed = await withDetails(kept, read, other, clock.now())
  const restored = await withDetails(changed?.kept, read, first, clock.now())
  const contactIn = (change: typeof changed) =>
    change?.kept.collection.records.find(({ id }) => id === 3)?.contact
  expect([changed, restored].map(contactIn)).toEqual(['Pat 9', 'Pat 3'])
})

test('ignores details that arrive while the collection is held', async () => {
  const { collections, clock, website, run } = sheetsOf()
  await run(minuteMs)
  website.items.signup = []
  await clock.advance(5 * minuteMs)
  const kept = collections.states()[0]?.kept as CollectionCopy<'signup'> | undefined
  expect(kept?.held).toBeDefined()
  const details = readingOf({ sheet: { contact: 'late' }, groups: [] })
  const read = { id: 3, modified: '' }
  expect(await withDetails(kept, read, details, clock.now())).toBeUndefined()
  expect(await withDetails(undefined, read, details, clock.now())).toBeUndefined()
})
