import { z } from 'zod'
import { channelTargetFrom, kindOf, type ChannelTarget } from '../channels/channel-kinds.ts'
import { decoded, isLoopback } from '../channels/url-parts.ts'
import { unusedFaults } from './config-error.ts'

/** When alerts are sent. */
export type AlertTimes = {
  readonly quietHours: QuietHours | undefined
  /** Day of the weekly summary: 1 for Monday to 7 for Sunday. */
  readonly summaryDay: number | undefined
}

export type NotificationSettings = {
  readonly alerts: AlertTimes & {
    readonly mail: MailSettings | undefined
    readonly webhooks: readonly ChannelTarget[]
  }
  readonly changeWebhooks: readonly ChannelTarget[]
  /** Signs JSON messages to webhooks. */
  readonly webhookSecret: string | undefined
}

export type MailSettings = {
  readonly server: MailServer
  readonly to: readonly string[]
  readonly from: string
}

/** Maximum number of addresses or webhooks in a setting. */
const maxReceivers = 5

const minSecretLength = 24

/** Daily hours without messages, in minutes after midnight. They may span midnight. */
export type QuietHours = { readonly from: number; readonly until: number }

export type MailServer = {
  readonly host: string
  readonly port: number
  /** True if the connection is encrypted from the start. */
  readonly secure: boolean
  /** True if the server is on this machine, which needs no encryption. */
  readonly isLocal: boolean
  readonly auth: { readonly user: string; readonly pass: string } | undefined
}

const isMailAddress = /^[^\s@,;<>"()[\]\\:]+@[a-z\d](?:[a-z\d.-]*[a-z\d])?$/i

export const mailAddress = z
  .string()
  .regex(isMailAddress, 'must be an email address, like alerts@example.org')

const mailList = z
  .string()
  .transform(listed)
  .refine(
    (list) => list.length <= maxReceivers && list.every((address) => isMailAddress.test(address)),
    `must be at most ${maxReceivers} email addresses, like chief@example.org, separated by commas`,
  )

export const smtpServer = z
  .string()
  .transform((value) => mailServerFrom(value, 'smtp'))
  .refine(
    (server) => server !== undefined,
    'must be the URL of a mail server, like smtps://user:password@smtp.example.org',
  )

const webhookList = z.string().transform((value, context): readonly ChannelTarget[] => {
  const urls = listed(value)
  const read = urls.map(channelTargetFrom)
  const tooMany =
    urls.length > maxReceivers ? [`must be at most ${maxReceivers} URLs, separated by spaces`] : []
  const faults = read.flatMap((each) => (each.ok ? [] : [each.fault]))
  const [fault] = [...tooMany, ...faults]
  if (fault !== undefined) context.addIssue(fault)
  return read.flatMap((each) => (each.ok ? [each.target] : []))
})

const webhookSecret = z
  .string()
  .regex(/^[!-~]+$/, 'must not contain spaces')
  .min(minSecretLength, `must have at least ${minSecretLength} characters`)

const quietHours = z
  .string()
  .transform(quietHoursFrom)
  .refine((hours) => hours !== undefined, 'must be two different times, like 22:00-06:30')

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

/** 1 for Monday to 7 for Sunday. */
const weekday = z
  .string()
  .transform((day) => weekdays.indexOf(day.toLowerCase()) + 1)
  .refine((day) => day > 0, 'must be a day of the week, like Monday')

/** Schemas of the settings for messages that Feedhouse sends on its own, by environment variable. */
export const notificationSchemas = {
  ALERT_MAIL: mailList.optional(),
  ALERT_MAIL_FROM: mailAddress.optional(),
  ALERT_WEBHOOK: webhookList
    .refine(
      (targets) => !targets.some(({ kind }) => kindOf(kind).isPublic),
      'must not post problems to a public service like Mastodon or Bluesky',
    )
    .optional(),
  ALERT_QUIET_HOURS: quietHours.optional(),
  ALERT_SUMMARY: weekday.optional(),
  CHANGE_WEBHOOKS: webhookList.optional(),
  WEBHOOK_SECRET: webhookSecret.optional(),
}

type Values = z.infer<z.ZodObject<typeof notificationSchemas>>

export function notificationsFrom(
  values: Values,
  smtp: MailServer | undefined,
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
function senderFor({ auth }: MailServer, [first = '']: readonly string[]): string {
  return auth?.user.includes('@') === true ? auth.user : first
}

/** Returns one sentence for each setting that conflicts with or requires another one. */
export function notificationFaults(
  values: Values & { readonly PUBLIC_URL?: string | undefined },
  smtp: MailServer | undefined,
): readonly string[] {
  const { ALERT_MAIL, PUBLIC_URL: publicUrl } = values
  const ofAlerts = ['ALERT_QUIET_HOURS', 'ALERT_SUMMARY']
  const isLoop = ({ url }: ChannelTarget) =>
    publicUrl !== undefined && `${url}/`.startsWith(`${publicUrl}/`)
  return [
    ...(ALERT_MAIL && !smtp ? ['ALERT_MAIL requires SMTP_URL, the mail server to use.'] : []),
    ...unusedFaults(values, ['ALERT_MAIL_FROM'], ['ALERT_MAIL']),
    ...unusedFaults(values, ofAlerts, ['ALERT_MAIL', 'ALERT_WEBHOOK']),
    ...unusedFaults(values, ['WEBHOOK_SECRET'], ['ALERT_WEBHOOK', 'CHANGE_WEBHOOKS']),
    ...(['ALERT_WEBHOOK', 'CHANGE_WEBHOOKS'] as const)
      .filter((name) => values[name]?.some(isLoop))
      .map((name) => `${name} must not point to Feedhouse itself.`),
  ]
}

function listed(value: string): readonly string[] {
  return [...new Set(value.split(/[\s,]+/).filter((part) => part !== ''))]
}

/** Default ports, without and with encryption from the start. */
const mailPorts = { smtp: [587, 465], imap: [143, 993] } as const

/** An `imap` or `imaps` URL. The path is the name of the mailbox, by default `INBOX`. */
export const imapMailbox = z
  .string()
  .transform((value) => {
    const url = URL.parse(value)
    const name = decoded(url?.pathname.slice(1) ?? '') || 'INBOX'
    if (url) url.pathname = ''
    const server = mailServerFrom(url?.href ?? '', 'imap')
    return server?.auth && { server, auth: server.auth, name }
  })
  .refine(
    (mailbox) => mailbox !== undefined,
    'must be the URL of a mailbox, like imaps://user:password@mail.example.org/INBOX',
  )

function mailServerFrom(value: string, scheme: keyof typeof mailPorts): MailServer | undefined {
  const url = URL.parse(value)
  if (!url || url.hostname === '') return undefined
  if (!/^\/?$/.test(url.pathname) || url.search !== '' || url.hash !== '') return undefined
  const [user, pass] = [url.username, url.password].map(decoded)
  if (user === undefined || pass === undefined) return undefined
  if ((user === '') !== (pass === '')) return undefined
  const secure = url.protocol === `${scheme}s:`
  if (!secure && url.protocol !== `${scheme}:`) return undefined
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  return {
    host,
    port: url.port === '' ? mailPorts[scheme][secure ? 1 : 0] : Number(url.port),
    secure,
    isLocal: isLoopback(host),
    auth: user !== '' ? { user, pass } : undefined,
  }
}

function quietHoursFrom(text: string): QuietHours | undefined {
  const [, ...parts] = /^(\d{1,2})(?::(\d{2}))? ?[-–] ?(\d{1,2})(?::(\d{2}))?$/.exec(text) ?? []
  const [fromHour = NaN, fromMinute = 0, hour = NaN, minute = 0] = parts.map((part) =>
    part === undefined ? undefined : Number(part),
  )
  const isTime = [fromHour, hour].every((each) => each < 24) && fromMinute < 60 && minute < 60
  const [from, until] = [fromHour * 60 + fromMinute, hour * 60 + minute]
  return isTime && from !== until ? { from, until } : undefined
}
