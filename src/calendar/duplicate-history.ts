import { z } from 'zod'
import { defaultLanguage } from '../records/language.ts'
import type { ChangeHistory } from '../records/recorded-change.ts'
import { isFeedResource, type FeedResource } from '../records/resources.ts'
import type { SectionEntry } from './calendar-section.ts'
import type { EntryText } from './calendar-entry.ts'
import type { Reader } from './entry-recipe.ts'
import { mergeDuplicates, type DuplicateGroup } from './merge-duplicates.ts'

/** Groups whose records have all been removed are kept as long as the records' history. */
const removedKeptMs = 90 * 24 * 60 * 60 * 1000

export const duplicateRecordSchema = z.object({
  resource: z.custom<FeedResource>((name) => typeof name === 'string' && isFeedResource(name)),
  id: z.number(),
  /** Id of the record's part, if it has one. Stored under this name. */
  subsetId: z.number().optional(),
  /** Time of the record's last known change, or when it left the group. */
  changedAt: z.number(),
  /** When the record joined entries that readers already had. */
  joinedAt: z.number().optional(),
  /** `separate` if the record still exists but now describes another event. */
  state: z.enum(['listed', 'removed', 'separate']),
})

/**
 * A record that describes the same event as others, or used to. Times are in milliseconds since the
 * epoch.
 */
export type DuplicateRecord = Readonly<z.infer<typeof duplicateRecordSchema>>

/**
 * Groups of records that describe the same event, each with at most one per resource, oldest first.
 * The first member that is not separate gives the group its UID.
 */
export type DuplicateGroups = readonly (readonly DuplicateRecord[])[]

export type DuplicateHistory = {
  readonly groups: DuplicateGroups
  /** Keys of all records that had an entry. */
  readonly listed: readonly string[]
}

export const emptyHistory: DuplicateHistory = { groups: [], listed: [] }

/** The current entries of a resource, with the history of all its records. */
export type DuplicateSource = {
  readonly resource: FeedResource
  readonly entries: readonly DuplicateEntry[]
  readonly ledger: ReadonlyMap<number, ChangeHistory>
}

type DuplicateEntry = Pick<SectionEntry, 'record' | 'time' | 'known' | 'partId' | 'textFor'>

type Candidate = DuplicateEntry & {
  readonly key: string
  readonly resource: FeedResource
  readonly sourceIndex: number
  readonly text: () => EntryText
}

type Members = readonly DuplicateRecord[]

export function memberKey({ resource, id }: Pick<DuplicateRecord, 'resource' | 'id'>): string {
  return `${resource} ${id}`
}

/**
 * Returns the history after records have changed. If a resource is missing from the sources, its
 * members are unchanged. The reader's language does not affect the groups. `now` is in milliseconds
 * since the epoch.
 */
export function updatedHistory(
  before: DuplicateHistory,
  sources: readonly DuplicateSource[],
  reader: Omit<Reader, 'language'>,
  now: number,
): DuplicateHistory {
  const candidates = sources.flatMap(({ resource, entries }, sourceIndex) =>
    entries.map((entry): Candidate => {
      const key = memberKey({ resource, id: entry.record.id })
      return {
        ...entry,
        key,
        resource,
        sourceIndex,
        text: () => entry.textFor({ ...reader, language: defaultLanguage }),
      }
    }),
  )
  const byKey = new Map(candidates.map((candidate) => [candidate.key, candidate]))
  const known = before.groups.map((members) =>
    members.flatMap((member) =>
      member.state === 'separate' ? [] : (byKey.get(memberKey(member)) ?? []),
    ),
  )
  const merged = mergeDuplicates(candidates, known)
  const groupOf = new Map(merged.flatMap((group) => group.map(({ key }) => [key, group] as const)))
  const ledgers = new Map(sources.map(({ resource, ledger }) => [resource, ledger]))
  const wasListed = new Set(before.listed)
  const taken = new Set<DuplicateGroup<Candidate>>()
  const isStanding = (group: readonly Candidate[]) => group.some(({ key }) => wasListed.has(key))

  function updated(member: DuplicateRecord): DuplicateRecord {
    const ledger = ledgers.get(member.resource)
    const isListed = byKey.has(memberKey(member))
    if (!ledger || (member.state === 'removed' && !isListed)) return member
    if (!isListed && member.state === 'listed') {
      return { ...member, changedAt: Math.max(member.changedAt, now), state: 'removed' }
    }
    return {
      ...member,
      changedAt: Math.max(member.changedAt, ledger.get(member.id)?.changedAt ?? 0),
    }
  }

  /** Returns the groups that have replaced an earlier group. */
  function continued(earlier: Members): readonly Members[] {
    const members = earlier.map(updated)
    const together = members.filter(({ state }) => state !== 'separate').map(memberKey)
    const keys = new Set(together)
    const current = new Set(
      together.map((key) => groupOf.get(key)).filter((group) => group !== undefined),
    )
    if (current.size === 0) return [members]
    const open = [...current].filter((group) => !taken.has(group) && !isOfOthers(group, keys))
    // The UID stays with records that readers already have, rather than with one that has
    // reappeared.
    open.sort((a, b) => Number(isStanding(b)) - Number(isStanding(a)))
    for (const group of open) taken.add(group)
    if (open.length > 0) {
      return open.map((group, index) => membersIn(group, members, index === 0))
    }
    // The rest may still appear as canceled, with its previous revision.
    return [members.map((member) => (byKey.has(memberKey(member)) ? separate(member) : member))]
  }

  function separate(member: DuplicateRecord): DuplicateRecord {
    if (member.state === 'separate') return member
    return { ...member, changedAt: Math.max(member.changedAt, now), state: 'separate' }
  }

  /** Returns true if only other records have had an entry so far. They keep their UID. */
  function isOfOthers(group: DuplicateGroup<Candidate>, keys: ReadonlySet<string>): boolean {
    const standing = group.filter(({ key }) => wasListed.has(key))
    return standing.length > 0 && standing.every(({ key }) => !keys.has(key))
  }

  function membersIn(
    group: DuplicateGroup<Candidate>,
    earlier: Members,
    inheritsRemoved: boolean,
  ): Members {
    // A record that returns after it was separate counts as the newest.
    const members = earlier.filter(
      (member) => member.state !== 'separate' || groupOf.get(memberKey(member)) !== group,
    )
    const kept = members.map((member): DuplicateRecord => {
      const candidate = byKey.get(memberKey(member))
      if (!candidate) return inheritsRemoved ? member : { ...member, state: 'separate' }
      if (groupOf.get(candidate.key) !== group) return separate(member)
      const joinedAt = member.state === 'listed' ? member.joinedAt : now
      return { ...member, subsetId: candidate.partId, joinedAt, state: 'listed' }
    })
    const keys = new Set(kept.map(memberKey))
    const added = group.filter(({ key }) => !keys.has(key))
    return [...kept, ...newMembers(added, group)]
  }

  /** Returns a group's new members. Records that readers already had come first. */
  function newMembers(added: readonly Candidate[], group = added): Members {
    const joinedAt = isStanding(group) ? now : undefined
    const rankOf = ({ key }: Candidate) => (wasListed.has(key) ? 0 : 1)
    return added
      .toSorted((a, b) => rankOf(a) - rankOf(b) || a.sourceIndex - b.sourceIndex)
      .map(({ resource, record: { id }, partId, known: { changedAt } }) => ({
        resource,
        id,
        subsetId: partId,
        changedAt,
        joinedAt,
        state: 'listed',
      }))
  }

  const continuing = before.groups.flatMap(continued)
  const others = merged.filter((group) => group.length > 1 && !taken.has(group))
  const unread = before.listed.filter((key) => !ledgers.has(resourceIn(key)))
  const added = others.map((group) => newMembers(group))
  return {
    groups: [...continuing, ...added].flatMap((members) => pruned(members, now)),
    listed: [...byKey.keys(), ...unread],
  }
}

function resourceIn(key: string): FeedResource {
  return key.slice(0, key.indexOf(' ')) as FeedResource
}

/** Drops members that affect neither the UID nor the revision, and groups with a single member. */
function pruned(members: Members, now: number): readonly Members[] {
  const listed = members.filter(({ state }) => state === 'listed')
  if (listed.length === 0) {
    const isNeeded = members.some(
      ({ state, changedAt }) => state === 'removed' && changedAt > now - removedKeptMs,
    )
    return isNeeded ? [members] : []
  }
  const lastListed = members.findLastIndex(({ state }) => state === 'listed')
  const earliest = Math.min(...listed.map(({ changedAt }) => changedAt))
  const needed = members.filter(
    ({ state, changedAt }, index) =>
      state === 'listed' ||
      (state === 'removed' && index < lastListed) ||
      changedAt > earliest ||
      // It may still appear as canceled in calendars without the listed entries.
      changedAt > now - removedKeptMs,
  )
  return needed.length > 1 ? [needed] : []
}

/** Merges a backup's history into the current one. The backup's groups keep their UIDs. */
export function mergedHistory(
  backup: DuplicateHistory,
  current: DuplicateHistory,
): DuplicateHistory {
  const changes = new Map(
    current.groups.flat().map((member) => [memberKey(member), member.changedAt]),
  )
  const restored = backup.groups.map((members) =>
    members.map((member) => ({
      ...member,
      changedAt: Math.max(member.changedAt, changes.get(memberKey(member)) ?? 0),
    })),
  )
  const known = new Set(restored.flat().map(memberKey))
  const others = current.groups.filter((members) =>
    members.every((member) => !known.has(memberKey(member))),
  )
  return {
    groups: [...restored, ...others],
    listed: [...new Set([...backup.listed, ...current.listed])],
  }
}
