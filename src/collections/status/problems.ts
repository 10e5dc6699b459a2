import { diskFullError } from '../../store/data-directory.ts'
import { adviceFor } from '../../upstream/advice.ts'
import { UpstreamError, type UpstreamErrorKind } from '../../upstream/upstream-error.ts'
import type { CollectionState } from '../collections.ts'
import { observedProblems, type Observations } from './observed-problems.ts'
import {
  adviceOn,
  clockFindingOf,
  heldSentence,
  isDispensable,
  refusalOf,
  timesIn,
  usageOf,
  type StatusOptions,
} from './status-sentences.ts'

/** A cause that needs attention. Contains no secrets, no names of people and no labels of links. */
export type Problem = {
  readonly key: string
  readonly title: string
  readonly sentence: string
  /** When it began, in milliseconds since the epoch. */
  readonly since: number
  /** Urgent problems are reported at any hour. Reminders of notes are rare. */
  readonly urgency: 'urgent' | 'normal' | 'note'
}

export type Problems = {
  readonly open: readonly Problem[]
  /** Keys of causes that cannot be assessed at this time, because something else hides them. */
  readonly unknown: ReadonlySet<string>
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Shorter failures are normal and end without any action. */
const shortFailureMs = 10 * minuteMs

/** Causes that prevent all reads, by kind of failure. Transient failures are separate. */
const refusals: readonly {
  readonly key: string
  readonly title: string
  readonly kinds: readonly (UpstreamErrorKind | undefined)[]
}[] = [
  {
    key: 'token-refused',
    title: 'The website refuses the token',
    kinds: [
      'token_missing',
      'token_invalid',
      'token_expired',
      'refresh_token_supplied',
      'refresh_expired',
      'too_many_failures',
      'token_requests_paused',
    ],
  },
  {
    key: 'address-refused',
    title: "The website refuses this server's IP address",
    kinds: ['ip_not_allowed'],
  },
  {
    key: 'project-disabled',
    title: 'The API Project cannot be used',
    kinds: ['project_disabled', 'api_disabled', 'https_required'],
  },
]

/** Failures to get any useful response from the website. */
const outageKinds: readonly (UpstreamErrorKind | undefined)[] = [
  'unreachable',
  'tls',
  'interrupted',
  'timeout',
  'unavailable',
  'server_error',
  'unexpected_answer',
]

/** Causes that can be assessed only while the website can be read. */
const hiddenKeys = [
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
  const store = storeProblem(status)
  return {
    open: [
      ...(outage ? [outage] : []),
      ...(isFailing ? [] : refused),
      ...(isHidden ? [] : readingProblems(status)),
      ...(store ? [store] : []),
      ...observed.open,
    ],
    unknown: new Set([
      ...(isFailing ? refusals.map(({ key }) => key) : []),
      ...(isHidden ? hiddenKeys : []),
      ...observed.unknown,
    ]),
  }
}

function refusalProblems({ collections, token, now }: StatusOptions) {
  const failures = collections.flatMap(({ failure }) => failure ?? [])
  return refusals.flatMap(({ key, title, kinds }): readonly Problem[] => {
    const failed = failures.filter(({ error }) => kinds.includes(kindOf(error)))
    const kind = failed.map(({ error }) => kindOf(error))[0] ?? token.failure?.kind
    if (!kind || !kinds.includes(kind)) return []
    const since = Math.min(now, ...failed.map((failure) => failure.since))
    return [{ key, title, sentence: adviceFor({ kind }), since, urgency: 'normal' }]
  })
}

/** Detects an outage: reads fail, and none has succeeded since they began to fail. */
function outageOf({ collections, now, timeZone }: StatusOptions): {
  readonly isFailing: boolean
  readonly outage?: Problem
} {
  const lastReadAt = lastReadOf(collections) ?? 0
  const failures = collections
    .flatMap(({ failure }) => failure ?? [])
    .filter(({ error, since }) => outageKinds.includes(kindOf(error)) && since >= lastReadAt)
  const [latest] = failures.toSorted((a, b) => b.lastAt - a.lastAt)
  if (!latest) return { isFailing: false }
  const since = Math.min(...failures.map((failure) => failure.since))
  if (now - since < shortFailureMs) return { isFailing: true }
  const sentence = `The website has not been read since ${timesIn(timeZone)(since)}. ${adviceOn(latest)} Subscribers keep the last good copy.`
  const title = 'The website cannot be read'
  return {
    isFailing: true,
    outage: { key: 'website-unreachable', title, sentence, since, urgency: 'normal' },
  }
}

function readingProblems(status: StatusOptions): readonly Problem[] {
  const { collections, timeZone } = status
  const at = timesIn(timeZone)
  return [
    refusedEndpoints(collections, at),
    heldRecords(collections, at),
    staleRecords(status, at),
    nothingRead(status, at),
    usedUpCalls(status),
  ].filter((problem) => problem !== undefined)
}

type At = ReturnType<typeof timesIn>

function refusedEndpoints(collections: readonly CollectionState[], at: At): Problem | undefined {
  const refused = collections.filter((state) => state.refusal && !isDispensable(state))
  const sentences = refused.flatMap((state) => refusalOf(state, at))
  if (sentences.length === 0) return undefined
  return {
    key: 'endpoint-refused',
    title: 'An endpoint is not allowed',
    sentence: sentences.join(' '),
    since: Math.min(...refused.flatMap(({ refusal }) => refusal?.since ?? [])),
    urgency: 'normal',
  }
}

function heldRecords(collections: readonly CollectionState[], at: At): Problem | undefined {
  const sentence = heldSentence(collections, at)
  if (sentence === undefined) return undefined
  const since = Math.min(...collections.flatMap(({ kept }) => kept?.held?.since ?? []))
  return { key: 'records-held', title: 'Missing records', sentence, since, urgency: 'normal' }
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
  const sentence = `Reading fails since ${at(since)}: ${names}. ${adviceOn(first.failure)}`
  return {
    key: 'records-stale',
    title: 'Some records cannot be read',
    sentence,
    since,
    urgency: 'normal',
  }
}

/** Nothing has been read for an hour, or for twice the interval if that is longer. */
function nothingRead({ collections, now }: StatusOptions, at: At): Problem | undefined {
  const since = lastReadOf(collections)
  const shortest = Math.min(...collections.map(({ intervalMs }) => intervalMs))
  if (since === undefined || now - since < Math.max(hourMs, 2 * shortest)) return undefined
  const sentence = `Feedhouse has not read anything from the website since ${at(since)}. Look at the log, or restart Feedhouse.`
  return { key: 'nothing-read', title: 'Nothing has been read', sentence, since, urgency: 'normal' }
}

function usedUpCalls(status: StatusOptions): Problem | undefined {
  const { collections, now } = status
  const failure = collections
    .flatMap(({ failure: each }) => each ?? [])
    .find(({ error, since }) => kindOf(error) === 'rate_limited' && now - since >= shortFailureMs)
  const usage = usageOf(status)
  if (!failure && !usage.isExhausted) return undefined
  const advice = adviceFor({ kind: failure ? 'rate_limited' : 'budget_spent' })
  return {
    key: 'calls-used-up',
    title: 'The API calls are used up',
    sentence: `${usage.sentence} ${advice}`,
    since: failure?.since ?? now,
    urgency: 'normal',
  }
}

/** The reason contains paths or host names, so it is only in the log and on the admin page. */
function storeProblem({ storeFailure, now }: StatusOptions): Problem | undefined {
  if (storeFailure === undefined) return undefined
  const effect = 'new records, API calls and changes to feed links are kept only in memory'
  const [title, sentence] =
    storeFailure.kind === 'disk full'
      ? ['The disk is full', `${diskFullError().message} Until there is space, ${effect}.`]
      : [
          'The store is failing',
          `The store cannot be used, so ${effect}. The log and the admin page show the reason.`,
        ]
  return { key: 'store-failing', title, sentence, since: now, urgency: 'urgent' }
}

/** Returns the time of the latest successful read; undefined before the first one. */
function lastReadOf(collections: readonly CollectionState[]): number | undefined {
  const times = collections.flatMap(({ kept }) => kept?.collection.fetchedAt ?? [])
  return times.length === 0 ? undefined : Math.max(...times)
}

function kindOf(error: unknown): UpstreamErrorKind | undefined {
  return error instanceof UpstreamError ? error.kind : undefined
}
