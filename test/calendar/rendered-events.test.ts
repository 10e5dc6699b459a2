import { expect, test } from 'vitest'
import { createRenderedEvents, minCachedEvents } from '../../src/calendar/rendered-events.ts'

function eventsOf(maxEvents: number, minEvents = 1) {
  const events = createRenderedEvents(maxEvents, minEvents)
  const made: string[] = []
  const of = (variant: string, ...things: readonly string[]) =>
    events(
      variant,
      things.map((thing) => ({
        record: { id: thing.charCodeAt(0) },
        status: 'confirmed' as const,
        known: { hash: thing, revision: 0, firstSeenAt: 0, changedAt: 0 },
      })),
      ({ known: { hash } }) => {
        made.push(hash)
        return Buffer.from(hash)
      },
    ).map((bytes) => bytes.toString())
  return { of, made }
}

test('renders only changed entries', () => {
  const { of, made } = eventsOf(10)
  expect(of('v', 'a1', 'b1', 'c1')).toEqual(['a1', 'b1', 'c1'])
  expect(of('v', 'c1', 'b2', 'd1')).toEqual(['c1', 'b2', 'd1'])
  expect(made).toEqual(['a1', 'b1', 'c1', 'b2', 'd1'])
})

test('renders an entry again when its status, revision or time changes', () => {
  const events = createRenderedEvents(10, 1)
  let count = 0
  const known = { hash: 'a', revision: 0, firstSeenAt: 1, changedAt: 1 }
  const render = (status: 'confirmed' | 'cancelled', change: Partial<typeof known>) =>
    events('v', [{ record: { id: 1 }, status, known: { ...known, ...change } }], () => {
      count += 1
      return Buffer.from('')
    })
  render('confirmed', {})
  render('confirmed', {})
  expect(count).toBe(1)
  render('cancelled', {})
  render('cancelled', { hash: 'b' })
  render('cancelled', { hash: 'b', revision: 1 })
  render('cancelled', { hash: 'b', revision: 1, changedAt: 2 })
  render('cancelled', { hash: 'b', revision: 1, changedAt: 2, firstSeenAt: 0 })
  expect(count).toBe(6)
})

test('caches each variant separately', () => {
  const { of, made } = eventsOf(10)
  of('v', 'a1')
  of('w', 'a1')
  expect(made).toEqual(['a1', 'a1'])
})

test('evicts the least recently used variants', () => {
  const { of, made } = eventsOf(4)
  of('v', 'a1', 'b1')
  of('w', 'a1', 'b1')
  of('v', 'a1', 'b1')
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
  of('large', ...large)
  of('large', ...large)
  expect(made).toEqual(large)
  made.length = 0
  of('small', ...large.slice(1))
  of('small', ...large.slice(1))
  expect(made).toHaveLength(2 * (minCachedEvents - 1))
})

test('does not keep the pool of buffers for changed entries', () => {
  const events = createRenderedEvents(10, 1)
  const render = (hash: string) => {
    const known = { hash, revision: 0, firstSeenAt: 0, changedAt: 0 }
    return events('v', [{ record: { id: 1 }, status: 'confirmed', known }], () => Buffer.from(hash))
  }
  render('first')
  render('changed')
  expect(render('changed')[0]?.buffer.byteLength).toBe('changed'.length)
})
