import type { Clock } from '../clock.ts'
import type { Collection } from '../collections/collection.ts'
import type { Collections } from '../collections/collections.ts'
import type { Feed } from '../feeds/feed.ts'
import type { Logger } from '../log.ts'
import type { Rendering } from './rendering.ts'

const maxRepairedShown = 20
const repairedNamed = 5

/** What of a calendar cannot be shown as it is. Holds nothing personal. */
export type FeedStatus = {
  readonly name: string
  /** How many records have times that make no sense, and are shown as well as they can be. */
  readonly repairedCount: number
  /** The first of them, and what is wrong. */
  readonly repaired: readonly { readonly id: number; readonly reason: string }[]
  /** How many entries there are beyond those that one calendar shows. */
  readonly omittedCount: number
}

export type FeedDiagnostics = {
  /** Logs what of a feed cannot be shown as it is, once for each of its collection's versions. */
  readonly tell: (feed: Feed, collection: Collection) => Promise<void>
  readonly states: () => Promise<readonly FeedStatus[]>
}

type Reviewed = { readonly version: string; readonly state: Promise<FeedStatus | undefined> }

/** Reviews of these feeds' calendars, as their collections are now. */
export function createFeedDiagnostics(
  feeds: readonly Feed[],
  collections: Pick<Collections, 'copyOf'>,
  {
    rendering,
    clock,
    log,
  }: {
    readonly rendering: Pick<Rendering, 'diagnose'>
    readonly clock: Pick<Clock, 'now'>
    readonly log: Logger
  },
): FeedDiagnostics {
  const toldVersions = new Map<string, string>()
  const reviewed = new Map<string, Reviewed>()

  async function reviewOf(feed: Feed, collection: Collection): Promise<FeedStatus | undefined> {
    const diagnose = await rendering.diagnose(feed, collection, clock.now())
    return (
      diagnose && {
        name: feed.id,
        repairedCount: diagnose.repaired.length,
        repaired: diagnose.repaired.slice(0, maxRepairedShown),
        omittedCount: diagnose.omitted,
      }
    )
  }

  /** Once for each version; the last one where that fails. */
  function stateOf(feed: Feed, collection: Collection | undefined): Reviewed['state'] {
    if (!feed.diagnose || !collection) return Promise.resolve(undefined)
    const before = reviewed.get(feed.id)
    if (before?.version === collection.version) return before.state
    const state = reviewOf(feed, collection).catch((error: unknown) => {
      log.error({ err: error, feed: feed.id }, 'a feed could not be reviewed')
      if (reviewed.get(feed.id)?.version === collection.version) reviewed.delete(feed.id)
      return before?.state
    })
    reviewed.set(feed.id, { version: collection.version, state })
    return state
  }

  return {
    async tell(feed, collection) {
      if (toldVersions.get(feed.id) === collection.version) return
      toldVersions.set(feed.id, collection.version)
      const state = await stateOf(feed, collection)
      if (!state) return
      const { name, repairedCount, repaired, omittedCount } = state
      if (repairedCount > 0) {
        log.warn({ feed: name, repairedCount, repaired }, 'records shown with repaired times')
      }
      if (omittedCount > 0) log.warn({ feed: name, omittedCount }, 'entries beyond the limit')
    },
    async states() {
      const states = feeds.map((feed) => stateOf(feed, collections.copyOf(feed.resource)))
      return (await Promise.all(states)).filter((state) => state !== undefined)
    },
  }
}

/** The same for people. */
export function feedSentences(states: readonly FeedStatus[]): readonly string[] {
  return states.flatMap(({ name, repairedCount, repaired, omittedCount }) => {
    const named = repaired.slice(0, repairedNamed).map(({ id, reason }) => `${id} ${reason}`)
    const list = `${named.join('; ')}${repairedCount > repairedNamed ? '; ...' : '.'}`
    const records = repairedCount === 1 ? '1 record' : `${repairedCount} records`
    return [
      repairedCount > 0 &&
        `${name} has ${records} with times that make no sense, shown as well as they can be. Correct them on the website: ${list}`,
      omittedCount > 0 &&
        `${name} has ${omittedCount} entries more than a calendar shows; it ends with an entry that says so.`,
    ].filter((sentence) => typeof sentence === 'string')
  })
}
