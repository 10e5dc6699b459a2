import { setImmediate } from 'node:timers/promises'
import type { TimeSource } from '../clock.ts'
import type { Collection } from '../collections/collection.ts'
import type { Copies } from '../collections/collections.ts'
import type { Feed, Renderers } from '../feeds/feed.ts'
import type { Logger } from '../log.ts'
import { inTurns } from '../steps.ts'
import { nameOfId } from '../records/repeated-ids.ts'

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
  /** Length to which descriptions are shortened, or undefined if the calendar is small enough. */
  readonly shortenedTo?: number | undefined
}

export type FeedDiagnostics = {
  readonly report: (feed: Feed, collection: Collection | undefined) => Promise<unknown>
  readonly states: () => Promise<readonly FeedStatus[]>
}

/** Diagnoses these feeds' calendars, and logs the problems in each version of a collection once. */
export function createFeedDiagnostics(
  feeds: readonly Feed[],
  collections: Copies,
  options: { readonly renderers: Renderers; readonly clock: TimeSource; readonly log: Logger },
): FeedDiagnostics {
  const { renderers, clock, log } = options
  let last: Promise<unknown> = Promise.resolve()
  const diagnosed = new Map<string, { readonly version: string; readonly status: FeedStatus }>()

  /** Resolves to the previous status if the diagnosis fails. */
  async function statusOf(feed: Feed, collection: Collection | undefined) {
    if (!feed.diagnose || !collection) return undefined
    const before = diagnosed.get(feed.id)
    if (before?.version === collection.version) return before.status
    try {
      const diagnosis = feed.diagnose(collection, clock.now(), renderers)
      const { repaired, omitted, shortenedTo } = await inTurns(diagnosis, {
        takeTurn: () => setImmediate(),
      })
      const status: FeedStatus = {
        name: feed.id,
        repairedCount: repaired.length,
        repaired: repaired.slice(0, maxRepairedShown),
        omittedCount: omitted,
        shortenedTo,
      }
      diagnosed.set(feed.id, { version: collection.version, status })
      logProblems(status)
      return status
    } catch (error) {
      log.error({ err: error, feed: feed.id }, 'a feed could not be checked for problems')
      return before?.status
    }
  }

  /** Waits for earlier diagnoses, which may be of the same version. */
  function inOrder(feed: Feed, collection: Collection | undefined) {
    const status = last.then(() => statusOf(feed, collection))
    last = status
    return status
  }

  function logProblems({ name, ...problems }: FeedStatus): void {
    const { repairedCount, repaired, omittedCount, shortenedTo } = problems
    if (repairedCount > 0) {
      log.warn({ feed: name, repairedCount, repaired }, 'records shown with repaired times')
    }
    if (omittedCount > 0) {
      log.warn({ feed: name, omittedCount }, 'entries beyond the limit were omitted')
    }
    if (shortenedTo !== undefined) {
      log.warn({ feed: name, shortenedTo }, 'long descriptions were shortened')
    }
  }

  return {
    report: inOrder,
    async states() {
      const states = feeds.map((feed) => inOrder(feed, collections.copyOf(feed.resource)))
      return (await Promise.all(states)).flatMap((state) => state ?? [])
    },
  }
}

/** Describes the problems in sentences for operators. */
export function feedSentences(states: readonly FeedStatus[]): readonly string[] {
  return states.flatMap(({ name, repairedCount, repaired, omittedCount, shortenedTo }) => {
    const named = repaired
      .slice(0, repairedNamed)
      .map(({ id, reason }) => `${nameOfId(String(id))} ${reason}`)
    const list = `${named.join('; ')}${repairedCount > repairedNamed ? '; ...' : '.'}`
    const records = repairedCount === 1 ? '1 record' : `${repairedCount} records`
    return [
      repairedCount > 0 &&
        `${name} has ${records} with invalid times, shown with the closest valid ones. Correct them on the website: ${list}`,
      omittedCount > 0 &&
        `${name} has ${omittedCount} more entries than a calendar can show. The last entry in the calendar shows that number.`,
      shortenedTo !== undefined &&
        `${name} would be larger than 1 MB, which Google Calendar refuses. Descriptions are shortened to ${shortenedTo} characters. Shorten them on the website.`,
    ].filter((sentence) => typeof sentence === 'string')
  })
}
