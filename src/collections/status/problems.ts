import { hourMs } from '../../clock.ts'
import { diskFullError } from '../../store/data-directory.ts'
import { adviceFor } from '../../upstream/advice.ts'
import {
  isTransient,
  retryPolicyFor,
  UpstreamError,
  type UpstreamErrorKind,
} from '../../upstream/upstream-error.ts'
import { zoneDataFinding } from '../../zone-data/zone-data.ts'
import type { CollectionState } from '../collection-state.ts'
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
import { observedProblems, type Observations } from './observed-problems.ts'
import type { Problem, ProblemKey, Problems } from './problem.ts'
import { statusTimes, type StatusTimes } from './status-times.ts'

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
  const title = lost?.isFile ? 'Stored data is lost' : 'Redis has lost stored data'
  const written = restored?.isFile
    ? 'The SQLite file was gone, and was written back'
    : 'Redis lost data, which was written back'
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
