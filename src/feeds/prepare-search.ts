import { setImmediate } from 'node:timers/promises'
import type { FeedResource } from '../records/resources.ts'
import type { Search } from '../search/search.ts'
import type { Feed, FeedSource, SearchContext } from './feed.ts'

/** Folded texts are on one line, so this finds nothing. */
const nothing: Search = { required: ['\n'], excluded: [] }

const sliceRecords = 5
const sliceMs = 5

type Turns = {
  readonly takeTurn: () => Promise<unknown>
  readonly elapsedMs: () => number
}

const turns: Turns = { takeTurn: () => setImmediate(), elapsedMs: () => performance.now() }

/** Feeds, profiles and languages whose current texts have been prepared, by ledger. */
const prepared = new WeakMap<object, Set<string>>()

/** Preparations run one after another, so that the event loop handles other events in between. */
let last = Promise.resolve()

/**
 * Prepares the texts that searches of a feed compare. This takes up to a second after a restart, so
 * it yields to other work every few milliseconds.
 */
export async function prepareSearch<R extends FeedResource>(
  feed: Feed<R>,
  source: FeedSource<R>,
  context: SearchContext,
  { takeTurn, elapsedMs }: Turns = turns,
): Promise<void> {
  const { site, profile, format = '' } = context
  const name = [feed.id, feed.formats.includes('ics') && format, profile, site.language].join(' ')
  const { ledger, records } = source
  const known = prepared.get(ledger) ?? new Set<string>()
  prepared.set(ledger, known)

  async function prepare() {
    if (known.has(name)) return
    let turnEnds = elapsedMs() + sliceMs
    for (let first = 0; first < records.length; first += sliceRecords) {
      feed.found(
        { ...source, records: records.slice(first, first + sliceRecords) },
        nothing,
        context,
      )
      if (elapsedMs() < turnEnds) continue
      await takeTurn()
      turnEnds = elapsedMs() + sliceMs
    }
    // Caches the list of these texts, which also takes a few milliseconds.
    await takeTurn()
    feed.found(source, nothing, context)
    known.add(name)
    await takeTurn()
  }

  if (known.has(name)) return
  const done = last.then(prepare)
  last = done.catch(() => undefined)
  await done
}
