import { z } from 'zod'

/* Schemas that validate and parse settings for alerts and webhooks. */

/** Maximum number of addresses or webhooks in a setting. */
const maxReceivers = 5

const minSecretLength = 24

/** Services whose webhooks expect a format of their own. */
const chats = ['slack', 'discord', 'teams'] as const

export type WebhookKind = (typeof chats)[number] | 'json'

/** An address to send messages to. The URL is a secret, because it contains the service's key. */
export type WebhookTarget = { readonly kind: WebhookKind; readonly url: string }

/** Daily hours without messages, in minutes after midnight. They may span midnight. */
export type QuietHours = { readonly from: number; readonly until: number }

export type SmtpServer = {
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
  .regex(isMailAddress, 'must be an e-mail address, like alerts@example.org')

export const mailList = z
  .string()
  .transform(listed)
  .refine(
    (list) => list.length <= maxReceivers && list.every((address) => isMailAddress.test(address)),
    `must be at most ${maxReceivers} e-mail addresses, like chief@example.org, separated by commas`,
  )

export const smtpServer = z
  .string()
  .transform(smtpServerFrom)
  .refine(
    (server) => server !== undefined,
    'must be the URL of a mail server, like smtps://user:password@smtp.example.org',
  )

export const webhookList = z
  .string()
  .transform((value) => listed(value).map(webhookTargetFrom))
  .refine(
    (targets) => targets.length <= maxReceivers && targets.every((target) => target !== undefined),
    `must be at most ${maxReceivers} https URLs, separated by spaces, each with slack=, discord=, teams= or json= before it if needed`,
  )
  .transform((targets) => targets.filter((target) => target !== undefined))

export const webhookSecret = z
  .string()
  .regex(/^[!-~]+$/, 'must not contain spaces')
  .min(minSecretLength, `must have at least ${minSecretLength} characters`)

export const quietHours = z
  .string()
  .transform(quietHoursFrom)
  .refine((hours) => hours !== undefined, 'must be two different times, like 22:00-06:30')

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

/** 1 for Monday to 7 for Sunday. */
export const weekday = z
  .string()
  .transform((day) => weekdays.indexOf(day.toLowerCase()) + 1)
  .refine((day) => day > 0, 'must be a day of the week, like Monday')

function listed(value: string): readonly string[] {
  return [...new Set(value.split(/[\s,]+/).filter((part) => part !== ''))]
}

function smtpServerFrom(value: string): SmtpServer | undefined {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === '') return undefined
  if (!/^\/?$/.test(url.pathname)) return undefined
  if (url.search !== '' || url.hash !== '') return undefined
  const [user, pass] = [url.username, url.password].map(decoded)
  if (user === undefined || pass === undefined) return undefined
  if ((user === '') !== (pass === '')) return undefined
  const secure = url.protocol === 'smtps:'
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  return {
    host,
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    isLocal: isLoopback(host),
    auth: user !== '' ? { user, pass } : undefined,
  }
}

/** Returns undefined if the text is not percent-encoded UTF-8. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Hosts of services that Feedhouse recognizes. The hosts of Teams change too often. */
const knownHosts: Readonly<Record<string, WebhookKind>> = {
  'hooks.slack.com': 'slack',
  'discord.com': 'discord',
  'discordapp.com': 'discord',
}

function webhookTargetFrom(text: string): WebhookTarget | undefined {
  const [, prefix, address = text] = /^(slack|discord|teams|json)=(.*)$/i.exec(text) ?? []
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url || url.username !== '' || url.password !== '' || url.hash !== '') return undefined
  const isAllowed =
    url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
  if (!isAllowed) return undefined
  const known = chats.find((kind) => kind === prefix?.toLowerCase())
  const kind = prefix === undefined ? (knownHosts[url.hostname] ?? 'json') : (known ?? 'json')
  return { kind, url: url.href }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || host === '::1' || /^127(\.\d+){3}$/.test(host)
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
