import { calendarOptions, type CalendarOptions } from '../calendar/calendar-options.ts'
import type { RenderedCalendar } from '../calendar/calendar-renderer.ts'
import type { EntryLabel } from '../calendar/calendar-section.ts'
import { personalSections } from '../calendar/personal-sections.ts'
import type { Steps } from '../steps.ts'
import { selectField, type FeedOptionSet, type ValuesOf } from '../options/option.ts'
import { flag, oneOf } from '../options/value-types.ts'
import { titleWithSearch } from '../search/search.ts'
import type { AboutCombinedFeed } from './combined-feed.ts'
import {
  publicFeedUrl,
  type Feed,
  type FeedRequest,
  type RenderedFeed,
  type Renderers,
  type ShownSource,
} from './feed.ts'
import { calendarRenderer } from './formats.ts'
import { feedMessages } from './messages.ts'
import { entryList, sourceAlarms, type SourceChoice } from './source-list.ts'

export function* renderCombinedCalendar(
  about: AboutCombinedFeed,
  sources: readonly ShownSource[],
  { format, profile, now, entriesChangedAt, personal, duplicates, chosen }: FeedRequest,
  { site, calendars }: Renderers,
): Steps<RenderedFeed & Pick<RenderedCalendar, 'entries'>> {
  const given = chosen.values as CombinedCalendarOptions
  const { language } = site
  const { ownOnly, noSources, kept, [about.id]: texts } = feedMessages(language).combined
  const { title, summary, summaryWithDuplicates } = texts.calendar
  const description = given.mergesDuplicates ? summary : summaryWithDuplicates
  const isOwnOnly = given.show?.length === 0
  const titles = sources.map(({ feed, source }) =>
    feed.titleWith(source, optionsOf(given, feed.id).parts, { site, profile }),
  )
  const isChosen = given.show && titles.length > 0
  const name = feedMessages(language).titled(
    site.name,
    titleWithSearch(given.entries ? kept : isChosen ? titles.join(', ') : title, given),
  )
  const sections = [
    ...sources.flatMap(
      ({ feed, source }) =>
        feed.section?.(withEntries(source, feed, given), {
          options: optionsOf(given, feed.id),
          label: labelFor(feed, given, language),
        }) ?? [],
    ),
    ...(personal && !given.entries
      ? personalSections(personal, optionsOf(given, ''), language)
      : []),
  ]
  const isPublic = profile === 'public' && about.isForEveryone
  const rendered = yield* calendars.render(sections, {
    name,
    description: isOwnOnly ? ownOnly : sources.length === 0 ? noSources : description,
    url: isPublic ? publicFeedUrl(site, about, format, chosen.query) : undefined,
    color: given.color,
    profile,
    now,
    entriesChangedAt,
    idPrefix: 'combined',
    renderEntries: calendarRenderer(format),
    duplicates: given.mergesDuplicates ? duplicates?.() : undefined,
  })
  return { ...rendered, title: name }
}

/** Returns a source with only the single entries that the options select, if any. */
function withEntries(
  source: ShownSource['source'],
  { id }: Feed,
  { entries }: CombinedCalendarOptions,
): ShownSource['source'] {
  const ids = entries?.find(({ feedId }) => feedId === id)?.parts
  if (!ids) return source
  return { ...source, records: source.records.filter((record) => ids.includes(record.id)) }
}

/** Returns the options for a feed's entries. For a member's own entries, the id is empty. */
function optionsOf(
  {
    show,
    alarms,
    entries,
    mergesDuplicates: _merges,
    prefix: _prefix,
    ...common
  }: CombinedCalendarOptions,
  feedId: string,
): CalendarOptions {
  return {
    ...common,
    // Belongs to the whole calendar.
    color: undefined,
    parts: (entries ? undefined : show)?.find((choice) => choice.feedId === feedId)?.parts ?? [],
    alarmMinutes: alarms.byFeed[feedId] ?? alarms.forAll,
  }
}

/** Returns the label of a feed's entries. A color for the whole calendar replaces those of its feeds. */
function labelFor(
  { textIn, marker }: Feed,
  { prefix, color }: CombinedCalendarOptions,
  language: string,
): EntryLabel {
  const { title, prefix: word = feedMessages(language).prefixFor(title) } = textIn(language)
  return {
    category: title,
    prefix:
      prefix === undefined ? undefined : ((prefix === 'emoji' ? marker?.emoji : undefined) ?? word),
    color: color === undefined ? marker?.color : undefined,
  }
}

export type CombinedCalendarOptions = ValuesOf<ReturnType<typeof combinedCalendarOptions>> & {
  /** Undefined means all feeds. */
  readonly show: readonly SourceChoice[] | undefined
}

/** Returns the options except `show`. Messages about invalid values mention only `offered`. */
export function combinedCalendarOptions(feeds: readonly Feed[], offered: readonly Feed[]) {
  const { alarmMinutes, ...common } = calendarOptions
  return {
    alarms: {
      ...alarmMinutes,
      type: sourceAlarms(feeds, offered),
      defaultValue: { forAll: [], byFeed: {} },
    },
    entries: { name: 'ids', type: entryList(feeds), defaultValue: undefined, selectsRecords: true },
    mergesDuplicates: {
      name: 'dedupe',
      type: flag,
      defaultValue: true,
      fields: (language) => [selectField(feedMessages(language).options.dedupe)],
    },
    prefix: {
      name: 'prefix',
      type: oneOf(['1', 'emoji']),
      defaultValue: undefined,
      fields: (language) => [selectField(feedMessages(language).options.prefix)],
    },
    ...common,
  } as const satisfies FeedOptionSet
}
