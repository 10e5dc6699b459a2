import type { EntryTime } from './calendar-entry.ts'
import type { CalendarOptions } from './calendar-options.ts'
import {
  labelledEntry,
  type CalendarPart,
  type EntryLabel,
  type PartEntry,
  type PartRequest,
} from './calendar-part.ts'
import { withNote } from './change-notes.ts'
import { isWithin, windowOf } from './date-window.ts'
import { uidOf, type EntryOptions } from './entries.ts'
import { memberKey, type KnownOccasions, type OccasionMember } from './known-occasions.ts'
import { mergedEntry, type Occasion } from './merge-duplicates.ts'
import type { RenderedEvents } from './rendered-events.ts'
import type { SiteZone } from './site-zone.ts'
import { renderEvent } from './vevent.ts'

/** One source of a combined calendar, with the options for its entries. */
export type CalendarSection = {
  readonly part: CalendarPart
  readonly options: CalendarOptions
  /** Undefined if the calendar has only this source. */
  readonly label: EntryLabel | undefined
}

type SectionEntry = PartEntry & { readonly section: CalendarSection }

/** The entries for one occasion, with the UID and time for sorting. */
export type ShownOccasion = {
  readonly uid: string
  readonly time: EntryTime
  readonly entries: Occasion<SectionEntry>
  /** Latest change to entries that the occasion had before. Milliseconds since the epoch. */
  readonly changedAt: number
}

/** Selects the entries of all sections. Merges those of known occasions, if any. */
export function chosenOccasions(
  sections: readonly CalendarSection[],
  request: Omit<PartRequest, 'options'> & { readonly occasions: KnownOccasions },
) {
  const { occasions: known, today, idHost } = request
  const chosen = sections.map((section) => {
    // The period applies to occasions, so that it never separates their entries.
    const options = { ...section.options, pastDays: undefined, futureDays: undefined }
    const { entries, ...validity } = section.part.chosenFor({ ...request, options })
    return { entries: entries.map((entry): SectionEntry => ({ ...entry, section })), ...validity }
  })
  const merged = occasionsOf(
    chosen.flatMap(({ entries }) => entries),
    { sections, known, idHost },
  )
  return {
    occasions: merged.filter(({ entries }) =>
      entries.some(({ time, section: { options } }) => isWithin(time, windowOf(options, today))),
    ),
    validFrom: Math.max(...chosen.map(({ validFrom }) => validFrom)),
    validUntil: Math.min(...chosen.map(({ validUntil }) => validUntil)),
  }
}

/** Groups the entries of known occasions. Canceled ones are left out if others still take place. */
function occasionsOf(
  entries: readonly SectionEntry[],
  {
    sections,
    known,
    idHost,
  }: {
    readonly sections: readonly CalendarSection[]
    readonly known: KnownOccasions
    readonly idHost: string
  },
): readonly ShownOccasion[] {
  const isChosen = ({ resource, subsetId = 0 }: OccasionMember) =>
    sections.some(
      ({ part, options: { parts } }) =>
        isShared(part) &&
        part.resource === resource &&
        (parts.length === 0 || parts.includes(subsetId)),
    )
  const members = new Map(
    known.flatMap((occasion) => {
      const chosen = occasion.filter(isChosen)
      return chosen.flatMap((member) =>
        member.state === 'separate' ? [] : [[memberKey(member), chosen] as const],
      )
    }),
  )
  const membersOf = ({ section: { part }, record }: SectionEntry) =>
    isShared(part) ? members.get(memberKey({ resource: part.resource, id: record.id })) : undefined
  const groups = Map.groupBy(entries, (entry) => membersOf(entry) ?? entry)
  return [...groups].flatMap(([group, ofGroup]): readonly ShownOccasion[] => {
    const taking = ofGroup.filter(({ status }) => status !== 'cancelled')
    const [first, ...others] = taking.length > 0 ? taking : ofGroup
    if (!first) return []
    const former = 'uid' in group ? [] : group.filter(({ state }) => state !== 'listed')
    const senior = 'uid' in group ? undefined : group.find(({ state }) => state !== 'separate')
    return [
      {
        uid: senior ? uidOf(senior.resource, senior.id, idHost) : first.uid,
        time: first.time,
        entries: [first, ...others],
        changedAt: Math.max(0, ...former.map(({ changedAt }) => changedAt)),
      },
    ]
  })
}

/** Returns true for entries that are the same for every reader with a profile. */
function isShared({ variant }: CalendarPart): boolean {
  return variant === undefined
}

/** Renders occasions in their order. Only those that never had more than one entry are cached. */
export function renderOccasions(
  occasions: readonly ShownOccasion[],
  context: {
    readonly rendered: RenderedEvents
    readonly zone: SiteZone
    /** Everything besides the section that affects how an entry looks. */
    readonly variant: readonly unknown[]
    readonly entryOptions: (section: CalendarSection) => EntryOptions
  },
): readonly Buffer[] {
  const { rendered, zone, variant, entryOptions } = context
  const bytes = new Map<SectionEntry, Buffer>()
  const single = occasions.flatMap((occasion) => (isPlain(occasion) ? occasion.entries : []))
  for (const [section, entries] of Map.groupBy(single, (entry) => entry.section)) {
    const { part, options, label } = section
    const making = entryOptions(section)
    const name = JSON.stringify([part.resource, part.variant, options, label, ...variant])
    const made = rendered.of(name, entries, (entry) => {
      const plain = withNote(entry.entryFor(making), entry.note)
      const shown = label ? labelledEntry(plain, label, [label.category]) : plain
      return renderEvent(shown, { zone, alarmMinutes: options.alarmMinutes })
    })
    for (const [index, entry] of entries.entries()) {
      const written = made[index]
      if (written) bytes.set(entry, written)
    }
  }
  return occasions.map(
    (occasion) => bytes.get(occasion.entries[0]) ?? renderMerged(occasion, { zone, entryOptions }),
  )
}

/** Returns true for an occasion that never had more than one entry. */
function isPlain({ uid, entries: [first, ...others], changedAt }: ShownOccasion): boolean {
  return others.length === 0 && first.uid === uid && changedAt === 0
}

function renderMerged(
  { entries, ...identity }: ShownOccasion,
  {
    zone,
    entryOptions,
  }: {
    readonly zone: SiteZone
    readonly entryOptions: (section: CalendarSection) => EntryOptions
  },
): Buffer {
  const entryOf = (entry: SectionEntry) => entry.entryFor(entryOptions(entry.section))
  const [first, ...others] = entries
  // A note does not count as a description, which the other entries may have.
  const note = entries.find((entry) => entry.note !== undefined)?.note
  const merged = withNote(mergedEntry([entryOf(first), ...others.map(entryOf)], identity), note)
  const { label } = first.section
  const categories = entries.flatMap(({ section }) => section.label?.category ?? [])
  const minutes = entries.flatMap(({ section }) => section.options.alarmMinutes)
  return renderEvent(label ? labelledEntry(merged, label, categories) : merged, {
    zone,
    alarmMinutes: [...new Set(minutes)].sort((a, b) => a - b),
  })
}
