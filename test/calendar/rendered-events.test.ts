import { expect, test } from 'vitest'
import { createRenderedEvents, minCachedEvents } from '../../src/calendar/rendered-events.ts'

const known = { hash: 'a1', revision: 0, firstSeenAt: 1, changedAt: 1 }
type Change = Partial<typeof known> & { readonly status?: 'cancelled' }

/** Renders records whose ids are the first letters of their hashes, and records what is rendered. */
function eventsOf(maxEvents: number, minEvents = 1) {
  const events = createRenderedEvents(maxEvents, minEvents)
  const made: string[] = []
  const bytesOf = (variant: string, ...changes: readonly Change[]) => {
    const records = changes.map(({ status = 'confirmed' as const, ...change }) => {
      const history = { ...known, ...change }
      return { record: { id: history.hash.charCodeAt(0) }, status, known: history }
    })
    return events(variant, records, ({ known: { hash } }) => {
      made.push(hash)
      return Buffer.from(hash)
    })
  }
  const of = (variant: string, ...hashes: readonly string[]) =>
    bytesOf(variant, ...hashes.map((hash) => ({ hash }))).map(String)
  return { bytesOf, of, made }
}

test('renders only changed entries', () => {
  const { of, made } = eventsOf(10)
  expect(of('v', 'a1', 'b1', 'c1')).toEqual(['a1', 'b1', 'c1'])
  expect(of('v', 'c1', 'b2', 'd1')).toEqual(['c1', 'b2', 'd1'])
  expect(made).toEqual(['a1', 'b1', 'c1', 'b2', 'd1'])
})

test.for<Change>([
  { status: 'cancelled' },
  { hash: 'a2' },
  { revision: 1 },
  { changedAt: 2 },
  { firstSeenAt: 0 },
])('renders an entry again after the change %j', (change) => {
  const { bytesOf, made } = eventsOf(10)
  for (const each of [{}, {}, change, change]) bytesOf('v', each)
  expect(made).toHaveLength(2)
})

test('evicts the least recently used variants', () => {
  const { of, made } = eventsOf(4)
  for (const variant of 'vwv') of(variant, 'a1', 'b1')
  of('x', 'a1')
  made.length = 0
  of('v', 'a1', 'b1')
  expect(made).toEqual([])
  of('w', 'a1', 'b1')
  expect(made).toEqual(['a1', 'b1'])
})

test('does not cache empty variants', () => {
  const { of, made } = eventsOf(2)
  of('v', 'a1', 'b1')
  for (let index = 0; index < 10; index += 1) of(`empty ${index}`)
  of('v', 'a1', 'b1')
  expect(made).toEqual(['a1', 'b1'])
})

test('renders small calendars completely, which saves memory', () => {
  const large = Array.from({ length: minCachedEvents }, (_, id) => String.fromCharCode(id))
  const { of, made } = eventsOf(10_000, minCachedEvents)
  for (let count = 0; count < 2; count += 1) of('large', ...large)
  expect(made).toEqual(large)
  made.length = 0
  for (let count = 0; count < 2; count += 1) of('small', ...large.slice(1))
  expect(made).toHaveLength(2 * (minCachedEvents - 1))
})

test('does not keep the pool of buffers for changed entries', () => {
  const { bytesOf } = eventsOf(10)
  for (const hash of ['a first', 'a changed']) bytesOf('v', { hash })
  expect(bytesOf('v', { hash: 'a changed' })[0]?.buffer.byteLength).toBe('a changed'.length)
})

test('reuses entries for a part of a variant, without forgetting the others', () => {
  const events = createRenderedEvents(10, 1)
  const made: string[] = []
  const render = (hashes: readonly string[], isPart: boolean) => {
    const records = hashes.map((hash) => {
      return {
        record: { id: hash.charCodeAt(0) },
        status: 'confirmed',
        known: { ...known, hash },
      } as const
    })
    const bytesOf = ({ known: { hash } }: (typeof records)[number]) => {
      made.push(hash)
      return Buffer.from(hash)
    }
    return events('v', records, bytesOf, { isPart }).map(String)
  }
  render(['a1', 'b1'], false)
  expect(render(['b1', 'c1'], true)).toEqual(['b1', 'c1'])
  expect(render(['a1', 'b1'], false)).toEqual(['a1', 'b1'])
  expect(made).toEqual(['a1', 'b1', 'c1'])
})
