import { z } from 'zod'
import { every, type Clock } from '../../clock.ts'
import type { Problems } from '../../collections/status/problem.ts'
import type { AlertSettings } from '../../config/notification-settings.ts'
import { parsedJson } from '../../links/stored-uses.ts'
import type { Logger } from '../../log.ts'
import type { Store } from '../../store/store.ts'
import { noticeFromAlert, type AlertSite } from './alert-notices.ts'
import { isSharedSlot, type SendNotice } from './combined-alerts.ts'
import { noAlerts, planAlerts, type AlertState } from './alert-plan.ts'
import { recordDelivery } from './delivery-log.ts'
import {
  afterAttempt,
  deliverQueued,
  dueItems,
  queueSchema,
  type DeliveryQueue,
  type DeliveryQueues,
} from './delivery-queue.ts'
import type { Channel, Notice } from './notice.ts'
import { isQuiet, summaryDayAt } from './quiet-hours.ts'
import { createSoleSender, sendingSignal } from './sole-sender.ts'

/** Interval between checks. A problem is reported after the second one. */
const checkMs = 60_000

/** Messages per channel that wait while a receiver is down. */
const maxWaiting = 100

/**
 * Messages per channel and check, so that slow receivers take less time than the lease lasts. A shared
 * message waits for up to a minute.
 */
const maxSentAtOnce = 5
const maxSharedAtOnce = 3

/** Alerts that could not be delivered for this long are no longer news. */
const maxAgeMs = 3 * 24 * 60 * 60_000

/** State of the causes, and the messages that wait for each channel. */
type StoredAlerts = {
  readonly alerts: AlertState
  readonly queues: DeliveryQueues<Notice>
}

export type AlertOptions = {
  readonly settings: Pick<AlertSettings, 'quietHours' | 'summaryDay'>
  readonly channels: readonly Channel[]
  /** Combines messages with those of other sites. Undefined if there are no other sites. */
  readonly sendShared?: SendNotice | undefined
  readonly store: Pick<Store, 'documents' | 'leases'>
  /** Id of this replica. */
  readonly holder: string
  readonly site: AlertSite
  readonly problems: () => Promise<Problems>
  /** Delay before the first check, so that reads that are due after a start are over by then. */
  readonly startAfterMs: number
  readonly clock: Clock
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
  readonly signal: AbortSignal
}

/** Checks for problems until aborted, and sends alerts if this replica is the one that sends. */
export async function sendAlerts(options: AlertOptions): Promise<void> {
  const { settings, channels, sendShared, store, holder, site, clock, log, signal } = options
  const document = { bucket: 'alerts', id: 'state' }
  const sender = createSoleSender({ store, document, holder, parse: parseStored })
  const sending = sendingSignal(signal)

  async function check(): Promise<void> {
    const before = await sender.take()
    if (!before) return
    const problems = await options.problems()
    const now = clock.now()
    const { state: alerts, alerts: planned } = planAlerts(before.alerts, problems, {
      now,
      isQuiet:
        isQuiet(settings.quietHours, now, site.timeZone) || (!!sendShared && !isSharedSlot(now)),
      summaryDay: summaryDayAt(settings.summaryDay, now, site.timeZone),
    })
    const notices = planned.map((alert) => noticeFromAlert(alert, site, now))
    await deliverQueued(before.queues, notices, {
      channels,
      now,
      max: maxWaiting,
      maxAgeMs,
      save: (queues) => sender.save({ alerts, queues }),
      deliver,
    })
  }

  /** Sends the messages that are due to one channel, one after another. */
  async function deliver(
    channel: Channel,
    waiting: DeliveryQueue<Notice>,
  ): Promise<DeliveryQueue<Notice>> {
    let queue = waiting
    const max = sendShared ? maxSharedAtOnce : maxSentAtOnce
    for (const notice of dueItems(waiting, { now: clock.now(), max })) {
      const delivery = await (sendShared
        ? sendShared(channel, notice, sending)
        : channel.send(notice, sending))
      if (sending.aborted && !delivery.ok) break
      const now = clock.now()
      queue = afterAttempt(queue, delivery, { count: 1, now, gapMs: 0 })
      await recordDelivery(store.documents, channel.id, { delivery, now })
      const about = { channel: channel.label, type: notice.type }
      if (delivery.ok) log.info(about, 'alert sent')
      else log.warn({ ...about, reason: delivery.reason }, 'an alert could not be sent')
      if (!delivery.ok || signal.aborted) break
    }
    return queue
  }

  await clock.sleep(options.startAfterMs, signal).catch(() => undefined)
  await every(clock, checkMs, signal, () =>
    check().catch((error: unknown) => log.error({ err: error }, 'checking for alerts failed')),
  )
  await sender.release()
}

const time = z.number()

const storedCause = z.object({
  title: z.string(),
  since: time,
  goneSince: time.optional(),
  checks: z.number(),
  isReported: z.boolean(),
  reportedAt: time,
  remindedAt: time,
  isFlapping: z.boolean(),
})

const storedNotice = z.object({
  id: z.string(),
  thread: z.string(),
  type: z.string(),
  at: time,
  siteName: z.string(),
  title: z.string(),
  lines: z.array(z.object({ text: z.string(), url: z.string().optional() })),
  url: z.string(),
  data: z.unknown(),
})

const stored = z.object({
  alerts: z.object({
    causes: z.record(z.string(), storedCause),
    past: z.array(z.object({ title: z.string(), since: time, until: time })),
    summaryDay: z.string().optional(),
  }),
  queues: z.record(z.string(), queueSchema(storedNotice)),
})

function parseStored(text: string | undefined): StoredAlerts {
  const none = { alerts: noAlerts, queues: {} }
  return text === undefined ? none : (stored.safeParse(parsedJson(text)).data ?? none)
}
