import { setImmediate } from 'node:timers/promises'
import { inSteps, inTurns, type Turns } from '../steps.ts'
import type { FeedResource } from '../records/resources.ts'
import type { Feed, FeedSource, Searchable, SearchContext } from './feed.ts'
import { isCalendarFormat } from './formats.ts'

const turnMs = 2

/** Maximum number of lists for each set of records. Their texts are cached, so creating one is quick. */
const maxLists = 6

type Lists = Map<string, readonly Searchable[]>

/** Lists for each feed, profile and language, until their records are garbage-collected. */
const known = new WeakMap<object, Lists>()

/** Preparations run one after another, so that the event loop handles other events in between. */
let last = Promise.resolve()

/**
 * Returns the list that searches of a feed compare. Creating it takes a moment after a restart, so
 * this yields to other work every few milliseconds.
 */
export async function prepareSearch(
  feed: Feed,
  source: FeedSource<FeedResource>,
  context: SearchContext,
  turns: Turns = { takeTurn: () => setImmediate() },
): Promise<readonly Searchable[]> {
  const { site, profile, format = 'ics' } = context
  const isCalendar = feed.formats.includes(format) && isCalendarFormat(format)
  const name = [feed.id, isCalendar, profile, site.language].join(' ')
  const lists: Lists = known.get(source.records) ?? new Map()
  known.set(source.records, lists)

  async function prepare() {
    const searchable = feed.searchable(source, context)
    const list = await inTurns(
      inSteps(searchable, (item) => item),
      { turnMs, ...turns },
    )
    lists.set(name, list)
    const [oldest] = lists.keys()
    if (lists.size > maxLists && oldest !== undefined) lists.delete(oldest)
    await turns.takeTurn()
    return list
  }

  const list = lists.get(name)
  if (list) return list
  const done = last.then(() => lists.get(name) ?? prepare())
  // The result is dropped, so that it can be garbage-collected.
  last = done.then(() => undefined).catch(() => undefined)
  return done
}
