import { expect, test } from 'vitest'
import { nothingSent } from '../../src/delivery/notifications/change-webhooks.ts'
import { fewOn, fewRecords } from '../support/few-records.ts'
import { startFollowedService } from '../support/following.ts'
import { readMail, valuesOf } from '../support/read-mail.ts'
import { startMailServer, startWebhookReceiver } from '../support/receivers.ts'
import { advanceUntil } from '../support/wait-for.ts'

const hourMs = 3_600_000
const publicUrl = 'https://feeds.example'
const address = 'neighbor@home.example'

test('writes to a neighbor from the request until the click that stops the emails', async () => {
  const { url, mails } = await startMailServer()
  const website = { isChanged: false }
  await using followed = await startFollowedService({
    environment: { SMTP_URL: url, PUBLIC_URL: publicUrl },
    publicFeedIds: ['events', 'news'],
    sandbox: {
      datasetOn(today) {
        const sample = fewOn(today)
        const events = sample.events.slice(-1).map((event) => ({
          ...event,
          title: 'Chicken BBQ',
          status: 2 as const,
          startDate: '2026-03-12',
          endDate: '2026-03-12',
          startTime: website.isChanged ? '17:00:00' : '16:00:00',
          endTime: '19:00:00',
        }))
        return { ...sample, events }
      },
    },
  })
  const { service, visit, post } = followed
  const { clock, lines } = service
  await service.readAll()
  const latest = () => readMail(mails.at(-1)?.raw ?? '')
  const pathIn = (purpose: string) => {
    const text = latest().parts[0]?.text ?? ''
    const [found = ''] = new RegExp(`/follow/${purpose}/[\\w-]+`).exec(text) ?? []
    return found
  }
  const receive = (count: number, stepMs = 15_000) =>
    advanceUntil(clock, () => expect(mails).toHaveLength(count), stepMs)

  await post('/follow', {
    address,
    feed: ['events', 'news'],
    weekly: '1',
    day: '7',
    hour: '18',
    changes: '1',
  })
  await receive(1)
  expect(valuesOf(latest(), 'subject')[0]).toMatch(/^Please confirm: email from /)
  expect(valuesOf(latest(), 'list-unsubscribe')).toEqual([])
  // A mail scanner opens the link again and again.
  const confirm = pathIn('confirm')
  for (let count = 0; count < 20; count += 1) expect((await visit(confirm)).status).toBe(200)
  await clock.leap(4 * hourMs)
  expect((await followed.followers.counts()).following.mail).toBe(0)
  expect((await post(confirm)).status).toBe(200)

  const sunday = Date.parse('2026-03-08T22:00:00Z')
  await clock.leap(sunday - 60_000 - clock.now())
  expect(mails).toHaveLength(1)
  await receive(2)
  expect(clock.now()).toBeGreaterThanOrEqual(sunday)
  expect(valuesOf(latest(), 'subject')[0]).toContain('This week: Chicken BBQ Thursday')
  expect(latest().parts[0]?.text).toContain('4 – 7 PM Chicken BBQ')

  website.isChanged = true
  await receive(3, 60_000)
  expect(valuesOf(latest(), 'subject')[0]).toMatch(/: Chicken BBQ, .*now .*5 PM/)

  const [end = ''] = valuesOf(latest(), 'list-unsubscribe')
  expect(valuesOf(latest(), 'list-unsubscribe-post')).toEqual(['List-Unsubscribe=One-Click'])
  const { pathname } = new URL(end.slice(1, -1).replace(publicUrl, service.url))
  // What a mail service sends: no cookie and no origin (RFC 8058).
  const form = { 'List-Unsubscribe': 'One-Click' }
  expect((await visit(pathname, { method: 'POST', form })).status).toBe(200)
  expect(await followed.followers.all()).toEqual([])
  website.isChanged = false
  for (let day = 0; day < 8; day += 1) await clock.leap(24 * hourMs)
  expect(mails.map(({ to }) => to)).toEqual([[address], [address], [address]])
  expect(lines.join('')).not.toMatch(/home\.example|\/follow\/\w+\/[a-z2-7]{30}/)
})

test('reports no failure of email or of the mailbox for bounces after both are turned off', async () => {
  const { url, posts } = await startWebhookReceiver()
  const failing = { since: 0, reason: 'the mail server does not respond' }
  const failures = { mailFailure: failing, failure: failing }
  const value = JSON.stringify({ sent: nothingSent, found: [], ...failures })
  await using followed = await startFollowedService({
    sandbox: fewRecords,
    environment: { MAIL_FOLLOW: 'no', ALERT_WEBHOOK: url },
    timeZone: 'America/Los_Angeles',
    changeStore: (store) => ({
      ...store,
      documents: {
        ...store.documents,
        get: async (bucket, id) =>
          ['followers-state', 'bounces'].includes(bucket)
            ? { value, revision: 1 }
            : store.documents.get(bucket, id),
      },
    }),
  })
  const { clock } = followed.service
  // Another problem shows that the alerts are sent.
  await advanceUntil(clock, () => expect(JSON.stringify(posts)).toContain('clock-wrong'))
  await clock.advance(hourMs)
  expect(JSON.stringify(posts)).not.toContain(failing.reason)
})
