import { parseArgs } from 'node:util'
import { idHostOf } from '../app/id-host.ts'
import { alertSiteFrom, createChannels, sendTest } from '../app/notifications/site-notifications.ts'
import { siteFromSettings } from '../config/site-from-settings.ts'
import { systemClock } from '../clock.ts'
import type { Command } from './command.ts'
import { commandConfig, configuredAddress, siteOption } from './command-config.ts'
import { openConfiguredStore } from './configured-store.ts'
import { UsageError } from './user-errors.ts'

const help = `Usage: npx feedhouse alert test

Sends a test message to all addresses in ALERT_MAIL, ALERT_WEBHOOK and CHANGE_WEBHOOKS. The exit
status is 0 if all of them have accepted it, otherwise 1. The service need not be running.

  --json       print one JSON line per receiver
  --site NAME  name of the site, if SITES_FILE lists several
`

const testMs = 60_000

const run: Command['run'] = async (args, context) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { ...siteOption, json: { type: 'boolean' } },
  })
  if (positionals.join(' ') !== 'test') throw new UsageError('Usage: alert test; see --help.')
  const config = commandConfig(values, context)
  const { site, notifications, adminPassword, configuredHosts, idHost } = config
  if (!site) throw new UsageError('SITE_URL is not set, so there is no site to send alerts about.')
  const channels = createChannels(notifications, systemClock)
  if (channels.alerts.length + channels.changes.length === 0) {
    throw new UsageError('None of ALERT_MAIL, ALERT_WEBHOOK and CHANGE_WEBHOOKS is set.')
  }
  await using store = await openConfiguredStore(config, context.stderr)
  const { publicUrl } = await configuredAddress(store.documents, config)
  const { host } = await idHostOf(store, { siteUrl: site.url, idHost, configuredHosts })
  const published = siteFromSettings(site, {
    idHost: host,
    publicUrl,
    publicFeedIds: [],
    hubs: [],
  })
  const results = await sendTest(channels, {
    site: alertSiteFrom(published, { hasAdminPage: adminPassword !== undefined }),
    documents: store.documents,
    now: systemClock.now,
    signal: AbortSignal.timeout(testMs),
  })
  for (const { label, delivery } of results) {
    const { ok } = delivery
    const reason = ok ? null : delivery.reason
    const text = ok ? `ok     ${label}` : `FAULT  ${label}: ${reason}`
    context.stdout.write(`${values.json ? JSON.stringify({ label, ok, reason }) : text}\n`)
  }
  return results.every(({ delivery }) => delivery.ok) ? 0 : 1
}

export const alertCommand: Command = { help, run }
