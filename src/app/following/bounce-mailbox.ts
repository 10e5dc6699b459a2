import { text } from 'node:stream/consumers'
import type { FetchMessageObject, ImapFlow } from 'imapflow'
import type { BounceMailbox } from '../../config/follow-settings.ts'
import { connectTimeoutMs, socketTimeoutMs } from '../notifications/mail.ts'
import type { BounceReport } from './bounce-report.ts'

/** The last email in a mailbox that was looked at (RFC 3501 2.3.1.1). */
export type MailboxPosition = { readonly uidValidity: string; readonly uid: number }

/** Emails are looked at in ranges of this many ids, and at most this many ranges at a time. */
const idsPerRange = 100
const maxRanges = 20

/** The headers of a returned email come first. */
const maxPartBytes = 64 * 1024

const maxResponseBytes = 4 * 1024 * 1024

const statusTypes = ['message/delivery-status', 'message/global-delivery-status']
const returnedTypes = [
  'message/rfc822',
  'text/rfc822-headers',
  'message/global',
  'message/global-headers',
]

/**
 * Calls `handle` with each report in a mailbox after a position, and marks it as read if the result
 * is true. Other emails stay unread. Without a position, begins with the next email to arrive.
 * Calls `reached` after opening the mailbox, and before each range, so that an email that breaks the
 * connection does so only once.
 */
export async function readMailbox(
  mailbox: BounceMailbox,
  after: MailboxPosition | undefined,
  to: {
    readonly handle: (report: BounceReport) => Promise<boolean>
    readonly reached: (position: MailboxPosition) => void
  },
  signal: AbortSignal,
): Promise<void> {
  // Loads the library only when it is needed.
  const { ImapFlow } = await import('imapflow')
  const { auth, server, name } = mailbox
  const { host, port, secure, isLocal } = server
  const client = new ImapFlow({
    host,
    port,
    secure,
    // As for sending: an attacker could remove the server's offer to encrypt.
    ...(secure ? {} : { doSTARTTLS: !isLocal }),
    tls: { rejectUnauthorized: !isLocal },
    auth,
    logger: false,
    disableAutoIdle: true,
    disableCompression: true,
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    socketTimeout: socketTimeoutMs,
    maxLineLength: maxResponseBytes,
    maxLiteralSize: maxResponseBytes,
    maxResponseSize: maxResponseBytes,
  })
  // The command that fails reports the error.
  client.on('error', () => undefined)
  const close = () => client.close()
  signal.addEventListener('abort', close)
  try {
    await client.connect()
    const { uidValidity, uidNext } = await client.mailboxOpen(name)
    const isSame = after?.uidValidity === String(uidValidity)
    let uid = isSame ? after.uid : uidNext - 1
    for (let range = 0; range < maxRanges; range += 1) {
      const first = uid + 1
      uid = Math.min(uid + idsPerRange, uidNext - 1)
      to.reached({ uidValidity: String(uidValidity), uid })
      if (uid < first) break
      const query = { bodyStructure: true }
      const found = await client.fetchAll(`${first}:${uid}`, query, { uid: true })
      for (const message of found) {
        const report = await reportIn(client, message)
        if (report && (await to.handle(report))) {
          await client.messageFlagsAdd([message.uid], ['\\Seen'], { uid: true })
        }
      }
    }
  } finally {
    signal.removeEventListener('abort', close)
    close()
  }
}

/** Resolves to undefined for other emails, such as automatic replies. */
async function reportIn(
  client: ImapFlow,
  { uid, bodyStructure }: FetchMessageObject,
): Promise<BounceReport | undefined> {
  if (bodyStructure?.type !== 'multipart/report') return undefined
  const textOf = async (types: readonly string[]) => {
    const part = bodyStructure.childNodes?.find(({ type }) => types.includes(type))?.part
    if (part === undefined) return undefined
    const options = { uid: true, maxBytes: maxPartBytes }
    const { content } = await client.download(String(uid), part, options)
    return content && text(content)
  }
  const status = await textOf(statusTypes)
  const returned = await textOf(returnedTypes)
  return status === undefined || returned === undefined ? undefined : { status, returned }
}
