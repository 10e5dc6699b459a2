import { LRUCache } from 'lru-cache'
import { minuteMs, withTimeout, type Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import type { ChangeHistory } from '../records/recorded-change.ts'
import { knownPart } from '../records/known-part.ts'
import { readRecords, type RecordOf } from '../records/read-records.ts'
import type { RepliesResource } from '../records/resources.ts'
import { instantFromSiteTime } from '../records/site-time.ts'
import { compareText } from '../text/text.ts'
import type { DataService } from '../upstream/data-service.ts'
import { UpstreamError } from '../upstream/upstream-error.ts'
import { CollectionUnavailable, maxRequestWaitMs, type Collection } from './collection.ts'
import type { Collections } from './collections.ts'
import { hashOf, nextChangeAt } from './copy/ledger.ts'

/** The list of topics does not show edits to replies. */
const maxAgeMs = 12 * 60 * minuteMs

const maxTopics = 200
const maxCharacters = 4 * 1024 * 1024
/** The newest replies to a topic are kept, and a feed shows all of them. */
const maxReplies = 200

/** About 300 readings a day. */
const readingLimit = { max: 20, windowMs: 100 * minuteMs }

const minRetryMs = 10_000
const maxRetryMs = 5 * minuteMs
const pauseAfterFailureMs = 15 * minuteMs

type Reply = RecordOf[RepliesResource]

/** The newest replies to a topic, with the edits that were observed between two readings. */
type Replies = {
  readonly records: readonly Reply[]
  readonly ledger: ReadonlyMap<number, ChangeHistory>
  /** When the replies changed, in milliseconds since the epoch. */
  readonly changedAt: number
}

type Kept = {
  readonly replies: Replies
  /** Hash of the topic in the list at that time, which changes with every post. */
  readonly topicHash: string
  readonly readAt: number
}

export type TopicWithReplies = {
  readonly id: number
  readonly topic: RecordOf['discuss'] | undefined
  readonly replies: Replies
}

export type TopicReplies = {
  /**
   * Returns a topic with its replies, or without the topic if the forum does not show it. If the
   * replies cannot be read now, returns the latest ones, or rejects with `CollectionUnavailable`.
   */
  readonly read: (id: number) => Promise<TopicWithReplies>
}

/** Keeps replies in memory. Reads only requested topics that have changed in the list. */
export function createTopicReplies(options: {
  readonly dataService: Pick<DataService, 'readAll'>
  readonly collections: Pick<Collections, 'read'>
  readonly siteTimeZone: string
  readonly clock: Clock
  readonly log: Logger
}): TopicReplies {
  const { dataService, collections, siteTimeZone, clock, log } = options
  const kept = new LRUCache<number, Kept>({
    max: maxTopics,
    maxSize: maxCharacters,
    sizeCalculation: ({ replies: { records } }) => JSON.stringify(records).length,
  })
  const pausedUntil = new LRUCache<number, number>({ max: maxTopics })
  const underWay = new Map<number, Promise<void>>()
  let readingsAt: readonly number[] = []

  async function readNow(id: number, topicHash: string): Promise<void> {
    try {
      const items = await itemsOf(dataService.readAll, id)
      const { records } = readRecords('discuss/replies', items)
      const now = clock.now()
      const before = kept.get(id)
      const read = sourceFrom(newestOf(records), before?.replies, { now, siteTimeZone })
      // The title of the topic is in the feed, too.
      const isSameTopic = before?.topicHash === topicHash
      const changedAt = isSameTopic ? read.changedAt : nextChangeAt(before?.replies, now)
      const replies = { ...read, changedAt }
      kept.set(id, { replies, topicHash, readAt: now })
    } catch (error) {
      pausedUntil.set(id, clock.now() + pauseAfterFailureMs)
      log.warn({ err: error, topic: id }, 'could not read the replies to a topic')
    }
  }

  /** Returns how long to wait before the next call, or undefined if one has been started. */
  function startReading(id: number, topicHash: string): number | undefined {
    if (underWay.has(id)) return undefined
    const now = clock.now()
    readingsAt = readingsAt.filter((at) => at > now - readingLimit.windowMs)
    const [first = now] = readingsAt
    const isLimited = readingsAt.length >= readingLimit.max
    const limitedUntil = isLimited ? first + readingLimit.windowMs : now
    const mayReadAt = Math.max(pausedUntil.get(id) ?? 0, limitedUntil)
    if (mayReadAt > now) return mayReadAt - now
    readingsAt = [...readingsAt, now]
    const reading = readNow(id, topicHash).finally(() => underWay.delete(id))
    underWay.set(id, reading)
    return undefined
  }

  return {
    async read(id) {
      const forum: Collection<'discuss'> = await collections.read('discuss')
      const topic = forum.records.find((each) => each.id === id && each.status !== 'offline')
      if (!topic) {
        kept.delete(id)
        return { id, topic, replies: { ...forum, records: [], ledger: new Map() } }
      }
      const topicHash = hashOf(topic)
      const known = kept.get(id)
      const isCurrent =
        known?.topicHash === topicHash && Math.abs(clock.now() - known.readAt) < maxAgeMs
      if (isCurrent) return { id, topic, replies: known.replies }
      const waitMs = startReading(id, topicHash)
      const reading = underWay.get(id)
      if (reading) await withTimeout(reading, maxRequestWaitMs, () => undefined, { clock })
      const { replies } = kept.get(id) ?? known ?? {}
      if (replies) return { id, topic, replies }
      const retryAfterMs = Math.min(Math.max(waitMs ?? 0, minRetryMs), maxRetryMs)
      throw new CollectionUnavailable('discuss/replies', 'not read yet', { retryAfterMs })
    },
  }
}

/** Reads the replies to a topic. There are none if it was deleted after the list of topics was read. */
async function itemsOf(readAll: DataService['readAll'], id: number): Promise<readonly unknown[]> {
  try {
    const { items } = await readAll(
      'discuss',
      { ID: String(id) },
      () => 'warm-up',
      (page) => ({ ...page, items: page.items.map((item) => knownPart('discuss/replies', item)) }),
    )
    return items
  } catch (error) {
    if (error instanceof UpstreamError && error.kind === 'not_found') return []
    throw error
  }
}

function newestOf(replies: readonly Reply[]): readonly Reply[] {
  return replies
    .toSorted((a, b) => compareText(b.created ?? '', a.created ?? '') || b.id - a.id)
    .slice(0, maxReplies)
}

/** Returns the replies with the times of edits that were observed between two readings. */
function sourceFrom(
  records: readonly Reply[],
  before: Replies | undefined,
  { now, siteTimeZone }: { readonly now: number; readonly siteTimeZone: string },
): Replies {
  const entries = records.map((record) => {
    const hash = hashOf(record)
    const { id, created } = record
    const createdAt = created === undefined ? now : instantFromSiteTime(created, siteTimeZone)
    // A reply that the website dates in the future is shown immediately.
    const firstSeenAt = Math.min(createdAt, now)
    const first = { hash, revision: 0, firstSeenAt, changedAt: firstSeenAt }
    const known = before?.ledger.get(id) ?? first
    const changed = { ...known, hash, revision: known.revision + 1, changedAt: now }
    return [id, known.hash === hash ? known : changed] as const
  })
  const isSame =
    before?.records.length === records.length &&
    entries.every(([id, entry]) => before.ledger.get(id) === entry)
  const changedAt = isSame ? before.changedAt : nextChangeAt(before, now)
  return { records, ledger: new Map(entries), changedAt }
}
