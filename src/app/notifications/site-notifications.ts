import type { Clock, TimeSource } from '../../clock.ts'
import type { Problems } from '../../collections/status/problem.ts'
import type { NotificationSettings } from '../../config/notification-settings.ts'
import { nameOf, type Site } from '../../feeds/site.ts'
import type { MessageActions, MessageChannel } from '../../http/admin/messages.ts'
import type { Logger } from '../../log.ts'
import type { Documents, Store } from '../../store/store.ts'
import { testNotice, type AlertSite } from './alert-notices.ts'
import { sendAlerts } from './alerts.ts'
import { findChangeItems, type ChangeItemOptions } from './change-items.ts'
import { sendChanges } from './change-webhooks.ts'
import type { SendNotice } from './combined-alerts.ts'
import { deliveryOutcomes, recordDelivery } from './delivery-log.ts'
import { createMailChannel } from './mail.ts'
import type { Channel, Delivery } from './notice.ts'
import { refreshTokenAge, setRefreshTokenCreation } from './refresh-token-age.ts'
import { createWebhookChannel } from './webhook.ts'

/** Maximum duration of a test. */
const testMs = 30_000

/** The channels of a site. */
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

/** Returns all channels with their latest results. Rejects with a `StoreError`. */
async function channelStates(
  { alerts, changes }: Channels,
  documents: Pick<Documents, 'all'>,
): Promise<readonly MessageChannel[]> {
  const outcomes = await deliveryOutcomes(documents)
  const stateOf = (purpose: MessageChannel['purpose']) => (channel: Channel) => {
    const { id, label } = channel
    return { ...outcomes.get(id), label, purpose }
  }
  return [...alerts.map(stateOf('alerts')), ...changes.map(stateOf('changes'))]
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

/** Returns the admin page's actions about messages. */
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
    channels: () => channelStates(channels, documents),
    async sendTest() {
      const signal = AbortSignal.timeout(testMs)
      await sendTest(channels, { site, documents, now, signal })
    },
    refreshTokenAge: () => refreshTokenAge(documents, fingerprint(), now()),
    setRefreshTokenCreation: (createdAt) =>
      setRefreshTokenCreation(documents, fingerprint(), { createdAt, now: now() }),
  }
}

/** Returns what messages say about a site. */
export function alertSiteFrom(site: Site, { hasAdminPage }: { readonly hasAdminPage: boolean }) {
  const { idHost, timeZone, publicUrl } = site
  const statusUrl = `${publicUrl}${hasAdminPage ? '/admin/status' : '/status'}`
  return { name: nameOf(site), idHost, timeZone, statusUrl }
}

/** Sends alerts and changes until aborted, if there is anyone to send them to. */
export async function runNotifications(options: {
  readonly settings: NotificationSettings
  readonly channels: Channels
  readonly sendShared?: SendNotice | undefined
  readonly store: Pick<Store, 'documents' | 'leases'>
  /** Id of this replica. */
  readonly holder: string
  readonly alertSite: AlertSite
  readonly problems: () => Promise<Problems>
  readonly changes: ChangeItemOptions
  readonly startAfterMs: number
  readonly clock: Clock
  readonly log: Logger
  readonly signal: AbortSignal
}): Promise<void> {
  const { settings, channels, alertSite, changes } = options
  const { name, idHost } = alertSite
  const { publicUrl } = changes.site
  await Promise.all([
    ...(channels.alerts.length > 0
      ? [
          sendAlerts({
            ...options,
            settings: settings.alerts,
            channels: channels.alerts,
            site: alertSite,
          }),
        ]
      : []),
    ...(channels.changes.length > 0
      ? [
          sendChanges({
            ...options,
            channels: channels.changes,
            site: { name, idHost, publicUrl },
            find: (now) => findChangeItems(changes, now),
          }),
        ]
      : []),
  ])
}
