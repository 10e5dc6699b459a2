import { expect, onTestFinished, test } from 'vitest'
import type { ServedFeed } from '../../src/feeds/feed.ts'
import { feeds } from '../../src/feeds/catalog.ts'
import { plainTargets, targetOf } from '../../src/representations/target.ts'
import { UpstreamError } from '../../src/upstream/upstream-error.ts'
import { collectionsOf, sampleNews } from '../support/collections.ts'
import { startRepresentations, textOf } from './representations.ts'
import { waitFor } from '../support/wait-for.ts'

const readable = feeds.filter(({ id }) => ['events', 'news'].includes(id))

/** Combined feed that lists its sources with the number of their records. */
const counts: ServedFeed = {
  id: 'counts',
  textIn: () => ({ title: 'Counts', summary: 'How many records there are.' }),
  formats: ['rss', 'ics'],
  isForEveryone: true,
  options: () => ({}),
  sourcesFrom: (given, format) => given.filter(({ formats }) => formats.includes(format)),
  *render(sources) {
    yield
    return {
      body: Buffer.from(
        sources.map(({ feed, source }) => `${feed.id} ${source.records.length}`).join(', '),
      ),
      title: 'Counts',
      validFrom: -Infinity,
      validUntil: Infinity,
    }
  },
}

const target = targetOf(counts, readable, {
  chosen: { values: {}, query: '' },
  format: 'rss',
  profile: 'public',
})

function startCombined() {
  const { collections, website, clock, stop } = collectionsOf({ resources: ['events', 'news'] })
  onTestFinished(stop)
  website.items = { events: [], news: sampleNews.slice(0, 2) }
  return {
    collections,
    website,
    clock,
    representations: startRepresentations(collections, { clock }),
  }
}

const namesWith = (all: typeof feeds) =>
  plainTargets(all, [counts], 'public').map(({ name }) => name)

test('renders a combined feed from the records of all its sources', async () => {
  const { representations } = startCombined()
  expect(textOf(await representations.get(target))).toBe('events 0, news 2')
})

test('serves the sources that have records while another fails, and adds that one once it works', async () => {
  const { representations, website, collections, clock } = startCombined()
  representations.start()
  website.failing = 'events'
  website.failure = new UpstreamError('unreachable', 'The website is down')
  expect(textOf(await representations.get(target))).toBe('news 2')
  website.failure = undefined
  collections.start()
  await clock.advance(120_000)
  await waitFor(async () =>
    expect(textOf(await representations.get(target))).toBe('events 0, news 2'),
  )
})

test('does not render a combined feed in advance until all its sources have records', async () => {
  const { representations, collections } = startCombined()
  representations.start()
  representations.keepReady([target])
  await collections.read('news')
  expect(representations.kept()).toMatchObject({ count: 1, pinned: [] })
  await collections.read('events')
  await waitFor(() => expect(representations.kept().pinned).toHaveLength(1))
  expect(textOf(await representations.get(target))).toBe('events 0, news 2')
})

test('keeps serving a source after it starts to fail', async () => {
  const { representations, website, collections, clock } = startCombined()
  await representations.get(target)
  website.failing = 'news'
  website.failure = new UpstreamError('unreachable', 'The website is down')
  await clock.advance(3_600_000)
  await collections.readDue('news')
  expect(textOf(await representations.get(target))).toBe('events 0, news 2')
})

test('rejects if no source has records', async () => {
  const { representations, website } = startCombined()
  website.failure = new UpstreamError('unreachable', 'The website is down')
  await expect(representations.get(target)).rejects.toMatchObject({ name: 'CollectionUnavailable' })
})

test('lists a combined feed in the formats for which it has sources', () => {
  expect(namesWith(readable)).toContain('public counts.rss of events,news')
  expect(namesWith(readable)).toContain('public counts.ics of events')
  expect(namesWith(feeds.filter(({ id }) => id === 'news'))).not.toContain('public counts.ics of ')
})
