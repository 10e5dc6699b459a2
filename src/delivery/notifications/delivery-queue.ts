import { z } from 'zod'
import { retryDelayMs } from '../../clock.ts'
import type { Delivery } from '../../channels/notice.ts'

/** Messages waiting for a receiver, oldest first. Times are in milliseconds since the epoch. */
const queueSchema = <T extends z.ZodType>(item: T) =>
  z.object({
    entries: z.array(z.object({ item, at: z.number() }).readonly()).readonly(),
    /** Consecutive failures. */
    failures: z.number(),
    /** Nothing is sent before this time. */
    nextAt: z.number(),
    /**
     * Number of messages in an attempt that has failed or has no result yet. The same messages are
     * sent again, so that the receiver recognizes them.
     */
    attempted: z.number().optional(),
  })

export type DeliveryQueue<T> = Readonly<z.infer<ReturnType<typeof queueSchema<z.ZodType<T>>>>>

export type DeliveryQueues<T> = Readonly<Record<string, DeliveryQueue<T>>>

export const queuesSchema = <T extends z.ZodType>(item: T) =>
  z.record(z.string(), queueSchema(item))

/**
 * What may be sent of a waiting message: its present content, or nothing if its content is no longer
 * public, or unknown if that cannot be found out now.
 */
export type Review<T> = { readonly item: T } | 'withdrawn' | 'unknown'

const emptyQueue: DeliveryQueue<never> = { entries: [], failures: 0, nextAt: 0 }

/** Less than an hour, because Mastodon recognizes a repeated message only that long. */
const retries = { initialMs: 60_000, maxMs: 50 * 60_000 }

/**
 * A message that the receiver has rejected this many times is dropped, so that it does not block
 * the others.
 */
const maxRejections = 3

/**
 * Adds messages, replacing equal ones that have not been attempted yet. Drops messages that are too old
 * to be useful, and the oldest ones beyond `max`.
 */
export function enqueued<T>(
  queue: DeliveryQueue<T> = emptyQueue,
  items: readonly T[],
  { now, max, maxAgeMs }: { readonly now: number; readonly max: number; readonly maxAgeMs: number },
): DeliveryQueue<T> {
  const added = new Set(items)
  const recent = queue.entries.filter(
    ({ item, at }, index) =>
      at > now - maxAgeMs && (index < (queue.attempted ?? 0) || !added.has(item)),
  )
  const entries = [...recent, ...items.map((item) => ({ item, at: now }))].slice(-max)
  return { ...queue, entries }
}

/**
 * Drops messages that have been withdrawn, and sets those aside that may have been. Others get their
 * present content.
 */
export function reviewed<T>(
  queue: DeliveryQueue<T> = emptyQueue,
  review: (item: T) => Review<T>,
): {
  readonly queue: DeliveryQueue<T>
  readonly aside: DeliveryQueue<T>['entries']
  readonly withdrawn: number
} {
  const { entries, attempted = 0 } = queue
  const all = entries.map((entry, index) => ({ entry, index, now: review(entry.item) }))
  const kept = all.flatMap(({ entry, index, now }) =>
    typeof now === 'object' ? [{ index, entry: { ...entry, item: now.item } }] : [],
  )
  const again = kept.filter(({ index }) => index < attempted).length
  return {
    queue: {
      ...queue,
      entries: kept.map(({ entry }) => entry),
      attempted: again === 0 ? undefined : again,
    },
    aside: all.flatMap(({ entry, now }) => (now === 'unknown' ? [entry] : [])),
    withdrawn: all.filter(({ now }) => now === 'withdrawn').length,
  }
}

/** Returns the messages to send now, at most `max`. */
export function dueItems<T>(
  { entries, nextAt, attempted }: DeliveryQueue<T>,
  { now, max }: { readonly now: number; readonly max: number },
): readonly T[] {
  return now < nextAt ? [] : entries.slice(0, attempted ?? max).map(({ item }) => item)
}

/** Returns the queue with the number of due messages, before an attempt to send them. */
export function beforeAttempt<T>(
  queue: DeliveryQueue<T>,
  options: Parameters<typeof dueItems>[1],
): DeliveryQueue<T> {
  const { length } = dueItems(queue, options)
  return length === 0 ? queue : { ...queue, attempted: length }
}

/** Returns the queue after an attempt to send `count` messages. The next one is at least `gapMs` later. */
export function afterAttempt<T>(
  queue: DeliveryQueue<T>,
  delivery: Delivery,
  { count, now, gapMs }: { readonly count: number; readonly now: number; readonly gapMs: number },
): DeliveryQueue<T> {
  const rest = queue.entries.slice(count)
  if (delivery.ok) return { entries: rest, failures: 0, nextAt: now + gapMs }
  const failures = queue.failures + 1
  const waitMs = Math.max(retryDelayMs(retries, failures), delivery.retryAfterMs ?? 0, gapMs)
  const nextAt = now + waitMs
  const isDropped = delivery.isPermanent && failures >= maxRejections
  return isDropped
    ? { entries: rest, failures: 0, nextAt }
    : { entries: queue.entries, failures, nextAt, attempted: count }
}
