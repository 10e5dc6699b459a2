import type { TimeSource } from '../clock.ts'
import type { Collections } from '../collections/collections.ts'
import { sourcesOf, type CombinedSource } from '../feeds/combined-feed.ts'
import type { Feed } from '../feeds/feed.ts'
import {
  duplicatesText,
  emptyHistory,
  mergedHistory,
  sharedDuplicates,
  storedDuplicatesSchema,
  type DuplicateGroups,
  type DuplicateHistory,
} from '../feeds/shared-duplicates.ts'
import type { Site } from '../feeds/site.ts'
import { parsedJson } from '../json.ts'
import type { Logger } from '../log.ts'
import type { Profile } from '../records/profile.ts'
import { createStoreAccess } from '../store/store-error.ts'
import { retryWrite, type Documents } from '../store/store.ts'

export const duplicateBucket = 'occasions'

/** The store is not read again during this time while the records are the same. */
const freshMs = 10_000

type Latest = {
  readonly ledgers: readonly unknown[]
  readonly history: DuplicateHistory
  /** Revision of the stored document that the history continues. */
  readonly revision: number
  readonly isStored: boolean
  /** Milliseconds since the epoch. */
  readonly checkedAt: number
}

export type DuplicateMemory = ReturnType<typeof createDuplicateMemory>

/**
 * Remembers which entries of several calendars describe the same event, so that its UID stays the
 * same when one of them is removed. All replicas share this memory, which is in the store.
 */
export function createDuplicateMemory(options: {
  readonly documents: Pick<Documents, 'get' | 'write'>
  readonly feeds: readonly Feed[]
  readonly collections: Pick<Collections, 'copyOf'>
  readonly site: Site
  readonly clock: TimeSource
  readonly log: Logger
}) {
  const { documents, feeds, collections, site, clock, log } = options
  const access = createStoreAccess(log)
  const calendars = feeds.filter((feed) => 'section' in feed)
  const latest = new Map<Profile, Latest>()

  /** Returns the history after the latest changes, or the same one if nothing has changed. */
  function after(before: DuplicateHistory, profile: Profile, sources: readonly CombinedSource[]) {
    const history = sharedDuplicates(before, sources, { site, profile, now: clock.now() })
    return JSON.stringify(history) === JSON.stringify(before) ? before : history
  }

  /** Updates the stored history. Resolves to undefined if other replicas keep writing first. */
  function update(
    profile: Profile,
    sources: readonly CombinedSource[],
  ): Promise<DuplicateHistory | undefined> {
    const ledgers = sources.map(({ source }) => source.ledger)
    const document = { bucket: duplicateBucket, id: profile }
    return retryWrite(async () => {
      const { value, revision = 0 } = (await documents.get(document.bucket, document.id)) ?? {}
      const known = latest.get(profile)
      const isKnown = known?.revision === revision
      const stored = isKnown ? undefined : storedFrom(value)
      const before = isKnown ? known.history : (stored?.history ?? emptyHistory)
      const history = after(before, profile, sources)
      // A replica with older records must not revert another replica's updates.
      if (stored && isOlder(sources, stored.changedAt)) return history
      const isStored = history === before && known?.isStored !== false
      const changedAt = Object.fromEntries(
        sources.map(({ feed, source }) => [feed.resource, source.changedAt]),
      )
      const write = { ...document, value: duplicatesText(history, changedAt) }
      if (!isStored && !(await documents.write([write], { ...document, revision }))) {
        return undefined
      }
      const next = isStored ? revision : revision + 1
      const checkedAt = clock.now()
      latest.set(profile, { ledgers, history, revision: next, isStored: true, checkedAt })
      return history
    })
  }

  function storedFrom(text: string | undefined) {
    if (text === undefined) return undefined
    const stored = readStored(text)
    if (!stored) log.warn('the stored duplicate entries are invalid and are being replaced')
    return stored
  }

  /** Updates this replica's own history while the store is down. The history is stored later. */
  function withoutStore(profile: Profile, sources: readonly CombinedSource[]): DuplicateHistory {
    const { history: before = emptyHistory, revision = 0 } = latest.get(profile) ?? {}
    const history = after(before, profile, sources)
    const ledgers = sources.map(({ source }) => source.ledger)
    latest.set(profile, { ledgers, history, revision, isStored: false, checkedAt: 0 })
    return history
  }

  return {
    /** Returns the groups in the current records, as readers with a profile see them. */
    async duplicatesFor(profile: Profile): Promise<DuplicateGroups> {
      const sources = sourcesOf(calendars, collections.copyOf)
      const known = latest.get(profile)
      if (known && isFresh(known, sources, clock.now())) return known.history.groups
      const stored = await access.use('occasions', () => update(profile, sources), undefined)
      const { groups } = stored ?? withoutStore(profile, sources)
      return groups
    },
  }
}

/** Returns the document to store after a restore. The groups in the backup keep their UIDs. */
export function mergedDuplicates(backup: string, current: string): string {
  const [restored, known] = [readStored(backup), readStored(current)]
  if (!restored || !known) return known ? current : backup
  return duplicatesText(mergedHistory(restored.history, known.history), {})
}

function readStored(text: string) {
  return storedDuplicatesSchema.safeParse(parsedJson(text)).data
}

function isFresh({ ledgers, checkedAt }: Latest, sources: readonly CombinedSource[], now: number) {
  return (
    now < checkedAt + freshMs &&
    ledgers.length === sources.length &&
    sources.every(({ source }, index) => source.ledger === ledgers[index])
  )
}

function isOlder(
  sources: readonly CombinedSource[],
  changedAt: Readonly<Record<string, number>>,
): boolean {
  return sources.some(({ feed, source }) => source.changedAt < (changedAt[feed.resource] ?? 0))
}
