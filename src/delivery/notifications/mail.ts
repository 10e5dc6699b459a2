import { createHash } from 'node:crypto'
import type { MailSettings, MailServer } from '../../config/notification-settings.ts'
import { boundedLines, cut, type Channel, type Notice } from '../../channels/notice.ts'

export const connectTimeoutMs = 15_000
export const socketTimeoutMs = 30_000
export const maxSubjectLength = 200

/** Some mail servers limit the number of emails per connection. */
const maxPerConnection = 50

/** RFC 3834 5, and the equivalent for Exchange. */
export const automaticHeaders = {
  'Auto-Submitted': 'auto-generated',
  'X-Auto-Response-Suppress': 'All',
}

export function createMailChannel({ server, to, from }: MailSettings): Channel {
  const domain = from.slice(from.lastIndexOf('@') + 1)
  const { host, port, auth } = server
  const receiver = JSON.stringify([host, port, auth?.user, from, to.toSorted()])
  return {
    id: 'mail',
    receiver: `mail ${createHash('sha256').update(receiver).digest('hex')}`,
    label: to.length === 1 ? 'Email' : `Email to ${to.length} addresses`,
    async send(notice, signal) {
      const transport = await transportTo(server)
      const root = `<${notice.thread}@${domain}>`
      try {
        await transport.sendMail({
          from: { name: notice.siteName, address: from },
          to: [...to],
          subject: cut(`[${notice.siteName}] ${notice.title}`, maxSubjectLength),
          text: textOf(notice),
          textEncoding: 'quoted-printable',
          date: new Date(notice.at),
          messageId: `<${notice.id}@${domain}>`,
          inReplyTo: root,
          references: [root],
          signal,
          headers: automaticHeaders,
        })
        return { ok: true }
      } catch (error) {
        return deliveryFrom(error)
      } finally {
        transport.close()
      }
    },
  }
}

/** Signs in without sending a message. Resolves to a short reason if that fails. */
export async function mailFault(server: MailServer): Promise<string | undefined> {
  const transport = await transportTo(server)
  try {
    await transport.verify()
    return undefined
  } catch (error) {
    return failureReason(error)
  } finally {
    transport.close()
  }
}

/** Creates a transport that connects for each email. Loads the library only when needed. */
export async function transportTo(server: MailServer) {
  const { createTransport } = await import('nodemailer')
  return createTransport(optionsFor(server))
}

/** Creates a transport that sends emails one after another over one connection, until closed. */
export async function pooledTransportTo(server: MailServer) {
  const { createTransport } = await import('nodemailer')
  const limits = { maxConnections: 1, maxMessages: maxPerConnection, maxRequeues: 1 }
  return createTransport({ ...optionsFor(server), pool: true, ...limits })
}

function optionsFor({ host, port, secure, isLocal, auth }: MailServer) {
  return {
    host,
    port,
    secure,
    ...(auth ? { auth } : {}),
    // Without this, an attacker could remove the server's offer to encrypt and read the password.
    requireTLS: !secure && !isLocal,
    tls: { rejectUnauthorized: !isLocal },
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    socketTimeout: socketTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

function textOf(notice: Notice): string {
  const lines = boundedLines(notice).map(({ text, url }) =>
    url === undefined ? text : `${text}\n${url}`,
  )
  return `${[...lines, notice.url].join('\n\n')}\n`
}

/** Descriptions of the library's error codes. Omits server responses, which could quote the address. */
const reasons: Readonly<Record<string, string>> = {
  EAUTH: 'the mail server rejects the user or password',
  EENVELOPE: 'the mail server rejects the sender or a recipient',
  EMESSAGE: 'the mail server rejects the message',
  ETLS: 'the mail server does not encrypt',
  ETIMEDOUT: 'the mail server does not respond',
  ECONNECTION: 'the mail server cannot be reached',
  ESOCKET: 'the mail server cannot be reached, or its certificate is not trusted',
  EDNS: "the mail server's host name is unknown",
}

/** Returns a short description of an error, without the server's response. */
export function failureReason(error: unknown): string {
  const { code = 'unknown error', responseCode } = error as { code?: string; responseCode?: number }
  const status = responseCode === undefined ? '' : ` (${responseCode})`
  return `${reasons[code] ?? `it cannot be sent: ${code}`}${status}`
}

function deliveryFrom(error: unknown) {
  const { responseCode } = error as { responseCode?: number }
  const isPermanent = responseCode !== undefined && responseCode >= 550
  return { ok: false, reason: failureReason(error), isPermanent } as const
}
