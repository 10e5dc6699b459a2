import { text } from 'node:stream/consumers'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FetchMessageObject, ImapFlow } from 'imapflow'
import type { BounceMailbox } from '../../config/follow-settings.ts'
import { connectTimeoutMs, socketTimeoutMs } from '../notifications/mail.ts'
import { needsExplanation, plainBounce, type BounceReport } from './bounce-report.ts'

/** Position of the last processed email in a mailbox (RFC 3501 2.3.1.1). */
export type MailboxPosition = {
  readonly uidValidity: string
  readonly uid: number
  /** Emails up to this one are fetched one by one, because one of them has ended a connection. */
  readonly singlyTo?: number | undefined
}

/**
 * Number of ids that are fetched at once, and in total per connection. With only bounces, a distant
 * server takes about a minute.
 */
const idsPerRange = 100
const maxIds = 5 * idsPerRange

/** Maximum number of times that emails that are too large may end the connection. */
const maxConnections = 30

/** Enough for the headers of a returned email, which come first. */
const maxPartBytes = 64 * 1024

/**
 * Bounds the time for parsing the structure or headers of an email, which anyone can send. Twice the
 * size of a part, because a response with a part also has its headers.
 */
const maxResponseBytes = 2 * maxPartBytes

/** Enough for about 500 parts. */
const maxResponseTokens = 5_000

/** Errors of the client for responses that exceed its limits. */
const tooLarge = ['LineTooLarge', 'LiteralTooLarge', 'ResponseTooLarge', 'TooManyTokens']

const statusTypes = ['message/delivery-status', 'message/global-delivery-status']
const returnedTypes = [
  'message/rfc822',
  'text/rfc822-headers',
  'message/global',
  'message/global-headers',
]

const failedField = 'x-failed-recipients'

/** Senders of bounces. */
const daemon = /\b(?:mailer-daemon|postmaster)\b/i

type MailboxReader = {
  readonly handle: (report: BounceReport) => Promise<boolean>
  readonly reached: (position: MailboxPosition) => void
  readonly skipped: () => void
}

/**
 * Calls `handle` with each bounce report after a position in a mailbox, and marks the report as
 * read if the result is true. Other emails stay unread. Without a position, skips all existing
 * emails. Calls `reached` after opening the mailbox and before each range and report, so that an
 * email that breaks the connection is not fetched again. Calls `skipped` for each email whose
 * headers or structure are too large or have too many parts.
 */
export async function readMailbox(
  mailbox: BounceMailbox,
  after: MailboxPosition | undefined,
  to: MailboxReader,
  signal: AbortSignal,
): Promise<void> {
  let position = after
  const reached = (next: MailboxPosition) => {
    position = next
    to.reached(next)
  }
  for (let connections = 0; connections < maxConnections; connections += 1) {
    const before = position
    try {
      return await readOnce(mailbox, position, { ...to, reached }, signal)
    } catch (error) {
      if (!isTooLarge(error) || position === before) throw error
    }
  }
}

const isTooLarge = (error: unknown) =>
  tooLarge.includes((error as { code?: string } | undefined)?.code ?? '')

/** Reads on one connection. Rejects if it ends, also because an email is too large. */
async function readOnce(
  mailbox: BounceMailbox,
  after: MailboxPosition | undefined,
  to: MailboxReader,
  signal: AbortSignal,
): Promise<void> {
  const client = await clientFor(mailbox)
  // Without a connection, closing it would have no effect.
  signal.throwIfAborted()
  let fault: unknown
  client.on('error', (error) => (fault ??= error))
  const close = () => client.close()
  signal.addEventListener('abort', close)
  let isAlone = false
  try {
    await client.connect()
    const { uidValidity, uidNext } = await client.mailboxOpen(mailbox.name)
    const isSame = after?.uidValidity === String(uidValidity)
    let uid = isSame ? after.uid : uidNext - 1
    const singlyTo = isSame ? (after.singlyTo ?? 0) : 0
    const reached = (known: number, last = singlyTo) => {
      const rest = known < last ? { singlyTo: last } : {}
      to.reached({ uidValidity: String(uidValidity), uid: known, ...rest })
    }
    reached(uid)
    const maxUid = Math.min(uid + maxIds, uidNext - 1)
    while (uid < maxUid) {
      const before = uid
      uid = before < singlyTo ? before + 1 : Math.min(before + idsPerRange, maxUid)
      isAlone = uid === before + 1
      if (isAlone) reached(uid)
      else reached(before, uid)
      const query = { bodyStructure: true, envelope: true, headers: [failedField] }
      const found: ReportParts[] = []
      // An email can have a huge structure, so only one is in memory at a time.
      for await (const message of client.fetch(`${before + 1}:${uid}`, query, { uid: true })) {
        found.push(...reportPartsOf(message))
        // Otherwise, the client would parse ten emails without letting anything else run.
        await nextTurn()
      }
      isAlone = true
      for (const parts of found) {
        reached(parts.uid)
        const report = await reportIn(client, parts)
        if (await to.handle(report)) {
          await client.messageFlagsAdd([parts.uid], ['\\Seen'], { uid: true })
        }
      }
      reached(uid)
    }
  } catch (error) {
    // The pending command rejects with a less specific error.
    if (!isTooLarge(fault)) throw error
    if (isAlone) to.skipped()
    throw fault
  } finally {
    signal.removeEventListener('abort', close)
    close()
  }
}

async function clientFor({ auth, server }: BounceMailbox): Promise<ImapFlow> {
  // Loads the library only when it is needed.
  const { ImapFlow } = await import('imapflow')
  const { host, port, secure, isLocal } = server
  return new ImapFlow({
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
    maxResponseTokens,
  })
}

/** Ids of a bounce's parts. A bounce of plain text has only an explanation. */
type ReportParts = {
  readonly uid: number
  readonly explanation: string | undefined
  readonly report?: Omit<BounceReport, 'explanation'>
}

/** Returns the ids of a bounce's parts, or nothing for other emails, such as automatic replies. */
function reportPartsOf(message: FetchMessageObject): readonly ReportParts[] {
  const { uid, bodyStructure, envelope, headers } = message
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
      const failedRecipients = String(headers ?? '')
        .replace(/^.*?:/, '')
        .trim()
      const report = { status, returned, failedRecipients }
      return [{ uid, explanation: partOf(['text/plain']), report }]
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
  return { ...report, status, explanation: reason, returned: await textOf(report.returned) }
}
