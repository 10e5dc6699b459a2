import { describe, expect, test } from 'vitest'
import { minuteMs, sampleNews } from '../support/collections.ts'
import { happening } from '../support/happening.ts'
import { changing, dayMs, events, few, hourMs, pass } from '../support/held-collections.ts'

describe('a collection that has lost most records', () => {
  test('is published after a day without changes, even if the service restarts in the meantime', async () => {
    const { collections, start, clock, stop } = await changing(
      ['news'],
      { news: sampleNews },
      { news: few },
    )
    await pass(clock, 12 * hourMs)
    expect(collections.copyOf('news')?.records).toHaveLength(sampleNews.length)
    await stop()
    const later = start()
    await later.collections.load()
    later.collections.start()
    await pass(clock, 12 * hourMs - 10 * minuteMs, 2 * hourMs - 100_000)
    expect(later.collections.copyOf('news')?.records).toHaveLength(sampleNews.length)
    await clock.advance(20 * minuteMs)
    expect(later.collections.copyOf('news')?.records).toHaveLength(few.length)
  })

  test('is published after a day even though the date window moves at midnight', async () => {
    // The oldest remaining record is 400 days old and leaves the window tonight.
    const old = happening(100, '2025-01-29', '2025-01-29')
    const { collections, website, clock } = await changing(
      ['events'],
      { events: [old, ...events] },
      { events: [old, ...events.slice(0, 4)] },
    )
    await pass(clock, 16 * hourMs)
    website.items.events = events.slice(0, 4)
    await pass(clock, 7 * hourMs, hourMs)
    expect(collections.copyOf('events')?.records).toHaveLength(21)
    await pass(clock, 2 * hourMs)
    expect(collections.copyOf('events')?.records).toHaveLength(4)
  })

  test('stays held if another collection loses most of its records within a day', async () => {
    const rental = events.map((event) => ({ ...event, typeId: 1, type: 'Hall' }))
    const { collections, website, clock, heldOf } = await changing(
      ['events', 'rental'],
      { events, rental },
      { events: events.slice(0, 4) },
    )
    await pass(clock, 20 * hourMs)
    expect(heldOf('events')).toMatchObject({ needsAcceptance: false })
    website.items.rental = rental.slice(0, 4)
    collections.recordRead('rental')
    await clock.advance(6 * minuteMs)
    await pass(clock, 20 * dayMs, dayMs)
    expect(collections.copyOf('events')?.records).toHaveLength(20)
    expect(collections.copyOf('rental')?.records).toHaveLength(20)
    expect(heldOf('events')).toMatchObject({ needsAcceptance: true })
  })

  test('stays held even if another collection loses most of its records only temporarily that day', async () => {
    const rental = events.map((event) => ({ ...event, typeId: 1, type: 'Hall' }))
    const { collections, website, clock, heldOf } = await changing(
      ['events', 'rental'],
      { events, rental },
      { rental: rental.slice(0, 4) },
    )
    website.items.rental = rental
    await pass(clock, hourMs, hourMs)
    expect(heldOf('rental')).toBeUndefined()
    website.items.events = events.slice(0, 4)
    await pass(clock, 2 * dayMs)
    expect(collections.copyOf('events')?.records).toHaveLength(20)
  })

  test('is held because of an incident that another replica observed', async () => {
    const rental = events.map((event) => ({ ...event, typeId: 1, type: 'Hall' }))
    const items = { events, rental: rental.slice(0, 4) }
    const parts = await changing(['events', 'rental'], { events, rental }, items)
    const second = parts.start()
    second.collections.start()
    parts.website.items.events = events.slice(0, 4)
    await parts.stop()
    await pass(parts.clock, 2 * dayMs)
    expect(second.collections.copyOf('events')?.records).toHaveLength(20)
    expect(second.collections.copyOf('rental')?.records).toHaveLength(20)
  })
})
