import { isIP } from 'node:net'
import { z } from 'zod'
import { isLocalName } from '../links/url-warning.ts'
import { unusedFaults } from './config-error.ts'
import { imapMailbox, mailAddress, type MailServer } from './notification-settings.ts'
import { oneLine, wholeNumber } from './value-schemas.ts'

/** Below the daily limit of most mail services. Free ones allow about 500. */
const defaultPerDay = 400

const minKeyLength = 24

/** Names that no server on the internet has (RFC 6761). */
const reservedName = /(?:^|\.)(?:test|invalid|example)$/

/** Contact of the operator, for the services that deliver notifications (RFC 8292 2.1). */
const pushSubject = z.string().superRefine((value, context) => {
  const fault = subjectFault(value)
  if (fault !== undefined) context.addIssue(fault)
})

function subjectFault(value: string): string | undefined {
  const form = 'like mailto:web@example.org'
  if (/[<>]/.test(value)) return `must not contain angle brackets. Write it ${form}`
  const [, address, domain = ''] = /^mailto:(.*@([^@]*))$/.exec(value) ?? []
  const url = URL.parse(address === undefined ? value : `https://${unbracketed(domain)}`)
  if (url?.protocol === 'https:' && isLocal(unbracketed(url.hostname))) {
    return 'must be an address with a host name on the internet. Apple refuses local names and private addresses, so iPhones would get no notifications'
  }
  const isPage = url?.protocol === 'https:' && url.username === '' && url.password === ''
  const isValid = address === undefined ? isPage : mailAddress.safeParse(address).success
  return isValid && !/\s/.test(value) ? undefined : `must be a contact address, ${form}`
}

const unbracketed = (host: string) => host.replace(/^\[(.*)\]$/, '$1')

function isLocal(host: string): boolean {
  const name = host.replace(/\.$/, '')
  return isIP(name) !== 0 || isLocalName(name) || reservedName.test(name)
}

/** Secret that encrypts addresses. */
export const mailKey = z
  .string()
  .regex(/^[!-~]+$/, 'must not contain spaces')
  .min(minKeyLength, `must have at least ${minKeyLength} characters`)

/** Schemas of the settings for followers, by environment variable. */
export const followSchemas = {
  MAIL_FOLLOW: z.enum(['yes', 'no'], 'must be yes or no').optional(),
  MAIL_FROM: mailAddress.optional(),
  MAIL_POSTAL_ADDRESS: oneLine(200).optional(),
  MAIL_PER_DAY: wholeNumber(1, 1_000_000).optional(),
  MAIL_BOUNCES: imapMailbox.optional(),
  PUSH_SUBJECT: pushSubject.optional(),
}

type Values = z.infer<z.ZodObject<typeof followSchemas>>

export type BounceMailbox = NonNullable<Values['MAIL_BOUNCES']>

export type FollowMailSettings = {
  readonly server: MailServer
  readonly from: string
  readonly postalAddress: string | undefined
  readonly maxPerDay: number
}

export type FollowSettings = {
  /** Undefined if people cannot follow by email. */
  readonly mail: FollowMailSettings | undefined
  readonly bounces: BounceMailbox | undefined
  /** Undefined if notifications are turned off. */
  readonly pushSubject: string | undefined
}

export function followSettingsFrom(values: Values, server: MailServer | undefined): FollowSettings {
  const { MAIL_FOLLOW, MAIL_FROM: from, MAIL_POSTAL_ADDRESS: postalAddress } = values
  const isComplete = MAIL_FOLLOW === 'yes' && server && from !== undefined
  return {
    mail: isComplete
      ? { server, from, postalAddress, maxPerDay: values.MAIL_PER_DAY ?? defaultPerDay }
      : undefined,
    bounces: isComplete ? values.MAIL_BOUNCES : undefined,
    pushSubject: values.PUSH_SUBJECT,
  }
}

/** Returns one sentence for each setting that conflicts with or requires another one. */
export function followFaults(
  values: Values & { readonly PUBLIC_URL?: string | undefined },
  {
    smtp,
    redisUrl,
    mailKey: key,
  }: {
    readonly smtp?: MailServer | undefined
    readonly redisUrl?: string | undefined
    readonly mailKey?: string | undefined
  },
): readonly string[] {
  const { MAIL_FOLLOW, MAIL_FROM, PUSH_SUBJECT, PUBLIC_URL } = values
  const followsByMail = MAIL_FOLLOW === 'yes'
  const isUsed = followsByMail || PUSH_SUBJECT !== undefined
  return [
    ...(followsByMail && !smtp ? ['MAIL_FOLLOW requires SMTP_URL, the mail server to use.'] : []),
    ...(followsByMail && MAIL_FROM === undefined
      ? ['MAIL_FOLLOW requires MAIL_FROM, the address of the sender.']
      : []),
    ...(followsByMail && PUBLIC_URL === undefined
      ? ['MAIL_FOLLOW requires PUBLIC_URL for the links in emails.']
      : []),
    ...(isUsed && redisUrl !== undefined && key === undefined
      ? ['MAIL_KEY is missing. MAIL_FOLLOW and PUSH_SUBJECT require it with REDIS_URL.']
      : []),
    ...unusedFaults(
      values,
      ['MAIL_FROM', 'MAIL_POSTAL_ADDRESS', 'MAIL_PER_DAY', 'MAIL_BOUNCES'],
      ['MAIL_FOLLOW'],
    ),
  ]
}
