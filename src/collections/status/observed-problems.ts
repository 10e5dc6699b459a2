import type { ClockFinding } from '../../records/site-clock.ts'
import { siteDateAt } from '../../records/site-time.ts'
import type { Problem } from './problems.ts'

const dayMs = 24 * 60 * 60_000
const megabyte = 1024 * 1024

/** Facts apart from the website's records. Each is undefined if it cannot be determined at this time. */
export type Observations = {
  readonly disk?: DiskSpace | undefined
  readonly clock?: ClockFinding | undefined
  /** Certificate of the public URL. Times are in milliseconds since the epoch. */
  readonly certificate?: Certificate | undefined
  readonly refreshToken?: RefreshTokenAge | undefined
  /** Links that serve feeds. */
  readonly links?: readonly LinkActivity[] | undefined
}

export type DiskSpace = { readonly freeBytes: number; readonly totalBytes: number }

export type Certificate = { readonly validFrom: number; readonly validUntil: number }

export type RefreshTokenAge = {
  readonly createdAt: number
  /** True if it is the time of the first use, until an admin enters the date. */
  readonly isEstimate: boolean
}

export type LinkActivity = {
  readonly id: string
  readonly createdAt: number
  readonly lastUsedAt: number | undefined
  /** Latest requests of each kind of app. */
  readonly appsUsedAt: readonly number[]
}

/** Less free space than this prevents writes soon. */
const minFreeBytes = 200 * megabyte

/** On a small disk, this share of it is enough. */
const minFreeShare = 0.1

/** Certificates are normally renewed earlier than this, or than a quarter of their validity. */
const certificateNoticeMs = 14 * dayMs
const urgentCertificateMs = 3 * dayMs

/** A refresh token is valid for a year (data service specification, "Tokens"). */
const refreshTokenMs = 365 * dayMs
const refreshTokenNoticeMs = 30 * dayMs
const refreshTokenSoonMs = 14 * dayMs

const unusedMs = 60 * dayMs

/** A person rarely reads a link with this many kinds of apps within a month. */
const manyApps = 5
const recentMs = 30 * dayMs

/** Maximum number of links named in a sentence. */
const maxNamed = 10

type Found = Omit<Problem, 'key' | 'since'>

/** Derives problems from observations. An unknown fact makes its causes unknown. */
export function observedProblems(
  { disk, clock, certificate, refreshToken, links }: Observations,
  { now, timeZone }: { readonly now: number; readonly timeZone: string },
): { readonly open: readonly Problem[]; readonly unknown: readonly string[] } {
  const open: Problem[] = []
  const unknown: string[] = []
  function assess<T>(
    key: string,
    fact: T | undefined,
    find: (fact: T, context: Context) => Found | undefined,
  ): void {
    if (fact === undefined) unknown.push(key)
    const found = fact && find(fact, { now, dayOf: (instant) => siteDateAt(instant, timeZone) })
    if (found) open.push({ key, since: now, ...found })
  }
  assess('disk-nearly-full', disk, nearlyFull)
  assess('clock-wrong', clock, wrongClock)
  assess('certificate-ending', certificate, expiringCertificate)
  assess('refresh-token-ending', refreshToken, expiringRefreshToken)
  assess('links-unused', links, unusedLinks)
  assess('links-shared', links, sharedLinks)
  return { open, unknown }
}

type Context = {
  readonly now: number
  readonly dayOf: (instant: number) => string
}

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

function expiringCertificate(
  { validFrom, validUntil }: Certificate,
  { now, dayOf }: Context,
): Found | undefined {
  const noticeMs = Math.min(certificateNoticeMs, (validUntil - validFrom) / 4)
  if (now < validUntil - noticeMs) return undefined
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
    ? 'Feedhouse first used the refresh token about a year ago. You can enter the date of its creation on the admin page.'
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
  const sentence = `Read with at least ${manyApps} kinds of apps within 30 days: ${named(ids)}. If a link is for one person, it has probably been passed on: renew it on the admin page.`
  return { title: 'Feed links have unusually many readers', sentence, urgency: 'note' }
}

function named(ids: readonly string[]): string {
  const more = ids.length - maxNamed
  const shown = ids.slice(0, maxNamed).join(', ')
  const links = ids.length === 1 ? 'the feed link' : 'the feed links'
  return `${links} ${shown}${more > 0 ? ` and ${more} more` : ''}`
}
