import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { createAdmin, testPassword } from '../support/admin.ts'
import { codeOf, documentOf } from '../support/documentation.ts'
import { fewOn } from '../support/few-records.ts'
import { fewRecords } from '../support/few-records.ts'
import { createManager } from '../support/manager.ts'
import { startMailServer, startWebhookReceiver } from '../support/receivers.ts'
import { startTestService, testDirectory } from '../support/service.ts'
import { advanceUntil } from '../support/wait-for.ts'

const minuteMs = 60_000
const drill = {
  id: 99_999,
  title: 'Night drill',
  status: 2,
  startDate: '2026-03-20',
  endDate: '2026-03-20',
  created: '2026-03-05 10:05:10',
} as const

test('reports problems to the operators and changes to the public, without secrets', async () => {
  const mailServer = await startMailServer({ user: 'feedhouse', password: 'zqpasswordzq' })
  const [alerts, changes] = [await startWebhookReceiver(), await startWebhookReceiver()]
  const website = { extra: false }
  const file = join(testDirectory(), 'store.sqlite')
  await using service = await startTestService({
    environment: {
      SMTP_URL: mailServer.url,
      ALERT_MAIL: 'chief@example.org',
      ALERT_WEBHOOK: alerts.url,
      CHANGE_WEBHOOKS: changes.url,
      WEBHOOK_SECRET: 'zqsecretzq-zqsecretzq-zqsecretzq',
      ADMIN_PASSWORD: testPassword,
    },
    publicFeedIds: ['events', 'news'],
    sandbox: {
      datasetOn(today) {
        const sample = fewOn(today)
        const rental = sample.rental.map((booking) => ({ ...booking, renter: 'zqrenterzq' }))
        const [event] = sample.events.slice(-1)
        if (!event || !website.extra) return { ...sample, rental }
        const added = { ...event, ...drill }
        const booking = rental.slice(-1).map((each) => ({ ...each, id: 99_998 }))
        return { ...sample, events: [...sample.events, added], rental: [...rental, ...booking] }
      },
    },
    storeFileIn: () => file,
  })
  const { clock, sandbox, lines } = service
  const link = await service.addLink({ profile: 'full', label: 'zqlabelzq' })
  await fetch(`${link}rental.ics`)
  await service.readAll()
  const until = (expectation: () => void) => advanceUntil(clock, expectation, 15_000)
  const { mails } = mailServer
  await clock.advance(5 * minuteMs)
  website.extra = true
  await until(() => expect(JSON.stringify(changes.posts)).toContain('New: Night drill'))
  expect(JSON.stringify(changes.posts)).not.toContain('rental')
  expect(changes.posts[0]?.headers['webhook-signature']).toMatch(/^v1,/)
  expect([mails, alerts.posts]).toEqual([[], []])

  const manager = await createManager(sandbox)
  await manager.setProject(1, { ips: ['192.0.2.1'] })
  await until(() => expect([mails.length, alerts.posts.length]).toEqual([1, 1]))
  expect(mails[0]?.text).toContain("The website rejects this server's IP address")
  expect(alerts.posts[0]?.json).toMatchObject({
    type: 'alert.opened',
    data: { problem: { key: 'address-refused' } },
  })

  const { see, submit } = await createAdmin(service.url).signIn()
  const statusPage = () => see('/admin/status')
  expect((await statusPage()).match(/Working/g)).toHaveLength(3)
  const tested = await submit('/admin/messages/test')
  expect(tested.headers['location']).toMatch(/\/admin\/status\?done=tested#messages$/)
  expect(await see('/admin/status?done=tested')).toContain(
    'The test message was sent. The results are below.',
  )
  expect([mails.at(-1)?.text, changes.posts.at(-1)?.body].join()).toMatch(
    /Test message.*Test message/s,
  )
  expect(await statusPage()).toContain('Feedhouse first used it on Mar 5, 2026.')
  expect((await submit('/admin/refresh-token', { created: '2026-03-06' })).status).toBe(400)
  expect((await submit('/admin/refresh-token', { created: '2025-03-20' })).status).toBe(303)
  expect(await statusPage()).toContain('It was created on Mar 20, 2025')
  await until(() =>
    expect(mails.at(-1)?.text).toContain('The refresh token expires on Fri, Mar 20.'),
  )
  changes.state.defaultStatus = 500
  await submit('/admin/messages/test')
  expect(await statusPage()).toMatch(/Failed on Mar 5, [\d:]+ AM: status 500\./)

  const [project] = sandbox.projects
  const told = [mails, alerts.posts.map(({ body }) => body), changes.posts.map(({ body }) => body)]
  const secrets = [
    'zq',
    link.split('/')[4] ?? '',
    service.refreshToken,
    project?.refreshToken ?? '',
  ]
  for (const secret of secrets) {
    expect(JSON.stringify(told)).not.toContain(secret)
  }
  expect(lines.join('')).not.toMatch(/zq|SECRET/)

  using store = new DatabaseSync(file, { readOnly: true })
  const rows = store.prepare('SELECT DISTINCT bucket FROM documents').all()
  const buckets = rows.map(({ bucket }) => String(bucket))
  expect(buckets).toEqual(
    expect.arrayContaining(['alerts', 'change-webhooks', 'deliveries', 'refresh-token']),
  )
  const documented = codeOf(documentOf('docs/privacy.md'))
  expect(buckets.filter((bucket) => !documented.includes(bucket))).toEqual([])
})

test('reports a wrong SITE_TIME_ZONE to the webmaster, once', async () => {
  const { url, posts } = await startWebhookReceiver()
  await using service = await startTestService({
    sandbox: fewRecords,
    environment: { ALERT_WEBHOOK: url, ADMIN_PASSWORD: testPassword },
    timeZone: 'America/Los_Angeles',
  })
  const sentence =
    /is 180 minutes ahead of America\/Los_Angeles: .* Set SITE_TIME_ZONE .* America\/New_York/
  await advanceUntil(service.clock, () => expect(posts).toHaveLength(1), 15_000)
  expect(posts[0]?.json).toMatchObject({
    type: 'alert.opened',
    data: { problem: { key: 'clock-wrong', sentence: expect.stringMatching(sentence) } },
  })
  const status: unknown = await (await fetch(`${service.url}/status`)).json()
  expect(status).toMatchObject({ ok: false, sentences: [expect.stringMatching(sentence)] })
  const { see } = await createAdmin(service.url).signIn()
  expect(await see('/admin/status')).toMatch(sentence)
  await service.clock.advance(30 * minuteMs)
  expect(posts).toHaveLength(1)
})
