import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { parseJsonFeed } from 'feedsmith'
import { expect, test } from 'vitest'
import { applyReading, type CollectionCopy } from '../../src/collections/copy/collection-copy.ts'
import { standardCatalog } from '../../src/feeds/catalog.ts'
import { changes } from '../../src/feeds/changes.ts'
import { createRenderers } from '../../src/feeds/feed.ts'
import type { FeedResource } from '../../src/records/resources.ts'
import { renderTarget } from '../../src/representations/render-target.ts'
import type { Rendered } from '../../src/representations/representation-cache.ts'
import { targetOf } from '../../src/representations/target.ts'
import { chosenOptions } from '../support/chosen-options.ts'
import { createFeedReader, readerKinds, type ReaderKind } from '../support/feed-reader.ts'
import { feedWith } from '../support/feed-text.ts'
import { testSite } from '../support/site.ts'

const start = Date.parse('2026-03-01T15:00:00Z')
const minuteMs = 60_000

/** A record as an editor changes it. The texts of two versions differ. */
type Version = { readonly version: number; readonly isOnline: boolean }

type Spec = {
  readonly feed: string
  /** What the test is named after. The default is the resource. */
  readonly name?: string
  readonly resource: FeedResource
  readonly query?: string
  /** Readers that do not get every item, as the docs say. */
  readonly incomplete: readonly ReaderKind[]
  /** True if one item may describe several records. */
  readonly isSeries?: boolean
  /** True if no text that a reader has may be out of date. */
  readonly isFinal?: boolean
  readonly recordOf: (version: number, created: string, id: number) => object
}

const event = (version: number, created: string, id: number) => ({
  title: `Drill ${id}`,
  created,
  calendarId: 3,
  calendar: 'Drills',
  startDate: `2026-04-1${version}`,
  startTime: '19:00:00',
  endTime: '21:00:00',
  location: `Station ${id}${version}`,
})

const titled = (version: number, created: string) => ({
  title: `Title ${version}`,
  text: 'Text',
  public: 1,
  meetingDate: '2026-02-20',
  created,
})

const specs: readonly Spec[] = [
  {
    feed: 'changes',
    resource: 'calendar',
    incomplete: [],
    isFinal: true,
    recordOf: event,
  },
  {
    feed: 'changes',
    resource: 'calendar',
    name: 'series in the calendar',
    isSeries: true,
    incomplete: [],
    isFinal: true,
    recordOf: (version, created, id) => ({
      ...event(0, created, id),
      title: 'Drill',
      startDate: `2026-04-${10 + id}`,
      location: `Station ${version}`,
    }),
  },
  {
    feed: 'announcements',
    resource: 'announce',
    incomplete: [],
    recordOf: (version, created) => ({ headline: `Ban ${version}`, text: 'Text', created }),
  },
  { feed: 'minutes', resource: 'minutes', incomplete: [], recordOf: titled },
  { feed: 'documents', resource: 'documents', incomplete: [], recordOf: titled },
  {
    feed: 'guestbook',
    resource: 'guestbook',
    incomplete: [],
    recordOf: (version, created) => ({ name: `Visitor ${version}`, text: 'Text', created }),
  },
  { feed: 'all', resource: 'events', query: 'show=events', incomplete: [], recordOf: event },
  // Sorted by the day of the event.
  { feed: 'events', resource: 'events', incomplete: ['by position'], recordOf: event },
  // Dated by the editor.
  {
    feed: 'news',
    resource: 'news',
    incomplete: ['by date', 'by position'],
    recordOf: (version, created) => ({ headline: `Story ${version}`, text: 'Text', date: created }),
  },
]

/** Undefined while the website does not have the record. */
const state: fc.Arbitrary<Version | undefined> = fc.option(
  fc.record({ version: fc.integer({ min: 0, max: 2 }), isOnline: fc.boolean() }),
  { nil: undefined },
)
type States = readonly [Version | undefined, Version | undefined, Version | undefined]
/** In half of the readings, all records are in the same state, so that they may become a series. */
const states: fc.Arbitrary<States> = fc.oneof(
  fc.tuple(state, state, state),
  state.map((each): States => [each, each, each]),
)

/** Created up to ten days before the first reading, or by a clock that is up to six hours ahead. */
const history = fc.record({
  createdHours: fc.tuple(...[1, 2, 3].map(() => fc.integer({ min: -240, max: 6 }))),
  first: states,
  steps: fc.array(
    fc.record({
      waitMinutes: fc.integer({ min: 1, max: 25 }),
      states,
      isPolled: fc.boolean(),
      isRestarted: fc.boolean(),
    }),
    { minLength: 1, maxLength: 15 },
  ),
})

type History = typeof history extends fc.Arbitrary<infer T> ? T : never

/** Keep a deletion from looking like a loss of most records. */
const others = [90, 91, 92, 93, 94, 95, 96, 97]

function itemsFrom(spec: Spec, current: History['first'], { createdHours }: History) {
  const itemOf = (id: number, { version, isOnline }: Version, createdHour: number) => {
    const created = new Date(start + createdHour * 60 * minuteMs).toISOString()
    const siteTime = created.slice(0, 19).replace('T', ' ')
    const status = isOnline ? 2 : spec.resource === 'guestbook' ? 0 : 1
    return { id, status, deployed: isOnline ? 1 : 0, ...spec.recordOf(version, siteTime, id) }
  }
  return [
    ...others.map((id) => itemOf(id, { version: 0, isOnline: true }, -1_000)),
    ...current.flatMap((each, index) =>
      each ? [itemOf(index + 1, each, createdHours[index] ?? 0)] : [],
    ),
  ]
}

function targetFrom({ feed, query, resource }: Spec) {
  const profile = feed === 'guestbook' ? 'members' : 'public'
  const combined = [changes, standardCatalog.allFeeds].find(({ id }) => id === feed)
  if (!combined) {
    const found = feedWith(feed)
    const chosen = chosenOptions(found, 'json', 'limit=100')
    return targetOf(found, [found], { chosen, format: 'json', profile })
  }
  const chosen = chosenOptions(combined, 'json', `limit=100&${query ?? ''}`)
  const sources = [feedWith(resource)]
  return targetOf(combined, sources, { chosen, format: 'json', profile })
}

/** Returns the ids of records that were hidden for a while. They keep their dates. */
function returnedIds({ first, steps }: History): ReadonlySet<number> {
  const timeline = [first, ...steps.map(({ states }) => states)]
  const wasHidden = (index: number) => {
    const shown = timeline.map((each) => (each[index]?.isOnline === true ? '1' : '0')).join('')
    return /10+1/.test(shown)
  }
  return new Set([0, 1, 2].filter(wasHidden).map((index) => index + 1))
}

/** Returns the ids of records whose items forgetful readers may miss. */
function missableIds({ isSeries = false }: Spec, given: History): ReadonlySet<number> {
  const returned = returnedIds(given)
  // An item about a series has the URL of its first record, and returns with any of them.
  return isSeries && returned.size > 0 ? new Set([1, 2, 3]) : returned
}

/** Readers that remember only a date or position. */
const forgetful: readonly ReaderKind[] = ['by date', 'by position']

/** Returns readers after random edits, and what the feed contains in the end. */
async function readAll(spec: Spec, given: History) {
  const target = targetFrom(spec)
  const readers = readerKinds.map(createFeedReader)
  let kept: CollectionCopy | undefined
  let previous: Rendered | undefined
  let now = start
  const read = async (current: History['first']) => {
    const items = itemsFrom(spec, current, given)
    const reading = { items: async () => items, calls: 1, days: undefined }
    ;({ kept } = await applyReading(spec.resource, kept, reading, now))
  }
  const poll = async () => {
    if (!kept) throw new TypeError('nothing has been read')
    const [feed] = target.sources
    if (!feed) throw new TypeError('there is no feed')
    const source = kept.collection
    const copies = { sources: [{ feed, source }], personal: undefined, collections: [source] }
    const context = {
      renderers: createRenderers(testSite),
      duplicates: () => [],
      now,
      takeTurn: () => setImmediate(),
    }
    previous = await renderTarget(
      target,
      { copies, previous },
      { ...context, presentationChangedAt: 0 },
    )
    const { encodings, lastModified } = previous.representation
    const { items = [] } = parseJsonFeed(JSON.parse(encodings.identity.bytes.toString()))
    const current = items.map(({ id = '', title = '', url = '', date_published: date = '' }) => ({
      id,
      title,
      url,
      date: Date.parse(date),
    }))
    for (const reader of readers) reader.poll({ items: current, lastModified })
    return current
  }
  await read(given.first)
  await poll()
  for (const { waitMinutes, states, isPolled, isRestarted } of given.steps) {
    now += waitMinutes * minuteMs
    if (isRestarted) previous = undefined
    await read(states)
    if (isPolled) await poll()
  }
  // Changes are final after ten minutes, and series after twenty.
  now += 20 * minuteMs
  return { readers, current: await poll() }
}

test.for(specs.map((spec) => [`${spec.feed} of ${spec.name ?? spec.resource}`, spec] as const))(
  'readers of every kind get what the docs promise: %s',
  async ([, spec]) => {
    await fc.assert(
      fc.asyncProperty(history, async (given) => {
        const { readers, current } = await readAll(spec, given)
        const missable = missableIds(spec, given)
        const texts = new Map(current.map(({ id, title }) => [id, title]))
        for (const { kind, items } of readers) {
          const mayMiss = forgetful.includes(kind) ? missable : new Set<number>()
          const missing = current.filter(
            ({ id, url }) => !items.has(id) && !mayMiss.has(Number(/\d+(?=#|$)/.exec(url)?.[0])),
          )
          const untrue = [...items.values()].filter(
            ({ id, title }) => (texts.get(id) ?? title) !== title,
          )
          expect({
            kind,
            missing: spec.incomplete.includes(kind) ? [] : missing,
            untrue: spec.isFinal === true ? untrue : [],
          }).toEqual({ kind, missing: [], untrue: [] })
        }
      }),
      { numRuns: 100 },
    )
  },
)
