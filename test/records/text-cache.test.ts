import { expect, test } from 'vitest'
import { cachedByText } from '../../src/records/text-cache.ts'

test('converts each string once, and evicts the strings that were used least recently', () => {
  const worked: string[] = []
  const work = cachedByText((text, baseUrl) => {
    worked.push(text)
    return `${baseUrl}/${text}`
  }, 40)
  expect(['one', 'two', 'one', 'six', 'one', 'two'].map((text) => work(text, 'site'))).toEqual(
    ['one', 'two', 'one', 'six', 'one', 'two'].map((text) => `site/${text}`),
  )
  expect(worked).toEqual(['one', 'two', 'six', 'two'])
})

test('keeps the results for each website separate', () => {
  const work = cachedByText((text, baseUrl) => `${baseUrl}/${text}`, 1_000)
  expect([work('one', 'a'), work('one', 'b')]).toEqual(['a/one', 'b/one'])
})
