import type { CalendarOptions, PartParameter } from '../calendar/calendar-options.ts'
import { partsOf } from '../calendar/entries.ts'
import { entryPage } from '../calendar/entry-page.ts'
import type { CalendarResource } from '../calendar/entry-recipe.ts'
import { calendarQuery, readCalendarOptions } from './feed-options.ts'
import { feedUrl, nameOf, publicItemUrl, type Feed, type Variant } from './feed.ts'
import { pageOfEntry } from './item-page.ts'

/** The calendar of a resource; `partParameter` chooses among its parts. */
export function calendarFeed<R extends CalendarResource>(
  resource: R,
  about: Pick<Feed, 'title' | 'summary'> & { readonly partParameter?: PartParameter },
): Feed<R> {
  const { title, summary, partParameter } = about

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
          url: profile === 'public' ? feedUrl(feed, 'ics', site, query) : undefined,
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
    parts: (records) =>
      partsOf(resource, records, 'public').map(({ id, name }) => ({
        name,
        query: `${partParameter}=${id}`,
      })),
    page({ records }, recordId, { site }) {
      const record = records.find(({ id }) => id === recordId)
      const entry = record && entryPage(resource, record, site.url)
      return entry && pageOfEntry(entry, { url: publicItemUrl(resource, recordId, site), site })
    },
    review: (source, now, { calendars }) => calendars.review(resource, source, now),
  }
  return feed
}
