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
import type { EntryOptions } from './entries.ts'
import type { Reader } from './entry-recipe.ts'
import { mergedEntry, mergeDuplicates, type Occasion } from './merge-duplicates.ts'
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
}

/** Selects the entries of all sections, and merges duplicates if wanted. */
export function chosenOccasions(
  sections: readonly CalendarSection[],
  request: Omit<PartRequest, 'options'> & {
    readonly reader: Reader
    readonly mergesDuplicates: boolean
  },
) {
  const { reader, mergesDuplicates } = request
  const chosen = sections.map((section, sourceIndex) => {
    const { entries, ...validity } = section.part.chosenFor({
      ...request,
      options: section.options,
    })
    const candidates = entries.map((entry) => ({
      ...entry,
      section,
      sourceIndex,
      text: () => entry.textFor(reader),
    }))
    return { candidates, ...validity }
  })
  const all = chosen.flatMap(({ candidates }) => candidates)
  const groups: readonly Occasion<SectionEntry>[] = mergesDuplicates
    ? mergeDuplicates(all)
    : all.map((entry): Occasion<SectionEntry> => [entry])
  return {
    occasions: groups.map((entries): ShownOccasion => {
      const [{ uid, time }] = entries
      return { uid, time, entries }
    }),
    validFrom: Math.max(...chosen.map(({ validFrom }) => validFrom)),
    validUntil: Math.min(...chosen.map(({ validUntil }) => validUntil)),
  }
}

/** Renders occasions in their order. Only entries that are not merged with others are cached. */
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
  const single = occasions.flatMap(({ entries }) => (entries.length === 1 ? entries : []))
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
    ({ entries }) => bytes.get(entries[0]) ?? renderMerged(entries, { zone, entryOptions }),
  )
}

function renderMerged(
  entries: Occasion<SectionEntry>,
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
  const merged = withNote(mergedEntry([entryOf(first), ...others.map(entryOf)]), note)
  const { label } = first.section
  const categories = entries.flatMap(({ section }) => section.label?.category ?? [])
  const minutes = entries.flatMap(({ section }) => section.options.alarmMinutes)
  return renderEvent(label ? labelledEntry(merged, label, categories) : merged, {
    zone,
    alarmMinutes: [...new Set(minutes)].sort((a, b) => a - b),
  })
}
