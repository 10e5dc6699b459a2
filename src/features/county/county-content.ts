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
import { dayInWords, firstDayOf, lastDayOf, soonestFirst } from '../../records/date-words.ts'
import { firstWeekday } from '../../records/language.ts'
import {
  lastShownIn,
  monthsAfter,
  monthsBetween,
  readSiteMonth,
  type SiteMonth,
} from '../../records/site-month.ts'
import { siteDateAt, type SiteDate } from '../../records/site-time.ts'
import { readOptions, type ChosenOptions } from '../../options/option.ts'
import { rankIn, textOfFilter, textOfSearch, type Search } from '../../search/search.ts'
import { searchOptions } from '../../search/search-options.ts'
import type { Assets } from '../../web/assets.ts'
import { newFeedVariants } from '../../web/context.ts'
import { BadOption, validOptions } from '../../web/errors.ts'
import { createClientLimit } from '../../web/client-limit.ts'
import { basePathOf, queryOf } from '../../web/urls.ts'
import { createPageWords, createRenderPage } from '../../web/templates.ts'
import { calendarServices, phoneBrowsers } from '../../web/calendar-services.ts'
import { agendaFrom, pathOf } from '../../web/item-lists.ts'
import { monthGrid } from '../../web/month-grid.ts'
import { languageLinks, pageLinks, readLanguage } from '../../web/translation.ts'
import { sourceOf } from './county-colors.ts'
import { countyEntries } from './county-entries.ts'

/** The county page for the departments that are chosen, which are all of them by default. */
type ChosenPage = {
  readonly translated: County
  readonly departments: readonly Department[]
  readonly chosen: readonly Department[]
}

type Listing = { readonly county: County; readonly departments: readonly Department[] }

/** A request for the county page, a month, the style sheet or a feed. */
export type CountyRequest = Listing & {
  readonly query: URLSearchParams
  readonly month: string
  /** Address of the client. */
  readonly client: string
}

/** Maximum total length of the cached feeds, in characters. */
const maxRendered = 10_000_000

const shownEntries = 15
const shownStories = 6

/** With more departments, people cannot select some of them. */
const maxChips = 30

/** Maximum number of entries that a search shows. */
const maxFound = 50

/** Last month that is complete, because departments publish entries 180 days ahead. */
const maxMonthsAhead = 5

/** Returns the text of a page or feed. */
type RenderCounty = (request: CountyRequest) => string

/** Renders the county page and its feeds, and caches them. */
export type CountyContent = {
  readonly page: RenderCounty
  readonly month: RenderCounty
  readonly feed: (format: FeedFormat) => RenderCounty
}

export function createCountyContent(
  { initials }: Identity,
  assets: Assets,
  clock: TimeSource,
): CountyContent {
  const renderedOnce = createRenderedOnce(clock)

  function page(request: CountyRequest): string {
    const { query, client } = request
    const shown = pageFrom(query, request)
    const searched = validOptions(readOptions(searchOptions, query))
    const key = `${keyOf('page', shown)}?${searched.query}`
    const isVariant = searched.query !== '' || isChoice(shown)
    return renderedOnce(key, request, isVariant ? client : undefined, (now) => {
      const { translated } = shown
      const url = countyFeedUrl(translated, 'ics')
      const pageUrl = `${translated.publicUrl}/county`
      return renderPage('county/county', shown, {
        calendar: {
          url,
          pageUrl,
          services: calendarServices(url, countyTitle(translated, 'ics')),
          browsers: phoneBrowsers(pageUrl),
        },
        ...contentOf(shown, now),
        ...searchIn(shown, searched, now),
      })
    })
  }

  function month(request: CountyRequest): string {
    const { query, month: text, client } = request
    const shown = pageFrom(query, request)
    const limited = isChoice(shown) ? client : undefined
    return renderedOnce(keyOf(`month ${text}`, shown), request, limited, (now) => {
      const today = siteDateAt(now, shown.translated.timeZone)
      const chosenMonth = readPublishedMonth(text, today)
      const content = monthContent(shown, chosenMonth, today)
      return renderPage('county/county-month', shown, content, `/county/month/${chosenMonth}`)
    })
  }

  function renderPage(template: string, shown: ChosenPage, content: object, path = '/county') {
    const { translated, departments, chosen } = shown
    const render = createRenderPage({
      asset: assets.pathOf,
      t: pageMessages(translated.language),
      words: createPageWords(translated, clock),
      ...pageLinks(translated),
    })
    return render(template, {
      county: translated,
      initials,
      departments,
      colorsUrl: `${basePathOf(translated)}/county/colors.css`,
      feeds: feedFormats.map((format) => ({
        ...formats[format],
        type: contentTypeOf(format),
        title: countyTitle(translated, format),
        url: countyFeedUrl(translated, format),
      })),
      languageLinks: languageLinks(
        { path, query: queryOf(urlShowing('', chosen, departments)) },
        translated,
      ),
      ...content,
    })
  }

  const feed = (format: FeedFormat) => (request: CountyRequest) => {
    const { county, departments, query, client } = request
    const translated = siteIn(county, readLanguage(query, county))
    const chosen = validOptions(readOptions(searchOptions, query))
    const key = `${format} ${translated.language} ${chosen.query}`
    return renderedOnce(key, request, chosen.query === '' ? undefined : client, (now) =>
      renderCounty(translated, departments, { format, now }, chosen),
    )
  }

  return { page, month, feed }
}

/**
 * Returns a function that renders a page or feed again only if the departments or the day have
 * changed. `client` is the address of a client that has selected departments or searches, for
 * rate limiting.
 */
function createRenderedOnce(clock: TimeSource) {
  const rendered = new LRUCache<string, string>({
    maxSize: maxRendered,
    sizeCalculation: ({ length }) => length,
  })
  let renderedFrom: readonly unknown[] = []
  const limitVariants = createClientLimit(clock, newFeedVariants)

  return (
    key: string,
    { county, departments }: Listing,
    client: string | undefined,
    render: (now: number) => string,
  ): string => {
    const now = clock.now()
    const input = [departments, county, siteDateAt(now, county.timeZone)]
    if (input.some((value, index) => value !== renderedFrom[index])) rendered.clear()
    renderedFrom = input
    const known = rendered.get(key)
    if (known !== undefined) return known
    if (client !== undefined) limitVariants(client)
    const text = render(now)
    rendered.set(key, text)
    return text
  }
}

function readPublishedMonth(text: string, today: SiteDate): SiteMonth {
  const month = readSiteMonth(text)
  const thisMonth = today.slice(0, 7)
  if (month !== undefined && isPublished(month, thisMonth)) return month
  throw new BadOption(
    `There are pages for the months from ${thisMonth} to ${monthsAfter(thisMonth, maxMonthsAhead)}.`,
  )
}

function pageFrom(query: URLSearchParams, { county, departments }: Listing): ChosenPage {
  const translated = siteIn(county, readLanguage(query, county))
  return { translated, departments, chosen: chosenFrom(departments, query) }
}

const isChoice = ({ chosen, departments }: Pick<ChosenPage, 'chosen' | 'departments'>) =>
  chosen.length < departments.length

const keyOf = (path: string, { translated, chosen }: ChosenPage) =>
  [path, translated.language, ...chosen.map(({ id }) => id)].join(' ')

/** Returns upcoming entries and the latest news from the chosen departments. */
function contentOf({ translated, departments, chosen }: ChosenPage, now: number) {
  const { timeZone, language } = translated
  const today = siteDateAt(now, timeZone)
  const items = departments.flatMap((department, index) =>
    chosen.includes(department) ? itemsOf(department, sourceOf(index)) : [],
  )
  return {
    today,
    chips: chipsFor('county', departments, chosen),
    monthUrl: urlShowing(`county/month/${today.slice(0, 7)}`, chosen, departments),
    agenda: agendaFrom(items, [], { today, firstDay: today, language }, { limit: shownEntries }),
    stories: storiesOf(chosen, (at) => dayInWords(siteDateAt(at, timeZone), today, language)),
  }
}

/** Returns the entries that a search finds, if there is one, and what the search form shows. */
function searchIn(
  { translated, departments, chosen }: ChosenPage,
  { values: { search }, query }: ChosenOptions<{ readonly search: Search }>,
  now: number,
) {
  const today = siteDateAt(now, translated.timeZone)
  const searched = query === '' ? [] : countyEntries(departments, chosen)
  const matching = searched.filter(
    ({ time, texts }) => lastDayOf(time) >= today && rankIn(texts, search) !== undefined,
  )
  const found = soonestFirst(matching, today, ({ time }) => time)
  const show = isChoice({ chosen, departments }) ? chosen.map(({ id }) => id).join(',') : ''
  return {
    found: query === '' ? undefined : found.slice(0, maxFound),
    search: {
      path: 'county',
      kept: { show },
      text: textOfSearch(search),
      filter: textOfFilter({ search }),
      count: found.length,
      allUrl: urlShowing('county', chosen, departments),
      followUrl: calendarServices(countyFeedUrl(translated, 'ics', query), '').device,
    },
  }
}

const isPublished = (month: SiteMonth, thisMonth: SiteMonth) => {
  const ahead = monthsBetween(thisMonth, month)
  return ahead >= 0 && ahead <= maxMonthsAhead
}

function monthContent(
  { translated, departments, chosen }: ChosenPage,
  month: SiteMonth,
  today: SiteDate,
) {
  const thisMonth = today.slice(0, 7)
  const to = lastShownIn(month, firstWeekday(translated.language))
  const entries = countyEntries(departments, chosen)
    .filter(({ time }) => firstDayOf(time) <= to && lastDayOf(time) >= `${month}-01`)
    .map((entry) => ({ ...entry, title: `${entry.title} (${entry.category})` }))
  const linkTo = (other: SiteMonth) =>
    isPublished(other, thisMonth) && urlShowing(other, chosen, departments)
  return {
    month,
    today,
    ...monthGrid(entries, month, translated),
    previous: linkTo(monthsAfter(month, -1)),
    next: linkTo(monthsAfter(month, 1)),
    isThisMonth: month === thisMonth,
    listUrl: urlShowing('../../county', chosen, departments),
    chips: chipsFor(month, departments, chosen),
  }
}

function chipsFor(path: string, departments: readonly Department[], chosen: readonly Department[]) {
  if (departments.length < 2 || departments.length > maxChips) return []
  return departments.map((department, index) => {
    const isChosen = chosen.includes(department)
    const toggled = departments.filter((each) =>
      each === department ? !isChosen : chosen.includes(each),
    )
    return {
      source: sourceOf(index),
      label: department.name,
      isChosen,
      url: urlShowing(path, toggled, departments),
    }
  })
}

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

/** Returns the URL of a page for these departments. Without a path, returns only the query. */
function urlShowing(path: string, shown: readonly Department[], all: readonly Department[]) {
  const isSelection = shown.length > 0 && isChoice({ chosen: shown, departments: all })
  return isSelection ? `${path}?show=${shown.map(({ id }) => id).join(',')}` : path
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
