import { expect, test } from 'vitest'
import { maxSearches } from '../../src/representations/representations.ts'
import { representationsOf, textOf } from './representations.ts'

const searches = Array.from({ length: maxSearches }, (_, index) => `q=word${index}`)

test('keeps a limited number of searches, which never displace each other or other feeds', async () => {
  const { page, get, representations, target } = representationsOf()
  for (const query of ['', 'limit=1', ...searches]) await get(query)
  const { count } = representations.kept()
  expect(textOf(await get('q=more'))).toBe('a')
  expect(textOf(await get('q=more'))).toBe('a')
  expect(representations.isKnown(target('q=more'))).toBe(false)
  expect(representations.kept().count).toBe(count)
  expect(page.renderings).toBe(count + 2)
  for (const query of ['', 'limit=1', ...searches]) await get(query)
  expect(page.renderings).toBe(count + 2)
  await get('limit=2')
  expect(representations.isKnown(target('limit=2'))).toBe(true)
})

test('drops a search that nobody has requested for a day', async () => {
  const { clock, get, representations, target } = representationsOf()
  representations.start()
  for (const query of ['', ...searches]) await get(query)
  await clock.advance(23 * 3_600_000)
  await get('q=word1')
  await clock.advance(2 * 3_600_000)
  const known = ['', ...searches].filter((query) => representations.isKnown(target(query)))
  expect(known).toEqual(['', 'q=word1'])
  await get('q=more')
  expect(representations.isKnown(target('q=more'))).toBe(true)
})

test('applies the limit to searches that cannot be rendered', async () => {
  const { page, get, representations } = representationsOf()
  page.failure = new Error('no')
  for (const query of [...searches, 'q=more', 'q=most']) {
    await expect(get(query)).rejects.toThrow('no')
  }
  expect(representations.kept().count).toBe(maxSearches)
})

test('evicts searches before other feeds when the cache is full', async () => {
  const { get, representations, target } = representationsOf({ maxBytes: 50_000 })
  for (const query of ['limit=1', ...searches]) await get(query)
  const isKnown = (query: string) => representations.isKnown(target(query))
  expect(isKnown('limit=1')).toBe(true)
  expect(searches.filter(isKnown)).toEqual(searches.slice(-searches.filter(isKnown).length))
  expect(searches.every(isKnown)).toBe(false)
})
