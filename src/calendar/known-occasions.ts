import type { ChangeHistory } from '../records/change-history.ts'
import type { FeedResource } from '../records/resources.ts'
import type { PartEntry } from './calendar-part.ts'
import { mergeDuplicates, type Occasion } from './merge-duplicates.ts'

const hourMs = 60 * 60 * 1000

/** Occasions whose records are all removed are kept for as long as the history of the records. */
const removedKeptMs = 90 * 24 * hourMs

/** A record that describes an occasion, or used to. */
export type OccasionMember = {
  readonly resource: FeedResource
  readonly id: number
  /** Id of the record's calendar or rental type, if the resource has any. */
  readonly subsetId?: number | undefined
  /** Time of the record's last known change, in milliseconds since the epoch. */
  readonly changedAt: number
  /** `separate` if the record still exists, but describes another occasion now. */
  readonly state: 'listed' | 'removed' | 'separate'
}

/**
 * Occasions that records of several resources describe, with the members of each in the order in which
 * they became known. The first member that is not separate gives the occasion its UID.
 */
export type KnownOccasions = readonly (readonly OccasionMember[])[]

/** The current entries of a resource, with the history of all its records. */
export type OccasionSource = {
  readonly resource: FeedResource
  readonly entries: readonly PartEntry[]
  readonly ledger: ReadonlyMap<number, Pick<ChangeHistory, 'changedAt'>>
}

type Candidate = PartEntry & {
  readonly key: string
  readonly resource: FeedResource
  readonly sourceIndex: number
  readonly text: () => { readonly summary: string; readonly location: string }
}

type Members = readonly OccasionMember[]

/** Returns the key of a member in maps. */
export function memberKey({ resource, id }: Pick<OccasionMember, 'resource' | 'id'>): string {
  return `${resource} ${id}`
}

/**
 * Returns the occasions after records have changed. Members of a resource without a source stay as they
 * are. `now` is in milliseconds since the epoch.
 */
export function occasionsAfter(
  before: KnownOccasions,
  sources: readonly OccasionSource[],
  textOf: (entry: PartEntry) => ReturnType<Candidate['text']>,
  now: number,
): KnownOccasions {
  const candidates = sources.flatMap(({ resource, entries }, sourceIndex) =>
    entries.map((entry): Candidate => {
      const key = memberKey({ resource, id: entry.record.id })
      return { ...entry, key, resource, sourceIndex, text: () => textOf(entry) }
    }),
  )
  const merged = mergeDuplicates(candidates)
  const occasionOf = new Map(
    merged.flatMap((occasion) => occasion.map(({ key }) => [key, occasion] as const)),
  )
  const ledgers = new Map(sources.map(({ resource, ledger }) => [resource, ledger]))
  const taken = new Set<Occasion<Candidate>>()

  function updated(member: OccasionMember): OccasionMember {
    const { resource, id, state } = member
    const ledger = ledgers.get(resource)
    if (!ledger) return member
    const changedAt = Math.max(member.changedAt, ledger.get(id)?.changedAt ?? 0)
    const isListed = occasionOf.has(memberKey(member))
    return { ...member, changedAt, state: isListed || state === 'separate' ? state : 'removed' }
  }

  /** Returns the occasions that an earlier one has become. */
  function continued(earlier: Members): readonly Members[] {
    const members = earlier.map(updated)
    const current = new Set(
      members.flatMap((member) => {
        const occasion = occasionOf.get(memberKey(member))
        return occasion && member.state !== 'separate' ? [occasion] : []
      }),
    )
    if (current.size === 0) return [members]
    const open = [...current].filter((occasion) => !taken.has(occasion))
    for (const occasion of open) taken.add(occasion)
    return open.map((occasion, index) => membersIn(occasion, members, index === 0))
  }

  function membersIn(
    occasion: Occasion<Candidate>,
    members: Members,
    inheritsRemoved: boolean,
  ): Members {
    const kept = members.flatMap((member): Members => {
      const own = occasionOf.get(memberKey(member))
      if (own === occasion) return [{ ...member, state: 'listed' }]
      if (own) return [{ ...member, state: 'separate' }]
      return inheritsRemoved || member.state === 'separate' ? [member] : []
    })
    const known = new Set(members.map(memberKey))
    return [...kept, ...newMembers(occasion.filter(({ key }) => !known.has(key)))]
  }

  const continuing = before.flatMap(continued)
  const others = merged.filter((occasion) => occasion.length > 1 && !taken.has(occasion))
  return [...continuing, ...others.map(newMembers)].flatMap((members) => pruned(members, now))
}

/**
 * Returns records as members, the longest known first. Records that became known within the same hour
 * are in the order of their sources, because the first reading of all sources takes a while.
 */
function newMembers(candidates: readonly Candidate[]): Members {
  const hourOf = ({ known: { firstSeenAt } }: Candidate) => Math.floor(firstSeenAt / hourMs)
  return candidates
    .toSorted((a, b) => hourOf(a) - hourOf(b) || a.sourceIndex - b.sourceIndex)
    .map(({ resource, record: { id }, subsetId, known: { changedAt } }) => ({
      resource,
      id,
      ...(subsetId === undefined ? {} : { subsetId }),
      changedAt,
      state: 'listed',
    }))
}

/** Drops members that affect neither the UID nor the revision, and occasions with a single member. */
function pruned(members: Members, now: number): readonly Members[] {
  const listed = members.filter(({ state }) => state === 'listed')
  if (listed.length === 0) {
    return members.some(({ changedAt }) => changedAt > now - removedKeptMs) ? [members] : []
  }
  const lastListed = members.findLastIndex(({ state }) => state === 'listed')
  const earliest = Math.min(...listed.map(({ changedAt }) => changedAt))
  const needed = members.filter(
    ({ state, changedAt }, index) =>
      state === 'listed' || (state === 'removed' && index < lastListed) || changedAt > earliest,
  )
  return needed.length > 1 ? [needed] : []
}
