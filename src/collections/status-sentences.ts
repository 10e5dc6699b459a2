import { DateTime } from 'luxon'
import { adviceFor } from '../upstream/advice.ts'
import { UpstreamError } from '../upstream/upstream-error.ts'
import type { CollectionState } from './collections.ts'
import type { StatusOptions } from './status.ts'

/** From this share of the day's calls on, it is told. */
const tightShare = 0.75

/** How things stand in plain words: first what needs attention, or that nothing does. */
export function sentencesFrom(options: StatusOptions): {
  readonly ok: boolean
  readonly sentences: readonly string[]
} {
  const { collections, storeFailure, timeZone } = options
  const at = (instant: number) =>
    DateTime.fromMillis(instant, { zone: timeZone, locale: 'en' }).toFormat("HH:mm 'on' MMMM d")
  const faults = [
    ...collections.flatMap((state) => collectionFaults(state, at)),
    ...adviceOn(collections),
    ...budgetFaults(options),
    ...(storeFailure === undefined
      ? []
      : [`${storeFailure} What is read is served from memory, and lost at a restart.`]),
  ]
  const ok = faults.length === 0
  return { ok, sentences: ok ? ['Everything is read and up to date.'] : faults }
}

type At = (instant: number) => string

function collectionFaults({ resource, kept, failure }: CollectionState, at: At): readonly string[] {
  const faults: string[] = []
  const { collection, held } = kept ?? {}
  if (failure) {
    const reason = failure.error instanceof UpstreamError ? `: ${failure.error.message}` : ''
    const served = collection
      ? `the last good copy, of ${at(collection.fetchedAt)}, is served`
      : 'there is nothing to serve yet'
    faults.push(
      `${resource} could not be read since ${at(failure.since)}${reason}; ${served}. The next try is at ${at(failure.retryAt)}.`,
    )
  } else if (!collection) faults.push(`${resource} has not been read yet.`)
  if (collection && held) {
    faults.push(
      `${resource} is held since ${at(held.since)}: the website has ${held.records} records, ${collection.records.length} are published. It is published when it stays so for half an hour, or now by: node src/main.ts collections accept ${resource}`,
    )
  }
  if (collection && collection.rejectedCount > 0) {
    const ids = collection.rejected.map(({ id }) => id).slice(0, 5)
    faults.push(
      `${resource} has ${collection.rejectedCount} records that cannot be used, or parts of them, and are left out; correct them on the website: ${ids.join(', ')}.`,
    )
  }
  if (collection && collection.omittedCount > 0) {
    faults.push(`${resource} has ${collection.omittedCount} older records that are not kept.`)
  }
  return faults
}

/** What to do about the failures, each once. */
function adviceOn(collections: readonly CollectionState[]): readonly string[] {
  const kinds = collections.flatMap(({ failure }) =>
    failure?.error instanceof UpstreamError ? [failure.error.kind] : [],
  )
  return [...new Set(kinds)].map(adviceFor)
}

function budgetFaults({ budget, collections }: StatusOptions): readonly string[] {
  const { used, most } = budget.day
  if (used < most * tightShare) return []
  const longest = Math.max(0, ...collections.map(({ intervalMs }) => intervalMs))
  const minutes = Math.round(longest / 60_000)
  return [
    `${used} of the ${most} calls of a day are used up; the website is read every ${minutes} minutes, so that they last.`,
  ]
}
