import { createHash } from 'node:crypto'
import { z } from 'zod'
import { every, type Clock } from '../../clock.ts'
import { parsedJson } from '../../links/stored-uses.ts'
import type { Logger } from '../../log.ts'
import type { Store } from '../../store/store.ts'
import { newItems, nothingSent, type SentChanges } from './change-history.ts'
import type { ChangeItem, FoundItem } from './change-items.ts'
import { recordDelivery } from './delivery-log.ts'
import {
  afterAttempt,
  deliverQueued,
  dueItems,
  queueSchema,
  type DeliveryQueue,
  type DeliveryQueues,
} from './delivery-queue.ts'
import { maxLines, type Channel, type Notice } from './notice.ts'
import { createSoleSender, sendingSignal } from './sole-sender.ts'

/** How often to look for changes. */
const pollMs = 15_000

/** Minimum time between two messages to a webhook. */
const gapMs = 60_000

/** Changes that wait while a receiver is down. */
const maxWaiting = 500
const maxAgeMs = 7 * 24 * 60 * 60_000

type StoredChanges = {
  readonly sent: SentChanges
  readonly queues: DeliveryQueues<ChangeItem>
}

export type ChangeWebhookOptions = {
  readonly channels: readonly Channel[]
  readonly store: Pick<Store, 'documents' | 'leases'>
  /** Id of this replica. */
  readonly holder: string
  readonly site: { readonly name: string; readonly idHost: string; readonly publicUrl: string }
  readonly find: (
    now: number,
  ) => Promise<{ readonly feeds: readonly string[]; readonly items: readonly FoundItem[] }>
  readonly clock: Clock
  readonly log: Pick<Logger, 'warn' | 'error'>
  readonly signal: AbortSignal
}

/** Sends changes to webhooks until aborted, if this replica is the one that sends. */
export async function sendChanges(options: ChangeWebhookOptions): Promise<void> {
  const { channels, store, holder, site, find, clock, log, signal } = options
  const document = { bucket: 'change-webhooks', id: 'state' }
  const sender = createSoleSender({ store, document, holder, parse: parseStored })
  const sending = sendingSignal(signal)

  async function poll(): Promise<void> {
    const before = await sender.take()
    if (!before) return
    const now = clock.now()
    const { sent, items } = newItems(before.sent, await find(now), now)
    const added = items.map(({ make }) => make())
    await deliverQueued(before.queues, added, {
      channels,
      now,
      max: maxWaiting,
      maxAgeMs,
      save: (queues) => sender.save({ sent, queues }),
      deliver,
    })
  }

  /** Sends the oldest changes in one message, if a message is due. */
  async function deliver(
    channel: Channel,
    queue: DeliveryQueue<ChangeItem>,
  ): Promise<DeliveryQueue<ChangeItem>> {
    const items = dueItems(queue, { now: clock.now(), max: maxLines })
    if (items.length === 0) return queue
    const delivery = await channel.send(noticeFromChanges(items, site, clock.now()), sending)
    if (sending.aborted && !delivery.ok) return queue
    const now = clock.now()
    await recordDelivery(store.documents, channel.id, { delivery, now })
    if (!delivery.ok) {
      log.warn({ channel: channel.label, reason: delivery.reason }, 'changes could not be sent')
    }
    return afterAttempt(queue, delivery, { count: items.length, now, gapMs })
  }

  await every(clock, pollMs, signal, () =>
    poll().catch((error: unknown) => log.error({ err: error }, 'sending changes failed')),
  )
  await sender.release()
}

/** The same changes have the same id, so that receivers recognize a repeated message. */
function noticeFromChanges(
  items: readonly ChangeItem[],
  { name, idHost, publicUrl }: ChangeWebhookOptions['site'],
  now: number,
): Notice {
  const ids = items.map(({ id, text }) => `${id} ${text}`).join('\n')
  const hash = createHash('sha256').update(`${idHost}\n${ids}`).digest('hex').slice(0, 32)
  return {
    id: `changes-${hash}`,
    thread: `changes.${idHost}`,
    type: 'changes',
    at: now,
    siteName: name,
    title: titleFrom(items),
    lines: items.map(({ text, url }) => ({ text, url })),
    url: `${publicUrl}/`,
    data: { changes: items },
  }
}

function titleFrom(items: readonly ChangeItem[]): string {
  const newsCount = items.filter(({ kind }) => kind === 'news').length
  const changes = items.length - newsCount
  if (changes === 0) return 'News'
  return `${changes === 1 ? '1 change' : `${changes} changes`}${newsCount > 0 ? ' and news' : ''}`
}

const storedItem = z.object({
  id: z.string(),
  kind: z.string(),
  feed: z.string(),
  text: z.string(),
  url: z.string().optional(),
})

const stored = z.object({
  sent: z.object({ feeds: z.array(z.string()), seen: z.record(z.string(), z.number()) }),
  queues: z.record(z.string(), queueSchema(storedItem)),
})

function parseStored(text: string | undefined): StoredChanges {
  const none = { sent: nothingSent, queues: {} }
  return text === undefined ? none : (stored.safeParse(parsedJson(text)).data ?? none)
}
