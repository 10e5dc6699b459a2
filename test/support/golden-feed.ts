import { parseAtomFeed, parseJsonFeed, parseRssFeed } from 'feedsmith'
import { expect } from 'vitest'
import { expectGolden } from './golden.ts'
import { lintJsonFeed } from './json-feed-lint.ts'
import { assertWellFormed } from './well-formed.ts'

/** Formats of news feeds, each with its parser. */
const parsers = { rss: parseRssFeed, atom: parseAtomFeed, json: parseJsonFeed }

/** Compares a news feed with its golden file, expects it to be valid, and returns its items. */
export function goldenItems(name: string, format: keyof typeof parsers, text: string) {
  expectGolden(`${name}.${format}`, text)
  const faults = format === 'json' ? lintJsonFeed(text) : assertWellFormed(text)
  expect(faults ?? []).toEqual([])
  const parsed = parsers[format](text)
  return 'entries' in parsed ? parsed.entries : 'items' in parsed ? parsed.items : []
}

/** Expects every item to have its own link, because some readers drop repeated ones. */
export function expectDistinctLinks(format: keyof typeof parsers, text: string): void {
  const parsed = parsers[format](text)
  const links =
    'entries' in parsed
      ? parsed.entries?.map((entry) => entry.links?.find(({ rel }) => rel !== 'enclosure')?.href)
      : 'items' in parsed
        ? parsed.items?.map((item) => ('url' in item ? item.url : 'link' in item ? item.link : ''))
        : []
  expect(links).toEqual([...new Set(links)])
}
