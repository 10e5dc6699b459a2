import { dayMs, hourMs } from '../../clock.ts'
import type { ClockFinding } from '../../records/site-clock.ts'
import type { Validity } from '../../records/validity.ts'
import { diskFullError } from '../../store/data-directory.ts'
import { adviceFor } from '../../upstream/advice.ts'
import { isRenewalOverdue } from '../../upstream/certificate.ts'
import {
  isTransient,
  retryPolicyFor,
  UpstreamError,
  type UpstreamErrorKind,
} from '../../upstream/upstream-error.ts'
import { zoneDataFinding } from '../../zone-data/zone-data.ts'
import type { CollectionState } from '../collections.ts'
import {
  adviceOn,
  clockFindingOf,
  heldSentence,
  isDispensable,
  isMostlyUnread,
  lastReadOf,
  refusalOf,
  unreadSentence,
  usageOf,
  type StatusOptions,
} from './status-sentences.ts'
import { lostSentence, restoredSentence } from './loss-sentences.ts'
import { statusTimes, type StatusTimes } from './status-times.ts'

/** What operators read when a cause no longer exists, by its key. */
const endings = {
  'website-unreachable': 'The website can be read again',
  'token-refused': 'The website accepts the token again',
  'address-refused': "The website accepts this server's IP address again",
  'project-disabled': 'The API Project can be used again',
  'endpoint-refused': 'All endpoints in use are allowed again',
  'records-held': 'No records are missing anymore',
  'records-stale': 'All records can be read again',
  'nothing-read': 'The website is being read again',
  'calls-used-up': 'There are API calls again',
  'store-failing': 'The store works again',
  'documents-lost': 'Lost data has been restored, or settings were saved',
  'documents-restored': 'Redis has lost no data for a day',
  'disk-nearly-full': 'The disk has enough space again',
  'clock-wrong': 'The time zone and the clocks are right again',
  'zone-rules-old': 'The time zone rules are up to date again',
  'certificate-ending': 'The certificate has been renewed',
  'refresh-token-ending': 'The refresh token has been replaced',
  'links-unused': 'All feed links are used, or have been revoked',
  'links-shared': 'No feed link has unusually many readers anymore',
  'follow-mail-failing': 'Emails to followers can be sent again',
  'follow-mail-refused': 'Only a few emails to followers are refused now',
  'follow-bounces-failing': 'Bounced emails can be read again',
  'followers-unreadable': "All followers' addresses can be read again",
  'follow-push-refused': 'The push services accept the notifications again',
} as const

type ProblemKey = keyof typeof endings

export function endingOf(key: string): string | undefined {
  return new Map<string, string>(Object.entries(endings)).get(key)
}

/** A cause that needs attention. Contains no secrets, people's names or link labels. */
export type Problem = {
  readonly key: string
  readonly title: string
  readonly sentence: string
  /** When it began, in milliseconds since the epoch. */
  readonly since: number
  /** Urgent problems are reported at any hour. Reminders about notes are less frequent. */
  readonly urgency: 'urgent' | 'normal' | 'note'
}

export type Problems = {
  readonly open: readonly Problem[]
  /** Keys of causes that cannot be checked now, because another problem hides them. */
  readonly unknown: ReadonlySet<string>
}

/** Shorter failures are normal and end without any action. */
const shortFailureMs = 10 * 60_000

/** Causes that prevent all reads. Transient failures are separate. */
const refusals = [
  { key: 'token-refused', rejected: 'token', title: 'The website rejects the token' },
  {
    key: 'address-refused',
    rejected: 'address',
    title: "The website rejects this server's IP address",
  },
  { key: 'project-disabled', rejected: 'project', title: 'The API Project cannot be used' },
] as const

/** Causes that can be checked only while the website can be read. */
const hiddenKeys: readonly ProblemKey[] = [
  'endpoint-refused',
  'records-held',
  'records-stale',
  'nothing-read',
  'calls-used-up',
]

export function problemsFrom(status: StatusOptions, observations: Observations): Problems {
  const refused = refusalProblems(status)
  const { isFailing, outage } = outageOf(status)
  const clock = clockFindingOf(status)
  const disk = status.storeFailure?.kind === 'disk full' ? undefined : observations.disk
  const observed = observedProblems({ ...observations, clock, disk }, status)
  const isHidden = isFailing || refused.length > 0
  return {
    open: [
      outage,
      ...(isFailing ? [] : refused),
      ...(isHidden ? [] : readingProblems(status)),
      storeProblem(status),
      zoneRulesProblem(status),
      ...lossProblems(status),
      ...observed.open,
    ].filter((each) => each !== undefined),
    unknown: new Set([
      ...(isFailing ? refusals.map(({ key }) => key) : []),
      ...(isHidden ? hiddenKeys : []),
      ...observed.unknown,
    ]),
  }
}

function refusalProblems({ collections, token, now }: StatusOptions) {
  const failures = collections.flatMap(({ failure }) => failure ?? [])
  return refusals.flatMap(({ key, title, rejected }): readonly Problem[] => {
    const failed = failures.filter(({ error }) => rejectedBy(kindOf(error)) === rejected)
    const kind = failed.map(({ error }) => kindOf(error))[0] ?? token.failure?.kind
    if (!kind || rejectedBy(kind) !== rejected) return []
    const since = Math.min(now, ...failed.map((failure) => failure.since))
    return [problem(key, since, title, adviceFor({ kind }))]
  })
}

function rejectedBy(kind: UpstreamErrorKind | undefined) {
  return kind && retryPolicyFor(kind).rejects
}

function problem(key: ProblemKey, since: number, title: string, sentence: string): Problem {
  return { key, since, title, sentence, urgency: 'normal' }
}

/** Detects an outage: reads are failing, and none has succeeded since they started to fail. */
function outageOf(status: StatusOptions) {
  const { collections, now } = status
  const readAt = lastReadOf(collections)
  const failures = collections
    .flatMap(({ failure }) => failure ?? [])
    .filter(({ error, since }) => isTransient(kindOf(error)) && since >= (readAt ?? 0))
  const [latest] = failures.toSorted((a, b) => b.lastAt - a.lastAt)
  if (!latest) return { isFailing: false, outage: undefined }
  const since = Math.min(...failures.map((failure) => failure.since))
  if (now - since < shortFailureMs) return { isFailing: true, outage: undefined }
  const advice = adviceOn(latest, readAt !== undefined)
  const { at } = statusTimes(status, now)
  const sentence = `${advice} The website has not been read since ${at(since)}. Subscribers keep the last good copy.`
  const outage = problem('website-unreachable', since, 'The website cannot be read', sentence)
  return { isFailing: true, outage }
}

function readingProblems(status: StatusOptions): readonly (Problem | undefined)[] {
  const { collections, now } = status
  const { at } = statusTimes(status, now)
  return [
    refusedEndpoints(collections, at),
    heldRecords(collections, at),
    staleRecords(status, at) ?? unreadRecords(collections, now),
    nothingRead(status, at),
    usedUpCalls(status),
  ]
}

type At = StatusTimes['at']

function refusedEndpoints(collections: readonly CollectionState[], at: At): Problem | undefined {
  const refused = collections.filter((state) => state.refusal && !isDispensable(state))
  const sentences = refused.flatMap((state) => refusalOf(state, at))
  if (sentences.length === 0) return undefined
  const since = Math.min(...refused.flatMap(({ refusal }) => refusal?.since ?? []))
  return problem('endpoint-refused', since, 'An endpoint is not allowed', sentences.join(' '))
}

function heldRecords(collections: readonly CollectionState[], at: At): Problem | undefined {
  const sentence = heldSentence(collections, at)
  if (sentence === undefined) return undefined
  const since = Math.min(...collections.flatMap(({ kept }) => kept?.held?.since ?? []))
  return problem('records-held', since, 'Missing records', sentence)
}

function staleRecords({ collections, now }: StatusOptions, at: At): Problem | undefined {
  const stale = collections.flatMap(({ resource, kept, failure, refusal }) =>
    failure && !refusal && now - (kept?.collection.fetchedAt ?? failure.since) >= hourMs
      ? [{ resource, failure }]
      : [],
  )
  const [first] = stale
  if (!first) return undefined
  const since = Math.min(...stale.map(({ failure }) => failure.since))
  const names = stale.map(({ resource }) => resource).join(', ')
  const sentence = `Reading has been failing since ${at(since)}: ${names}. ${adviceOn(first.failure, lastReadOf(collections) !== undefined)}`
  return problem('records-stale', since, 'Some records cannot be read', sentence)
}

function unreadRecords(collections: readonly CollectionState[], now: number): Problem | undefined {
  const sentence = unreadSentence(collections)
  if (sentence === undefined) return undefined
  const times = collections
    .filter(isMostlyUnread)
    .flatMap(({ kept }) => Object.values(kept?.rejectedSince ?? {}))
  const since = Math.min(now, ...times)
  return problem('records-stale', since, 'Some records cannot be read', sentence)
}

/** Nothing has been read for an hour, or for twice the interval if that is longer. */
function nothingRead({ collections, now }: StatusOptions, at: At): Problem | undefined {
  const since = lastReadOf(collections)
  const shortest = Math.min(...collections.map(({ intervalMs }) => intervalMs))
  if (since === undefined || now - since < Math.max(hourMs, 2 * shortest)) return undefined
  const sentence = `Feedhouse has not read anything from the website since ${at(since)}. Look at the log, or restart Feedhouse.`
  return problem('nothing-read', since, 'Nothing has been read', sentence)
}

function usedUpCalls(status: StatusOptions): Problem | undefined {
  const { collections, now } = status
  const failure = collections
    .flatMap(({ failure: each }) => each ?? [])
    .find(({ error, since }) => kindOf(error) === 'rate_limited' && now - since >= shortFailureMs)
  const usage = usageOf(status)
  if (!failure && !usage.isExhausted) return undefined
  const advice = adviceFor({ kind: failure ? 'rate_limited' : 'budget_spent' })
  const sentence = `${usage.sentence} ${advice}`
  return problem('calls-used-up', failure?.since ?? now, 'The API calls are used up', sentence)
}

/** The reason contains paths or host names, so it is only in the log and on the admin page. */
function storeProblem({ storeFailure, now }: StatusOptions): Problem | undefined {
  if (storeFailure === undefined) return undefined
  const effect = 'new records, API calls and changes to feed links are kept only in memory'
  const isFull = storeFailure.kind === 'disk full'
  const title = isFull ? 'The disk is full' : 'The store is failing'
  const sentence = isFull
    ? `${diskFullError().message} Until there is space, ${effect}.`
    : `The store cannot be used, so ${effect}. The log and the admin page show the reason.`
  return { ...problem('store-failing', now, title, sentence), urgency: 'urgent' }
}

function zoneRulesProblem({ zoneData, timeZone, now }: StatusOptions): Problem | undefined {
  const { ok, sentence } = zoneDataFinding(zoneData, timeZone)
  const title = 'The time zone rules are out of date'
  return ok ? undefined : problem('zone-rules-old', now, title, sentence)
}

function lossProblems(status: StatusOptions): readonly (Problem | undefined)[] {
  const { lost, restored } = status.losses ?? {}
  const { at } = statusTimes(status, status.now)
  const title = 'Redis has lost stored data'
  const written = 'Redis loses data, which was written back'
  return [
    lost && {
      ...problem('documents-lost', lost.at, title, lostSentence(lost, at)),
      urgency: 'urgent',
    },
    restored && problem('documents-restored', restored.at, written, restoredSentence(restored, at)),
  ]
}

function kindOf(error: unknown): UpstreamErrorKind | undefined {
  return error instanceof UpstreamError ? error.kind : undefined
}

const megabyte = 1024 * 1024

/** Facts other than the website's records. Each is undefined if it is currently unknown. */
export type Observations = {
  readonly disk?: DiskSpace | undefined
  readonly clock?: ClockFinding | undefined
  /** Validity of the public URL's certificate. */
  readonly certificate?: Validity | undefined
  readonly refreshToken?: RefreshTokenAge | undefined
  /** Links that serve feeds. */
  readonly links?: readonly LinkActivity[] | undefined
  readonly followMail?: FollowMail | undefined
}

/** Emails and notifications to followers. */
export type FollowMail = {
  /** Set while the mail server accepts none. The reason contains no addresses. */
  readonly mailFailure?: Failure | undefined
  /** Set while the mailbox for bounced emails cannot be read. */
  readonly bounceFailure?: Failure | undefined
  /** Number of followers whose mail servers refuse emails. Undefined if there are only a few. */
  readonly refused?: number | undefined
  /** Number of followers whose address was encrypted with another secret. */
  readonly unreadable?: number | undefined
  /** Push services that refuse notifications to most devices. */
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
function observedProblems(
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
  const sentence = `${unreadable} followers get no messages, because their addresses were encrypted with another MAIL_KEY or mail.key. Use the one from the time when they started to follow. If it is lost, delete these followers on the admin page, under "Find or delete an address".`
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
