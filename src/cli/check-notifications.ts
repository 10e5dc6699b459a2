import { mailFault } from '../app/notifications/mail.ts'
import { webhookFault } from '../app/notifications/webhook.ts'
import type { Finding } from '../check/site-check.ts'
import type { SiteConfig } from '../config/config.ts'
import type { WebhookTarget } from '../config/notification-values.ts'

/** Tests the mail server and the hosts of webhooks, without sending a message. */
export async function notificationFindings({
  notifications: { alerts, changeWebhooks },
}: SiteConfig): Promise<readonly Finding[]> {
  const { mail, webhooks } = alerts
  return Promise.all([
    ...(mail ? [mailFinding(mail.server)] : []),
    ...webhooks.map((target) => webhookFinding('ALERT_WEBHOOK', target)),
    ...changeWebhooks.map((target) => webhookFinding('CHANGE_WEBHOOKS', target)),
  ])
}

async function mailFinding(server: Parameters<typeof mailFault>[0]): Promise<Finding> {
  const fault = await mailFault(server)
  const sentence =
    fault === undefined
      ? 'The mail server accepts the settings. To send a test message, run: npx feedhouse alert test'
      : `Alerts cannot be mailed, because ${fault}. Check SMTP_URL.`
  return { check: 'SMTP_URL', ok: fault === undefined, sentence }
}

async function webhookFinding(check: string, target: WebhookTarget): Promise<Finding> {
  const { host } = new URL(target.url)
  const fault = await webhookFault(target)
  const sentence =
    fault === undefined
      ? `${host} (${check}) can be reached. To send a test message, run: npx feedhouse alert test`
      : `${host} (${check}) cannot be reached: ${fault}. Check the URL and the network.`
  return { check, ok: fault === undefined, sentence }
}
