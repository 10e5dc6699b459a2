import { expect, onTestFinished } from 'vitest'
import type { Collection } from '../../src/collections/collection.ts'
import { createRenderers, type Feed, type FeedSource } from '../../src/feeds/feed.ts'
import type { Clock } from '../../src/clock.ts'
import type { CollectionReader } from '../../src/collections/collections.ts'
import { createLogger } from '../../src/log.ts'
import { createRepresentations } from '../../src/representations/representations.ts'
import { plainTargets, targetOf } from '../../src/representations/target.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { oneCollection } from '../support/one-collection.ts'
import { testSite } from '../support/site.ts'
import { waitFor } from '../support/wait-for.ts'

/** Creates representations that are stopped when the test is over. */
export function startRepresentations(
  collections: CollectionReader,
  options: { readonly clock: Clock } & Partial<Parameters<typeof createRepresentations>[1]>,
) {
  const representations = createRepresentations(collections, {
    maxBytes: 64 * 1024 * 1024,
    renderers: createRenderers(testSite),
    diagnostics: { report: () => undefined },
    duplicatesFor: () => Promise.resolve([]),
    presentationChangedAt: 0,
    log: createLogger('fatal'),
    ...options,
  })
  onTestFinished(() => representations[Symbol.asyncDispose]())
  return representations
}

/**
 * Creates representations of a feed whose content the test controls, and counts how often the feed
 * is rendered.
 */
export function representationsOf({
  text = 'a',
  validForMs = Infinity,
  isPinned = false,
  presentationChangedAt = 0,
  maxBytes = 64 * 1024 * 1024,
} = {}) {
  const clock = createFakeClock()
  let behindMs = 0
  const changedAt = clock.now() - 60_000
  const page = { text, renderings: 0, failure: undefined as Error | undefined }
  const render: Feed['renderSource'] = function* (_source, { now, chosen }) {
    rendered.push(chosen.query)
    yield
    page.renderings += 1
    if (page.failure) throw page.failure
    const validFrom = now - (now % validForMs)
    return { body: Buffer.from(page.text), title: 'News', validFrom, validUntil: now + validForMs }
  }
  const feed: Feed = {
    id: 'news',
    textIn: () => ({ title: 'News', summary: '' }),
    resource: 'news',
    boardRole: 'story',
    formats: ['rss'],
    options: () => ({}),
    sourcesFrom: () => [feed],
    renderSource: render,
    render: ([shown], ...rest) => render(shown?.source as FeedSource<'news'>, ...rest),
    titleWith: () => 'News',
    overview: () => ({ parts: [], entries: [], board: [], validUntil: Infinity }),
    goneText: () => undefined,
    searchable: () => [],
    found: () => [],
    foundText: () => {
      throw new TypeError('no feed has a match')
    },
    page: () => ({ page: undefined, validUntil: Infinity }),
  }
  const version = (number: number): Collection => ({
    resource: 'news',
    records: [],
    rejected: [],
    rejectedCount: 0,
    outdatedCount: 0,
    unreadCount: 0,
    omittedCount: 0,
    ledger: new Map(),
    fetchedAt: changedAt,
    changedAt: changedAt + number * 1000,
    version: String(number),
  })
  const { source, collections } = oneCollection(version(1))
  const rendered: string[] = []
  const lines: string[] = []
  let gate: Promise<void> | undefined
  const representations = startRepresentations(collections, {
    takeTurn: async () => gate,
    presentationChangedAt,
    maxBytes,
    clock: { ...clock, now: () => clock.now() - behindMs },
    log: createLogger('info', { write: (line) => lines.push(line) }),
  })
  if (isPinned) representations.keepReady(plainTargets([feed], [], 'public'))

  function target(query = '') {
    const hasText = query.startsWith('q=')
    return targetOf(feed, [feed], {
      chosen: { values: {}, query, hasText },
      format: 'rss',
      profile: 'public',
    })
  }
  const get = async (query = '') => representations.get(target(query))
  return {
    clock,
    page,
    source,
    changedAt,
    rendered,
    lines,
    representations,
    target,
    get,
    /** Returns the current representation, without requesting the feed. */
    ready: (query = '') => {
      const latest = representations.rendered(target(query))
      return latest && clock.now() < latest.validUntil ? latest.representation : undefined
    },
    /** Returns the version compressed with brotli, without requesting the feed. */
    brotliOf: (query = '') => representations.rendered(target(query))?.representation.encodings.br,
    change: (number: number, text?: string) => {
      if (text !== undefined) page.text = text
      source.change(version(number))
    },
    /** Sets only the clock of the representations back. */
    setClockBack: (ms: number) => {
      behindMs = ms
    },
    /** Suspends rendering until the returned function is called. */
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      gate = promise
      return () => {
        gate = undefined
        resolve()
      }
    },
    /** Waits until the feed contains a string. */
    shows: (text: string, query = '') =>
      waitFor(async () => expect(textOf(await get(query))).toBe(text)),
  }
}

export const textOf = ({ encodings }: { encodings: { identity: { bytes: Buffer } } }) =>
  encodings.identity.bytes.toString()
