import { ownEntries, type PersonalSource } from '../calendar/personal-sections.ts'
import { isWithin } from '../records/date-words.ts'
import { emptySearch, foldText, isAt, isFoundIn, type SearchFilter } from '../search/search.ts'
import { colorOf } from './calendar-feed.ts'
import { signup } from './catalog/calendar-feeds.ts'
import { training } from './catalog/training.ts'
import type { Feed, ListedEntry, DayRange } from './feed.ts'

const feeds = { signup, training }

const keyOf = ({ kind, recordId }: ListedEntry) => `${kind}/${recordId}`

/** Only entries of the feeds in `readable` have a page. */
export function listedOwnEntries(
  source: PersonalSource,
  readable: readonly Feed[],
  { language, ...range }: DayRange & { readonly language: string },
): readonly ListedEntry[] {
  return ownEntries(source, language)
    .filter(({ time }) => isWithin(time, range))
    .map(({ role, ...entry }) => {
      const { start, allDay } = entry.time
      const own = { role, hasPage: readable.some(({ id }) => id === entry.kind) }
      const color = colorOf(feeds[entry.kind], undefined)
      const more = { location: '', category: '', places: undefined, own, source: entry.kind }
      return { ...entry, ...more, color, start, allDay }
    })
}

/**
 * Merges own entries that match the list's filter. Marks entries that are already in the list as
 * own.
 */
export function withOwn(
  entries: readonly ListedEntry[],
  own: readonly ListedEntry[],
  { search, place }: Required<SearchFilter> = { search: emptySearch, place: '' },
): readonly ListedEntry[] {
  if (own.length === 0) return entries
  const matches = ({ title, location, own }: ListedEntry) =>
    isAt(foldText(location), place) &&
    isFoundIn(foldText([title, location, own?.role].join('\n')), search)

  const ownBy = new Map(own.map((entry) => [keyOf(entry), entry]))
  const marked = entries.map((entry) => ({ ...entry, own: ownBy.get(keyOf(entry))?.own }))
  const known = new Set(entries.map(keyOf))
  return [...marked, ...own.filter((entry) => !known.has(keyOf(entry)) && matches(entry))]
}
