import { z } from 'zod'
import { retryDelayMs } from '../../clock.ts'
import type { Channel, Delivery } from './notice.ts'

/** Messages that wait for a receiver, oldest first. Times are in milliseconds since the epoch. */
export type DeliveryQueue<T> = {
  readonly entries: readonly { readonly item: T; readonly at: number }[]
  /** Consecutive failures. */
  readonly failures: number
  /** Nothing is sent before this time. */
  readonly nextAt: number
  /** Number of messages in the latest failed attempt, which is repeated with the same messages. */
  readonly attempted?: number | undefined
}

/** Schema of a stored queue. */
export const queueSchema = <T extends z.ZodType>(item: T) =>
  z.object({
    entries: z.array(z.object({ item, at: z.number() })),
    failures: z.number(),
    nextAt: z.number(),
    attempted: z.number().optional(),
  })

export const emptyQueue: DeliveryQueue<never> = { entries: [], failures: 0, nextAt: 0 }

const retries = { initialMs: 60_000, maxMs: 60 * 60_000 }

/** A message that the receiver rejects this often is dropped, so that it does not block the others. */
const maxRejections = 3

/** Waiting messages by channel id. */
export type DeliveryQueues<T> = Readonly<Record<string, DeliveryQueue<T>>>

/**
 * Adds messages to the queue of each channel, stores the queues, delivers what is due, and stores the
 * queues that remain. Does nothing more if `save` resolves to false.
 */
export async function deliverQueued<T>(
  queues: DeliveryQueues<T>,
  items: readonly T[],
  options: {
    readonly channels: readonly Channel[]
    readonly now: number
    /** Maximum number of messages that wait for a channel. */
    readonly max: number
    readonly maxAgeMs: number
    readonly save: (queues: DeliveryQueues<T>) => Promise<boolean>
    readonly deliver: (channel: Channel, queue: DeliveryQueue<T>) => Promise<DeliveryQueue<T>>
  },
): Promise<void> {
  const { channels, save, deliver } = options
  const waiting = channels.map((channel) => {
    const recent = withoutOld(queues[channel.id] ?? emptyQueue, options)
    return { channel, queue: enqueued<T>(recent, items, options) }
  })
  // Nothing is sent before it is stored. Otherwise, a restart could send it again.
  if (!(await save(byChannelId(waiting)))) return
  const remaining = waiting.map(async ({ channel, queue }) => ({
    channel,
    queue: await deliver(channel, queue),
  }))
  await save(byChannelId(await Promise.all(remaining)))
}

function byChannelId<T>(
  queues: readonly { readonly channel: Channel; readonly queue: DeliveryQueue<T> }[],
): DeliveryQueues<T> {
  return Object.fromEntries(queues.map(({ channel, queue }) => [channel.id, queue]))
}

/** Adds messages. Drops the oldest ones beyond `max`. */
export function enqueued<T>(
  queue: DeliveryQueue<T>,
  items: readonly T[],
  { now, max }: { readonly now: number; readonly max: number },
): DeliveryQueue<T> {
  if (items.length === 0) return queue
  const entries = [...queue.entries, ...items.map((item) => ({ item, at: now }))].slice(-max)
  return { ...queue, entries }
}

/** Drops messages that have become too old to be useful. */
export function withoutOld<T>(
  queue: DeliveryQueue<T>,
  { now, maxAgeMs }: { readonly now: number; readonly maxAgeMs: number },
): DeliveryQueue<T> {
  const entries = queue.entries.filter(({ at }) => at > now - maxAgeMs)
  return entries.length === queue.entries.length ? queue : { ...queue, entries }
}

/** Returns the messages to send now, at most `max`. */
export function dueItems<T>(
  { entries, nextAt, attempted }: DeliveryQueue<T>,
  { now, max }: { readonly now: number; readonly max: number },
): readonly T[] {
  return now < nextAt ? [] : entries.slice(0, attempted ?? max).map(({ item }) => item)
}

/**
 * Returns the queue after an attempt to send the first `count` messages. `gapMs` is the minimum time
 * between two successful attempts.
 */
export function afterAttempt<T>(
  queue: DeliveryQueue<T>,
  delivery: Delivery,
  { count, now, gapMs }: { readonly count: number; readonly now: number; readonly gapMs: number },
): DeliveryQueue<T> {
  const failures = delivery.ok ? 0 : queue.failures + 1
  const isDropped = !delivery.ok && delivery.isPermanent && failures >= maxRejections
  const entries = delivery.ok || isDropped ? queue.entries.slice(count) : queue.entries
  const waitMs = delivery.ok
    ? gapMs
    : Math.max(retryDelayMs(retries, failures), delivery.retryAfterMs ?? 0, gapMs)
  const isRepeated = !delivery.ok && !isDropped
  return {
    entries,
    failures: isDropped ? 0 : failures,
    nextAt: now + waitMs,
    ...(isRepeated ? { attempted: count } : {}),
  }
}
