import type { QuietHours, SmtpServer, WebhookTarget } from './notification-values.ts'

/** Settings for messages that Feedhouse sends on its own. */
export type NotificationSettings = {
  readonly alerts: AlertSettings
  /** Receivers of changes to public entries and news. */
  readonly changeWebhooks: readonly WebhookTarget[]
  /** Signs JSON messages to webhooks. */
  readonly webhookSecret: string | undefined
}

export type AlertSettings = {
  readonly mail: MailSettings | undefined
  readonly webhooks: readonly WebhookTarget[]
  readonly quietHours: QuietHours | undefined
  /** Day of the weekly summary: 1 for Monday to 7 for Sunday. */
  readonly summaryDay: number | undefined
}

export type MailSettings = {
  readonly server: SmtpServer
  readonly to: readonly string[]
  readonly from: string
}

/** Values of the settings by environment variable. */
type Values = {
  readonly ALERT_MAIL?: readonly string[] | undefined
  readonly ALERT_MAIL_FROM?: string | undefined
  readonly ALERT_WEBHOOK?: readonly WebhookTarget[] | undefined
  readonly ALERT_QUIET_HOURS?: QuietHours | undefined
  readonly ALERT_SUMMARY?: number | undefined
  readonly CHANGE_WEBHOOKS?: readonly WebhookTarget[] | undefined
  readonly WEBHOOK_SECRET?: string | undefined
  readonly PUBLIC_URL?: string | undefined
}

export function notificationsFrom(
  values: Values,
  smtp: SmtpServer | undefined,
): NotificationSettings {
  const { ALERT_MAIL: to = [], ALERT_MAIL_FROM: from } = values
  return {
    alerts: {
      mail:
        smtp && to.length > 0 ? { server: smtp, to, from: from ?? senderFor(smtp, to) } : undefined,
      webhooks: values.ALERT_WEBHOOK ?? [],
      quietHours: values.ALERT_QUIET_HOURS,
      summaryDay: values.ALERT_SUMMARY,
    },
    changeWebhooks: values.CHANGE_WEBHOOKS ?? [],
    webhookSecret: values.WEBHOOK_SECRET,
  }
}

/** Mail servers often accept only the address of the user who has signed in. */
function senderFor({ auth }: SmtpServer, [first = '']: readonly string[]): string {
  return auth?.user.includes('@') === true ? auth.user : first
}

/** Returns one sentence for each setting that contradicts or lacks another one. */
export function notificationFaults(
  values: Values,
  smtp: SmtpServer | undefined,
): readonly string[] {
  const { ALERT_MAIL, ALERT_WEBHOOK, CHANGE_WEBHOOKS, PUBLIC_URL: publicUrl } = values
  const isAlerted = ALERT_MAIL !== undefined || ALERT_WEBHOOK !== undefined
  const isLoop = ({ url }: WebhookTarget) =>
    publicUrl !== undefined && `${url}/`.startsWith(`${publicUrl}/`)
  return [
    ...(ALERT_MAIL && !smtp ? ['ALERT_MAIL requires SMTP_URL, the mail server to use.'] : []),
    ...(values.ALERT_MAIL_FROM !== undefined && !ALERT_MAIL
      ? ['ALERT_MAIL_FROM is set, but ALERT_MAIL is not.']
      : []),
    ...(['ALERT_QUIET_HOURS', 'ALERT_SUMMARY'] as const)
      .filter((name) => values[name] !== undefined && !isAlerted)
      .map((name) => `${name} is set, but neither ALERT_MAIL nor ALERT_WEBHOOK is.`),
    ...(values.WEBHOOK_SECRET !== undefined && !ALERT_WEBHOOK && !CHANGE_WEBHOOKS
      ? ['WEBHOOK_SECRET is set, but neither ALERT_WEBHOOK nor CHANGE_WEBHOOKS is.']
      : []),
    ...(['ALERT_WEBHOOK', 'CHANGE_WEBHOOKS'] as const)
      .filter((name) => values[name]?.some(isLoop))
      .map((name) => `${name} must not lead to Feedhouse itself.`),
  ]
}
