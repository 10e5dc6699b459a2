import type { CalendarPart, PartRequest } from './calendar-part.ts'
import { isWithin, windowOf } from './date-window.ts'
import { uidOf } from './entries.ts'
import { memberKey, type DuplicateGroups, type DuplicateRecord } from './duplicate-history.ts'
import type { CalendarSection, SectionEntry, ShownGroup } from './shown-groups.ts'

/** Selects the entries of all sections, and groups duplicates if wanted. */
export function chosenGroups(
  sections: readonly CalendarSection[],
  request: Omit<PartRequest, 'options'> & {
    /** Undefined if entries are not merged. */
    readonly duplicates: DuplicateGroups | undefined
  },
) {
  const { today } = request
  const chosen = sections.map((section) => {
    // Filters by date per group, so that duplicates stay together.
    const options = { ...section.options, pastDays: undefined, futureDays: undefined }
    const { entries, ...validity } = section.part.chosenFor({ ...request, options })
    return { entries: entries.map((entry): SectionEntry => ({ ...entry, section })), ...validity }
  })
  const entries = chosen.flatMap((section) => section.entries)
  const merged = request.duplicates
    ? groupsOf(entries, { ...request, sections, known: request.duplicates })
    : entries.map(singleGroup)
  return {
    groups: merged.filter(({ entries }) =>
      entries.some(({ time, section: { options } }) => isWithin(time, windowOf(options, today))),
    ),
    validFrom: Math.max(...chosen.map(({ validFrom }) => validFrom)),
    validUntil: Math.min(...chosen.map(({ validUntil }) => validUntil)),
  }
}

function singleGroup(entry: SectionEntry): ShownGroup {
  return { uid: entry.uid, time: entry.time, entries: [entry], changedAt: 0 }
}

/** Groups duplicates. Canceled ones are left out if others still take place. */
function groupsOf(
  entries: readonly SectionEntry[],
  {
    sections,
    known,
    idHost,
  }: {
    readonly sections: readonly CalendarSection[]
    readonly known: DuplicateGroups
    readonly idHost: string
  },
): readonly ShownGroup[] {
  const membersOf = membersIn(known, sections)
  const groups = Map.groupBy(entries, (entry) => membersOf(entry) ?? entry)
  return [...groups].flatMap(([members, grouped]): readonly ShownGroup[] => {
    if ('uid' in members) return [singleGroup(members)]
    const taking = grouped.filter(({ status }) => status !== 'cancelled')
    const [first, ...others] = taking.length > 0 ? taking : grouped
    const oldest = members.chosen.find(({ state }) => state !== 'separate')
    if (!first || !oldest) return []
    return [
      {
        uid: uidOf(oldest.resource, oldest.id, idHost),
        time: first.time,
        entries: [first, ...others],
        changedAt: lastChangeOf(members),
      },
    ]
  })
}

/** Returns the time of the last change that the entries shown do not know about. */
function lastChangeOf({ all, chosen }: GroupMembers): number {
  const others = all.filter((member) => member.state !== 'listed' || !chosen.includes(member))
  const times = others.map(({ changedAt }) => changedAt)
  return Math.max(0, ...times, ...all.map(({ joinedAt = 0 }) => joinedAt))
}

type GroupMembers = {
  /** Members of the group that the reader may see. */
  readonly all: readonly DuplicateRecord[]
  /** Those in the chosen calendars and rental types. */
  readonly chosen: readonly DuplicateRecord[]
}

/** Returns a function that finds the members of the group that an entry describes. */
function membersIn(
  known: DuplicateGroups,
  sections: readonly CalendarSection[],
): (entry: SectionEntry) => GroupMembers | undefined {
  const shared = sections.filter(({ part }) => isShared(part))
  const sectionOf = new Map(shared.map((section) => [section.part.resource, section]))
  const byKey = new Map<string, GroupMembers>()
  for (const group of known) {
    const all = group.filter(({ resource }) => sectionOf.has(resource))
    const chosen = all.filter(({ resource, subsetId = 0 }) => {
      const parts = sectionOf.get(resource)?.options.parts ?? []
      return parts.length === 0 || parts.includes(subsetId)
    })
    if (all.length < 2) continue
    const members = { all, chosen }
    for (const member of chosen) {
      if (member.state !== 'separate') byKey.set(memberKey(member), members)
    }
  }
  return ({ section: { part }, record }) =>
    isShared(part) ? byKey.get(memberKey({ resource: part.resource, id: record.id })) : undefined
}

/** Returns true for entries that are the same for every reader with a profile. */
function isShared({ variant }: CalendarPart): boolean {
  return variant === undefined
}
