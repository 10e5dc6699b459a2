import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { frontLimits } from '../../src/hosting/front-process.ts'
import { maxFinishMs } from '../../src/hosting/hosted-site.ts'
import { connectTimeoutMs, socketTimeoutMs } from '../../src/delivery/notifications/mail.ts'
import { collectMs } from '../../src/hosting/shared-alerts.ts'
import { timeoutMs as webhookTimeoutMs } from '../../src/delivery/notifications/webhook.ts'
import { maxWaitMs } from '../../src/app/out-of-service.ts'
import { maxRequestWaitMs } from '../../src/collections/collection.ts'
import { siteMs } from '../../src/features/monitoring/server-pages.ts'
import { alertMs, workerMs } from '../../src/features/monitoring/worker-reports.ts'
import { serverLimits } from '../../src/front/server.ts'
import { aliveMs, heartbeatMs } from '../../src/store/replicas.ts'
import { defaultLimits } from '../../src/upstream/connection.ts'
import { documentOf, root } from '../support/documentation.ts'

/* Time limits of parts that wait for one another. If one ends too early, it hides what the other does. */

/** Returns a number of seconds in a file of the deployment, in milliseconds. */
function secondsIn(file: string, pattern: RegExp): number {
  const [, seconds = ''] = pattern.exec(readFileSync(join(root, file), 'utf8')) ?? []
  return Number(seconds) * 1000
}

const { responseTimes, stopMs } = frontLimits
const unreadyMs = 2_000

const ordered: Readonly<Record<string, readonly number[]>> = {
  'a site, its worker, and the front': [siteMs, workerMs],
  'a webhook, and the worker whose alert it gets': [collectMs + webhookTimeoutMs, alertMs],
  'a mail server, and the worker whose alert it gets': [
    collectMs + connectTimeoutMs + socketTimeoutMs,
    alertMs,
  ],
  'responses of the front, and another try of Caddy': [
    responseTimes.recentMs,
    responseTimes.hangingMs,
    responseTimes.healthMs,
    responseTimes.statusMs,
    responseTimes.anyMs,
    responseTimes.maxMs,
    secondsIn('deploy/Caddyfile', /lb_try_duration (\d+)s/),
  ],
  'responses, the worker, and systemd': [
    unreadyMs + serverLimits.closeGraceMs,
    stopMs,
    secondsIn('deploy/feedhouse.service', /^TimeoutStopSec=(\d+)$/m),
  ],
  'responses, the worker, and Compose': [
    unreadyMs + serverLimits.closeGraceMs,
    stopMs,
    secondsIn('compose.yaml', /stop_grace_period: (\d+)s/),
  ],
  'two lost heartbeats, and the end of a replica': [2 * heartbeatMs, aliveMs],
  'a killed replica, open requests, and a restore': [aliveMs + maxFinishMs, maxWaitMs],
  // A slow website must not count as down.
  'a request for a feed, the website, and its whole response': [
    maxRequestWaitMs,
    defaultLimits.connectTimeoutMs,
    defaultLimits.headersTimeoutMs,
    defaultLimits.requestTimeoutMs,
  ],
}

test.for(Object.entries(ordered))('each of %s waits longer than the one before', ([, limits]) => {
  expect(limits).toEqual([...new Set(limits)].toSorted((a, b) => a - b))
})

test('receivers have as long for a webhook as Standard Webhooks recommends', () => {
  expect(webhookTimeoutMs).toBeGreaterThanOrEqual(15_000)
  expect(webhookTimeoutMs).toBeLessThanOrEqual(30_000)
})

test('docs/backup.md says how long a restore waits', () => {
  expect(documentOf('docs/backup.md').replaceAll(/\s+/g, ' ')).toContain(
    `within ${maxWaitMs / 1000} seconds`,
  )
})
