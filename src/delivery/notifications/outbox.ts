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
  reviewed,
  type DeliveryQueue,
  type DeliveryQueues,
  type Review,
} from './delivery-queue.ts'
import type { Notice, Receiver } from '../../channels/notice.ts'
import { createSoleSender } from './sole-sender.ts'

const withdrawnText = 'waiting messages are not sent, because their content is no longer public'

/** Stopping takes at most this long. */
const graceMs = 3_000

/** What the replica needs to send messages, or to read bounced ones, while it is the only one. */
export type OutboxContext = {
  readonly store: { readonly documents: Documents; readonly leases: Leases }
  readonly holder: string
  readonly clock: Clock
  readonly log: Logger
  readonly signal: AbortSignal
}

type Outbox<T, State, Message> = {
  readonly bucket: string
  readonly schema: z.ZodType<State>
  /** State if none is stored, or if it is unreadable. */
  readonly initial: State
  readonly receivers: readonly Receiver<Message>[]
  readonly intervalMs: number
  readonly limits: {
    readonly waiting: number
    /** Items that could not be delivered for this long are no longer news. */
    readonly maxAgeMs: number
    readonly itemsPerMessage: number
    /** Messages per receiver and turn, so that slow receivers do not delay the next turn for long. */
    readonly messagesAtOnce: number
    readonly gapMs: number
  }
  readonly plan: (state: State) => Promise<Plan<T, State>>
  readonly messageFrom: (items: readonly [T, ...T[]]) => Message
}

type Plan<T, State> = {
  readonly state: State
  readonly items: readonly T[]
  /** Reviews a message that may have waited for days. Undefined if it can always be sent. */
  readonly review?: (waiting: T) => Review<T>
}

/**
 * Plans and sends messages until aborted, if this replica is the one that sends them. The queues
 * are stored before and after sending, so a restart neither loses nor repeats a message.
 */
export async function runOutbox<
  T,
  State extends { readonly queues: DeliveryQueues<T> },
  Message extends { readonly type: string } = Notice,
>(context: OutboxContext, outbox: Outbox<T, State, Message>): Promise<void> {
  const { store, clock, log, signal } = context
  const { bucket, schema, initial, receivers, limits, messageFrom } = outbox
  const { waiting: max, maxAgeMs, itemsPerMessage, messagesAtOnce, gapMs } = limits
  const parse = (text: string) => schema.safeParse(parsedJson(text)).data ?? initial
  const sender = createSoleSender(context, bucket, parse)
  const sending = sendingSignal(signal)

  async function turn(): Promise<void> {
    const before = await sender.take()
    if (!before) return
    const { state, items, review = unchanged } = await outbox.plan(before)
    const now = clock.now()
    const waiting = receivers.map((receiver) => {
      const earlier = reviewed<T>(before.queues[receiver.id], review)
      const aside = earlier.aside.filter(({ at }) => at > now - maxAgeMs)
      const added = enqueued<T>(earlier.queue, items, { now, max, maxAgeMs })
      const queue = beforeAttempt(added, { now, max: itemsPerMessage })
      return { receiver, queue, aside, withdrawn: earlier.withdrawn }
    })
    // Nothing is sent before it is stored. Otherwise, a restart could send it again, or send it
    // together with new items, which receivers would not recognize.
    if (!(await sender.save({ ...state, queues: byReceiverId(waiting) }))) return
    for (const { receiver, withdrawn } of waiting) {
      if (withdrawn > 0) log.info({ channel: receiver.label, withdrawn }, withdrawnText)
    }
    const remaining = await Promise.all(
      waiting.map(async (each) => ({ ...each, queue: await deliver(each.receiver, each.queue) })),
    )
    await sender.save({ ...state, queues: byReceiverId(remaining) })
  }

  /** Sends the messages that are due to one receiver, one after another, until one fails. */
  async function deliver(
    receiver: Receiver<Message>,
    waiting: DeliveryQueue<T>,
  ): Promise<DeliveryQueue<T>> {
    let queue = waiting
    for (let sent = 0; sent < messagesAtOnce; sent += 1) {
      const [first, ...others] = dueItems(queue, { now: clock.now(), max: itemsPerMessage })
      if (first === undefined) break
      // Earlier messages may have taken longer than the lease lasts.
      if (sent > 0 && !(await sender.renew())) break
      const message = messageFrom([first, ...others])
      const delivery = await receiver.send(message, sending)
      if (sending.aborted && !delivery.ok) break
      const now = clock.now()
      queue = afterAttempt(queue, delivery, { count: others.length + 1, now, gapMs })
      await recordDelivery(store.documents, receiver.id, { delivery, now })
      const about = { channel: receiver.label, type: message.type }
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

const unchanged = <T>(item: T): Review<T> => ({ item })

function byReceiverId<T>(
  queues: readonly {
    readonly receiver: { readonly id: string }
    readonly queue: DeliveryQueue<T>
    readonly aside: DeliveryQueue<T>['entries']
  }[],
): DeliveryQueues<T> {
  return Object.fromEntries(
    queues.map(({ receiver, queue, aside }) => [
      receiver.id,
      // Messages that are sent again come first.
      { ...queue, entries: [...queue.entries, ...aside] },
    ]),
  )
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
