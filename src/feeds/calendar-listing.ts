import type { EntryRecipe, Reader } from '../calendar/entry-recipe.ts'
import { shownRecords, type ShownRecord } from '../calendar/shown-records.ts'
import { upcomingEntries, type Upcoming } from '../calendar/upcoming.ts'
import type { Profile } from '../records/profile.ts'
import type { FeedResource } from '../records/resources.ts'
import { compareText } from '../text/text.ts'
import type { FeedSource, ListedEntry, PageContext } from './feed.ts'

/** Number of following entries listed on an entry's page. */
export const nextShown = 3

/**
 * Cached lookups for pages with entries. On a website with thousands of long records, repeating them
 * for each page would be slow.
 */
export type Listing<R extends FeedResource> = {
  /** In the order of their starts, so that later sorting takes little time. */
  readonly shownIn: (source: FeedSource<R>, profile: Profile) => readonly ShownRecord<R>[]
  /** Returns a function that returns a record's entry in lists. */
  readonly entriesFor: (
    reader: Reader,
    create: (shown: ShownRecord<R>) => ListedEntry,
  ) => (shown: ShownRecord<R>) => ListedEntry
  readonly next: (source: FeedSource<R>, context: PageContext) => Upcoming<R>
}

export function createListing<R extends FeedResource>(recipe: EntryRecipe<R>): Listing<R> {
  const shown = createKnown<readonly ShownRecord<R>[]>()
  const listed = createKnown<ListedEntry>()
  const next = createKnown<Upcoming<R>>()
  const shownIn: Listing<R>['shownIn'] = (source, profile) =>
    shown(source.ledger, profile, () =>
      shownRecords(recipe, source, profile).toSorted((a, b) =>
        compareText(a.time.start, b.time.start),
      ),
    )
  return {
    shownIn,
    entriesFor(reader, create) {
      const name = JSON.stringify(reader)
      return (shown) => listed(shown.record, name, () => create(shown))
    },
    next: (source, { site, profile, now }) =>
      next(
        source.ledger,
        `${profile} ${site.language}`,
        () =>
          upcomingEntries(
            recipe,
            source,
            { site, profile, now, most: nextShown + 1 },
            shownIn(source, profile),
          ),
        ({ validUntil }) => now < validUntil,
      ),
  }
}

/** Returns a function that caches values by name until their source is garbage-collected. */
export function createKnown<Value>() {
  const known = new WeakMap<object, Map<string, Value>>()
  return (
    source: object,
    name: string,
    create: () => Value,
    isCurrent: (value: Value) => boolean = () => true,
  ): Value => {
    const values = known.get(source) ?? new Map<string, Value>()
    const before = values.get(name)
    if (before !== undefined && isCurrent(before)) return before
    const value = create()
    known.set(source, values.set(name, value))
    return value
  }
}
