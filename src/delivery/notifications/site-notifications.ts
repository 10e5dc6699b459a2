import type { TimeSource } from '../../clock.ts'
import type { NotificationSettings } from '../../config/notification-settings.ts'
import { siteIn, type Site } from '../../feeds/site.ts'
import type { MessageActions } from '../../site/admin-actions.ts'
import type { Documents } from '../../store/store.ts'
import { testNotice, type AlertSite } from './alert-notices.ts'
import { deliveryOutcomes, recordDelivery } from './delivery-log.ts'
import { createMailChannel } from './mail.ts'
import type { Channel, Delivery } from '../../channels/notice.ts'
import { createRefreshTokenAge } from './observations.ts'
import { createWebhookChannel } from './webhook.ts'

const testMs = 30_000

export type Channels = Readonly<Record<'alerts' | 'changes', readonly Channel[]>>

export function createChannels(
  { alerts: { mail, webhooks }, changeWebhooks, webhookSecret: secret }: NotificationSettings,
  { now }: TimeSource,
): Channels {
  const channelsTo = (purpose: 'alert' | 'change', targets: typeof webhooks) =>
    targets.map((target) => createWebhookChannel({ purpose, target, secret, now }))
  return {
    alerts: [...(mail ? [createMailChannel(mail)] : []), ...channelsTo('alert', webhooks)],
    changes: channelsTo('change', changeWebhooks),
  }
}

/** Sends a test message to every channel at once, without retries. */
export async function sendTest(
  { channels, alertSite, documents, clock: { now } }: MessageOptions,
  signal: AbortSignal,
): Promise<readonly { readonly label: string; readonly delivery: Delivery }[]> {
  return Promise.all(
    [...channels.alerts, ...channels.changes].map(async (channel) => {
      const delivery = await channel.send(testNotice(alertSite, now()), signal)
      await recordDelivery(documents, channel.id, { delivery, now: now() })
      return { label: channel.label, delivery }
    }),
  )
}

export type MessageOptions = {
  readonly channels: Channels
  readonly alertSite: AlertSite
  readonly documents: Documents
  readonly clock: TimeSource
}

export function createMessageActions(
  options: MessageOptions & { readonly refreshTokenFingerprint: () => string },
): MessageActions {
  const { channels, documents, clock } = options
  return {
    async channels() {
      const outcomes = await deliveryOutcomes(documents)
      return (['alerts', 'changes'] as const).flatMap((purpose) =>
        channels[purpose].map(({ id, label }) => ({ ...outcomes.get(id), label, purpose })),
      )
    },
    async sendTest() {
      await sendTest(options, AbortSignal.timeout(testMs))
    },
    ...createRefreshTokenAge(documents, options.refreshTokenFingerprint, clock),
  }
}

export function alertSiteFrom(
  site: Site,
  { hasAdminPage }: { readonly hasAdminPage: boolean },
): AlertSite {
  return {
    ...siteIn(site, 'en'),
    statusUrl: `${site.publicUrl}${hasAdminPage ? '/admin/status' : '/status'}`,
  }
}
