import type { TimeSource } from '../clock.ts'
import type { Collection } from '../collections/collection.ts'
import type { Collections } from '../collections/collections.ts'
import type { Feed, Renderers } from '../feeds/feed.ts'
import type { Logger } from '../log.ts'

const maxRepairedShown = 20
const repairedNamed = 5

/** Problems in a calendar feed, without personal data. */
export type FeedStatus = {
  readonly name: string
  /** Number of records whose invalid times were repaired. */
  readonly repairedCount: number
  /** The first few repaired records, each with a description of its problem. */
  readonly repaired: readonly { readonly id: number; readonly reason: string }[]
  /** Number of entries omitted because of the limit per calendar. */
  readonly omittedCount: number
}

export type FeedDiagnostics = {
  /** Logs a feed's problems once per version of its collection. */
  readonly report: (feed: Feed, collection: Collection) => void
  readonly states: () => readonly FeedStatus[]
}

type Reviewed = { readonly version: string; readonly state: FeedStatus | undefined }

/** Creates diagnostics for these feeds' calendars, based on the current collections. */
export function createFeedDiagnostics(
  feeds: readonly Feed[],
  collections: Pick<Collections, 'copyOf'>,
  {
    renderers,
    clock,
    log,
  }: {
    readonly renderers: Renderers
    readonly clock: TimeSource
    readonly log: Logger
  },
): FeedDiagnostics {
  const reportedVersions = new Map<string, string>()
  const reviewed = new Map<string, Reviewed>()

  function reviewOf(feed: Feed, collection: Collection): FeedStatus | undefined {
    const diagnosis = feed.diagnose?.(collection, clock.now(), renderers)
    return (
      diagnosis && {
        name: feed.id,
        repairedCount: diagnosis.repaired.length,
        repaired: diagnosis.repaired.slice(0, maxRepairedShown),
        omittedCount: diagnosis.omitted,
      }
    )
  }

  /** Diagnoses each version of the collection only once. Returns the previous result on failure. */
  function stateOf(feed: Feed, collection: Collection | undefined): Reviewed['state'] {
    if (!feed.diagnose || !collection) return undefined
    const before = reviewed.get(feed.id)
    if (before?.version === collection.version) return before.state
    try {
      const state = reviewOf(feed, collection)
      reviewed.set(feed.id, { version: collection.version, state })
      return state
    } catch (error) {
      log.error({ err: error, feed: feed.id }, 'a feed could not be checked for problems')
      return before?.state
    }
  }

  return {
    report(feed, collection) {
      if (reportedVersions.get(feed.id) === collection.version) return
      reportedVersions.set(feed.id, collection.version)
      const state = stateOf(feed, collection)
      if (!state) return
      const { name, repairedCount, repaired, omittedCount } = state
      if (repairedCount > 0) {
        log.warn({ feed: name, repairedCount, repaired }, 'records shown with repaired times')
      }
      if (omittedCount > 0)
        log.warn({ feed: name, omittedCount }, 'entries beyond the limit were omitted')
    },
    states: () => feeds.flatMap((feed) => stateOf(feed, collections.copyOf(feed.resource)) ?? []),
  }
}

/** Describes the problems in sentences for operators. */
export function feedSentences(states: readonly FeedStatus[]): readonly string[] {
  return states.flatMap(({ name, repairedCount, repaired, omittedCount }) => {
    const named = repaired.slice(0, repairedNamed).map(({ id, reason }) => `${id} ${reason}`)
    const list = `${named.join('; ')}${repairedCount > repairedNamed ? '; ...' : '.'}`
    const records = repairedCount === 1 ? '1 record' : `${repairedCount} records`
    return [
      repairedCount > 0 &&
        `${name} has ${records} with invalid times, shown with the closest valid ones. Correct them on the website: ${list}`,
      omittedCount > 0 &&
        `${name} has ${omittedCount} more entries than a calendar can show. The last entry in the calendar shows that number.`,
    ].filter((sentence) => typeof sentence === 'string')
  })
}
