import { createHash } from 'node:crypto'
import { z } from 'zod'
import { counted } from '../../collections/status/status-sentences.ts'
import type { AlertSite } from './alert-notices.ts'
import {
  changeItem,
  newItems,
  nothingSent,
  sentChanges,
  type ChangeItem,
  type FoundItems,
} from './change-items.ts'
import { queuesSchema } from './delivery-queue.ts'
import { maxLines, type Channel, type Notice } from './notice.ts'
import { runOutbox, type OutboxContext } from './outbox.ts'

const pollMs = 15_000

const limits = {
  waiting: 500,
  maxAgeMs: 7 * 24 * 60 * 60_000,
  itemsPerMessage: maxLines,
  messagesAtOnce: 1,
  gapMs: 60_000,
}

type ChangeOptions = OutboxContext & {
  readonly channels: readonly Channel[]
  readonly site: Pick<AlertSite, 'name' | 'idHost' | 'publicUrl'>
  readonly find: (now: number) => Promise<FoundItems>
}

export async function sendChanges(options: ChangeOptions): Promise<void> {
  const { channels, site, find, clock } = options
  await runOutbox<ChangeItem, z.infer<typeof stored>>(options, {
    bucket: 'change-webhooks',
    schema: stored,
    initial: { sent: nothingSent, queues: {} },
    channels,
    intervalMs: pollMs,
    limits,
    async plan(before) {
      const now = clock.now()
      const { sent, items } = newItems(before.sent, await find(now), now)
      return { state: { ...before, sent }, items: items.map(({ make }) => make()) }
    },
    noticeFrom: (items) => noticeFromChanges(items, site, clock.now()),
  })
}

/** The same changes have the same id, so that receivers recognize a repeated message. */
function noticeFromChanges(
  items: readonly ChangeItem[],
  { name, idHost, publicUrl }: ChangeOptions['site'],
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
  const changes = items.filter(({ kind }) => kind !== 'news').length
  if (changes === 0) return 'News'
  return `${counted(changes, 'change')}${changes < items.length ? ' and news' : ''}`
}

const stored = z.object({ sent: sentChanges, queues: queuesSchema(changeItem) })
