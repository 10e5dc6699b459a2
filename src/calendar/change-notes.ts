import type { FeedResource } from '../records/resources.ts'
import type { CalendarEntry } from './calendar-entry.ts'
import type { CalendarOptions } from './calendar-options.ts'
import type { TimedRecord } from './entries.ts'
import type { EntryRecipe } from './entry-recipe.ts'
import { paragraphs } from './entry-text.ts'
import { changeNote } from './reported-changes.ts'

/** How long an entry's description starts with its latest change. */
const noteShownMs = 3 * 24 * 60 * 60 * 1000

/** A record, with the change that its entry's description starts with. */
export type NotedRecord<R extends FeedResource> = TimedRecord<R> & { readonly note?: string }

export type NotedRecords<R extends FeedResource> = {
  readonly noted: readonly NotedRecord<R>[]
  /** Period during which no note disappears. */
  readonly validFrom: number
  readonly validUntil: number
}

/**
 * Adds notes about recent changes to records, if the calendar has them. An entry whose note has disappeared counts as changed,
 * because some apps ignore entries without a new revision. To never decrease a revision, this also
 * applies to entries that had no note.
 */
export function withChangeNotes<R extends FeedResource>(
  recipe: EntryRecipe<R>,
  records: readonly TimedRecord<R>[],
  request: {
    readonly options: CalendarOptions
    readonly now: number
    readonly timeZone: string
  },
): NotedRecords<R> {
  const { options, now, timeZone } = request
  if (options.changes === 'none') {
    return { noted: records, validFrom: -Infinity, validUntil: Infinity }
  }
  const ends: number[] = []
  const noted = records.map((timed): NotedRecord<R> => {
    const { known, status } = timed
    if (known.revision === 0 || status === 'cancelled') return timed
    const note = changeNote(recipe, known, timeZone)
    const ownEnds = [known.changedAt, ...(note ? [note.at] : [])].map((at) => at + noteShownMs)
    ends.push(...ownEnds)
    const changedAt = Math.max(known.changedAt, ...ownEnds.filter((end) => end <= now))
    if (!note || note.at + noteShownMs <= now) return { ...timed, known: { ...known, changedAt } }
    const hash = `${known.hash} ${note.text}`
    return { ...timed, known: { ...known, changedAt, hash }, note: note.text }
  })
  return {
    noted,
    validFrom: ends.reduce((last, end) => (end <= now ? Math.max(last, end) : last), -Infinity),
    validUntil: ends.reduce((next, end) => (end > now ? Math.min(next, end) : next), Infinity),
  }
}

/** Returns an entry whose description starts with the note. */
export function withNote(entry: CalendarEntry, note: string | undefined): CalendarEntry {
  return note === undefined
    ? entry
    : { ...entry, description: paragraphs(`${note}.`, entry.description) }
}
