import { Router, type RequestHandler } from 'express'
import { accentColors } from '../../feeds/identity.ts'
import { withText, type Feed, type ListedEntry } from '../../feeds/feed.ts'
import { todayAt } from '../../feeds/site.ts'
import { partsIn, textFrom } from '../../feeds/source-list.ts'
import type { ChosenOptions } from '../../options/option.ts'
import { endOfSpan } from '../../records/date-words.ts'
import { lastDayIn, monthsAfter, monthsBetween, type SiteMonth } from '../../records/site-month.ts'
import { daysAfter, siteDateAt, siteTimeAt } from '../../records/site-time.ts'
import { boardItem, type BoardItem } from '../../signage/board-item.ts'
import type { SiteContext } from '../context.ts'
import { placeOptions, searchOptions } from '../../search/search-options.ts'
import { createListLimit, parametersOf, readListFilters } from '../feeds/list-filters.ts'
import { linkPrefix, requireReadable } from '../feeds/viewer.ts'
import { createClientLimit } from '../server/client-limit.ts'
import { BadOption, Unavailable } from '../responses/errors.ts'
import { allowFraming } from '../responses/security-headers.ts'
import { accentStyle } from './assets.ts'
import { entriesFor, maxMonthsAway } from './calendar-entries.ts'
import { elementPath, sendElement } from './embed-element.ts'
import {
  embedOptionsFor,
  embedsOf,
  readEmbedOptions,
  type Embed,
  type EmbedOptions,
} from './embed-options.ts'
import { groupsFrom, storiesFrom, ungroupedFrom } from './item-lists.ts'
import { monthGrid } from './month-grid.ts'
import { pageRouter, type Page, type PageRequest } from './page-handler.ts'

const freshSeconds = 300
const daySeconds = 86_400

const nextDays = 365

const searchNames = Object.values({ ...searchOptions, ...placeOptions }).map(({ name }) => name)

/** Options with many values. */
const varied = ['show', 'month', 'accent', ...searchNames]

export const newEmbeds = { burst: 60, oneMoreMs: 1_000 }

const unreadRetryMs = 10_000

const framing = allowFraming()

/** Lets elements on any page read an embed, its style and its scripts. */
const allowReading: RequestHandler = (_request, response, next) => {
  response.set('Access-Control-Allow-Origin', '*')
  response.set('Cross-Origin-Resource-Policy', 'cross-origin')
  next()
}

/** Sends an accent color, which replaces the calendars' colors. */
const sendAccent: RequestHandler = ({ params }, response, next) => {
  const [, color] = /^([\da-f]{6})\.css$/.exec(String(params['name'])) ?? []
  if (color === undefined) return next()
  response.set('Cache-Control', `public, max-age=${daySeconds}`)
  const sources = '.embed [data-source] { --source: var(--accent); }\n'
  response.type('css').send(accentStyle(accentColors(`#${color}`)) + sources)
}

/**
 * Serves lists, cards and months for the organization's own pages, both publicly and under feed
 * links.
 */
export function embedRoutes(context: SiteContext): Router {
  const { catalog, basePath, clock } = context
  const limitLists = createListLimit(context)
  const limit = createClientLimit(clock, newEmbeds)

  /** Returns the content of an embed: a list or a month. Undefined if there are no calendars. */
  async function contentOf(
    context: SiteContext,
    embed: Embed,
    shown: EmbedOptions,
    request: PageRequest,
  ) {
    const { viewer, query } = request
    const { feed } = embed
    if (!feed && shown.layout === 'month') return monthContent(context, request, shown)
    if (!feed) return nextContent(context, request, shown)
    const filters = readListFilters([feed], query, embedOptionsFor(embed))
    limitLists(request.request.ip ?? '', viewer.profile, filters, context.overviews)
    const filter = filters.get(feed)
    if (shown.layout !== 'month') return feedContent(context, request, shown, feed, filter)
    // An embed of one feed does not have the option `show`.
    const selecting = new URLSearchParams(filter?.query)
    selecting.set('show', textFrom(feed.id, partsIn(feed, 'ics', filter?.values ?? {})))
    const narrowed = { ...request, viewer: { ...viewer, feeds: [feed] } }
    return monthContent(context, narrowed, shown, selecting)
  }

  const show = (context: SiteContext, embed: Embed) => async (pageRequest: PageRequest) => {
    const { request, response, viewer, query, render } = pageRequest
    if (embed.feed) requireReadable(embed.feed, viewer)
    const chosen = readEmbedOptions(embed, query)
    if (varied.some((name) => query.has(name))) limit(request.ip ?? '')
    const content = await contentOf(context, embed, chosen, pageRequest)
    if (!content) return undefined
    if (!viewer.link) response.set('Cache-Control', `public, max-age=${freshSeconds}`)
    const { accent } = chosen
    return render('embed', {
      ...content,
      chosen,
      embed: { ...embed, feed: embed.feed && withText(embed.feed, context.site.language) },
      base: `${viewer.base}/`,
      accentPath: accent && `${basePath}/embed/accent/${accent}.css`,
    })
  }

  const pagesOf =
    (translated: SiteContext) =>
    (embed: Embed): readonly Page[] => {
      const own = parametersOf(embed.feed ? [embed.feed] : [], embedOptionsFor(embed))
      const parameters = embed.feed ? own : ['show', ...searchNames, ...own]
      const page = { path: `/embed/${embed.id}`, show: show(translated, embed), parameters }
      return [
        { ...page, prefixes: [''], headers: [framing, allowReading] },
        { ...page, prefixes: [linkPrefix], headers: [framing] },
      ]
    }
  const embeds = embedsOf(catalog.feeds)
  const router = Router({ caseSensitive: true, strict: true })
  router.use(pageRouter(context, (translated) => embeds.flatMap(pagesOf(translated))))
  router.get('/embed/accent/:name', allowReading, sendAccent)
  router.get(elementPath, allowReading, sendElement)
  return router
}

async function feedContent(
  context: SiteContext,
  { viewer, now }: PageRequest,
  shown: EmbedOptions,
  feed: Feed,
  filter: ChosenOptions | undefined,
) {
  const { board } = await context.overviews.read(feed, viewer.profile, filter)
  const { layout, limit } = shown
  if (feed.formats.includes('ics')) return agenda(context, board, shown, now)
  const use = layout === 'cards' ? 'phone' : 'thumbnail'
  return { stories: storiesFrom(context, board, limit, use) }
}

async function nextContent(context: SiteContext, request: PageRequest, shown: EmbedOptions) {
  const { timeZone } = context.site
  const { query, now } = request
  const today = siteDateAt(now, timeZone)
  const range = { from: today, to: daysAfter(today, nextDays) }
  const entries = await entriesIn(context, request, query, range)
  const time = siteTimeAt(now, timeZone)
  const coming = entries?.filter((entry) => endOfSpan(entry.time) > time).map(itemFrom)
  return coming && agenda(context, coming, { ...shown, layout: 'cards' }, now)
}

function agenda(
  { site }: SiteContext,
  items: readonly BoardItem[],
  { layout, limit }: EmbedOptions,
  now: number,
) {
  const days = { ...site, today: todayAt(site, now), firstDay: siteDateAt(now, site.timeZone) }
  const groups = layout === 'list' ? groupsFrom : ungroupedFrom
  return { groups: groups(items, limit, days) }
}

async function monthContent(
  context: SiteContext,
  request: PageRequest,
  shown: EmbedOptions,
  selecting = request.query,
) {
  const { site } = context
  const today = siteDateAt(request.now, site.timeZone)
  const current = today.slice(0, 7)
  const month = shown.month ?? current
  const isInRange = (each: SiteMonth) => Math.abs(monthsBetween(current, each)) <= maxMonthsAway
  if (!isInRange(month)) throw new BadOption('month must be within ten years.')
  const range = { from: `${month}-01`, to: lastDayIn(month) }
  const entries = await entriesIn(context, request, selecting, range)
  if (!entries) return undefined
  const linkTo = (each: SiteMonth) => {
    if (site.isStatic || !isInRange(each)) return undefined
    const changed = new URLSearchParams(request.query)
    changed.set('month', each)
    return { month: each, url: `?${changed.toString()}` }
  }
  return {
    month: {
      ...monthGrid(entries, month, site),
      month,
      today: site.isStatic ? undefined : today,
      previous: linkTo(monthsAfter(month, -1)),
      next: linkTo(monthsAfter(month, 1)),
    },
  }
}

async function entriesIn(
  context: SiteContext,
  { viewer, now }: PageRequest,
  query: URLSearchParams,
  range: { readonly from: string; readonly to: string },
): Promise<readonly ListedEntry[] | undefined> {
  const found = await entriesFor(context, viewer, query, { ...range, now })
  // An embed must not go blank just because the website cannot be read.
  if (found?.filter.chosen.length === 0)
    throw new Unavailable(({ unread }) => unread, unreadRetryMs)
  return found?.entries
}

function itemFrom({ kind, recordId, title, time, location, category, places }: ListedEntry) {
  const { allDay, start, end = null } = time
  const id = `${kind}-${recordId}`
  const shown = { id, kind, title, when: '', start, end, allDay, location, category }
  return boardItem({ ...shown, ...places, role: 'agenda' })
}
