import { createHash } from 'node:crypto'
import type { TimeSource } from '../../clock.ts'
import type { FollowMailSettings } from '../../config/follow-settings.ts'
import type { MailServer } from '../../config/notification-settings.ts'
import { readMailAddress } from '../../followers/mail-address.ts'
import { noAddress } from '../../followers/refusal.ts'
import { cut } from '../../channels/notice.ts'
import {
  automaticHeaders,
  failureReason,
  maxSubjectLength,
  pooledTransportTo,
} from '../notifications/mail.ts'
import { logoId, mailBody, type MailSite } from './mail-body.ts'
import type { FollowMessage, FollowUrls, Sent, Transport } from './messages.ts'

/** Shorter than a replica's lease. Otherwise, another replica would send the same message. */
const maxSendMs = 2 * 60_000

const logoPart = {
  cid: logoId,
  filename: 'logo.png',
  contentType: 'image/png',
  contentDisposition: 'inline',
} as const

/** Returns a name for the mail account that is the same for all sites that use it. */
export function mailAccountOf({ host, auth }: MailServer): string {
  const account = JSON.stringify([host.toLowerCase(), auth?.user])
  return createHash('sha256').update(account).digest('base64url')
}

export function createMailTransport(
  settings: FollowMailSettings,
  site: MailSite & { readonly idHost: string },
  clock: TimeSource,
  /** Returns the logo as PNG. */
  drawLogo?: () => Promise<Buffer | undefined>,
): Transport {
  const { server, from, postalAddress, maxPerDay } = settings
  const domain = from.slice(from.lastIndexOf('@') + 1)
  let transport: Awaited<ReturnType<typeof pooledTransportTo>> | undefined
  return {
    maxPerDay,
    async send(message, { address, urls }, signal) {
      // The library would split text into several addresses.
      if (!readMailAddress(address).ok) {
        return { ok: false, reason: 'the address is invalid', failed: 'address' }
      }
      transport ??= await pooledTransportTo(server)
      const logo = await drawLogo?.().catch(() => undefined)
      const attachments = logo ? [{ ...logoPart, content: logo }] : []
      try {
        await transport.sendMail({
          from: { name: site.name, address: from },
          to: { name: '', address },
          subject: cut(message.title, maxSubjectLength),
          ...mailBody(message, urls, { site, postalAddress, hasLogo: logo !== undefined }),
          attachments,
          textEncoding: 'quoted-printable',
          date: new Date(clock.now()),
          messageId: `<${message.id}@${domain}>`,
          headers: {
            ...automaticHeaders,
            'Content-Language': message.language,
            ...unsubscribeHeaders(message, urls),
          },
          // RFC 2919. Must not change when the sender does, or the site moves to another host. The
          // library would write a long name as an encoded word of more than 75 characters.
          list: { id: `follow.${site.idHost}` },
          signal: AbortSignal.any([signal, AbortSignal.timeout(maxSendMs)]),
        })
        return { ok: true }
      } catch (error) {
        return { ok: false, reason: failureReason(error), failed: failedPart(error) }
      }
    },
    disconnect() {
      transport?.close()
      transport = undefined
    },
  }
}

/**
 * Returns the headers for one-click unsubscribe (RFC 8058). A confirmation email has none, because
 * its recipient is not subscribed.
 */
function unsubscribeHeaders({ kind }: FollowMessage, { end }: FollowUrls): Record<string, string> {
  if (kind === 'confirm') return {}
  return {
    'List-Unsubscribe': `<${end}>`,
    // RFC 8058 3.1. A site in a local network may have no certificate.
    ...(end.startsWith('https:') && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
  }
}

type MailError = {
  readonly responseCode?: number
  readonly response?: string
  readonly command?: string
}

/** Status codes for failures of the mail system, such as a quota, or of the sender's address. */
const noService = /^[45]\.(?:1\.[78]|3\.\d+|4\.5)$/

/**
 * Response codes for an invalid recipient, unless a status code says otherwise (RFC 5321 4.2.3).
 */
const noMailbox = [550, 551, 553]

/** Temporary failures of the server (RFC 5321 4.2.3). Some services use them for limits. */
const notNow = [421, 452, 454]

/** A failure that may concern only one recipient is `once`, so it does not delay other messages. */
function failedPart(error: unknown): (Sent & { readonly ok: false })['failed'] {
  const { responseCode, response = '', command = '' } = error as MailError
  if (responseCode === undefined || !['RCPT TO', 'DATA'].includes(command)) return 'service'
  const [, status] = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response) ?? []
  if (status !== undefined && noAddress.test(status)) return 'address'
  if (status !== undefined && noService.test(status)) return 'service'
  if (notNow.includes(responseCode) && status?.startsWith('4.2') !== true) return 'service'
  const isUnspecific = status === undefined || status === '5.0.0'
  return isUnspecific && command === 'RCPT TO' && noMailbox.includes(responseCode)
    ? 'address'
    : 'once'
}
