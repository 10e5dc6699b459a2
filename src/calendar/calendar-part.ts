import type { Profile } from '../records/profile.ts'
import type { FeedResource } from '../records/resources.ts'
import type { SiteDate } from '../records/site-time.ts'
import type { CalendarEntry, EntryText } from './calendar-entry.ts'
import type { CalendarOptions } from './calendar-options.ts'
import { withChangeNotes } from './change-notes.ts'
import { chosenRecords } from './chosen-records.ts'
import { cancelledPrefix, entryFrom, type EntryOptions, type TimedRecord } from './entries.ts'
import type { EntryRecipe, Reader } from './entry-recipe.ts'
import type { CalendarSource } from './shown-records.ts'

/** One resource's records in a calendar. Only the function that creates it knows the resource. */
export type CalendarPart = {
  readonly resource: FeedResource
  /** Part of the cache key of the rendered entries, besides the resource. */
  readonly variant: string | undefined
  /** When the records last changed. Milliseconds since the epoch. */
  readonly changedAt: number
  /** Returns the entries that match the options, and the period during which none expires. */
  readonly chosenFor: (request: PartRequest) => {
    readonly entries: readonly PartEntry[]
    readonly validFrom: number
    readonly validUntil: number
  }
}

export type PartRequest = {
  readonly options: CalendarOptions
  readonly profile: Profile
  readonly now: number
  readonly today: SiteDate
  readonly idHost: string
  readonly timeZone: string
}

/** An entry whose text has not been computed yet. */
export type PartEntry = TimedRecord<FeedResource> & {
  /** Id of the record's calendar or rental type, if the resource has any. */
  readonly subsetId: number | undefined
  /** What has changed, if the description of the entry starts with it. */
  readonly note?: string
  readonly textFor: (reader: Reader) => EntryText
  /** Returns the entry without its note. */
  readonly entryFor: (options: EntryOptions) => CalendarEntry
}

export function calendarPart<R extends FeedResource>(
  recipe: EntryRecipe<R>,
  source: CalendarSource<R>,
): CalendarPart {
  return {
    resource: recipe.resource,
    variant: recipe.variant,
    changedAt: source.changedAt,
    chosenFor(request) {
      const { chosen, ...validity } = chosenRecords(recipe, source, request)
      const { noted, ...noteValidity } = withChangeNotes(recipe, chosen, request)
      const entries = noted.map((timed) => ({
        ...timed,
        subsetId: recipe.subsetOf?.(timed.record)?.id,
        textFor: (reader: Reader) => recipe.textFor(timed.record, reader),
        entryFor: (options: EntryOptions) => entryFrom(recipe, timed, options),
      }))
      return {
        entries,
        validFrom: Math.max(validity.validFrom, noteValidity.validFrom),
        validUntil: Math.min(validity.validUntil, noteValidity.validUntil),
      }
    },
  }
}

/** Properties that tell the entries of one source from those of others in a combined calendar. */
export type EntryLabel = {
  readonly category: string
  /** Start of each title, such as `Rental:`. */
  readonly prefix: string | undefined
  /** Name of a CSS color. */
  readonly color: string | undefined
}

/** Adds a label to an entry. A title that already starts with the prefix stays as it is. */
export function labelledEntry(
  entry: CalendarEntry,
  { prefix, color }: EntryLabel,
  categories: readonly string[],
): CalendarEntry {
  return {
    ...entry,
    summary: prefix === undefined ? entry.summary : withPrefix(entry, prefix),
    categories: [...new Set([...categories, ...entry.categories])],
    color,
  }
}

function withPrefix({ summary, status }: CalendarEntry, prefix: string): string {
  const start = status === 'cancelled' ? cancelledPrefix : ''
  const title = summary.slice(start.length)
  const isPrefixed = title.toLowerCase().startsWith(prefix.toLowerCase())
  return isPrefixed ? summary : `${start}${prefix} ${title}`
}
