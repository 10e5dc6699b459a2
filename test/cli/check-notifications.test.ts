import { expect, test } from 'vitest'
import { notificationFindings } from '../../src/cli/check-notifications.ts'
import { readConfig } from '../../src/config/config.ts'
import { freePort } from '../support/free-port.ts'
import { startMailServer, startWebhookReceiver } from '../support/receivers.ts'
import { siteEnvironment } from '../support/site-environment.ts'

const findings = (environment: Record<string, string>) =>
  notificationFindings(
    readConfig({ ...siteEnvironment, ALERT_MAIL: 'chief@example.org', ...environment }),
  )

test('tests mail servers and webhooks without sending anything or quoting secrets', async () => {
  const mail = await startMailServer({ user: 'feedhouse', password: 'right' })
  const webhook = await startWebhookReceiver()
  const good = await findings({ SMTP_URL: mail.url, ALERT_WEBHOOK: webhook.url })
  expect(good.map(({ check, ok }) => [check, ok])).toEqual([
    ['SMTP_URL', true],
    ['ALERT_WEBHOOK', true],
  ])
  const bad = await findings({
    SMTP_URL: mail.url.replace('right', 'SECRET'),
    CHANGE_WEBHOOKS: `http://127.0.0.1:${await freePort()}/SECRET`,
  })
  expect(bad).toMatchObject([
    {
      ok: false,
      sentence:
        'Alerts cannot be mailed, because the mail server refuses the user or password (535). Check SMTP_URL.',
    },
    { check: 'CHANGE_WEBHOOKS', ok: false },
  ])
  expect(JSON.stringify([good, bad])).not.toContain('SECRET')
  expect(mail.mails).toEqual([])
  expect(webhook.posts.map(({ method }) => method)).toEqual(['HEAD'])
})
