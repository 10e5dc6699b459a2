import {
  calendarOptions,
  noCalendarOptions,
  type CalendarOptions,
} from '../calendar/calendar-options.ts'
import { colorFrom, partColor } from '../calendar/color.ts'
import { calendarSection } from '../calendar/calendar-section.ts'
import { entryPage } from '../calendar/entries.ts'
import type { EntryRecipe, Part } from '../calendar/entry-recipe.ts'
import { foundChanges, reportedChanges, type FoundChange } from '../calendar/reported-changes.ts'
import { partsOf } from '../calendar/shown-records.ts'
import { upcomingEntries, type UpcomingEntry } from '../calendar/upcoming.ts'
import type { FeedOption, FeedOptionSet, OptionValues } from '../options/option.ts'
import { bySoonest } from '../records/date-words.ts'
import { isOnline } from '../records/fields.ts'
import type { RecordOf } from '../records/read-records.ts'
import { hasRecordedChanges } from '../records/recorded-change.ts'
import type { FeedResource } from '../records/resources.ts'
import { daysAfter, instantFromSiteTime, siteDateAt } from '../records/site-time.ts'
import type { Places } from '../records/sign-up-sheet.ts'
import { boardItem } from '../signage/board-item.ts'
import {
  boardEntries,
  overviewEntries,
  publicFeedUrl,
  type AboutFeed,
  type Feed,
  type FeedSource,
  type SelectRecords,
} from './feed.ts'
import { nameOf, type Site } from './site.ts'
import { eventDetails, pageOfEntry, goneTextOf } from './item-page.ts'
import { listedEntries } from './listed-entries.ts'

export type CalendarKind<R extends FeedResource> = {
  readonly recipe: EntryRecipe<R>
  /**
   * Option that selects parts of the resource, such as single calendars or rental types, if it has
   * parts.
   */
  readonly partOption?: FeedOption<CalendarOptions['parts']>
  /** Replaces the options that every calendar has. */
  readonly options?: FeedOptionSet
  /** Options specific to this calendar. */
  readonly moreOptions?: FeedOptionSet
  /** Converts the values of options that other calendars do not have. */
  readonly optionsFrom?: (values: OptionValues) => Partial<CalendarOptions>
  /** Returns the total and open number of sign-up slots. */
  readonly placesOf?: (record: RecordOf[R]) => Places | undefined
}

export function calendarFeed<R extends FeedResource>(
  about: AboutFeed<R>,
  {
    recipe,
    partOption,
    options: commonOptions = calendarOptions,
    moreOptions,
    optionsFrom = () => ({}),
    placesOf,
  }: CalendarKind<R>,
  select: SelectRecords<R> = (source) => source,
): Feed<R> {
  const { title, summary } = about
  const options: FeedOptionSet = {
    ...(partOption && { parts: partOption }),
    ...commonOptions,
    ...moreOptions,
  }
  /** Fills in defaults for options that the calendar or list does not support. */
  const calendarOptionsFrom = (values: OptionValues = {}): CalendarOptions => ({
    ...noCalendarOptions,
    ...values,
    ...optionsFrom(values),
  })
  const knownChanges = new WeakMap<object, readonly FoundChange[]>()

  /** Returns the changes to each record, which are not combined into series. */
  function changesOf(
    { ledger, records }: FeedSource<R>,
    { timeZone }: Site,
  ): readonly FoundChange[] {
    const shown = new Set(records.filter(isOnline).map(({ id }) => id))
    const isShown = (id: number) => shown.has(id)
    const found = knownChanges.get(ledger) ?? foundChanges(recipe, ledger, { timeZone, isShown })
    knownChanges.set(ledger, found)
    return found
  }

  /** Returns the changes that the page of a single record may tell. */
  const toldChanges = (source: FeedSource<R>, site: Site) =>
    changesOf(source, site).filter(({ isTold }) => isTold)

  const feed: Feed<R> = {
    ...about,
    formats: ['ics'],
    options: () => options,
    render(all, { profile, now, chosen }, { site, calendars }) {
      const source = select(all, { profile, values: chosen.values })
      const options = calendarOptionsFrom(chosen.values)
      const names = partsOf(recipe, source.records, profile)
        .filter(({ id }) => options.parts.includes(id))
        .map(({ name }) => name)
      const name = `${nameOf(site)}: ${names.join(', ') || title}`
      const section = calendarSection(recipe, source, { options, label: undefined })
      const rendered = calendars.render([section], {
        idPrefix: recipe.uidPrefix ?? recipe.resource,
        name,
        description: summary,
        url: profile === 'public' ? publicFeedUrl(site, feed, 'ics', chosen.query) : undefined,
        color: options.color,
        profile,
        now,
      })
      return { ...rendered, title: name }
    },
    overview(all, { site, profile, now, chosen: { values } = {} }) {
      const source = select(all, { profile, values })
      const { entries, validUntil } = upcomingEntries(recipe, source, {
        reader: { profile, siteUrl: site.url },
        timeZone: site.timeZone,
        now,
        most: boardEntries,
        options: calendarOptionsFrom(values),
      })
      const today = siteDateAt(now, site.timeZone)
      const soonest = entries.toSorted((a, b) => bySoonest(today)(a.time, b.time))
      return {
        parts: partOption
          ? partsOf(recipe, source.records, profile).map(({ id, name }) => ({
              name,
              option: partOption.name,
              id,
            }))
          : [],
        entries: soonest.slice(0, overviewEntries).map((entry) => ({
          recordId: entry.record.id,
          title: entry.summary,
          time: entry.time,
          location: entry.location,
          text: entry.description,
        })),
        board: entries.map((entry) =>
          boardItemOf(about, entry, recipe.partOf?.(entry.record), placesOf),
        ),
        // What has been running for long is listed last from the next day on.
        validUntil: Math.min(
          validUntil,
          instantFromSiteTime(`${daysAfter(today, 1)}T00:00:00`, site.timeZone),
        ),
      }
    },
    page(all, { id, url }, context) {
      const { site, profile } = context
      const source = select(all, { profile })
      const record = source.records.find((each) => each.id === id)
      const entry = record && entryPage(recipe, record, { profile, siteUrl: site.url })
      if (!entry) return { page: undefined, validUntil: Infinity }
      const changes = toldChanges(source, site)
      const { validUntil, ...details } = eventDetails(recipe, source, { id, changes, context })
      const more = { ...details, places: placesOf?.(record) }
      return { page: pageOfEntry(entry, { url, site, more }), validUntil }
    },
    listed: (source, range, context) =>
      listedEntries(recipe, select(source, { profile: context.profile }), {
        kind: about.id,
        range,
        context,
        placesOf,
      }),
    eventFile: (source, { id }, { profile, now }, { calendars }) =>
      calendars.renderOne(recipe, select(source, { profile }), { id, profile, now }),
    goneText: (source, id, site) => goneTextOf(source, id, toldChanges(source, site)),
    section: (source, settings) =>
      calendarSection(recipe, select(source, { profile: 'full' }), settings),
    ...(hasRecordedChanges(recipe.resource) && {
      changes: (source, site, isHidden) =>
        reportedChanges(changesOf(source, site), site.timeZone, isHidden),
    }),
    diagnose: (source, now, { calendars }) =>
      calendars.diagnose(recipe, select(source, { profile: 'full' }), now),
  }
  return feed
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
    open: places?.open ?? null,
    places: places?.places ?? null,
    color: part ? partColor(part.id) : marker ? `#${colorFrom(marker.color)}` : '',
    room: boardRole === 'bookings' ? (part?.name ?? '') : '',
  })
}
