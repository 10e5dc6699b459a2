import type { EntryTime } from './calendar-entry.ts'
import type { CalendarOptions } from './calendar-options.ts'
import {
  labelledEntry,
  type CalendarPart,
  type EntryLabel,
  type PartEntry,
} from './calendar-part.ts'
import { withNote } from './change-notes.ts'
import type { EntryOptions } from './entries.ts'
import { mergedEntry, type DuplicateGroup } from './merge-duplicates.ts'
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

export type SectionEntry = PartEntry & { readonly section: CalendarSection }

/** The entries for one group, with the UID and time for sorting. */
export type ShownGroup = {
  readonly uid: string
  readonly time: EntryTime
  readonly entries: DuplicateGroup<SectionEntry>
  /** Latest change to entries that the group had before. Milliseconds since the epoch. */
  readonly changedAt: number
}

/** Renders groups in order. Caches only groups that have never had more than one entry. */
export function renderGroups(
  groups: readonly ShownGroup[],
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
  const single = groups.flatMap((group) => (isPlain(group) ? group.entries : []))
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
  return groups.map(
    (group) => bytes.get(group.entries[0]) ?? renderMerged(group, { zone, entryOptions }),
  )
}

/** Returns true for a group that never had more than one entry. */
function isPlain({ uid, entries: [first, ...others], changedAt }: ShownGroup): boolean {
  return others.length === 0 && first.uid === uid && changedAt === 0
}

function renderMerged(
  { entries, ...identity }: ShownGroup,
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
