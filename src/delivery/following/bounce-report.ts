import { noAddress } from '../../followers/refusal.ts'

/** Report that an email bounced or was delayed (RFC 3464), or a bounce without such a report. */
export type BounceReport = {
  /** The part with the type `message/delivery-status`, or empty if there is none. */
  readonly status: string
  /** `X-Failed-Recipients`, the only place where Exim names the recipient of a forwarded email. */
  readonly failedRecipients: string
  /** The text for people. Some mail servers give the reason only here. */
  readonly explanation: string
  /** The returned email or its headers, possibly truncated. */
  readonly returned: string
}

/** Status code without a reason (RFC 3463), the only one that Exim, Courier and OpenSMTPD send. */
const unknownReason = '5.0.0'

/** Status code for an email that could not be delivered in time (RFC 3463). */
const timeExpired = '4.4.7'

/**
 * What dma, qmail and OpenSMTPD write after their last attempt. OpenSMTPD calls it a delay, with
 * the same fields as Exchange writes for a delay.
 */
const lastAttempt =
  /^(?:Could not deliver for .* Giving up\.|I'm not going to try again;|: Envelope expired\s*$)/m

/** Status code, but not part of an IP address. */
const permanentCode = /(?<![\d.])5\.\d{1,3}\.\d{1,3}(?!\.?\d)/

/** Reply code of a mail server (RFC 5321 4.2). */
const permanentReply = /\b5[0-5]\d[ -]/

/**
 * Response of the recipient's server. If that server does not announce status codes, sendmail
 * writes `Status: 5.1.1` for every 550, even if the response has another code.
 */
const remoteReply = /^[ \t]*smtp;[ \t]*5[0-5]\d[ -]/i

/** A header that starts the returned email in a bounce of plain text. */
const firstHeader = /^(?:Return-Path|Received|From|To|Date|Subject|Message-ID):/im

/**
 * Returns the report in a bounce of plain text, as from dma or qmail. Its returned email consists
 * of the header with the unsubscribe URL, because a person's reply could quote the rest.
 */
export function plainBounce(text: string): BounceReport {
  const start = text.search(firstHeader)
  const [returned = ''] =
    /^List-Unsubscribe:[^\n]*(?:\n[ \t][^\n]*)*/im.exec(text.slice(start)) ?? []
  const explanation = text.slice(0, start)
  return { status: '', failedRecipients: '', explanation, returned: start < 0 ? '' : returned }
}

/**
 * Returns the token in the unsubscribe URL of the returned email. Only people who have the
 * email know the token, and they could also unsubscribe.
 */
export function endTokenIn({ returned }: BounceReport): string | undefined {
  return /\/follow\/end\/([a-z2-7]{64})(?![a-z2-7])/.exec(unfolded(returned))?.[1]
}

export function needsExplanation(status: string): boolean {
  return !/^Diagnostic-Code:/im.test(status)
}

/**
 * Returns the status code (RFC 3463), such as `5.1.1`, with which delivery to an address has
 * finally failed. Returns undefined if it has not, or if the report is about another address, such
 * as one of several people who share an alias.
 */
export function failureStatus(report: BounceReport, address: string): string | undefined {
  if (report.failedRecipients !== '' && !listed(report.failedRecipients, address)) return undefined
  const reason = textAfter(address, report.explanation)
  const isExpired = lastAttempt.test(reason)
  if (report.status === '') {
    const isFailed = permanentReply.test(reason) || permanentCode.test(reason)
    if (isFailed) return permanentCodeIn(reason)
    return isExpired ? timeExpired : undefined
  }
  const fields = groupsIn(report.status).find((group) => isAbout(group, address))
  if (fields !== undefined && isExpired) return timeExpired
  if (fields === undefined || !/^Action:[ \t]*failed\b/im.test(fields)) return undefined
  const [, status] = /^Status:[ \t]*([45]\.\d{1,3}\.\d{1,3})\b/im.exec(fields) ?? []
  const [, diagnostic] = /^Diagnostic-Code:([^\n]*)/im.exec(fields) ?? []
  const isGuess = noAddress.test(status ?? '') && remoteReply.test(diagnostic ?? '')
  return isGuess || status === unknownReason ? permanentCodeIn(diagnostic ?? reason) : status
}

/** Returns true if delivery has finally failed to somebody else, to whom the email was forwarded. */
export function isForwardFailure(report: BounceReport, address: string): boolean {
  const { status, failedRecipients } = report
  const isAboutOther = failedRecipients !== '' && !listed(failedRecipients, address)
  const groups = groupsIn(status).filter((group) => /^Action:[ \t]*failed\b/im.test(group))
  return groups.some((group) => isAboutOther || !isAbout(group, address))
}

const groupsIn = (status: string) => unfolded(status, ' ').split(/\n(?:[ \t\r]*\n)+/)

/** A forwarded email has another final recipient, which sendmail calls the actual one. */
function isAbout(fields: string, address: string): boolean {
  const recipients = fields.matchAll(/^(?:Final|X-Actual)-Recipient:[^;\n]*;[ \t]*<?([^\s<>]+)/gim)
  const found = [...recipients].map(([, each = '']) => each)
  return found.length > 0 && found.every((each) => listed(each, address))
}

const listed = (addresses: string, address: string) =>
  addresses
    .toLowerCase()
    .split(/[\s,]+/)
    .includes(address.toLowerCase())

function textAfter(address: string, text: string): string {
  const at = text.toLowerCase().indexOf(address.toLowerCase())
  const isWhole = at >= 0 && !/[\w.+@-]/.test(text.charAt(at - 1))
  return isWhole ? text.slice(at + address.length) : ''
}

const permanentCodeIn = (text: string) => permanentCode.exec(text)?.[0] ?? unknownReason

const unfolded = (fields: string, space = '') => fields.replaceAll(/\r?\n[ \t]+/g, space)
