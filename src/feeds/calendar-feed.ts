import {
  calendarOptions,
  noCalendarOptions,
  type CalendarOptions,
} from '../calendar/calendar-options.ts'
import { colorFrom, partColor } from '../calendar/color.ts'
import type { EntryText, EntryTime } from '../calendar/calendar-entry.ts'
import { calendarSection } from '../calendar/calendar-section.ts'
import { entryFilter, searchedTexts } from '../calendar/entry-search.ts'
import type { EntryRecipe, Reader } from '../calendar/entry-recipe.ts'
import { foundChanges, reportedChanges, type FoundChange } from '../calendar/reported-changes.ts'
import {
  chosenRecords,
  shownRecords,
  statusFor,
  visibleRecords,
  type ShownRecord,
} from '../calendar/shown-records.ts'
import type { SheetTable } from '../calendar/sign-up-recipe.ts'
import { upcomingEntries, type UpcomingEntry } from '../calendar/upcoming.ts'
import { rankedIn, titleWithSearch } from '../search/search.ts'
import type { FeedOption, FeedOptionSet, OptionValues } from '../options/option.ts'
import { isWithin, soonestFirst } from '../records/date-words.ts'
import { isOnline } from '../records/fields.ts'
import { namedParts, type Part } from '../records/part.ts'
import type { Profile } from '../records/profile.ts'
import type { RecordOf } from '../records/read-records.ts'
import { hasRecordedChanges } from '../records/recorded-change.ts'
import type { FeedResource } from '../records/resources.ts'
import { daysAfter, instantFromSiteTime, siteDateAt } from '../records/site-time.ts'
import type { Places } from '../records/sign-up-sheet.ts'
import { boardItem } from '../signage/board-item.ts'
import { createKnown, createListing, nextShown, type Listing } from './calendar-listing.ts'
import {
  boardEntries,
  overviewEntries,
  publicFeedUrl,
  type AboutFeed,
  type FeedContent,
  type FeedOverview,
  type FeedSource,
  type ListedEntry,
  type ListRange,
  type PageContext,
  type RenderedPage,
  type SelectRecords,
} from './feed.ts'
import { calendarFormats, calendarRenderer } from './formats.ts'
import type { Site } from './site.ts'
import { feedMessages } from './messages.ts'
import { describedChanges, goneTextOf, pageOfEntry, type EntrySummary } from './item-page.ts'
import { sourceOf } from './source-color.ts'
import { titleOfParts } from './title-of-parts.ts'

export type CalendarKind<R extends FeedResource> = {
  readonly recipe: EntryRecipe<R>
  /** Option that selects parts of the resource, such as calendars or rental types. */
  readonly partOption?: FeedOption<CalendarOptions['parts']>
  /** Replaces the options that every calendar has. */
  readonly options?: FeedOptionSet
  /** Converts the values of options that other calendars do not have. */
  readonly optionsFrom?: (values: OptionValues) => Partial<CalendarOptions>
  /** Returns the total and open number of sign-up slots. */
  readonly placesOf?: (record: RecordOf[R]) => Places | undefined
  readonly sheetOf?: (record: RecordOf[R], reader: Reader) => SheetTable
}

export function calendarFeed<R extends FeedResource>(
  about: AboutFeed<R>,
  kind: CalendarKind<R>,
  select: SelectRecords<R> = (source) => source,
): FeedContent<R> {
  const { recipe, partOption, optionsFrom = () => ({}) } = kind
  const options: FeedOptionSet = {
    ...(partOption && { parts: partOption }),
    ...(kind.options ?? calendarOptions),
  }
  /** Fills in defaults for options that the calendar or list does not support. */
  const calendarOptionsFrom = (values: OptionValues = {}): CalendarOptions => ({
    ...noCalendarOptions,
    ...values,
    ...optionsFrom(values),
  })
  const changesOf = createChangesOf(recipe)
  const listing = createListing(recipe)

  /** Returns the changes that may be shown on a record's page. */
  const toldChanges = (source: FeedSource<R>, site: Site) =>
    changesOf(source, site).filter(({ isTold }) => isTold)

  const feed: FeedContent<R> = {
    ...about,
    formats: calendarFormats,
    options: () => options,
    *renderSource(all, { format, profile, now, chosen, entriesChangedAt }, { site, calendars }) {
      const source = select(all, { profile, values: chosen.values })
      const options = calendarOptionsFrom(chosen.values)
      const { summary: description } = about.textIn(site.language)
      const title = feed.titleWith(all, options.parts, { site, profile })
      const name = feedMessages(site.language).titled(site.name, titleWithSearch(title, options))
      const section = calendarSection(recipe, source, { options, label: undefined })
      const rendered = yield* calendars.render([section], {
        idPrefix: recipe.uidPrefix ?? recipe.resource,
        name,
        description,
        url: profile === 'public' ? publicFeedUrl(site, feed, format, chosen.query) : undefined,
        color: options.color,
        profile,
        now,
        entriesChangedAt,
        renderEntries: calendarRenderer(format),
      })
      return { ...rendered, title: name }
    },
    titleWith: titleOfParts(about, select, (records, profile) => partsOf(kind, records, profile)),
    overview(all, { site, profile, now, chosen: { values } = {} }) {
      const source = select(all, { profile, values })
      const options = calendarOptionsFrom(values)
      // Options may have selected other records.
      const shown = source.records === all.records ? listing.shownIn(source, profile) : undefined
      return overviewOf(about, kind, source, { site, profile, now, options, shown })
    },
    page(all, record, context) {
      const source = select(all, { profile: context.profile })
      const changes = toldChanges(source, context.site)
      return pageOf(about, kind, source, record, { ...context, changes, listing })
    },
    listed(all, range, context) {
      const source = select(all, { profile: context.profile })
      return listedEntries(about, kind, source, { range, context, listing })
    },
    searchable(all, { site, profile }) {
      const textsOf = searchedTexts(recipe, readerFrom(site, profile))
      const visible = visibleRecords(recipe, select(all, { profile }), profile).values()
      return visible.map(({ record, known }) => {
        const { time } = recipe.timeOf(record)
        return { record, texts: textsOf({ record, known }), time }
      })
    },
    found: (searchable, search) => rankedIn(searchable, search),
    foundText({ item: { record } }, { site, profile }) {
      const text = recipe.textFor(record, readerFrom(site, profile))
      const { time } = recipe.timeOf(record)
      const category = text.categories.join(', ')
      const summary = summaryOf(about, kind, record, text, time)
      return { ...summary, category, text: text.description }
    },
    eventFile: (source, { id }, context, { calendars }) =>
      calendars.renderOne(recipe, select(source, context), { id, ...context }),
    goneText: (source, id, site) => goneTextOf(source, id, toldChanges(source, site)),
    section: (source, settings) =>
      calendarSection(recipe, select(source, { profile: 'full' }), settings),
    ...(hasRecordedChanges(recipe.resource) && {
      changes: (source, site, isHidden) => reportedChanges(changesOf(source, site), site, isHidden),
    }),
    diagnose: (source, now, { calendars }) =>
      calendars.diagnose(recipe, select(source, { profile: 'full' }), now),
  }
  return feed
}

/** Returns a function that finds the changes to each record, which are not combined into series. */
function createChangesOf<R extends FeedResource>(
  recipe: EntryRecipe<R>,
): (source: FeedSource<R>, site: Site) => readonly FoundChange[] {
  const known = createKnown<readonly FoundChange[]>()
  return ({ ledger, records }, { timeZone, language }) =>
    known(ledger, language, () => {
      const shown = new Set(records.filter(isOnline).map(({ id }) => id))
      const isShown = (id: number) => shown.has(id)
      return foundChanges(recipe, ledger, { timeZone, language, isShown })
    })
}

function partsOf<R extends FeedResource>(
  { recipe, partOption }: CalendarKind<R>,
  records: readonly RecordOf[R][],
  profile: Profile,
): readonly Part[] {
  if (!partOption) return []
  const visible = records.filter((record) => statusFor(record, profile))
  return visible.flatMap((record) => recipe.partOf?.(record) ?? [])
}

function overviewOf<R extends FeedResource>(
  about: AboutFeed<R>,
  kind: CalendarKind<R>,
  source: FeedSource<R>,
  context: PageContext & {
    readonly options: CalendarOptions
    readonly shown: readonly ShownRecord<R>[] | undefined
  },
): FeedOverview {
  const { recipe, partOption, placesOf } = kind
  const { site, profile, now, options, shown } = context
  const request = { site, profile, now, most: boardEntries, options }
  const { entries, validUntil } = upcomingEntries(recipe, source, request, shown)
  const today = siteDateAt(now, site.timeZone)
  const soonest = soonestFirst(entries, today, ({ time }) => time)
  return {
    parts: namedParts(partsOf(kind, source.records, profile)).map((part) => ({
      ...part,
      option: partOption?.name ?? '',
    })),
    entries: soonest.slice(0, overviewEntries).map((entry) => ({
      ...summaryOf(about, kind, entry.record, entry, entry.time),
      text: entry.description,
    })),
    board: entries.map((entry) =>
      boardItemOf(about, entry, recipe.partOf?.(entry.record), placesOf),
    ),
    // From the next day on, entries that have been running for a long time are listed last.
    validUntil: Math.min(
      validUntil,
      instantFromSiteTime(`${daysAfter(today, 1)}T00:00:00`, site.timeZone),
    ),
  }
}

function pageOf<R extends FeedResource>(
  about: AboutFeed<R>,
  kind: CalendarKind<R>,
  source: FeedSource<R>,
  { id, url }: { readonly id: number; readonly url: string },
  context: PageContext & {
    readonly changes: readonly FoundChange[]
    readonly listing: Listing<R>
  },
): RenderedPage {
  const { recipe, placesOf, sheetOf } = kind
  const { site, profile, now } = context
  const records = source.records.filter((each) => each.id === id)
  const [shown] = shownRecords(recipe, { ...source, records }, profile)
  if (!shown) return { page: undefined, validUntil: Infinity }
  const reader = readerFrom(site, profile)
  const text = recipe.textFor(shown.record, reader)
  const changes = describedChanges(context.changes, id, now)
  const { entries, validUntil } = context.listing.next(source, context)
  const others = entries.filter((other) => other.record.id !== id)
  const next = others.slice(0, nextShown).map((entry) => ({
    ...summaryOf(about, kind, entry.record, entry, entry.time),
    places: placesOf?.(entry.record),
  }))
  const places = placesOf?.(shown.record)
  const { source: colorName } = summaryOf(about, kind, shown.record, text, shown.time)
  const sheet = sheetOf?.(shown.record, reader)
  const more = { places, sheet, changes, source: colorName, next }
  return {
    page: pageOfEntry({ ...text, ...shown }, more, url, site),
    validUntil: Math.min(validUntil, ...changes.map(({ expiresAt }) => expiresAt)),
  }
}

function listedEntries<R extends FeedResource>(
  about: AboutFeed<R>,
  kind: CalendarKind<R>,
  source: FeedSource<R>,
  {
    range,
    context,
    listing,
  }: {
    readonly range: ListRange
    readonly context: PageContext
    readonly listing: Listing<R>
  },
): IteratorObject<ListedEntry> {
  const { recipe, placesOf } = kind
  const isBookings = about.boardRole === 'bookings'
  const { from, to, ...filters } = range
  const { site, profile, now } = context
  const { timeZone, language, url: siteUrl } = site
  const request = { profile, now, timeZone, language, siteUrl }
  const options = { ...noCalendarOptions, ...filters }
  const isFound = entryFilter(recipe, options, request)
  const shown = listing.shownIn(source, profile)
  const { chosen } = chosenRecords(recipe, source, { ...request, options }, shown)
  const reader = readerFrom(site, profile)
  const entryOf = listing.entriesFor(reader, ({ record, time, status }) => {
    const text = recipe.textFor(record, reader)
    return {
      ...summaryOf(about, kind, record, text, time),
      ...(status === 'cancelled' && { isCanceled: true }),
      kind: about.id,
      // Only boards give each room a color of its own.
      color: colorOf(about, isBookings ? undefined : recipe.partOf?.(record)),
      start: time.start,
      allDay: time.allDay,
      category: text.categories.join(', '),
      places: placesOf?.(record),
    }
  })
  return chosen
    .values()
    .filter((shown) => isWithin(shown.time, { from, to }) && isFound(shown))
    .map(entryOf)
}

function summaryOf<R extends FeedResource>(
  about: AboutFeed<R>,
  { recipe }: CalendarKind<R>,
  record: RecordOf[R],
  { summary: title, location }: EntryText,
  time: EntryTime,
): EntrySummary {
  const source = sourceOf(about.id, colorOf(about, recipe.partOf?.(record)))
  return { recordId: record.id, title, time, location, source }
}

function boardItemOf<R extends FeedResource>(
  { id, boardRole, marker }: AboutFeed,
  { record, time, when, summary, location, description, categories }: UpcomingEntry<R>,
  part: Part | undefined,
  placesOf: CalendarKind<R>['placesOf'],
) {
  const places = placesOf?.(record)
  return boardItem({
    id: `${id}-${record.id}`,
    kind: id,
    role: boardRole,
    title: summary,
    text: description,
    when,
    location,
    category: categories.join(', '),
    start: time.start,
    end: time.end ?? null,
    allDay: time.allDay,
    ...(time.asWritten !== undefined && { asWritten: time.asWritten }),
    open: places?.open ?? null,
    places: places?.places ?? null,
    color: colorOf({ marker }, part),
    room: boardRole === 'bookings' ? (part?.name ?? '') : '',
  })
}

/** Returns the color of a feed or part as hex digits with `#`, or an empty string if it has none. */
export function colorOf(
  { marker }: { readonly marker?: AboutFeed['marker'] | undefined },
  part: Part | undefined,
): string {
  if (part) return partColor(part.id)
  return marker ? `#${colorFrom(marker.color)}` : ''
}

function readerFrom({ url, language }: Site, profile: Profile): Reader {
  return { profile, siteUrl: url, language }
}
