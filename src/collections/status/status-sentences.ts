import { DateTime } from 'luxon'
import type { FeedResource } from '../../records/resources.ts'
import { recentClockFinding, type ClockFinding } from '../../records/site-clock.ts'
import type { StoreError } from '../../store/store-error.ts'
import { adviceFor } from '../../upstream/advice.ts'
import { UpstreamError } from '../../upstream/upstream-error.ts'
import type { Failure } from '../schedule/backoff.ts'
import type { Load } from '../schedule/freshness.ts'
import type { CollectionState } from '../collections.ts'
import { heldSentences } from './held-sentence.ts'
import { intervalSentence } from './interval-sentence.ts'
import type { CollectionCopy } from '../copy/collection-copy.ts'
import { refusalSentence } from './refusal-sentence.ts'
import type { Budget } from '../../upstream/throttle.ts'
import type { TokenState } from '../../upstream/token-source.ts'

export type StatusOptions = {
  readonly collections: readonly CollectionState[]
  readonly load: Load
  readonly storeFailure: StoreError | undefined
  readonly budget: Budget
  readonly token: TokenState
  readonly timeZone: string
  readonly now: number
}

/** Fraction of the daily call limit above which usage is reported. */
const tightShare = 0.85

const rejectedNamed = 5

/** A site is starting while something is being read for the first time. */
export type SiteState = 'starting' | 'ok' | 'failing'

/** Returns true if nothing needs attention, and null if it is too early to know. */
export function okIn(state: SiteState): boolean | null {
  return state === 'starting' ? null : state === 'ok'
}

/**
 * Returns sentences about everything that needs attention, or a sentence saying that all feeds are
 * up to date or being read for the first time.
 */
export function sentencesFrom(options: StatusOptions): {
  readonly state: SiteState
  readonly sentences: readonly string[]
} {
  const { collections, storeFailure, timeZone } = options
  const clock = clockFindingOf(options)
  const at = timesIn(timeZone)
  const tight = budgetFaults(options)
  const faults = [
    ...collections.flatMap((state) => collectionFaults(state, at)),
    ...heldSentences(collections, at),
    ...allAdvice(collections),
    ...tight,
    ...(clock?.ok === false ? [clock.sentence] : []),
    ...(storeFailure === undefined
      ? []
      : [
          `${storeFailure.message} Until the store works again, new records are kept only in memory and will be lost on a restart, and feed links that were revoked elsewhere still work here.`,
        ]),
  ]
  const refusals = collections.flatMap((state) =>
    isDispensable(state) ? refusalOf(state, at) : [],
  )
  const interval = tight.length === 0 ? intervalSentence(options.load) : undefined
  const notes = [...refusals, ...(interval === undefined ? [] : [interval])]
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
export function clockFindingOf({
  collections,
  ...context
}: StatusOptions): ClockFinding | undefined {
  const readings = collections.flatMap(({ kept }) => kept?.clock ?? [])
  return recentClockFinding(readings, context)
}

/** Explains why a resource cannot be shown and what to do. */
export function missingCopy(resource: FeedResource, failure: Failure | undefined): string {
  const error = failure?.error
  const why =
    error instanceof UpstreamError
      ? `the website could not be read. ${adviceFor(error)}`
      : 'reading the website has taken too long. Try again shortly.'
  return `There is no copy of ${resource} yet, and ${why}`
}

type At = (instant: number) => string

/** Returns a function that formats times for sentences. */
export function timesIn(timeZone: string): At {
  return (instant) =>
    DateTime.fromMillis(instant, { zone: timeZone, locale: 'en' }).toFormat(
      "HH:mm:ss ZZZZ 'on' MMMM d",
    )
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
    kept && rejectedSentence(resource, kept),
    kept &&
      kept.collection.omittedCount > 0 &&
      `${resource} has ${kept.collection.omittedCount} older records that are not kept.`,
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
  return `${resource} ${read}. The next attempt is at ${at(failure.retryAt)}.`
}

function rejectedSentence(resource: string, { collection }: CollectionCopy): string | undefined {
  const { rejected, rejectedCount } = collection
  if (rejectedCount === 0) return undefined
  const ids = [...new Set(rejected.map(({ id }) => id))].slice(0, rejectedNamed).join(', ')
  return `${resource} has ${counted(rejectedCount, 'record')} with values that cannot be used. Feedhouse leaves them out; correct them on the website: ${ids}.`
}

function counted(count: number, thing: string): string {
  return count === 1 ? `1 ${thing}` : `${count} ${thing}s`
}

/** Explains a failure, and what to do about it. */
export function adviceOn({ error }: Failure): string {
  return error instanceof UpstreamError ? adviceFor(error) : 'The error is unexpected; see the log.'
}

/** Returns the advice for all failures, without duplicates. */
function allAdvice(collections: readonly CollectionState[]): readonly string[] {
  const failures = collections.flatMap(({ failure, detailFailures }) => [
    ...(failure && !isRefusal(failure) ? [failure] : []),
    ...detailFailures,
  ])
  return [...new Set(failures.map(adviceOn))]
}

function budgetFaults({ budget, collections }: StatusOptions): readonly string[] {
  const { used, max } = budget.day
  if (used < max * tightShare) return []
  const longest = Math.max(0, ...collections.map(({ intervalMs }) => intervalMs))
  const minutes = Math.round(longest / 60_000)
  return [
    `${used} of today's ${max} API calls are used. To make the rest last, Feedhouse reads the website every ${counted(minutes, 'minute')}.`,
  ]
}
