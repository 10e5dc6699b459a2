import type { FeedResource } from '../records/resources.ts'
import type { CalendarEntry, EntryText, EntryTime } from './calendar-entry.ts'
import type { CalendarOptions } from './calendar-options.ts'
import { searchedTexts, type SearchedTexts } from './entry-search.ts'
import { formerEntries, type FormerEntry } from './former-entries.ts'
import { entryFrom, type EntryContext } from './entries.ts'
import { uidOf, type EntryRecipe, type Reader } from './entry-recipe.ts'
import { withChangeNotes } from './reported-changes.ts'
import {
  chosenRecords,
  type CalendarSource,
  type KnownRecord,
  type RecordsRequest,
  type ShownRecord,
} from './shown-records.ts'

export type SectionSettings = {
  readonly options: CalendarOptions
  /** Undefined if the calendar has only this section. */
  readonly label: EntryLabel | undefined
}

/** One resource's records in a calendar. Only `calendarSection` knows the type of the records. */
export type CalendarSection = SectionSettings & {
  readonly resource: FeedResource
  /** Set if readers with the same profile can get different entries. */
  readonly variant: string | undefined
  /** When the records last changed. Milliseconds since the epoch. */
  readonly changedAt: number
  /** Returns the entries that match the options, on all days, and when they change. */
  readonly entriesFor: (request: RecordsRequest & { readonly idHost: string }) => {
    readonly entries: readonly SectionEntry[]
    readonly changesAt: readonly number[]
  }
  readonly formerEntries: () => readonly FormerEntry[]
}

/** Distinguishes one source's entries from the others in a combined calendar. */
export type EntryLabel = {
  readonly category: string
  /** Start of each title, such as `Rental:`. */
  readonly prefix: string | undefined
  readonly color: string | undefined
}

/** An entry's record, time and text. */
export type RecordEntry = KnownRecord<FeedResource> & {
  readonly time: EntryTime
  readonly partId: number | undefined
  readonly textFor: (reader: Reader) => EntryText
}

export type SectionEntry = ShownRecord<FeedResource> &
  RecordEntry & {
    readonly section: CalendarSection
    readonly uid: string
    readonly searchedTexts: () => SearchedTexts
    readonly entryFor: (context: EntryContext) => CalendarEntry
  }

export function calendarSection<R extends FeedResource>(
  recipe: EntryRecipe<R>,
  source: CalendarSource<R>,
  { options, label }: SectionSettings,
): CalendarSection {
  const section: CalendarSection = {
    resource: recipe.resource,
    variant: recipe.variant,
    changedAt: source.changedAt,
    options,
    label,
    entriesFor(request) {
      const { chosen, changesAt } = chosenRecords(recipe, source, { ...request, options })
      const { noted, changesAt: noteChangesAt } =
        options.changes === 'note'
          ? withChangeNotes(recipe, chosen, request)
          : { noted: chosen, changesAt: [] }
      const textsFor = searchedTexts(recipe, request)
      return {
        entries: noted.map((shown) => ({
          ...shown,
          section,
          uid: uidOf(recipe.uidPrefix ?? recipe.resource, shown.record.id, request.idHost),
          partId: recipe.partOf?.(shown.record)?.id,
          searchedTexts: () => textsFor(shown),
          textFor: (reader) => recipe.textFor(shown.record, reader),
          entryFor: (context) => entryFrom(recipe, shown, context, options.busy),
        })),
        changesAt: [...changesAt, ...noteChangesAt],
      }
    },
    formerEntries: () => formerEntries(recipe, source.ledger),
  }
  return section
}
