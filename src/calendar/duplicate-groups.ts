import { defaultLanguage } from '../records/language.ts'
import type { Profile } from '../records/profile.ts'
import { inSteps, type Steps } from '../steps.ts'
import type { FeedResource } from '../records/resources.ts'
import type { EntryTime } from './calendar-entry.ts'
import type { RecordEntry } from './calendar-section.ts'
import type { Reader } from './entry-recipe.ts'
import type { FormerEntry } from './former-entries.ts'
import {
  areDuplicates,
  maxAtSameTime,
  mergeDuplicates,
  type Candidate,
} from './merge-duplicates.ts'

type RecordKey = { readonly resource: FeedResource; readonly id: number }

/**
 * A record that describes the same event as others, or used to. Times are in milliseconds since the
 * epoch.
 */
export type DuplicateRecord = RecordKey & {
  readonly partId: number | undefined
  /** Time of the record's last known change, or when it left the group. */
  readonly changedAt: number
  /** `separate` if the record still exists but now describes another event. */
  readonly state: 'listed' | 'removed' | 'separate'
}

/**
 * Groups of records that describe the same event, each with at most one listed record per resource.
 * The first member that is not separate gives the group its UID.
 */
export type DuplicateGroups = readonly (readonly DuplicateRecord[])[]

export type DuplicateSource = {
  readonly resource: FeedResource
  readonly entries: readonly RecordEntry[]
  readonly former: readonly FormerEntry[]
}

/**
 * Records that were first seen within this time are sorted in catalog order, because the first
 * reading of all resources takes a while.
 */
const firstSeenStepMs = 60 * 60 * 1000

type Member = Candidate &
  DuplicateRecord & {
    readonly firstSeenAt: number
    /** Position of the resource in the catalog. */
    readonly order: number
    /** When the record left the group, or Infinity if it is listed. */
    readonly until: number
  }

export function memberKey({ resource, id }: RecordKey): string {
  return `${resource} ${id}`
}

/**
 * Groups the records of several resources. Former versions of records come from the recorded
 * changes, so every replica finds the same groups, and a group keeps its UID for as long as the
 * ledger knows the record that gave it. The reader's language does not affect the groups.
 */
export function* duplicateGroups(
  sources: readonly DuplicateSource[],
  reader: Omit<Reader, 'language'>,
): Steps<DuplicateGroups> {
  const listed = sources.flatMap((source, index) => listedMembers(source, index, reader))
  const keys = new Set(listed.map(memberKey))
  const former = sources.flatMap((source, index) => formerMembers(source, index, reader))
  const versions = Map.groupBy([...former, ...listed], memberKey)
  const wereTogether = (a: Member, b: Member) => describedSameEvent(a, b, versions)
  const byStart = Map.groupBy([...former, ...listed], ({ time }) => time.start)
  const separateAt = ({ start }: EntryTime) => {
    const members = byStart.get(start) ?? []
    return members.length > maxAtSameTime ? [] : members.filter(({ state }) => state === 'separate')
  }
  const last = former.filter((member) => member.state === 'removed' && !keys.has(memberKey(member)))
  const latest = new Map([...listed, ...last].map((member) => [memberKey(member), member]))
  // A removed record may be in a group with a listed record that has replaced it.
  const removed = yield* inSteps(last, (member) => {
    const atSameTime = separateAt(member.time)
    // If a record that described the same event has changed since, the event keeps its UID.
    const remaining = atSameTime.find(
      (other) => other.until > member.until && wereTogether(member, other),
    )
    const { time, text } = (remaining && latest.get(memberKey(remaining))) ?? member
    return { ...member, time, text, sourceIndex: member.sourceIndex + sources.length }
  })
  const merged = yield* mergeDuplicates([...listed, ...removed])
  const groups = yield* inSteps(merged, (group) => {
    const members = group.filter((member) => group.some((other) => wereTogether(member, other)))
    const together = members.length > 0 ? members : group.slice(0, 1)
    const separate = separateAt(group[0].time).filter(
      (member) =>
        together.every((other) => memberKey(other) !== memberKey(member)) &&
        together.some((other) => wereTogether(member, other)) &&
        together.every((other) => areDuplicates(member, other)),
    )
    const all = [...together.toSorted(byAge), ...separate]
    return new Set(all.map(({ resource }) => resource)).size > 1 ? [all.map(recordOf)] : []
  })
  return groups.flat()
}

/**
 * Returns true if records of two resources described the same event when the first of them was
 * removed or changed. `versions` has the versions of each record, the oldest first.
 */
function describedSameEvent(
  a: Member,
  b: Member,
  versions: ReadonlyMap<string, readonly Member[]>,
): boolean {
  if (a.resource === b.resource) return false
  const end = Math.min(a.until, b.until)
  const versionOf = (member: Member) =>
    versions.get(memberKey(member))?.find(({ until }) => until >= end) ?? member
  const [first, second] = [versionOf(a), versionOf(b)]
  return (
    Math.max(a.firstSeenAt, b.firstSeenAt) < end &&
    first.time.start === second.time.start &&
    areDuplicates(first, second)
  )
}

function byAge(a: Member, b: Member): number {
  const stepOf = ({ firstSeenAt }: Member) => Math.floor(firstSeenAt / firstSeenStepMs)
  return stepOf(a) - stepOf(b) || a.order - b.order || a.id - b.id
}

function recordOf({ resource, id, partId, changedAt, state }: Member): DuplicateRecord {
  return { resource, id, partId, changedAt, state }
}

/** Returns when readers with a profile first saw a record, which may have been a draft before. */
function firstSeenBy(
  profile: Profile,
  { firstSeenAt, appearedAt = firstSeenAt }: Pick<FormerEntry, 'firstSeenAt' | 'appearedAt'>,
): number {
  return profile === 'full' ? firstSeenAt : appearedAt
}

function listedMembers(
  { resource, entries }: DuplicateSource,
  sourceIndex: number,
  reader: Omit<Reader, 'language'>,
): readonly Member[] {
  return entries.map(({ record, time, partId, textFor, known }) => ({
    resource,
    sourceIndex,
    order: sourceIndex,
    record,
    id: record.id,
    partId,
    time,
    text: () => textFor({ ...reader, language: defaultLanguage }),
    firstSeenAt: firstSeenBy(reader.profile, known),
    until: Infinity,
    changedAt: known.changedAt,
    state: 'listed',
  }))
}

function formerMembers(
  { resource, former }: DuplicateSource,
  sourceIndex: number,
  { profile }: Omit<Reader, 'language'>,
): readonly Member[] {
  return former.map((entry) => {
    const { id, partId, time, isRemoved, until, title, place } = entry
    return {
      resource,
      sourceIndex,
      order: sourceIndex,
      record: { id },
      id,
      partId,
      time,
      text: () => ({ summary: title, location: place }),
      firstSeenAt: firstSeenBy(profile, entry),
      until,
      changedAt: until,
      state: isRemoved ? 'removed' : 'separate',
    }
  })
}
