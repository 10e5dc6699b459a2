import { text } from 'node:stream/consumers'
import type { FetchMessageObject, ImapFlow } from 'imapflow'
import type { BounceMailbox } from '../../config/follow-settings.ts'
import { connectTimeoutMs, socketTimeoutMs } from '../notifications/mail.ts'
import { needsExplanation, plainBounce, type BounceReport } from './bounce-report.ts'

/** Position of the last processed email in a mailbox (RFC 3501 2.3.1.1). */
export type MailboxPosition = { readonly uidValidity: string; readonly uid: number }

/**
 * Number of ids that are fetched at once, and maximum number of such ranges per connection. With
 * only bounces, a distant server takes about a minute.
 */
const idsPerRange = 100
const maxRanges = 5

/** Enough for the headers of a returned email, which come first. */
const maxPartBytes = 64 * 1024

const maxResponseBytes = 4 * 1024 * 1024

const statusTypes = ['message/delivery-status', 'message/global-delivery-status']
const returnedTypes = [
  'message/rfc822',
  'text/rfc822-headers',
  'message/global',
  'message/global-headers',
]

/** Senders of bounces. */
const daemon = /\b(?:mailer-daemon|postmaster)\b/i

/**
 * Calls `handle` with each bounce report after a position in a mailbox, and marks the report as
 * read if the result is true. Other emails stay unread. Without a position, skips all existing
 * emails. Calls `reached` after opening the mailbox and before each range and report, so that an
 * email that breaks the connection is not fetched again.
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
    // Required, as for sending. Otherwise, an attacker could prevent encryption.
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
  // Without a connection, closing it would have no effect.
  signal.throwIfAborted()
  // The pending command rejects with the same error.
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
      const query = { bodyStructure: true, envelope: true }
      const found: ReportParts[] = []
      // An email can have a huge structure, so only one is in memory at a time.
      for await (const message of client.fetch(`${first}:${uid}`, query, { uid: true })) {
        found.push(...reportPartsOf(message))
      }
      for (const parts of found) {
        to.reached({ uidValidity: String(uidValidity), uid: parts.uid })
        const report = await reportIn(client, parts)
        if (await to.handle(report)) {
          await client.messageFlagsAdd([parts.uid], ['\\Seen'], { uid: true })
        }
      }
    }
  } finally {
    signal.removeEventListener('abort', close)
    close()
  }
}

/** Ids of a bounce's parts. A bounce of plain text has only an explanation. */
type ReportParts = {
  readonly uid: number
  readonly explanation: string | undefined
  readonly report?: { readonly status: string; readonly returned: string } | undefined
}

/** Returns the ids of a bounce's parts, or nothing for other emails, such as automatic replies. */
function reportPartsOf(message: FetchMessageObject): readonly ReportParts[] {
  const { uid, bodyStructure, envelope } = message
  if (!bodyStructure) return []
  if (bodyStructure.type === 'text/plain') {
    // The id of the only part is not given (RFC 3501 6.4.5).
    const [{ name = '', address = '' } = {}] = envelope?.from ?? []
    return daemon.test(`${name} ${address}`) ? [{ uid, explanation: '1' }] : []
  }
  // Gateways that add a footer put the report one level deeper.
  for (const { type, childNodes = [] } of [bodyStructure, ...(bodyStructure.childNodes ?? [])]) {
    const partOf = (types: readonly string[]) =>
      childNodes.find((node) => types.includes(node.type))?.part
    const [status, returned] = [partOf(statusTypes), partOf(returnedTypes)]
    if (type.startsWith('multipart/') && status !== undefined && returned !== undefined) {
      return [{ uid, explanation: partOf(['text/plain']), report: { status, returned } }]
    }
  }
  return []
}

async function reportIn(client: ImapFlow, parts: ReportParts): Promise<BounceReport> {
  const { uid, explanation, report } = parts
  const textOf = async (part: string | undefined) => {
    if (part === undefined) return ''
    const options = { uid: true, maxBytes: maxPartBytes }
    const { content } = await client.download(String(uid), part, options)
    return content ? text(content) : ''
  }
  if (!report) return plainBounce(await textOf(explanation))
  const status = await textOf(report.status)
  const reason = needsExplanation(status) ? await textOf(explanation) : ''
  return { status, explanation: reason, returned: await textOf(report.returned) }
}
