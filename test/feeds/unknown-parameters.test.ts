import { expect, test } from 'vitest'
import { standardCatalog } from '../../src/feeds/catalog.ts'
import {
  ignoredParameters,
  unknownParameters,
  unknownParametersValue,
} from '../../src/feeds/unknown-parameters.ts'
import { documentOf, tableAfter } from '../support/documentation.ts'
import { namesIn } from '../support/documented-fields.ts'

const options = ['alarm', 'calendar', 'past', 'q'].map((name) => ({ name }))
const unknownIn = (query: string) => unknownParameters(new URLSearchParams(query), options)
const valueOf = (query: string) => unknownParametersValue(unknownIn(query))

test.for([
  ['alram', 'alarm'],
  ['alrm', 'alarm'],
  ['alarms', 'alarm'],
  ['alerm', 'alarm'],
  ['Alarm', 'alarm'],
  ['dwnload', 'download'],
  ['lng', 'lang'],
  // Two edits away.
  ['allerm', undefined],
  ['caleder', undefined],
  // Too short.
  ['w', undefined],
  ['qq', undefined],
  ['foo', undefined],
] as const)('suggests for %s: %s', ([name, suggestion]) => {
  expect(unknownIn(`past=3&${name}=1`)).toEqual([{ name, suggestion }])
})

test('lists an unknown parameter once, as a structured field', () => {
  expect(valueOf('alram=30&foo=secret&alarm=5&foo=2')).toBe('"alram";suggestion="alarm", "foo"')
  expect(valueOf('past=3&alarm=5')).toBe('')
})

test('lists at most five names, shortened to 40 characters', () => {
  const names = Array.from({ length: 9 }, (_, index) => `${index}`.padEnd(60, 'x'))
  expect(unknownIn(names.join('&')).map(({ name }) => name)).toEqual(
    names.slice(0, 5).map((name) => name.slice(0, 40)),
  )
})

test('escapes quotation marks and backslashes, and drops characters that a string cannot contain', () => {
  expect(valueOf('a%22b%5C=1')).toBe(String.raw`"a\"b\\"`)
  expect(valueOf('f%C3%B6o%0D%0A%7F=1&%E2%9C%93=1&%20=1')).toBe('"fo"')
})

test('ignores parameters that are added for tracking or to get around a cache', () => {
  const ignored = ['utm_source', 'utm_id', '1732700000', '', ...ignoredParameters]
  expect(valueOf(ignored.map((name) => `${name}=1`).join('&'))).toBe('')
  expect(valueOf('utm=1&xfbclid=1&version=1')).toBe('"utm", "xfbclid", "version"')
})

test('ignores the documented parameters', () => {
  const rows = tableAfter('### Unknown parameters', documentOf('docs/feeds.md'))
  expect(rows.flatMap((row) => namesIn(row['ignored']))).toEqual(ignoredParameters)
})

test('knows every option of every feed, but not those of other feeds', () => {
  const all = [...standardCatalog.feeds, ...standardCatalog.combinedFeeds].flatMap((feed) =>
    feed.formats.map((format) => Object.values(feed.options(format))),
  )
  const names = [...new Set(all.flatMap((each) => each.map(({ name }) => name)))]
  expect(all.length).toBeGreaterThan(30)
  for (const known of all) {
    const own = known.map(({ name }) => name)
    const others = names.filter((name) => !own.includes(name) && name !== 'download')
    const query = new URLSearchParams([...own, 'lang', 'download'].join('&'))
    expect(unknownParameters(query, known)).toEqual([])
    for (const name of others) {
      const [found] = unknownParameters(new URLSearchParams({ [name]: '1' }), known)
      expect(found?.name).toBe(name)
    }
  }
})
