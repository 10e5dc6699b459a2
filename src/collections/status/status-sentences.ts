import { endpointOf, type FeedResource } from '../../records/resources.ts'
import { recentClockFinding, type ClockFinding } from '../../records/site-clock.ts'
import type { Losses } from '../../store/losses.ts'
import type { StoreError } from '../../store/store-error.ts'
import { adviceFor } from '../../upstream/advice.ts'
import { UpstreamError } from '../../upstream/upstream-error.ts'
import type { Failure } from '../schedule/backoff.ts'
import { intervalSentence, type Load } from '../schedule/reading-interval.ts'
import type { FaultyRecord } from '../collection.ts'
import type { CollectionState, ServedFeeds } from '../collection-state.ts'
import type { CollectionCopy } from '../copy/collection-copy.ts'
import { publishesAt, type Held } from '../copy/loss-guard.ts'
import type { Budget } from '../../upstream/throttle.ts'
import type { TokenState } from '../../upstream/token-source.ts'
import { zoneDataFinding, type ZoneData } from '../../zone-data/zone-data.ts'
import { lostSentence, restoredSentence } from './loss-sentences.ts'
import { statusTimes, type StatusTimes } from './status-times.ts'

export type StatusOptions = {
  readonly collections: readonly CollectionState[]
  readonly load: Load
  readonly storeFailure: StoreError | undefined
  readonly losses?: Losses
  readonly budget: Budget
  readonly token: TokenState
  readonly timeZone: string
  readonly zoneData: ZoneData
  /** Tag of English, as written in the site's region. */
  readonly language: string
  readonly now: number
}

/** Share of the daily calls above which the intervals between reads grow. */
const tightShare = 0.85
/** Share of the daily calls above which scheduled reads stop. */
const exhaustedShare = 0.9

const rejectedNamed = 5

/** A site is starting while something is being read for the first time. */
export type SiteState = 'starting' | 'ok' | 'failing'

/** Returns true if nothing needs attention, and null if it is too early to know. */
export function okIn(state: SiteState): boolean | null {
  return state === 'starting' ? null : state === 'ok'
}

/** Returns sentences about problems, or a sentence that all feeds are up to date or being read. */
export function sentencesFrom(options: StatusOptions): {
  readonly state: SiteState
  readonly sentences: readonly string[]
} {
  const { collections, storeFailure, losses = {} } = options
  const clock = clockFindingOf(options)
  const { at } = statusTimes(options, options.now)
  const usage = usageOf(options)
  const zoneRules = zoneDataFinding(options.zoneData, options.timeZone)
  const faults = [
    losses.lost && lostSentence(losses.lost, at),
    ...collections.flatMap((state) => collectionFaults(state, at)),
    heldSentence(collections, at),
    unreadSentence(collections),
    ...allAdvice(collections),
    usage.isTight ? usage.sentence : undefined,
    clock?.ok === false ? clock.sentence : undefined,
    zoneRules.ok ? undefined : zoneRules.sentence,
    storeFailure &&
      `${storeFailure.message} Until the store works again, new records are kept only in memory and will be lost on a restart, and feed links that were revoked elsewhere still work here.`,
  ].filter((sentence) => sentence !== undefined)
  const refusals = collections.flatMap((state) =>
    isDispensable(state) ? refusalOf(state, at) : [],
  )
  const interval = usage.isTight ? [] : (intervalSentence(options.load) ?? [])
  const records = collections.flatMap((state) => recordNotes(state, at))
  const restored = losses.restored ? [restoredSentence(losses.restored, at)] : []
  const notes = [...restored, ...records, ...refusals.concat(interval)]
  if (faults.length > 0) return { state: 'failing', sentences: [...faults, ...notes] }
  const unread = collections.flatMap(({ isStarting, resource }) => (isStarting ? [resource] : []))
  if (unread.length > 0) {
    return { state: 'starting', sentences: [startingSentence(unread.join(', ')), ...notes] }
  }
  const good =
    refusals.length === 0
      ? 'Everything has been read and is up to date.'
      : 'All feeds that are configured by name are up to date.'
  return { state: 'ok', sentences: [good, ...notes] }
}

export function startingSentence(records: string): string {
  return `Feedhouse is reading ${records} for the first time, which can take a few minutes.`
}

/** Compares the website's clock with the local one. Returns undefined if its time is unknown. */
export function clockFindingOf(status: StatusOptions): ClockFinding | undefined {
  const readings = status.collections.flatMap(({ kept }) => kept?.clock ?? [])
  return recentClockFinding(readings, status)
}

export function missingCopy(resource: FeedResource, failure: Failure | undefined): string {
  const error = failure?.error
  const why =
    error instanceof UpstreamError
      ? `the website could not be read. ${adviceFor(error)}`
      : 'reading the website took too long. Try again shortly.'
  return `There is no copy of ${resource} yet, and ${why}`
}

type At = StatusTimes['at']

export function lastReadOf(collections: readonly CollectionState[]): number | undefined {
  const times = collections.flatMap(({ kept }) => kept?.collection.fetchedAt ?? [])
  return times.length === 0 ? undefined : Math.max(...times)
}

function collectionFaults(state: CollectionState, at: At): readonly string[] {
  const { resource, kept, failure, refusal, isStarting, detailFailures } = state
  const other = refusal && isRefusal(failure) ? undefined : failure
  return [
    ...(isDispensable(state) ? [] : refusalOf(state, at)),
    other && failureSentence(resource, kept, other, at),
    !failure &&
      !refusal &&
      !kept &&
      !isStarting &&
      `${resource} has still not been read for the first time. To find out why, run npx feedhouse check.`,
    detailFailures[0] &&
      `The details of ${counted(detailFailures.length, 'sign-up sheet')} cannot be read; the last good details are shown.`,
  ].filter((sentence) => typeof sentence === 'string')
}

export function refusalOf(
  { resource, feeds, refusal, kept }: CollectionState,
  at: At,
): readonly string[] {
  if (!refusal) return []
  return [refusalSentence(resource, feeds, kept && at(kept.collection.fetchedAt))]
}

/** Returns true for refusals that may be intended, because no link or setting names the feed. */
export function isDispensable({ refusal, feeds, kept }: CollectionState): boolean {
  return refusal !== undefined && !feeds.areNamed && !kept
}

function isRefusal(failure: Failure | undefined): boolean {
  return failure?.error instanceof UpstreamError && failure.error.kind === 'endpoint_not_allowed'
}

function failureSentence(
  resource: string,
  kept: CollectionCopy | undefined,
  failure: Failure,
  at: At,
): string {
  const read = kept
    ? `has not been read since ${at(failure.since)}; the last good copy, from ${at(kept.collection.fetchedAt)}, is served`
    : 'has never been read, so there is nothing to serve yet'
  return `${resource} ${read}. The next attempt is on ${at(failure.retryAt)}.`
}

/** Returns sentences about single records. They concern the website's content, and all others are served. */
function recordNotes({ resource, kept }: CollectionState, at: At): readonly string[] {
  if (!kept) return []
  const { collection, rejectedSince } = kept
  const { rejected, rejectedCount, omittedCount } = collection
  const them = rejectedCount === 1 ? 'it' : 'them'
  const named = rejected.slice(0, rejectedNamed).map(({ id, reason, published }) => {
    const since = rejectedSince[id]
    const when = since === undefined ? '' : ` since ${at(since)}`
    return `${id} (${reason}${when}; ${outcomes[published]})`
  })
  const more = rejectedCount > named.length ? ' and others' : ''
  const sentences = [
    rejectedCount > 0 &&
      `${resource} has ${counted(rejectedCount, 'record')} with values that cannot be used. Correct ${them} on the website: ${named.join(', ')}${more}.`,
    omittedCount > 0 &&
      `${resource} has ${inThousands(omittedCount)} more records than Feedhouse keeps.`,
  ]
  return sentences.filter((sentence) => sentence !== false)
}

const outcomes = {
  all: 'published as it is',
  part: 'published without these parts',
  'last good version': 'the last good version stays published',
  nothing: 'not published',
} satisfies Record<FaultyRecord['published'], string>

export function counted(count: number, thing: string): string {
  return count === 1 ? `1 ${thing}` : `${inThousands(count)} ${thing}s`
}

const inThousands = (count: number) => count.toLocaleString('en')

export function adviceOn({ error }: Failure, hasWorked: boolean): string {
  return error instanceof UpstreamError
    ? adviceFor(error, { hasWorked })
    : 'The error is unexpected; see the log.'
}

function allAdvice(collections: readonly CollectionState[]): readonly string[] {
  const failures = collections.flatMap(({ failure, detailFailures }) => [
    ...(failure && !isRefusal(failure) ? [failure] : []),
    ...detailFailures,
  ])
  const hasWorked = lastReadOf(collections) !== undefined
  return [...new Set(failures.map((failure) => adviceOn(failure, hasWorked)))]
}

export function usageOf({ budget, collections }: Pick<StatusOptions, 'budget' | 'collections'>) {
  const { used, max } = budget.day
  const usage = `${used} of ${max} API calls have been used within 24 hours.`
  const isExhausted = used >= max * exhaustedShare
  if (used < max * tightShare) return { isTight: false, isExhausted, sentence: usage }
  const longest = Math.max(0, ...collections.map(({ intervalMs }) => intervalMs))
  const every = counted(Math.round(longest / 60_000), 'minute')
  const sentence = `${usage} To make the rest last, Feedhouse reads the website every ${every}.`
  return { isTight: true, isExhausted, sentence }
}

export function heldSentence(collections: readonly CollectionState[], at: At): string | undefined {
  const held = collections.flatMap(({ resource, kept }) =>
    kept?.held ? [{ resource, held: kept.held, published: kept.collection.records.length }] : [],
  )
  if (held.length === 0) return undefined
  const lacking = listed(
    held.map(
      ({ resource, held: loss, published }) =>
        `${resource} (${loss.records} instead of ${published} since ${at(loss.since)}${noteOn(loss, at)})`,
    ),
  )
  const copies = held.length === 1 ? 'copy stays' : 'copies stay'
  const name = held.length === 1 ? held[0]?.resource : 'NAME'
  const isTimed = held.some(({ held: loss }) => publishesAt(loss) !== undefined)
  const sentences = [
    `The website no longer has most of the records in ${lacking}.`,
    `The last good ${copies} published until the records are back. If they were removed on purpose, accept the loss on the admin page, or run npx feedhouse collections accept ${name}.`,
    isTimed && `To keep the last good copy longer, run npx feedhouse collections hold ${name}.`,
  ]
  return sentences.filter(Boolean).join(' ')
}

export function unreadSentence(collections: readonly CollectionState[]): string | undefined {
  const unread = collections.filter(isMostlyUnread)
  if (unread.length === 0) return undefined
  const names = unread.map(({ resource, kept }) => {
    const { records = [], outdatedCount = 0, unreadCount = 0 } = kept?.collection ?? {}
    return `${resource} (${outdatedCount + unreadCount} of ${records.length + unreadCount})`
  })
  return `Most records in ${listed(names)} cannot be read. Their last good versions stay published. Ask the website's operator what has changed, and look for a newer version of Feedhouse.`
}

/** Fewer unreadable records than this do not suggest that the format has changed. */
const minMostlyUnread = 3

/** Returns true if the website has probably changed its format. */
export function isMostlyUnread({ kept }: CollectionState): boolean {
  const { records = [], outdatedCount = 0, unreadCount = 0 } = kept?.collection ?? {}
  const count = outdatedCount + unreadCount
  return count >= minMostlyUnread && count > (records.length + unreadCount) / 2
}

function noteOn(held: Held, at: At): string {
  const timed = publishesAt(held)
  const note = held.isHeldByRequest ? '; held by operator request' : ''
  return timed === undefined ? note : `${note}; published after ${at(timed)} if nothing changes`
}

function listed(texts: readonly string[]): string {
  return [texts.slice(0, -1).join(', '), ...texts.slice(-1)].filter(Boolean).join(' and ')
}

export function refusalSentence(
  resource: FeedResource,
  { ids }: ServedFeeds,
  /** Time of the last good copy, formatted for display. */
  readAt: string | undefined,
): string {
  const outcome = ids.length === 0 ? personalOutcome(readAt) : feedOutcome(ids, readAt)
  return `The API Project is not allowed to read ${resource}, so ${outcome}. Ask a website manager to allow the endpoint ${endpointOf(resource)} on the API Project, in the website's Members Area under Manage > API. Feedhouse then reads it within 20 minutes. To read it right away, run: npx feedhouse check`
}

function feedOutcome(ids: readonly string[], readAt: string | undefined): string {
  const isOne = ids.length === 1
  const feeds = isOne ? `the feed ${ids[0]}` : `the feeds ${ids.join(' and ')}`
  return readAt === undefined
    ? `${feeds} ${isOne ? 'is' : 'are'} turned off`
    : `${feeds} still ${isOne ? 'shows' : 'show'} the last good copy, from ${readAt}`
}

/** Describes the effect on a resource that only feed links' personal entries need. */
function personalOutcome(readAt: string | undefined): string {
  return readAt === undefined
    ? 'personal entries that need it are missing from the calendars of feed links with a member'
    : `personal entries in the calendars of feed links still show the last good copy, from ${readAt}`
}
