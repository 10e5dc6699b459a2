import { idHostOf } from '../app/id-host.ts'
import {
  alertSiteFrom,
  createChannels,
  sendTest,
} from '../delivery/notifications/site-notifications.ts'
import { systemClock } from '../clock.ts'
import { siteFrom } from '../feeds/site.ts'
import { commandConfig, configuredAddress, openConfiguredStore, siteOption } from './chosen-site.ts'
import { defineCommand, flag } from './command.ts'
import { UsageError } from './user-errors.ts'

const testMs = 60_000

export const command = defineCommand({
  options: { json: flag('print one JSON line per receiver'), ...siteOption },
  help: (list) => `Usage: npx feedhouse alert test

Sends a test message to all addresses in ALERT_MAIL, ALERT_WEBHOOK and CHANGE_WEBHOOKS. The exit
status is 0 if all of them have accepted it, otherwise 1. The service need not be running.

${list()}`,
  takesOperands: true,
  async run({ values, operands, print }, context) {
    if (operands.join(' ') !== 'test')
      throw new UsageError('Usage: npx feedhouse alert test; see --help.')
    const config = commandConfig(values, context)
    const { site, notifications, adminPassword } = config
    if (!site) {
      throw new UsageError('SITE_URL is not set, so there is no site to send alerts about.')
    }
    const channels = createChannels(notifications, systemClock)
    if (channels.alerts.length + channels.changes.length === 0) {
      throw new UsageError('None of ALERT_MAIL, ALERT_WEBHOOK and CHANGE_WEBHOOKS is set.')
    }
    await using store = await openConfiguredStore(config, context)
    const { publicUrl } = await configuredAddress(store.documents, config)
    const { host: idHost } = await idHostOf(store, { ...config, siteUrl: site.url })
    const published = siteFrom(site, { idHost, publicUrl, publicFeedIds: [], hubs: [] })
    const alertSite = alertSiteFrom(published, { hasAdminPage: adminPassword !== undefined })
    const options = { channels, alertSite, documents: store.documents, clock: systemClock }
    const results = await sendTest(options, AbortSignal.timeout(testMs))
    for (const { label, delivery } of results) {
      const { ok } = delivery
      const reason = ok ? null : delivery.reason
      print({ label, ok, reason }, ok ? `ok     ${label}` : `FAULT  ${label}: ${reason}`)
    }
    return results.every(({ delivery }) => delivery.ok) ? 0 : 1
  },
})
