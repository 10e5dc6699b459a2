import { expect, test } from 'vitest'
import { createMailChannel, mailFault } from '../../../src/delivery/notifications/mail.ts'
import { smtpServer } from '../../../src/config/notification-settings.ts'
import { freePort } from '../../support/free-port.ts'
import { startMailServer } from '../../support/receivers.ts'
import { noticeWith } from '../../channels/notice.ts'

const notice = noticeWith({
  lines: [
    { text: 'Über 100 records are missing. '.repeat(5) },
    { text: 'Two', url: 'https://x.example/2' },
  ],
})

const { signal } = new AbortController()

const parsed = (url: string) => smtpServer.parse(url)

function channelTo(url: string, isLocal = true) {
  const server = { ...parsed(url), isLocal }
  const to = ['chief@example.org', 'web@example.org']
  return createMailChannel({ server, to, from: 'alerts@example.org' })
}

test('is the same receiver when its addresses are listed in another order', () => {
  const server = parsed('smtp://mail.example.org')
  const [receiver, same, other] = [
    ['chief@example.org', 'web@example.org'],
    ['web@example.org', 'chief@example.org'],
    ['chief@example.org'],
  ].map((to) => createMailChannel({ server, to, from: 'alerts@example.org' }).receiver)
  expect(same).toBe(receiver)
  expect(other).not.toBe(receiver)
})

test('sends plain text that mail programs do not answer and keep in one thread', async () => {
  const { url, mails } = await startMailServer({ user: 'feedhouse', password: 'hunter2' })
  expect(await channelTo(url).send(notice, signal)).toEqual({ ok: true })
  const [mail] = mails
  expect(mail).toMatchObject({
    from: 'alerts@example.org',
    to: ['chief@example.org', 'web@example.org'],
    user: 'feedhouse',
  })
  const text = mail?.text ?? ''
  for (const part of [
    'From: "Cedar Hollow, VFD" <alerts@example.org>',
    'Subject: [Cedar Hollow, VFD] Problem: Missing records',
    'Message-ID: <a1@example.org>',
    'In-Reply-To: <records-held-1@example.org>',
    'References: <records-held-1@example.org>',
    'Auto-Submitted: auto-generated',
    'X-Auto-Response-Suppress: All',
    'Content-Type: text/plain; charset=utf-8',
    notice.lines[0]?.text.trim() ?? '',
    'Two\nhttps://x.example/2',
    'https://feeds.example.org/admin/status',
  ]) {
    expect(text).toContain(part)
  }
})

test('gives up on a message that the server will never accept, and retries others', async () => {
  const { url, state } = await startMailServer()
  state.rejectsWith = 552
  expect(await channelTo(url).send(notice, signal)).toMatchObject({ ok: false, isPermanent: true })
  state.rejectsWith = 451
  for (const [to, reason] of [
    [url, 'the mail server rejects the message (451)'],
    [
      `smtp://127.0.0.1:${await freePort()}`,
      'the mail server cannot be reached, or its certificate is not trusted',
    ],
  ] as const) {
    const failed = { ok: false, reason, isPermanent: false }
    expect(await channelTo(to).send(notice, signal)).toEqual(failed)
  }
})

test('says that the server rejects a recipient', async () => {
  const { url, state } = await startMailServer()
  state.refusesRecipients = true
  const reason = 'the mail server rejects the sender or a recipient (550)'
  expect(await channelTo(url).send(notice, signal)).toMatchObject({ ok: false, reason })
})

test('does not send a password to another machine without encryption', async () => {
  const { url, mails } = await startMailServer({ user: 'feedhouse', password: 'hunter2' })
  const reason = expect.stringContaining('the mail server does not encrypt')
  expect(await channelTo(url, false).send(notice, signal)).toMatchObject({ ok: false, reason })
  expect(mails).toEqual([])
})

test('says that the host name of the mail server is unknown', async () => {
  // No name server is asked for a name with such a long label.
  const server = { ...parsed('smtp://mail.example.org'), host: `${'a'.repeat(64)}.example` }
  expect(await mailFault(server)).toBe("the mail server's host name is unknown")
})

test('tests a mail server without sending anything', async () => {
  const { url, mails } = await startMailServer({ user: 'feedhouse', password: 'hunter2' })
  expect(await mailFault(parsed(url))).toBeUndefined()
  const wrong = await mailFault(parsed(url.replace('hunter2', 'SECRET')))
  expect(wrong).toBe('the mail server rejects the user or password (535)')
  expect(mails).toEqual([])
})
