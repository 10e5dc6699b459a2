import type { CalendarOptions, FilterParameter } from '../calendar/calendar-options.ts'
import { partsOf } from '../calendar/entries.ts'
import { entryPage } from '../calendar/entry-page.ts'
import type { CalendarResource } from '../calendar/entry-recipe.ts'
import { calendarFilters, calendarQuery, readCalendarOptions } from './feed-options.ts'
import type { Places } from '../calendar/sign-up-recipe.ts'
import { upcomingEntries, type UpcomingEntry } from '../calendar/upcoming.ts'
import type { RecordOf } from '../records/read-records.ts'
import { boardItem } from '../signage/board-item.ts'
import { boardEntries, overviewEntries } from './feed-overview.ts'
import { nameOf, publicFeedUrl, type Feed, type Variant } from './feed.ts'
import { pageOfEntry } from './item-page.ts'

/** The calendar of a resource; `partParameter` chooses among its parts. */
export function calendarFeed<R extends CalendarResource>(
  resource: R,
  about: Pick<Feed, 'title' | 'summary'> & {
    readonly partParameter?: FilterParameter
    /** How many places there are where people sign up, and how many of them are open. */
    readonly placesOf?: (record: RecordOf[R]) => Places | undefined
  },
): Feed<R> {
  const { title, summary, partParameter, placesOf } = about

  function variantWith(options: CalendarOptions): Variant<R> {
    const query = calendarQuery(options, partParameter)
    return {
      query,
      render(source, { profile, now }, { site, calendars }) {
        const names = partsOf(resource, source.records, profile)
          .filter(({ id }) => options.parts.includes(id))
          .map(({ name }) => name)
        const name = `${nameOf(site)}: ${names.join(', ') || title}`
        const rendered = calendars.render(resource, source, {
          name,
          description: summary,
          url: profile === 'public' ? publicFeedUrl(site, feed, 'ics', query) : undefined,
          color: options.color,
          options,
          profile,
          now,
        })
        return { ...rendered, title: name }
      },
    }
  }

  const feed: Feed<R> = {
    id: resource,
    title,
    summary,
    resource,
    formats: ['ics'],
    variant(query) {
      const reading = readCalendarOptions(query, partParameter)
      return reading.ok ? { ok: true, variant: variantWith(reading.options) } : reading
    },
    filters(query) {
      const reading = readCalendarOptions(query, partParameter)
      if (!reading.ok) return reading
      return { ok: true, filters: calendarFilters(reading.options, partParameter) }
    },
    overview(source, { site, profile, now, filters }) {
      const reading = readCalendarOptions(new URLSearchParams(filters), partParameter)
      if (!reading.ok) throw new TypeError(reading.reason)
      const { entries, validUntil } = upcomingEntries(resource, source, {
        reader: { profile, siteUrl: site.url },
        timeZone: site.timeZone,
        now,
        most: boardEntries,
        options: reading.options,
      })
      return {
        parts: partsOf(resource, source.records, profile).map(({ id, name }) => ({
          name,
          query: `${partParameter}=${id}`,
        })),
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
