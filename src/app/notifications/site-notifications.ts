import type { TimeSource } from '../../clock.ts'
import type { NotificationSettings } from '../../config/notification-settings.ts'
import type { Site } from '../../feeds/site.ts'
import type { MessageActions } from '../../http/admin/status-page.ts'
import type { Documents } from '../../store/store.ts'
import { testNotice, type AlertSite } from './alert-notices.ts'
import { sendAlerts, type AlertOptions } from './alerts.ts'
import { findChangeItems, type ChangeItemOptions } from './change-items.ts'
import { sendChanges } from './change-webhooks.ts'
import { deliveryOutcomes, recordDelivery } from './delivery-log.ts'
import { createMailChannel } from './mail.ts'
import type { Channel, Delivery } from './notice.ts'
import { refreshTokenAge, setRefreshTokenCreation } from './observations.ts'
import type { OutboxContext } from './outbox.ts'
import { createWebhookChannel } from './webhook.ts'

const testMs = 30_000

export type Channels = {
  readonly alerts: readonly Channel[]
  readonly changes: readonly Channel[]
}

export function createChannels(
  { alerts, changeWebhooks, webhookSecret: secret }: NotificationSettings,
  { now }: TimeSource,
): Channels {
  const { mail, webhooks } = alerts
  return {
    alerts: [
      ...(mail ? [createMailChannel(mail)] : []),
      ...webhooks.map((target) => createWebhookChannel({ purpose: 'alert', target, secret, now })),
    ],
    changes: changeWebhooks.map((target) =>
      createWebhookChannel({ purpose: 'change', target, secret, now }),
    ),
  }
}

/** Sends a test message to every channel at once, without retries. */
export async function sendTest(
  { alerts, changes }: Channels,
  {
    site,
    documents,
    now,
    signal,
  }: {
    readonly site: AlertSite
    readonly documents: Pick<Documents, 'get' | 'write'>
    readonly now: () => number
    readonly signal: AbortSignal
  },
): Promise<readonly { readonly label: string; readonly delivery: Delivery }[]> {
  return Promise.all(
    [...alerts, ...changes].map(async (channel) => {
      const delivery = await channel.send(testNotice(site, now()), signal)
      await recordDelivery(documents, channel.id, { delivery, now: now() })
      return { label: channel.label, delivery }
    }),
  )
}

export function createMessageActions({
  channels,
  alertSite: site,
  documents,
  refreshTokenFingerprint: fingerprint,
  clock: { now },
}: {
  readonly channels: Channels
  readonly alertSite: AlertSite
  readonly documents: Documents
  readonly refreshTokenFingerprint: () => string
  readonly clock: TimeSource
}): MessageActions {
  return {
    async channels() {
      const outcomes = await deliveryOutcomes(documents)
      return (['alerts', 'changes'] as const).flatMap((purpose) =>
        channels[purpose].map(({ id, label }) => ({ ...outcomes.get(id), label, purpose })),
      )
    },
    async sendTest() {
      const signal = AbortSignal.timeout(testMs)
      await sendTest(channels, { site, documents, now, signal })
    },
    refreshTokenAge: () => refreshTokenAge(documents, fingerprint(), now()),
    setRefreshTokenCreation: (createdAt) =>
      setRefreshTokenCreation(documents, fingerprint(), { createdAt, now: now() }),
  }
}

export function alertSiteFrom(
  site: Site,
  { hasAdminPage }: { readonly hasAdminPage: boolean },
): AlertSite {
  const { idHost, timeZone, publicUrl } = site
  const statusUrl = `${publicUrl}${hasAdminPage ? '/admin/status' : '/status'}`
  return { name: site.name, idHost, timeZone, publicUrl, statusUrl }
}

/** Sends alerts and changes until aborted, if there is anyone to send them to. */
export async function runNotifications(
  options: OutboxContext &
    Pick<AlertOptions, 'sendShared' | 'problems' | 'startAfterMs'> & {
      readonly settings: NotificationSettings
      readonly channels: Channels
      readonly alertSite: AlertSite
      readonly changes: ChangeItemOptions
    },
): Promise<void> {
  const { settings, channels, alertSite: site, changes } = options
  const { alerts, changes: webhooks } = channels
  const find = (now: number) => findChangeItems(changes, now)
  await Promise.all([
    alerts.length > 0 &&
      sendAlerts({ ...options, settings: settings.alerts, channels: alerts, site }),
    webhooks.length > 0 && sendChanges({ ...options, channels: webhooks, site, find }),
  ])
}
