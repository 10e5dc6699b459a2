import {
  calendarOptions,
  noCalendarOptions,
  type CalendarOptions,
} from '../calendar/calendar-options.ts'
import { partsOf } from '../calendar/entries.ts'
import { entryPage } from '../calendar/entry-page.ts'
import type { CalendarResource } from '../calendar/entry-recipe.ts'
import type { Places } from '../calendar/sign-up-recipe.ts'
import { upcomingEntries, type UpcomingEntry } from '../calendar/upcoming.ts'
import type { FeedOption, FeedOptionSet } from '../options/feed-option.ts'
import type { OptionValues } from '../options/option.ts'
import type { RecordOf } from '../records/read-records.ts'
import { boardItem } from '../signage/board-item.ts'
import { boardEntries, overviewEntries } from './feed-overview.ts'
import { nameOf, publicFeedUrl, type Feed } from './feed.ts'
import { pageOfEntry } from './item-page.ts'

/** The calendar of a resource; `partOption` chooses among its parts. */
export function calendarFeed<R extends CalendarResource>(
  resource: R,
  about: Pick<Feed, 'title' | 'summary'> & {
    readonly partOption?: FeedOption<CalendarOptions['parts']>
    /** Options beside those of every calendar. */
    readonly moreOptions?: FeedOptionSet
    /** How many places there are where people sign up, and how many of them are open. */
    readonly placesOf?: (record: RecordOf[R]) => Places | undefined
  },
): Feed<R> {
  const { title, summary, partOption, moreOptions, placesOf } = about
  const options: FeedOptionSet = {
    ...(partOption && { parts: partOption }),
    ...calendarOptions,
    ...moreOptions,
  }

  const feed: Feed<R> = {
    id: resource,
    title,
    summary,
    resource,
    formats: ['ics'],
    options: () => options,
    render(source, { profile, now, chosen }, { site, calendars }) {
      const options = calendarOptionsFrom(chosen.values)
      const names = partsOf(resource, source.records, profile)
        .filter(({ id }) => options.parts.includes(id))
        .map(({ name }) => name)
      const name = `${nameOf(site)}: ${names.join(', ') || title}`
      const rendered = calendars.render(resource, source, {
        name,
        description: summary,
        url: profile === 'public' ? publicFeedUrl(site, feed, 'ics', chosen.query) : undefined,
        color: options.color,
        options,
        profile,
        now,
      })
      return { ...rendered, title: name }
    },
    overview(source, { site, profile, now, chosen }) {
      const { entries, validUntil } = upcomingEntries(resource, source, {
        reader: { profile, siteUrl: site.url },
        timeZone: site.timeZone,
        now,
        most: boardEntries,
        options: calendarOptionsFrom(chosen?.values),
      })
      return {
        parts: partOption
          ? partsOf(resource, source.records, profile).map(({ id, name }) => ({
              name,
              query: `${partOption.name}=${id}`,
            }))
          : [],
        entries: entries.slice(0, overviewEntries).map((entry) => ({
          ...{ recordId: entry.record.id, title: entry.summary, when: entry.when },
          ...{ location: entry.location, text: entry.description },
        })),
        board: entries.map((entry) => boardItemOf(resource, entry, placesOf?.(entry.record))),
        validUntil,
      }
    },
    page({ records }, { id, url }, { site, profile }) {
      const record = records.find((each) => each.id === id)
      const entry = record && entryPage(resource, record, { profile, siteUrl: site.url })
      return { page: entry && pageOfEntry(entry, { url, site }), validUntil: Infinity }
    },
    diagnose: (source, now, { calendars }) => calendars.diagnose(resource, source, now),
  }
  return feed
}

/** Options that a feed or a list does not take have their defaults. */
function calendarOptionsFrom(values: OptionValues = {}): CalendarOptions {
  return { ...noCalendarOptions, ...values }
}

function boardItemOf<R extends CalendarResource>(
  resource: R,
  { record, time, when, summary, location, description, categories }: UpcomingEntry<R>,
  places: Places | undefined,
) {
  return boardItem({
    ...{ id: `${resource}-${record.id}`, kind: resource, title: summary, text: description },
    ...{ when, location, category: categories.join(', ') },
    ...{ start: time.start, end: time.end ?? null, allDay: time.allDay },
    ...{ open: places?.open ?? null, places: places?.places ?? null },
  })
}
