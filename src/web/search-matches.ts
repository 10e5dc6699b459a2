import {
  boardEntries,
  isCalendar,
  type Feed,
  type ListedEntry,
  type ServedFeed,
} from '../feeds/feed.ts'
import { listParameters } from '../feeds/feed-options.ts'
import { partKeyOf, partsIn, textFrom, type SourceChoice } from '../feeds/source-list.ts'
import { readOptions, type ChosenOptions } from '../options/option.ts'
import type { Profile } from '../records/profile.ts'
import { compareText } from '../text/text.ts'
import { filterOptions } from '../search/search-options.ts'
import { foldText, searchLimits } from '../search/search.ts'
import { boardOf } from '../signage/board-item.ts'
import { limitNewLists, readListFilters, type ListFilters } from './list-filters.ts'
import type { OptionsForm } from './feed-options-form.ts'
import { pageMessages } from './messages.ts'
import type { PageRequest } from './page-handler.ts'

const maxPlaces = 50

/** Separates the name of a place from an address or directions, as in `isAt`. */
const placeEnd = /[,;:(–]|\s-\s/

/** Sentence with the number of current matches, and the path of a page that lists them, if any. */
export type Matches = { readonly text: string; readonly path: string | undefined }

/** A feed, with the URL parameters that select its records. */
export type SearchedFeed = { readonly feed: Feed; readonly query: URLSearchParams }

const filterNames: readonly string[] = Object.values(filterOptions).map(({ name }) => name)

/**
 * Counts the upcoming entries and the latest items that match a search, in the feeds that the
 * viewer may read. A member's matching entries in `own` are counted once. The list is empty without
 * a search. Throws `TooManyRequests` if a client makes too many new searches.
 */
export function countMatches(
  { context, request, viewer: { profile, feeds: readable } }: PageRequest,
  searched: readonly SearchedFeed[],
  own: readonly ListedEntry[] = [],
): readonly Matches[] {
  const { catalog, overviews, site } = context
  const filters: ListFilters = new Map(
    searched
      .filter(({ feed }) => readable.includes(feed))
      .flatMap(({ feed, query }) => [...readListFilters([feed], upcomingOnly(feed, query), {})])
      .filter(([, { hasText }]) => hasText),
  )
  limitNewLists(context, request, profile, filters)
  const { matches: t } = pageMessages(site.language).follow
  const counted = [true, false].flatMap((isForCalendars) => {
    const chosen = [...filters].filter(([feed]) => isCalendar(feed) === isForCalendars)
    const boards = chosen.flatMap(([feed, options]) => {
      const overview = overviews.of(feed, profile, options)
      return overview ? [overview.board] : []
    })
    const more = isForCalendars ? own : []
    if (boards.length + more.length === 0) return []
    const isMore = boards.some(({ length }) => length === boardEntries)
    const ids = new Set(boardOf(boards.flat(), catalog.feeds).map(({ id }) => id))
    for (const { kind, recordId } of more) ids.add(`${kind}-${recordId}`)
    const count = ids.size
    const text = (isForCalendars ? t.entries : t.items)(count, isMore)
    return [{ count, text, path: count === 0 ? undefined : pathTo(chosen) }]
  })
  const found = counted.filter(({ count }) => count > 0)
  return found.length > 0 ? found : counted
}

/** Returns the part of a query that lists of a feed accept, without `past`. */
function upcomingOnly(feed: Feed, query: URLSearchParams): URLSearchParams {
  const known = listParameters(feed).filter((name) => name !== 'past')
  return new URLSearchParams([...query].filter(([name]) => known.includes(name)))
}

/** Returns the path of a page with the matching entries, or undefined if no page has them. */
function pathTo(chosen: readonly (readonly [Feed, ChosenOptions])[]): string | undefined {
  const [[feed, options] = []] = chosen
  if (!feed || !options) return undefined
  const all = new URLSearchParams(options.query)
  const kept = [...all].filter(([name]) => filterNames.includes(name))
  const query = new URLSearchParams(kept).toString()
  if (!isCalendar(feed)) {
    return chosen.some(([{ boardRole }]) => boardRole === 'story') ? `news?${query}` : undefined
  }
  const shown = chosen.map(([each, { values }]) => textFrom(each.id, partsIn(each, 'ics', values)))
  return `agenda?${query}&show=${shown.join(',')}`
}

/** Returns the feeds whose entries the selected options search: the feed itself, or its sources. */
export function searchedBy(
  feed: ServedFeed,
  { queries, pageQuery }: Pick<OptionsForm, 'queries' | 'pageQuery'>,
  readable: readonly Feed[],
): readonly SearchedFeed[] {
  const query = new URLSearchParams(pageQuery)
  const single = readable.find(({ id }) => id === feed.id)
  if (single) return [{ feed: single, query }]
  const formats = (['ics', 'rss'] as const).filter((format) => queries[format] !== undefined)
  return formats.flatMap((format) => {
    const reading = readOptions(feed.options(format), new URLSearchParams(queries[format]))
    if (!reading.ok) return []
    const show = reading.chosen.values['show'] as readonly SourceChoice[] | undefined
    return feed.sourcesFrom(readable, format, reading.chosen).map((source) => {
      const { parts = [] } = show?.find(({ feedId }) => feedId === source.id) ?? {}
      const part = source.options(format)[partKeyOf(source, format) ?? '']
      const selecting = new URLSearchParams(query)
      if (part && parts.length > 0) selecting.set(part.name, parts.join(','))
      return { feed: source, query: selecting }
    })
  })
}

/**
 * Returns the names of the places in upcoming entries, most frequent first. For members, also returns
 * those in the settings, which can include places that are only in private entries.
 */
export function placesFor(
  { context, offered }: Pick<PageRequest, 'context' | 'offered'>,
  profile: Profile,
): readonly string[] {
  const { site, overviews } = context
  const calendars = offered.filter(isCalendar)
  const items = calendars.flatMap((feed) => overviews.of(feed, profile)?.board ?? [])
  const used = items.map(({ location }) => placeNameIn(location))
  const others = profile === 'public' ? [] : (site.places ?? [])
  const all = [...used, ...others.map(({ name }) => name)]
  const groups = Map.groupBy(
    all.filter((name) => name !== '' && name.length <= searchLimits.maxLength),
    foldText,
  )
  return [...groups.values()]
    .toSorted((a, b) => b.length - a.length || compareText(a[0] ?? '', b[0] ?? ''))
    .slice(0, maxPlaces)
    .flatMap(([name]) => name ?? [])
}

/** Returns the name at the start of a location, or all of it if that is only a number. */
function placeNameIn(location: string): string {
  const [name = ''] = location.split(placeEnd)
  return /\p{L}/u.test(name) ? name.trim() : location
}
