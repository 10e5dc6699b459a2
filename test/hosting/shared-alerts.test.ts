import { once } from 'node:events'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sendAlerts } from '../../src/delivery/notifications/alerts.ts'
import { combineNotices, createSharedAlerts } from '../../src/hosting/shared-alerts.ts'
import { createChannels } from '../../src/delivery/notifications/site-notifications.ts'
import type { Problem } from '../../src/collections/status/problem.ts'
import { readSite } from '../../src/config/config.ts'
import { readValues } from '../../src/config/environment.ts'
import { smtpServer } from '../../src/config/notification-settings.ts'
import type { NamedSite } from '../../src/config/sites-config.ts'
import { createWorkerReports } from '../../src/features/monitoring/worker-reports.ts'
import { createLogger } from '../../src/log.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { startMailServer } from '../support/receivers.ts'
import { testDirectory } from '../support/service.ts'
import { openTestStore } from '../support/store.ts'
import { waitFor } from '../support/wait-for.ts'
import { noticeWith } from '../channels/notice.ts'

const notice = (siteName: string, title = 'The website cannot be read') =>
  noticeWith({ id: `id-${siteName}`, siteName, title, lines: [{ text: 'It does not respond.' }] })

describe('combining messages', () => {
  test('lists all sites with the same problem in one message', () => {
    const names = Array.from({ length: 200 }, (_, index) => `Department ${index}`)
    const combined = combineNotices(
      names.map((name) => notice(name)),
      'https://feeds.example/sites',
    )
    expect(combined).toMatchObject({
      siteName: 'Feedhouse',
      title: '200 sites: The website cannot be read',
      type: 'alert.opened',
      url: 'https://feeds.example/sites',
    })
    expect(combined?.lines.length).toBeLessThan(25)
    const text = combined?.lines.map((line) => line.text).join(', ')
    for (const name of names) expect(`${text},`).toContain(`${name},`)
  })

  test('names the problem of a site that does not share it with others', () => {
    const combined = combineNotices(
      [notice('Ashton'), notice('Dover'), notice('Milbrook', 'Missing records')],
      undefined,
    )
    expect(combined?.title).toBe('3 sites: 3 alerts')
    expect(combined?.lines.map(({ text }) => text)).toEqual([
      'The website cannot be read, at 2 sites:',
      'Ashton, Dover',
      'Milbrook: Missing records. It does not respond.',
    ])
  })

  test('leaves a single message as it is, and keeps the id when it is sent again', () => {
    const [a, b] = [notice('Ashton'), notice('Dover')]
    expect(combineNotices([a], undefined)).toBe(a)
    expect(combineNotices([b, a], undefined)?.id).toBe(combineNotices([a, b], undefined)?.id)
  })
})

const down: Problem = {
  key: 'website-unreachable',
  title: 'The website cannot be read',
  sentence: 'It does not respond.',
  since: Date.parse('2026-03-05T14:58:00Z'),
  urgency: 'normal',
}

const urls = { publicUrl: 'https://a.example', statusUrl: 'https://a.example/status' }

const never = () => Promise.reject(new Error('not asked'))

/** Starts two workers. The first one has Ashton and Dover, and the second one Cedar and Milbrook. */
async function startWorkers() {
  const clock = createFakeClock()
  const mail = await startMailServer()
  const socketPath = join(testDirectory(), 'first')
  const values = readValues({ ALERT_MAIL: 'hoster@example.org', PUBLIC_URL: 'https://a.example' })
  const { config } = readSite(values, { smtp: smtpServer.parse(mail.url) })
  const names = ['Ashton', 'Cedar', 'Dover', 'Milbrook']
  const sites = names.map((name) => ({ name, config }) as NamedSite)
  const state = { open: [down] as readonly Problem[], passed: 0, arrived: 0 }
  const workerAt = (firstSocketPath?: string) =>
    createSharedAlerts({
      sites: () => sites,
      firstSocketPath: () => firstSocketPath,
      overviewUrl: undefined,
      clock,
    })
  const [first, second] = [workerAt(), workerAt(socketPath)]
  const reports = createWorkerReports(
    { ownOverview: never, hostOverview: never, values: never, ownSiteText: never },
    (alert, signal) => {
      state.arrived += 1
      return first.sendPassed(alert, signal)
    },
  )
  const server = createServer(reports).listen(socketPath)
  await once(server, 'listening')
  const stopFirst = () => {
    server.close()
    server.closeAllConnections()
  }
  onTestFinished(stopFirst)
  const stopping = new AbortController()
  const running = names.map((name, index) => {
    const isFirst = index % 2 === 0
    const send = (isFirst ? first : second).senderFor(name)
    return sendAlerts({
      settings: { quietHours: undefined, summaryDay: undefined },
      channels: createChannels(config.notifications, clock).alerts,
      sendShared(...sent) {
        if (!isFirst && server.listening) state.passed += 1
        return send(...sent)
      },
      store: openTestStore(clock.now),
      holder: name,
      site: { name, idHost: name, timeZone: 'America/New_York', language: 'en-US', ...urls },
      problems: async () => ({ open: state.open, unknown: new Set() }),
      // The checks are spread over the minute.
      startAfterMs: index * 7_000,
      clock,
      log: createLogger('silent'),
      signal: stopping.signal,
    })
  })
  onTestFinished(async () => {
    stopping.abort()
    await Promise.all(running)
  })
  /** Advances the clock in small steps, because forwarding an alert takes real time. */
  const until = (expectation: () => void) =>
    waitFor(async () => {
      await clock.advance(5_000)
      await waitFor(() => expect(state.arrived).toBe(state.passed))
      expectation()
    })
  return { mails: mail.mails, state, until, stopFirst }
}

describe('alerts of the sites of several workers', () => {
  test('are combined in one mail, and in one when they are over', async () => {
    const { mails, state, until } = await startWorkers()
    await until(() => expect(mails).toHaveLength(1))
    expect(state.arrived).toBe(2)
    expect(mails[0]?.to).toEqual(['hoster@example.org'])
    expect(mails[0]?.text).toContain('[Feedhouse] 4 sites: The website cannot be read')
    expect(mails[0]?.text).toContain('Ashton, Cedar, Dover, Milbrook')
    state.open = []
    await until(() => expect(mails).toHaveLength(2))
    expect(mails[1]?.text).toContain('[Feedhouse] 4 sites: The website can be read again')
  })

  test('are sent separately if the first worker does not respond', async () => {
    const { mails, until, stopFirst } = await startWorkers()
    stopFirst()
    await until(() => expect(mails).toHaveLength(3))
    const subjects = mails.map(({ text }) => /Subject: \[(.*?)\]/.exec(text)?.[1] ?? '')
    expect(subjects.toSorted((a, b) => a.localeCompare(b))).toEqual([
      'Cedar',
      'Feedhouse',
      'Milbrook',
    ])
  })
})
