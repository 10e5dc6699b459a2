import { LRUCache } from 'lru-cache'
import type { TimeSource } from '../../clock.ts'
import {
  countyFeedUrl,
  countyTitle,
  latestNews,
  renderCounty,
  type County,
  type Department,
} from '../../feeds/county.ts'
import { contentTypeOf, feedFormats, formats, type FeedFormat } from '../../feeds/formats.ts'
import type { Identity } from '../../feeds/identity.ts'
import { siteIn } from '../../feeds/site.ts'
import { pageMessages } from '../../web/messages.ts'
import { dayInWords } from '../../records/date-words.ts'
import { siteDateAt } from '../../records/site-time.ts'
import { readOptions } from '../../options/option.ts'
import { searchOptions } from '../../search/search-options.ts'
import type { Assets } from '../../web/assets.ts'
import { newFeedVariants } from '../../web/context.ts'
import { BadOption, validOptions } from '../../web/errors.ts'
import { createClientLimit } from '../../web/client-limit.ts'
import { queryOf } from '../../web/urls.ts'
import { createPageWords, createRenderPage } from '../../web/templates.ts'
import { calendarServices } from '../../web/calendar-services.ts'
import { agendaFrom, pathOf } from '../../web/item-lists.ts'
import { languageLinks, pageLinks, readLanguage } from '../../web/translation.ts'

/** The county page for the departments that are chosen, which are all of them by default. */
type ChosenPage = {
  readonly translated: County
  readonly departments: readonly Department[]
  readonly chosen: readonly Department[]
}

/** Input of the county page and its feeds. */
export type Listing = { readonly county: County; readonly departments: readonly Department[] }

/** Maximum total length of the cached feeds, in characters. */
const maxRendered = 10_000_000

const shownEntries = 15
const shownStories = 6

/** With more departments, people cannot select some of them. */
const maxChips = 30

/** Names of colors in lists.css and county.css, which are assigned to departments in turn. */
const sources = ['calendar', 'events', 'rental', 'signup', 'teal', 'pink']

/** Renders the county page and its feeds, and caches them. */
export function createCountyContent({ initials }: Identity, assets: Assets, clock: TimeSource) {
  const rendered = new LRUCache<string, string>({
    maxSize: maxRendered,
    sizeCalculation: ({ length }) => length,
  })
  let renderedFrom: readonly unknown[] = []
  const limitSearches = createClientLimit(clock, newFeedVariants)

  /** Renders a page or feed again only if the departments or the day have changed. */
  function renderedOnce(
    key: string,
    { county, departments }: Listing,
    render: (now: number) => string,
  ): string {
    const now = clock.now()
    const input = [departments, county, siteDateAt(now, county.timeZone)]
    if (input.some((value, index) => value !== renderedFrom[index])) rendered.clear()
    renderedFrom = input
    const text = rendered.get(key) ?? render(now)
    rendered.set(key, text)
    return text
  }

  function page(query: URLSearchParams, listing: Listing): string {
    const { county, departments } = listing
    const translated = siteIn(county, readLanguage(query, county))
    const chosen = chosenFrom(departments, query)
    const key = ['page', translated.language, ...chosen.map(({ id }) => id)].join(' ')
    return renderedOnce(key, listing, (now) => renderPage({ translated, departments, chosen }, now))
  }

  function renderPage({ translated, departments, chosen }: ChosenPage, now: number): string {
    const render = createRenderPage({
      asset: assets.pathOf,
      t: pageMessages(translated.language),
      words: createPageWords(translated, clock),
      ...pageLinks(translated),
    })
    const query = queryOf(urlShowing(chosen, departments))
    return render('county/county', {
      county: translated,
      initials,
      feeds: feedFormats.map((format) => ({
        ...formats[format],
        type: contentTypeOf(format),
        title: countyTitle(translated, format),
        url: countyFeedUrl(translated, format),
      })),
      services: calendarServices(countyFeedUrl(translated, 'ics'), countyTitle(translated, 'ics')),
      languageLinks: languageLinks({ path: '/county', query }, translated),
      ...contentOf({ translated, departments, chosen }, now),
    })
  }

  function feed(
    format: FeedFormat,
    query: URLSearchParams,
    listing: Listing,
    client: string,
  ): string {
    const { county, departments } = listing
    const translated = siteIn(county, readLanguage(query, county))
    const chosen = validOptions(readOptions(searchOptions, query))
    return renderedOnce(`${format} ${translated.language} ${chosen.query}`, listing, (now) => {
      if (chosen.query !== '') limitSearches(client)
      return renderCounty(translated, departments, { format, now }, chosen)
    })
  }

  return { page, feed }
}

/** Returns upcoming entries and the latest news from the chosen departments. */
function contentOf({ translated, departments, chosen }: ChosenPage, now: number) {
  const { timeZone, language } = translated
  const today = siteDateAt(now, timeZone)
  const items = departments.flatMap((department, index) =>
    chosen.includes(department) ? itemsOf(department, sourceOf(index)) : [],
  )
  return {
    today,
    departments,
    chips: chipsFor(departments, chosen),
    agenda: agendaFrom(items, [], { today, firstDay: today, language }, { limit: shownEntries }),
    stories: storiesOf(chosen, (at) => dayInWords(siteDateAt(at, timeZone), today, language)),
  }
}

function chipsFor(departments: readonly Department[], chosen: readonly Department[]) {
  if (departments.length < 2 || departments.length > maxChips) return []
  return departments.map((department, index) => {
    const isChosen = chosen.includes(department)
    const toggled = departments.filter((each) =>
      each === department ? !isChosen : chosen.includes(each),
    )
    return {
      feedId: sourceOf(index),
      label: department.name,
      isChosen,
      url: urlShowing(toggled, departments),
    }
  })
}

const sourceOf = (index: number) => sources[index % sources.length] ?? ''

/** Throws `BadOption` for departments that are not listed. If none are selected, returns all. */
function chosenFrom(departments: readonly Department[], query: URLSearchParams) {
  const ids = query.getAll('show').flatMap((list) => list.split(','))
  const known = departments.map(({ id }) => id)
  const unknown = ids.find((id) => !known.includes(id))
  if (unknown !== undefined) {
    throw new BadOption(`show must be a list of these departments: ${known.join(', ')}.`)
  }
  return ids.length === 0 ? departments : departments.filter(({ id }) => ids.includes(id))
}

function urlShowing(shown: readonly Department[], all: readonly Department[]): string {
  const isChoice = shown.length > 0 && shown.length < all.length
  return isChoice ? `county?show=${shown.map(({ id }) => id).join(',')}` : 'county'
}

/** Returns the entries for the agenda. Entries of different departments are never duplicates. */
function itemsOf({ name, publicUrl, items }: Department, source: string) {
  return items
    .filter(({ role }) => role === 'agenda' || role === 'volunteers')
    .map((item) => ({
      ...item,
      kind: 'department',
      source,
      url: `${publicUrl}/${pathOf(item)}`,
      location: [item.location, name].filter((part) => part !== '').join(' · '),
    }))
}

function storiesOf(departments: readonly Department[], dayOf: (instant: number) => string) {
  return latestNews(departments, shownStories).map(({ item, department }) => ({
    path: item.url,
    title: item.title,
    day: dayOf(item.publishedAt),
    category: department.name,
  }))
}
