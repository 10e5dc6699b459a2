import type { Clock } from '../../clock.ts'
import type { NamedSite } from '../../config/sites-config.ts'
import { sendThroughFirst, type SendForWorker } from '../../http/monitoring/worker-reports.ts'
import { createCombiner, type SendNotice } from './combined-alerts.ts'
import type { Delivery, Notice } from './notice.ts'
import { createChannels } from './site-notifications.ts'

/** An alert that another worker passes on to the first one. */
type PassedAlert = {
  readonly site: string
  readonly channelId: string
  readonly notice: Notice
}

/** Combines alerts of the sites of all workers. */
export type SharedAlerts = {
  /** Returns the function with which a site sends alerts. */
  readonly senderFor: (site: string) => SendNotice
  /** Sends an alert of another worker's site. */
  readonly sendPassed: SendForWorker
}

/**
 * Creates the sender of alerts for several sites. The first worker combines the alerts of all workers; the
 * others pass theirs on, and send them alone if the first one does not respond.
 */
export function createSharedAlerts(options: {
  /** Returns the current sites of all workers. */
  readonly sites: () => readonly NamedSite[]
  /** Returns where the first worker listens; undefined in the first worker. */
  readonly firstSocketPath: () => string | undefined
  readonly overviewUrl: string | undefined
  readonly clock: Clock
}): SharedAlerts {
  const { sites, firstSocketPath, clock } = options
  const combine = createCombiner(options)
  return {
    senderFor: (site) => async (channel, notice, signal) => {
      const socketPath = firstSocketPath()
      if (socketPath === undefined || channel.receiver === undefined) {
        return combine(channel, notice, signal)
      }
      const passed: PassedAlert = { site, channelId: channel.id, notice }
      try {
        return (await sendThroughFirst(socketPath, passed, signal)) as Delivery
      } catch {
        return channel.send(notice, signal)
      }
    },
    async sendPassed(passed, signal) {
      const { site, channelId, notice } = passed as PassedAlert
      const config = sites().find(({ name }) => name === site)?.config
      const channels = config && createChannels(config.notifications, clock).alerts
      const channel = channels?.find(({ id }) => id === channelId)
      if (!channel) throw new Error(`site ${site} has no such receiver of alerts`)
      return combine(channel, notice, signal)
    },
  }
}
