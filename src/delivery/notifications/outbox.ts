import type { z } from 'zod'
import { every, type Clock } from '../../clock.ts'
import { parsedJson } from '../../json.ts'
import type { Logger } from '../../log.ts'
import type { Documents, Leases } from '../../store/store.ts'
import { recordDelivery } from './delivery-log.ts'
import {
  afterAttempt,
  beforeAttempt,
  dueItems,
  enqueued,
  type DeliveryQueue,
  type DeliveryQueues,
} from './delivery-queue.ts'
import type { Channel, Notice, SendNotice } from '../../channels/notice.ts'
import { createSoleSender } from './sole-sender.ts'

/** Stopping takes at most this long. */
const graceMs = 3_000

/** What the replica needs to send messages, or to read bounced ones, while it is the only one. */
export type OutboxContext = {
  readonly store: { readonly documents: Documents; readonly leases: Leases }
  readonly holder: string
  readonly clock: Clock
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
  readonly signal: AbortSignal
}

type Outbox<T, State> = {
  readonly bucket: string
  readonly schema: z.ZodType<State>
  /** State if none is stored, or if it is unreadable. */
  readonly initial: State
  readonly channels: readonly Channel[]
  readonly intervalMs: number
  readonly limits: {
    readonly waiting: number
    /** Items that could not be delivered for this long are no longer news. */
    readonly maxAgeMs: number
    readonly itemsPerMessage: number
    /** Messages per channel and turn, so that slow receivers do not delay the next turn for long. */
    readonly messagesAtOnce: number
    readonly gapMs: number
  }
  readonly plan: (state: State) => Promise<{ readonly state: State; readonly items: readonly T[] }>
  readonly noticeFrom: (items: readonly [T, ...T[]]) => Notice
  readonly send?: SendNotice | undefined
}

/**
 * Plans and sends messages until aborted, if this replica is the one that sends them. The queues
 * are stored before and after sending, so a restart neither loses nor repeats a message.
 */
export async function runOutbox<T, State extends { readonly queues: DeliveryQueues<T> }>(
  context: OutboxContext,
  outbox: Outbox<T, State>,
): Promise<void> {
  const { store, clock, log, signal } = context
  const { bucket, schema, initial, channels, limits, noticeFrom } = outbox
  const { send = (channel, notice, sending) => channel.send(notice, sending) } = outbox
  const { waiting: max, maxAgeMs, itemsPerMessage, messagesAtOnce, gapMs } = limits
  const parse = (text: string) => schema.safeParse(parsedJson(text)).data ?? initial
  const sender = createSoleSender(context, bucket, parse)
  const sending = sendingSignal(signal)

  async function turn(): Promise<void> {
    const before = await sender.take()
    if (!before) return
    const { state, items } = await outbox.plan(before)
    const now = clock.now()
    const waiting = channels.map((channel) => {
      const queue = enqueued<T>(before.queues[channel.id], items, { now, max, maxAgeMs })
      return { channel, queue: beforeAttempt(queue, { now, max: itemsPerMessage }) }
    })
    // Nothing is sent before it is stored. Otherwise, a restart could send it again, or send it
    // together with new items, which receivers would not recognize.
    if (!(await sender.save({ ...state, queues: byChannelId(waiting) }))) return
    const remaining = await Promise.all(
      waiting.map(async (each) => ({ ...each, queue: await deliver(each.channel, each.queue) })),
    )
    await sender.save({ ...state, queues: byChannelId(remaining) })
  }

  /** Sends the messages that are due on one channel, one after another, until one fails. */
  async function deliver(channel: Channel, waiting: DeliveryQueue<T>): Promise<DeliveryQueue<T>> {
    let queue = waiting
    for (let sent = 0; sent < messagesAtOnce; sent += 1) {
      const [first, ...others] = dueItems(queue, { now: clock.now(), max: itemsPerMessage })
      if (first === undefined) break
      // Earlier messages may have taken longer than the lease lasts.
      if (sent > 0 && !(await sender.renew())) break
      const notice = noticeFrom([first, ...others])
      const delivery = await send(channel, notice, sending)
      if (sending.aborted && !delivery.ok) break
      const now = clock.now()
      queue = afterAttempt(queue, delivery, { count: others.length + 1, now, gapMs })
      await recordDelivery(store.documents, channel.id, { delivery, now })
      const about = { channel: channel.label, type: notice.type }
      if (delivery.ok) log.info(about, 'message sent')
      else log.warn({ ...about, reason: delivery.reason }, 'a message could not be sent')
      if (!delivery.ok || signal.aborted) break
    }
    return queue
  }

  await every(clock, outbox.intervalMs, signal, () =>
    turn().catch((error: unknown) => log.error({ err: error, bucket }, 'sending messages failed')),
  )
  await sender.release()
}

function byChannelId<T>(
  queues: readonly { readonly channel: Channel; readonly queue: DeliveryQueue<T> }[],
): DeliveryQueues<T> {
  return Object.fromEntries(queues.map(({ channel, queue }) => [channel.id, queue]))
}

/**
 * Returns a signal that aborts shortly after the given one, so that a message that is being sent
 * when the process stops still arrives, and the next process does not need to repeat it.
 */
export function sendingSignal(signal: AbortSignal): AbortSignal {
  const sending = new AbortController()
  const abort = () => void setTimeout(() => sending.abort(), graceMs).unref()
  signal.addEventListener('abort', abort, { once: true })
  return sending.signal
}
