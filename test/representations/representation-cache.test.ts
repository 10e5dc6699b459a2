import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { noneChosen } from '../../src/options/option.ts'
import { createLogger } from '../../src/log.ts'
import { encodingsOf } from '../../src/representations/encodings.ts'
import {
  createBackgroundCompression,
  createRepresentationCache,
} from '../../src/representations/representation-cache.ts'
import { targetOf } from '../../src/representations/target.ts'
import { feedWith } from '../support/feed-text.ts'

const text = Array.from({ length: 20_000 }, (_, index) => `Entry ${index ** 3}`).join('\n')

const renderedFrom = async (title: string) => ({
  representation: {
    contentType: 'text/calendar',
    title,
    lastModified: 0,
    encodings: await encodingsOf(Buffer.from(`${title}\n${text}`)),
  },
  ledgers: [],
  madeAt: 0,
  validUntil: Infinity,
})

test('keeps a representation that was rendered while the previous one was being compressed', async () => {
  const { signal } = new AbortController()
  const cache = createRepresentationCache(10_000_000, () => undefined)
  const compression = createBackgroundCompression(cache, { signal, log: createLogger('silent') })
  const feed = feedWith('events')
  const chosen = noneChosen(feed.options('ics'))
  const entry = cache.entryFor(targetOf(feed, [feed], { chosen, format: 'ics', profile: 'public' }))
  const [previous, latest] = [await renderedFrom('previous'), await renderedFrom('latest')]
  cache.put(entry, { latest: previous })
  compression.add(entry)
  await setImmediate()
  cache.put(entry, { latest })
  await compression.done()
  // Printing the difference of whole representations would take minutes.
  const { identity } = entry.state.latest?.representation.encodings ?? {}
  expect(identity?.bytes.toString('utf8', 0, 6)).toBe('latest')
})
