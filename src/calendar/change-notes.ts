import type { FeedResource } from '../records/resources.ts'
import type { EntryRecipe } from './entry-recipe.ts'
import { changeNote } from './reported-changes.ts'
import type { ShownRecord } from './shown-records.ts'

/** How long the latest change is shown at the start of an entry's description. */
const noteShownMs = 3 * 24 * 60 * 60 * 1000

/**
 * Adds notes about recent changes to records. An entry whose note has disappeared counts as
 * changed, because some apps ignore entries without a new revision. This also applies to entries
 * that had no note, so that revisions never decrease.
 */
export function withChangeNotes<R extends FeedResource>(
  recipe: EntryRecipe<R>,
  records: readonly ShownRecord<R>[],
  { now, timeZone }: { readonly now: number; readonly timeZone: string },
) {
  const changesAt: number[] = []
  const noted = records.map((shown): ShownRecord<R> => {
    const { known, status } = shown
    if (known.revision === 0 || status === 'cancelled') return shown
    const note = changeNote(recipe, known, timeZone)
    const ends = [known.changedAt, ...(note ? [note.at] : [])].map((at) => at + noteShownMs)
    changesAt.push(...ends)
    const changedAt = Math.max(known.changedAt, ...ends.filter((end) => end <= now))
    if (!note || note.at + noteShownMs <= now) return { ...shown, known: { ...known, changedAt } }
    const hash = `${known.hash} ${note.text}`
    return { ...shown, known: { ...known, changedAt, hash }, note: note.text }
  })
  return { noted, changesAt }
}
