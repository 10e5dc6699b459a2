import { dayMs, hourMs } from '../../clock.ts'
import type { ClockFinding } from '../../records/site-clock.ts'
import type { Validity } from '../../records/validity.ts'
import { isRenewalOverdue } from '../../upstream/certificate.ts'
import type { Problem, ProblemKey } from './problem.ts'
import type { StatusOptions } from './status-sentences.ts'
import { statusTimes } from './status-times.ts'

const megabyte = 1024 * 1024

/** Facts other than the website's records. Each is undefined if it is currently unknown. */
export type Observations = {
  readonly disk?: DiskSpace | undefined
  readonly clock?: ClockFinding | undefined
  readonly certificate?: Validity | undefined
  readonly refreshToken?: RefreshTokenAge | undefined
  /** Links that serve feeds. */
  readonly links?: readonly LinkActivity[] | undefined
  readonly followMail?: FollowMail | undefined
}

export type FollowMail = {
  /** Set while the mail server accepts none. The reason contains no addresses. */
  readonly mailFailure?: Failure | undefined
  /** Set while the mailbox for bounced emails cannot be read. */
  readonly bounceFailure?: Failure | undefined
  /** Number of followers whose mail servers refuse emails. Undefined if there are only a few. */
  readonly refused?: number | undefined
  /** Number of followers whose address was encrypted with another secret. */
  readonly unreadable?: number | undefined
  readonly refusedDevices?: readonly RefusedDevices[] | undefined
}

type RefusedDevices = {
  /** Name of the vendor. */
  readonly service: string
  readonly since: number
  readonly refused: number
  readonly devices: number
  readonly reason?: string | undefined
}

type Failure = { readonly since: number; readonly reason: string }

export type DiskSpace = { readonly freeBytes: number; readonly totalBytes: number }

export type RefreshTokenAge = {
  readonly createdAt: number
  /** True for the time of first use, which stands in until an admin enters the date. */
  readonly isEstimate: boolean
}

export type LinkActivity = {
  readonly id: string
  readonly createdAt: number
  readonly lastUsedAt: number | undefined
  /** Latest requests of each kind of app. */
  readonly appsUsedAt: readonly number[]
}

/** With less free space than this, writes will fail soon. */
const minFreeBytes = 200 * megabyte

/** On a small disk, this share of it is enough. */
const minFreeShare = 0.1

const urgentCertificateMs = 3 * dayMs

/** A refresh token is valid for a year (data service specification, "Tokens"). */
const refreshTokenMs = 365 * dayMs
const refreshTokenNoticeMs = 30 * dayMs
const refreshTokenSoonMs = 14 * dayMs

const unusedMs = 60 * dayMs

/** A person rarely reads a link with this many kinds of apps within a month. */
const manyApps = 5
const recentMs = 30 * dayMs

const maxNamed = 10

type Found = Omit<Problem, 'key' | 'since'>

/** Derives problems from observations. If a fact is unknown, so are its causes. */
export function observedProblems(
  { disk, clock, certificate, refreshToken, links, followMail }: Observations,
  status: StatusOptions,
) {
  const { now } = status
  const { dayOf } = statusTimes(status, now)
  const open: Problem[] = []
  const unknown: ProblemKey[] = []
  function assess<T>(
    key: ProblemKey,
    fact: T | undefined,
    find: (fact: T, context: Context) => Found | undefined,
  ): void {
    if (fact === undefined) unknown.push(key)
    const found = fact && find(fact, { now, dayOf })
    if (found) open.push({ key, since: now, ...found })
  }
  assess('disk-nearly-full', disk, nearlyFull)
  assess('clock-wrong', clock, wrongClock)
  assess('certificate-ending', certificate, expiringCertificate)
  assess('refresh-token-ending', refreshToken, expiringRefreshToken)
  assess('links-unused', links, unusedLinks)
  assess('links-shared', links, sharedLinks)
  assess('follow-mail-failing', followMail, failingMail)
  assess('follow-mail-refused', followMail, refusedMail)
  assess('follow-bounces-failing', followMail, failingBounces)
  assess('followers-unreadable', followMail, unreadableFollowers)
  assess('follow-push-refused', followMail, refusedPush)
  return { open, unknown }
}

type Context = { readonly now: number; readonly dayOf: (instant: number) => string }

function nearlyFull({ freeBytes, totalBytes }: DiskSpace): Found | undefined {
  if (freeBytes >= Math.min(minFreeBytes, totalBytes * minFreeShare)) return undefined
  const free = Math.floor(freeBytes / megabyte)
  const sentence = `Only ${free} MB are free on the disk with DATA_DIR. When it is full, new records and changes to feed links are lost on a restart. Delete what you don't need, or enlarge the disk.`
  return { title: 'The disk is nearly full', sentence, urgency: 'urgent' }
}

function wrongClock({ ok, sentence }: ClockFinding): Found | undefined {
  const title = 'The time zone or a clock is wrong'
  return ok ? undefined : { title, sentence, urgency: 'normal' }
}

function failingMail({ mailFailure: failure }: FollowMail, { now }: Context): Found | undefined {
  if (!failure || now - failure.since < hourMs) return undefined
  const sentence = `Emails to followers have not been sent for over an hour: ${failure.reason}. They are tried again automatically. Check SMTP_URL and MAIL_FROM with "npx feedhouse mail send-digest --to ADDRESS".`
  return { title: 'Emails to followers cannot be sent', sentence, urgency: 'normal' }
}

function refusedMail({ refused }: FollowMail): Found | undefined {
  if (refused === undefined) return undefined
  const sentence = `The mail servers of ${refused} followers refuse the emails. The likely reason is that they do not trust the sender. Check the SPF, DKIM and DMARC records of the domain in MAIL_FROM.`
  return { title: 'Many emails to followers are refused', sentence, urgency: 'normal' }
}

function failingBounces({ bounceFailure }: FollowMail, { now }: Context): Found | undefined {
  if (!bounceFailure || now - bounceFailure.since < hourMs) return undefined
  const sentence = `Bounced emails have not been read for over an hour: ${bounceFailure.reason}. Check MAIL_BOUNCES.`
  return { title: 'Bounced emails cannot be read', sentence, urgency: 'normal' }
}

function unreadableFollowers({ unreadable = 0 }: FollowMail): Found | undefined {
  if (unreadable === 0) return undefined
  const sentence = `${unreadable} followers get no messages, because their addresses were encrypted with another MAIL_KEY or mail.key. Use the one from when they started to follow. If it is lost, delete these followers on the admin page, under "Find or delete an address".`
  return { title: 'Addresses of followers cannot be read', sentence, urgency: 'normal' }
}

function refusedPush({ refusedDevices = [] }: FollowMail, { now }: Context): Found | undefined {
  const lasting = refusedDevices.filter(({ since }) => now - since >= hourMs)
  if (lasting.length === 0) return undefined
  const sentences = lasting.map(({ service, refused, devices, reason }) => {
    const because = reason === undefined ? '' : ` (${reason})`
    return `${service}: notifications to ${refused} of ${devices} devices have failed for over an hour${because}.`
  })
  const sentence = `${sentences.join(' ')} Feedhouse tries again every hour, and keeps the devices for at least a week. Check that PUSH_SUBJECT is an address at which you can be reached, that the server's clock is right, and that the server can connect to the service.`
  return { title: 'Notifications are refused', sentence, urgency: 'normal' }
}

function expiringCertificate(certificate: Validity, { now, dayOf }: Context): Found | undefined {
  if (!isRenewalOverdue(certificate, now)) return undefined
  const { validUntil } = certificate
  const expires = now < validUntil ? 'expires' : 'expired'
  const sentence = `The certificate of PUBLIC_URL ${expires} on ${dayOf(validUntil)}. After that, phones no longer update their calendars. Check why the web server in front of Feedhouse has not renewed it.`
  const urgency = now < validUntil - urgentCertificateMs ? 'normal' : 'urgent'
  return { title: `The certificate ${expires} on ${dayOf(validUntil)}`, sentence, urgency }
}

function expiringRefreshToken(
  { createdAt, isEstimate }: RefreshTokenAge,
  { now, dayOf }: Context,
): Found | undefined {
  const expiresAt = createdAt + refreshTokenMs
  if (now < expiresAt - refreshTokenNoticeMs) return undefined
  const known = isEstimate
    ? 'Feedhouse first used the refresh token about a year ago. You can enter its creation date on the admin page.'
    : `The refresh token expires on ${dayOf(expiresAt)}.`
  const sentence = `${known} Ask a website manager to regenerate it in the website's Members Area, under Manage > API, put the new token into the token file, and run npx feedhouse check.`
  const urgency = now < expiresAt - refreshTokenSoonMs ? 'note' : 'normal'
  return { title: 'The refresh token is nearly a year old', sentence, urgency }
}

function unusedLinks(links: readonly LinkActivity[], { now }: Context): Found | undefined {
  const ids = links
    .filter(({ createdAt, lastUsedAt = createdAt }) => now - lastUsedAt >= unusedMs)
    .map(({ id }) => id)
  if (ids.length === 0) return undefined
  const sentence = `Not used for 60 days: ${named(ids)}. Ask the people who have them, or revoke them on the admin page.`
  return { title: 'Feed links are not used', sentence, urgency: 'note' }
}

function sharedLinks(links: readonly LinkActivity[], { now }: Context): Found | undefined {
  const ids = links
    .filter(({ appsUsedAt }) => appsUsedAt.filter((at) => now - at < recentMs).length >= manyApps)
    .map(({ id }) => id)
  if (ids.length === 0) return undefined
  const sentence = `Read with at least ${manyApps} kinds of apps within 30 days: ${named(ids)}. If a link is for one person, it has probably been shared: renew it on the admin page.`
  return { title: 'Feed links have unusually many readers', sentence, urgency: 'note' }
}

function named(ids: readonly string[]): string {
  const more = ids.length - maxNamed
  const shown = ids.slice(0, maxNamed).join(', ')
  const links = ids.length === 1 ? 'the feed link' : 'the feed links'
  return `${links} ${shown}${more > 0 ? ` and ${more} more` : ''}`
}
