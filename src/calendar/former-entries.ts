import { defaultLanguage } from '../records/language.ts'
import type { ChangeHistory } from '../records/recorded-change.ts'
import type { EntryTime } from './calendar-entry.ts'
import { shownEntry } from './change-in-words.ts'
import type { ChangeTitles } from './entry-recipe.ts'

/** An entry as it was before a recorded change. Times are in milliseconds since the epoch. */
export type FormerEntry = {
  readonly id: number
  readonly partId: number | undefined
  readonly time: EntryTime
  /** The title in English. */
  readonly title: string
  readonly place: string
  readonly firstSeenAt: number
  /** When the website first showed it. Undefined if that was before the first reading. */
  readonly appearedAt?: number | undefined
  /** When the entry changed. */
  readonly until: number
  /** True if the website stopped showing the record, and has not shown it again. */
  readonly isRemoved: boolean
}

/** Returns the former versions of entries, as far back as changes are recorded. */
export function formerEntries(
  { titleInChanges }: ChangeTitles,
  ledger: ReadonlyMap<number, ChangeHistory>,
): readonly FormerEntry[] {
  return [...ledger].flatMap(([id, { firstSeenAt, appearedAt, changes = [] }]) =>
    changes.flatMap(({ before, after, at: until }, index): readonly FormerEntry[] => {
      if (!before) return []
      const { title, place, part, time } = shownEntry(before, titleInChanges, defaultLanguage)
      const isRemoved = after === undefined && index === changes.length - 1
      const entry = { id, partId: part, time, title, place, until, isRemoved }
      return [{ ...entry, firstSeenAt, appearedAt }]
    }),
  )
}
