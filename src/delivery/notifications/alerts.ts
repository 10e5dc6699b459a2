import { z } from 'zod'
import type { Problems } from '../../collections/status/problem.ts'
import type { AlertTimes } from '../../config/notification-settings.ts'
import { noticeFromAlert, type AlertSite } from './alert-notices.ts'
import {
  alertState,
  isQuiet,
  isSharedSlot,
  noAlerts,
  planAlerts,
  summaryDayAt,
} from './alert-plan.ts'
import { queuesSchema } from './delivery-queue.ts'
import {
  noticeSchema,
  type Channel,
  type Notice,
  type Receiver,
  type SendNotice,
} from '../../channels/notice.ts'
import { runOutbox, type OutboxContext } from './outbox.ts'

/** Interval between checks. A problem is reported after the second one. */
const checkMs = 60_000

const limits = {
  waiting: 100,
  maxAgeMs: 3 * 24 * 60 * 60_000,
  itemsPerMessage: 1,
  messagesAtOnce: 5,
  gapMs: 0,
}

/** A shared message waits for up to a minute. */
const maxSharedAtOnce = 3

type AlertOptions = OutboxContext & {
  readonly settings: AlertTimes
  readonly channels: readonly Channel[]
  /** Combines messages with those of other sites. Undefined if there are no other sites. */
  readonly sendShared?: SendNotice | undefined
  readonly site: AlertSite
  readonly problems: () => Promise<Problems>
  /** Delay before the first check, so that reads that are due at startup have finished by then. */
  readonly startAfterMs: number
}

export async function sendAlerts(options: AlertOptions): Promise<void> {
  const { settings, channels, sendShared, site, clock, signal } = options
  const { timeZone } = site
  await clock.sleep(options.startAfterMs, signal).catch(() => undefined)
  await runOutbox<Notice, z.infer<typeof stored>>(options, {
    bucket: 'alerts',
    schema: stored,
    initial: { alerts: noAlerts, queues: {} },
    receivers: sendShared ? channels.map(sharedThrough(sendShared)) : channels,
    intervalMs: checkMs,
    limits: sendShared ? { ...limits, messagesAtOnce: maxSharedAtOnce } : limits,
    async plan(before) {
      const problems = await options.problems()
      const now = clock.now()
      const isHeld = sendShared !== undefined && !isSharedSlot(now)
      const { state, alerts } = planAlerts(before.alerts, problems, {
        now,
        isQuiet: isHeld || isQuiet(settings.quietHours, now, timeZone),
        summaryDay: summaryDayAt(settings.summaryDay, now, timeZone),
      })
      const items = alerts.map((alert) => noticeFromAlert(alert, site, now))
      return { state: { ...before, alerts: state }, items }
    },
    messageFrom: ([notice]) => notice,
  })
}

const sharedThrough =
  (send: SendNotice) =>
  (channel: Channel): Receiver<Notice> => ({
    ...channel,
    send: (notice, signal) => send(channel, notice, signal),
  })

const stored = z.object({ alerts: alertState, queues: queuesSchema(noticeSchema) })
