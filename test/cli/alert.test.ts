import { expect, test } from 'vitest'
import { resultOf, run } from '../support/command-line.ts'
import { freePort } from '../support/free-port.ts'
import { startMailServer, startWebhookReceiver } from '../support/receivers.ts'
import { temporaryDirectory } from '../support/service.ts'
import { siteEnvironment } from '../support/site-environment.ts'

test('sends a test message to all receivers, and reports failures', async () => {
  using directory = temporaryDirectory()
  const [mail, webhook] = [await startMailServer(), await startWebhookReceiver()]
  const alertTest = (environment: Record<string, string>, ...args: readonly string[]) =>
    resultOf(
      run(directory.path, ['alert', 'test', ...args], {
        ...siteEnvironment,
        DATA_DIR: directory.path,
        ...environment,
      }),
    )
  const receivers = {
    SMTP_URL: mail.url,
    ALERT_MAIL: 'chief@example.org',
    CHANGE_WEBHOOKS: `slack=${webhook.url}`,
  }
  const { host } = new URL(webhook.url)
  expect(await alertTest(receivers)).toMatchObject({
    code: 0,
    stdout: `ok     Email\nok     Slack at ${host}\n`,
  })
  expect(mail.mails[0]?.text).toContain('Subject: [www.example.org] Test message')
  expect(webhook.posts[0]?.json).toMatchObject({ text: 'www.example.org: Test message' })
  const unreachable = `http://127.0.0.1:${await freePort()}/SECRET`
  const failed = await alertTest({ ALERT_WEBHOOK: unreachable }, '--json')
  expect(failed.code).toBe(1)
  expect(JSON.parse(failed.stdout)).toEqual({
    label: `Webhook at ${new URL(unreachable).host}`,
    ok: false,
    reason: 'the host refuses the connection',
  })
  expect(await alertTest({})).toMatchObject({
    code: 1,
    stderr: 'None of ALERT_MAIL, ALERT_WEBHOOK and CHANGE_WEBHOOKS is set.\n',
  })
})
