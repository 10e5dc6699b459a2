import type { EntryRecipe } from '../calendar/entry-recipe.ts'
import type { ReportedChange } from '../calendar/reported-changes.ts'
import { upcomingEntries } from '../calendar/upcoming.ts'
import type { FeedResource } from '../records/resources.ts'
import type { FeedSource, PageContext } from './feed.ts'
import type { EventDetails } from './item-page.ts'

/** Number of entries after this one that its page lists. */
const nextShown = 3

/** Number of recent changes that a page describes. */
const changesShown = 3

/** Returns the changing facts on an entry's page, and when they become outdated. */
export function eventDetails<R extends FeedResource>(
  recipe: EntryRecipe<R>,
  source: FeedSource<R>,
  {
    id,
    changes,
    context: { site, profile, now },
  }: {
    readonly id: number
    /** Changes to all entries. */
    readonly changes: readonly ReportedChange[]
    readonly context: PageContext
  },
): Pick<EventDetails, 'changes' | 'next'> & { readonly validUntil: number } {
  const { entries, validUntil } = upcomingEntries(recipe, source, {
    reader: { profile, siteUrl: site.url },
    timeZone: site.timeZone,
    now,
    most: nextShown + 1,
  })
  const recent = changes
    .filter((change) => change.recordId === id && isDescribed(change) && change.expiresAt > now)
    .toSorted((a, b) => b.at - a.at)
    .slice(0, changesShown)
  return {
    changes: recent,
    next: entries
      .filter(({ record }) => record.id !== id)
      .slice(0, nextShown)
      .map(({ record, summary, time, location }) => ({
        recordId: record.id,
        title: summary,
        time,
        location,
      })),
    validUntil: Math.min(validUntil, ...recent.map(({ expiresAt }) => expiresAt)),
  }
}

/** Leaves out new entries and open places, which the page shows anyway. */
function isDescribed({ kind }: ReportedChange): boolean {
  return kind === 'changed' || kind === 'back'
}
