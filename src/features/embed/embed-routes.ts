import type { RequestHandler } from 'express'
import { accentColors } from '../../feeds/identity.ts'
import { isCalendar, withText, type Feed, type ListedEntry } from '../../feeds/feed.ts'
import { todayAt } from '../../feeds/site.ts'
import { partsIn, textFrom } from '../../feeds/source-list.ts'
import type { ChosenOptions } from '../../options/option.ts'
import { endOfSpan } from '../../records/date-words.ts'
import { firstWeekday } from '../../records/language.ts'
import {
  lastShownIn,
  monthsAfter,
  monthsBetween,
  type SiteMonth,
} from '../../records/site-month.ts'
import { daysAfter, siteTimeAt } from '../../records/site-time.ts'
import { boardItem } from '../../signage/board-item.ts'
import type { SiteContext } from '../../web/context.ts'
import { filterOptions } from '../../search/search-options.ts'
import { limitNewLists, parametersOf, readListFilters } from '../../web/list-filters.ts'
import { requireReadable } from '../../web/viewer.ts'
import { createClientLimit } from '../../web/client-limit.ts'
import { BadOption, Unavailable } from '../../web/errors.ts'
import { allowFraming } from '../../web/security-headers.ts'
import { accentStyle } from '../../web/assets.ts'
import { entriesFor, maxMonthsAway } from '../../web/calendar-entries.ts'
import {
  embedOptionsFor,
  embedsOf,
  readEmbedOptions,
  type Embed,
  type EmbedOptions,
} from '../../web/embed-options.ts'
import { agendaFrom, storiesFrom, type ListItem } from '../../web/item-lists.ts'
import { monthGrid } from '../../web/month-grid.ts'
import type { Page, PageRequest } from '../../web/page-handler.ts'

const nextDays = 365

const searchNames = Object.values(filterOptions).map(({ name }) => name)

/** Options with many values. */
const varied = ['show', 'month', 'accent', ...searchNames]

export const newEmbeds = { burst: 60, oneMoreMs: 1_000 }

const unreadRetryMs = 10_000

const framing = allowFraming()

/** Lets elements on any page read an embed, its style and its scripts. */
export const allowReading: RequestHandler = (_request, response, next) => {
  response.set('Access-Control-Allow-Origin', '*')
  response.set('Cross-Origin-Resource-Policy', 'cross-origin')
  next()
}

/** Sends an accent color, which replaces the calendars' colors. */
export const sendAccent: RequestHandler = ({ params }, response, next) => {
  const [, color] = /^([\da-f]{6})\.css$/.exec(String(params['color'])) ?? []
  if (color === undefined) return next()
  const sources = '.embed [data-source] { --source: var(--accent); }\n'
  response.type('css').send(accentStyle(accentColors(`#${color}`)) + sources)
}

const limitEmbeds = ({ clock }: SiteContext) => createClientLimit(clock, newEmbeds)

function embedIn({ context, request }: PageRequest): Embed | undefined {
  return embedsOf(context.catalog.feeds).find(({ id }) => id === request.params['name'])
}

/** Shows lists, cards and months on the organization's own pages. */
async function showEmbed(page: PageRequest) {
  const { context, request, viewer, query, render } = page
  const embed = embedIn(page)
  if (!embed) return undefined
  if (embed.feed) requireReadable(embed.feed, viewer)
  const chosen = readEmbedOptions(embed, query)
  if (varied.some((name) => query.has(name))) context.kept(limitEmbeds)(request.ip ?? '')
  const content = await contentOf(page, embed, chosen)
  if (!content) return undefined
  const { accent } = chosen
  return render('embed/embed', {
    ...content,
    chosen,
    embed: { ...embed, feed: embed.feed && withText(embed.feed, context.site.language) },
    base: `${viewer.base}/`,
    accentPath: accent && `${context.basePath}/embed/accent/${accent}.css`,
  })
}

function parametersIn(page: PageRequest): readonly string[] {
  const embed = embedIn(page)
  if (!embed) return []
  const own = parametersOf(embed.feed ? [embed.feed] : [], embedOptionsFor(embed))
  return embed.feed ? own : ['show', ...searchNames, ...own]
}

export const linkEmbedPage: Page = { show: showEmbed, parameters: parametersIn, headers: [framing] }

export const embedPage: Page = { ...linkEmbedPage, headers: [framing, allowReading] }

/** Returns the content of an embed: a list or a month. Undefined if there are no calendars. */
async function contentOf(page: PageRequest, embed: Embed, shown: EmbedOptions) {
  const { context, request, viewer, query } = page
  const { feed } = embed
  if (!feed && shown.layout === 'month') return monthContent(page, shown)
  if (!feed) return nextContent(page, shown)
  const filters = readListFilters([feed], query, embedOptionsFor(embed))
  limitNewLists(context, request, viewer.profile, filters)
  const filter = filters.get(feed)
  if (shown.layout !== 'month') return feedContent(page, shown, feed, filter)
  // An embed of one feed does not have the option `show`.
  const selecting = new URLSearchParams(filter?.query)
  selecting.set('show', textFrom(feed.id, partsIn(feed, 'ics', filter?.values ?? {})))
  return monthContent({ ...page, offered: [feed].filter(context.isOffered) }, shown, selecting)
}

async function feedContent(
  page: PageRequest,
  shown: EmbedOptions,
  feed: Feed,
  filter: ChosenOptions | undefined,
) {
  const { context, viewer } = page
  const { board } = await context.overviews.read(feed, viewer.profile, filter)
  const { layout, limit } = shown
  if (isCalendar(feed)) return agenda(page, board, shown)
  const use = layout === 'cards' ? 'phone' : 'thumbnail'
  return { stories: storiesFrom(context, board, limit, use) }
}

async function nextContent(page: PageRequest, shown: EmbedOptions) {
  const { context, today, now } = page
  const entries = await entriesIn(page, { from: today, to: daysAfter(today, nextDays) })
  const time = siteTimeAt(now, context.site.timeZone)
  const coming = entries?.filter((entry) => endOfSpan(entry.time) > time).map(itemFrom)
  return coming && agenda(page, coming, { ...shown, layout: 'cards' })
}

function agenda(
  { context: { site }, today, now }: PageRequest,
  items: readonly ListItem[],
  { layout, limit }: EmbedOptions,
) {
  const days = { ...site, today: todayAt(site, now), firstDay: today }
  const groups = agendaFrom(items, [], days, { limit, isGrouped: layout === 'list' })
  return { groups, from: today }
}

async function monthContent(page: PageRequest, shown: EmbedOptions, selecting = page.query) {
  const { today } = page
  const { site } = page.context
  const current = today.slice(0, 7)
  const month = shown.month ?? current
  const isInRange = (each: SiteMonth) => Math.abs(monthsBetween(current, each)) <= maxMonthsAway
  if (!isInRange(month)) throw new BadOption('month must be within ten years.')
  const to = lastShownIn(month, firstWeekday(site.language))
  const entries = await entriesIn({ ...page, query: selecting }, { from: `${month}-01`, to })
  if (!entries) return undefined
  const linkTo = (each: SiteMonth) => {
    if (site.isStatic || !isInRange(each)) return undefined
    const changed = new URLSearchParams(page.query)
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
  page: PageRequest,
  days: { readonly from: string; readonly to: string },
): Promise<readonly ListedEntry[] | undefined> {
  const found = await entriesFor(page, days)
  // An embed must not go blank just because the website cannot be read.
  if (found?.filter.chosen.length === 0)
    throw new Unavailable(({ unread }) => unread, unreadRetryMs)
  return found?.entries
}

function itemFrom(entry: ListedEntry) {
  const { kind, recordId, title, time, location, category, color, places } = entry
  const { allDay, start, end = null, asWritten } = time
  const id = `${kind}-${recordId}`
  const shown = { id, kind, title, when: '', start, end, allDay, location, category, color }
  const written = asWritten === undefined ? {} : { asWritten }
  return boardItem({ ...shown, ...written, ...places, role: 'agenda' })
}
