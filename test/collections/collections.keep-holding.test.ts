import { describe, expect, test } from 'vitest'
import { acceptHeld, keepHolding } from '../../src/collections/copy/held-decisions.ts'
import { minuteMs, sampleNews } from '../support/collections.ts'
import { changing, dayMs, few, pass } from '../support/held-collections.ts'

describe('a held collection that an operator asked to keep holding', () => {
  test('is never published automatically by any replica, but can still be accepted', async () => {
    const { collections, start, clock, store, heldOf } = await changing(
      ['news'],
      { news: sampleNews },
      { news: few },
    )
    expect(await keepHolding(store.documents, 'news')).toEqual({ ok: true })
    const second = start()
    second.collections.start()
    await pass(clock, 4 * dayMs)
    for (const replica of [collections, second.collections]) {
      expect(replica.copyOf('news')?.records).toHaveLength(sampleNews.length)
      expect(heldOf('news', replica)).toMatchObject({ isHeldByRequest: true })
    }
    expect(await acceptHeld(store.documents, 'news', { now: clock.now() })).toMatchObject({
      records: 3,
    })
    await clock.advance(10_000)
    expect(collections.copyOf('news')?.records).toHaveLength(3)
  })

  test('stays held if the request arrives during a read', async () => {
    const { website, clock, store, heldOf } = await changing(
      ['news'],
      { news: sampleNews },
      { news: few },
    )
    const hanging = Promise.withResolvers<void>()
    website.hangs = hanging.promise
    await clock.advance(5 * minuteMs)
    expect(await keepHolding(store.documents, 'news')).toEqual({ ok: true })
    hanging.resolve()
    await clock.advance(10_000)
    expect(heldOf('news')).toMatchObject({ isHeldByRequest: true })
  })

  test('is published when its records return, and can be held again later', async () => {
    const { collections, website, clock, store, heldOf } = await changing(
      ['news'],
      { news: sampleNews },
      { news: few },
    )
    await keepHolding(store.documents, 'news')
    website.items.news = sampleNews
    await clock.advance(6 * minuteMs)
    expect(heldOf('news')).toBeUndefined()
    expect(collections.copyOf('news')?.records).toHaveLength(sampleNews.length)
    website.items.news = few
    await clock.advance(6 * minuteMs)
    expect(heldOf('news')).toMatchObject({ isHeldByRequest: false })
  })
})

test('a request to keep holding is rejected if nothing is held', async () => {
  const { store } = await changing(['news'], { news: sampleNews }, {})
  expect(await keepHolding(store.documents, 'news')).toEqual({ ok: false, reason: 'not held' })
  expect(await keepHolding(store.documents, 'events')).toEqual({ ok: false, reason: 'not held' })
})
