import { isDeepStrictEqual } from 'node:util'
import { LRUCache } from 'lru-cache'
import express, { type Request, type Response } from 'express'
import type { TimeSource } from '../../clock.ts'
import type { ServerConfig } from '../../config/config.ts'
import type { NamedSite } from '../../config/sites-config.ts'
import {
  countyFeedUrl,
  countyTitle,
  latestNews,
  renderCounty,
  type County,
  type Department,
  type ListedDepartment,
} from '../../feeds/county.ts'
import { contentTypes, type FeedFormat } from '../../feeds/feed.ts'
import { languageParameter } from '../../feeds/feed-options.ts'
import { identityFrom } from '../../feeds/identity.ts'
import { siteIn } from '../../feeds/site.ts'
import type { Logger } from '../../log.ts'
import { pageMessages } from '../web/messages.ts'
import { defaultLanguage } from '../../records/language.ts'
import { dayInWords } from '../../records/date-words.ts'
import { siteDateAt } from '../../records/site-time.ts'
import { readOptions } from '../../options/option.ts'
import { searchOptions } from '../../search/search-options.ts'
import { errorHandler } from '../web/error-handler.ts'
import { contentDisposition } from '../web/content-disposition.ts'
import { newFeedVariants, pageVariants } from '../web/context.ts'
import { publicFields } from '../web/feed-response.ts'
import { createSendPage } from '../web/send-page.ts'
import { bypassesCache } from '../front/bypasses-cache.ts'
import type { Purges } from '../front/protocol.ts'
import { createPageCache } from '../web/site-cache.ts'
import { BadOption, validOptions } from '../web/errors.ts'
import { allowSafeMethods } from '../web/allow-safe-methods.ts'
import { createClientLimit } from '../web/client-limit.ts'
import type { Rejections } from '../front/rejections.ts'
import { securityHeaders } from '../web/security-headers.ts'
import { sendMessage } from '../web/send-message.ts'
import { basePathOf, queryOf } from '../web/urls.ts'
import { createPageWords, createRenderPage } from '../web/templates.ts'
import { createAssets } from '../web/assets.ts'
import { calendarServices } from './calendar-services.ts'
import { createDepartmentReader } from './department-feeds.ts'
import { agendaFrom, pathOf } from './item-lists.ts'
import { languageLinks, pageLinks, readLanguage } from '../web/translation.ts'

/** The county page for the departments that are chosen, which are all of them by default. */
type ChosenPage = {
  readonly translated: County
  readonly departments: readonly Department[]
  readonly chosen: readonly Department[]
}

/** Distinguishes the county page from sites, whose names have no underscore. */
const countySite = '_county'

const formatNames = { ics: 'iCalendar', rss: 'RSS', atom: 'Atom', json: 'JSON Feed' }
const formats = ['ics', 'rss', 'atom', 'json'] as const

const startingSeconds = 10

/** Maximum total length of the cached feeds, in characters. */
const maxRendered = 10_000_000

/** Parameters with which responses are cached. Those with others are limited for each client. */
const pageParameters = [languageParameter]
const feedParameters = [languageParameter, searchOptions.search.name]

const shownEntries = 15
const shownStories = 6

/** With more departments, people cannot select some of them. */
const maxChips = 30

/** Names of colors in lists.css and county.css, which are assigned to departments in turn. */
const sources = ['calendar', 'events', 'rental', 'signup', 'teal', 'pink']

/**
 * Creates the page and feeds with the public entries of all departments. Returns undefined without
 * a name and a URL. Reads the departments' feeds through the server, like any other client, so that
 * it does not matter which worker has a department, and nothing private can leak.
 */
export function createHostedCounty(
  config: Pick<ServerConfig, 'countyName' | 'sitesUrl' | 'proxies'>,
  options: {
    readonly server: {
      readonly url: string
      readonly front: Purges
      readonly rejections: Rejections
    }
    readonly clock: TimeSource
    readonly log: Logger
  },
) {
  const { countyName: name, sitesUrl: publicUrl, proxies } = config
  if (name === undefined || publicUrl === undefined) return undefined
  const { server, clock, log } = options
  const removeResponses = () => server.front.remove(countySite)
  const reader = createDepartmentReader(server.url, removeResponses, clock, log)
  let listed: readonly ListedDepartment[] = []
  let county: County = { name, publicUrl, timeZone: 'Etc/UTC', language: defaultLanguage }
  let hasStarted = false
  const identity = identityFrom({}, name)
  const assets = createAssets(basePathOf(county), identity)
  const sendPage = createSendPage(createPageCache(countySite), clock)
  const rendered = new LRUCache<string, string>({
    maxSize: maxRendered,
    sizeCalculation: ({ length }) => length,
  })
  let renderedFrom: readonly unknown[] = []
  const limitSearches = createClientLimit(clock, newFeedVariants)
  const limitVariants = createClientLimit(clock, pageVariants)

  /** Renders a page or feed again only if the departments or the day have changed. */
  function renderedOnce(
    key: string,
    departments: readonly Department[],
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

  function pageOf(query: URLSearchParams, departments: readonly Department[]): string {
    const translated = siteIn(county, readLanguage(query, county))
    const chosen = chosenFrom(departments, query)
    const key = ['page', translated.language, ...chosen.map(({ id }) => id)].join(' ')
    return renderedOnce(key, departments, (now) =>
      renderPage({ translated, departments, chosen }, now),
    )
  }

  function renderPage({ translated, departments, chosen }: ChosenPage, now: number): string {
    const render = createRenderPage({
      asset: assets.pathOf,
      t: pageMessages(translated.language),
      words: createPageWords(translated, clock),
      ...pageLinks(translated),
    })
    const query = queryOf(urlShowing(chosen, departments))
    return render('county', {
      county: translated,
      initials: identity.initials,
      feeds: formats.map((format) => ({
        name: formatNames[format],
        type: contentTypes[format],
        title: countyTitle(translated, format),
        url: countyFeedUrl(translated, format),
      })),
      services: calendarServices(countyFeedUrl(translated, 'ics'), countyTitle(translated, 'ics')),
      languageLinks: languageLinks({ path: '/county', query }, translated),
      ...contentOf({ translated, departments, chosen }, now),
    })
  }

  function feedOf(
    format: FeedFormat,
    client: string,
    query: URLSearchParams,
    departments: readonly Department[],
  ): string {
    const translated = siteIn(county, readLanguage(query, county))
    const chosen = validOptions(readOptions(searchOptions, query))
    return renderedOnce(`${format} ${translated.language} ${chosen.query}`, departments, (now) => {
      if (chosen.query !== '') limitSearches(client)
      return renderCounty(translated, departments, { format, now }, chosen)
    })
  }

  async function send(
    request: Request,
    response: Response,
    headers: Readonly<Record<string, string>>,
    parameters: readonly string[],
    textFor: (query: URLSearchParams, departments: readonly Department[]) => string,
  ): Promise<void> {
    const query = queryOf(request.originalUrl)
    const isVariant = [...query.keys()].some((parameter) => !parameters.includes(parameter))
    if (isVariant || bypassesCache(request)) limitVariants(request.ip ?? '')
    const departments = await reader.departments()
    if (!departments) {
      response.set('Retry-After', String(startingSeconds))
      return sendMessage(response, 503, 'Feedhouse is starting. Please try again shortly.')
    }
    // Drops the responses from before a restart.
    if (!hasStarted) removeResponses()
    hasStarted = true
    response.set(headers)
    const text = textFor(query, departments)
    await sendPage(request, response, text, { route: request.path, link: undefined, parameters })
  }

  const application = express()
  application.disable('x-powered-by')
  application.set('trust proxy', proxies)
  application.enable('case sensitive routing')
  application.enable('strict routing')
  application.use(securityHeaders())
  application.get('/assets/:file', assets.send)
  application.use('/county', allowSafeMethods())
  application.get('/county', async (request, response) => {
    await send(request, response, { 'Cache-Control': 'no-cache' }, pageParameters, pageOf)
  })
  for (const format of formats) {
    application.use(`/county.${format}`, allowSafeMethods({ isOpen: () => true }))
    application.get(`/county.${format}`, async (request, response) => {
      const headers = {
        ...Object.fromEntries(publicFields),
        'Content-Type': contentTypes[format],
        'Content-Disposition': contentDisposition(countyTitle(county, format), format),
      }
      await send(request, response, headers, feedParameters, (...options) =>
        feedOf(format, request.ip ?? '', ...options),
      )
    })
  }
  application.use(errorHandler(log, server.rejections.report))

  return {
    /** Passes other requests on. */
    handler: application,
    changeSites(sites: readonly NamedSite[]) {
      const inCounty = sites.filter(({ config }) => config.isInCounty)
      const changed = inCounty.map(({ name: id, config: { site, publicUrl: url } }) => ({
        id,
        name: site.name,
        place: site.identity?.place,
        publicUrl: url,
        websiteUrl: site.url,
      }))
      if (isDeepStrictEqual(changed, listed)) return
      const isFirst = listed.length === 0
      listed = changed
      const { timeZone = 'Etc/UTC', language = defaultLanguage } = inCounty[0]?.config.site ?? {}
      county = { name, publicUrl, timeZone, language }
      reader.list(changed)
      if (!isFirst) removeResponses()
    },
  }
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
