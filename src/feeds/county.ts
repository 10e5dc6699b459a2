import { z } from 'zod'
import {
  mergeCalendars,
  organizationCalendar,
  type OrganizationCalendar,
} from '../calendar/merged-calendars.ts'
import { siteDateAt } from '../records/site-time.ts'
import { cleanText, compareText } from '../text/text.ts'
import { noneChosen } from '../options/option.ts'
import { searchOptions } from '../search/search-options.ts'
import { foldText, rankIn, titleWithSearch } from '../search/search.ts'
import { tagUri } from '../syndication/channel.ts'
import { escapeHtml } from '../text/html.ts'
import type { FeedItem } from '../syndication/feed-item.ts'
import { textIn } from '../syndication/item-search.ts'
import { calendarRenderer, type FeedFormat, isCalendarFormat, newsText } from './formats.ts'
import { feedMessages } from './messages.ts'
import type { Published } from './published.ts'
import { websiteLanguageOf, withLanguage, type Translated } from './site.ts'

/** Maximum number of news items for all departments together. */
const maxItems = 100

export type ListedDepartment = {
  /** Name of the site in the sites file. */
  readonly id: string
  readonly name: string
  /** Town and state, if they are configured. */
  readonly place: string | undefined
  /** Where people can follow the department. */
  readonly publicUrl: string
  readonly websiteUrl: string
}

export type DepartmentContent = Omit<Published, 'calendar'> & {
  readonly calendar: OrganizationCalendar | undefined
}

export type Department = ListedDepartment & DepartmentContent

/** The page that lists departments, and the feeds with all of their entries. */
export type County = Translated & {
  readonly name: string
  /** Time zone of the calendar as a whole. */
  readonly timeZone: string
}

export function countyTitle({ name, language }: County, format: FeedFormat): string {
  const { titled, county } = feedMessages(language)
  return titled(name, isCalendarFormat(format) ? county.calendar : county.news)
}

export function countyFeedUrl(county: County, format: FeedFormat, options = ''): string {
  const query = withLanguage(options, county)
  return `${county.publicUrl}/county.${format}${query === '' ? '' : `?${query}`}`
}

const text = z.string()
const newsItem = z.looseObject({ id: text, url: text, title: text, author: text, category: text })
const boardEntry = z.looseObject({ id: text, kind: text, title: text, location: text, start: text })

/** Checks data that could otherwise break the page for all departments, or its style sheet. */
const shape = z.looseObject({
  name: text,
  color: z
    .string()
    .regex(/^#[\da-f]{6}$/)
    .optional()
    .catch(undefined),
  feedIds: z.array(text),
  news: z.array(
    newsItem.extend({ contentHtml: text, publishedAt: z.number(), updatedAt: z.number() }),
  ),
  items: z.array(boardEntry.extend({ end: text.nullable(), allDay: z.boolean() })),
})

/** Reads a department's feed. `homeUrl` is its page. Throws if the feed is invalid. */
export function readDepartment(json: string, homeUrl: string): DepartmentContent {
  const { calendar, ...content } = shape.parse(JSON.parse(json)) as unknown as Published
  const organization = { name: content.name, homeUrl }
  return { ...content, calendar: organizationCalendar(calendar, organization) }
}

/**
 * Renders the public entries of all departments in one feed. Entries of different departments are never
 * merged, because titles and places such as "Business meeting" at "Station 1" are common.
 */
export function renderCounty(
  county: County,
  departments: readonly Department[],
  { format, now }: { readonly format: FeedFormat; readonly now: number },
  { values: { search }, query } = noneChosen(searchOptions),
): string {
  const title = titleWithSearch(countyTitle(county, format), { search })
  const url = countyFeedUrl(county, format, query)
  const { newsSummary, calendarSummary } = feedMessages(county.language).county
  if (!isCalendarFormat(format)) {
    const items = latestNews(departments, Infinity)
      .filter(({ item: { title, category, author, contentHtml }, department: { name } }) => {
        const texts = [title, category, author, name, textIn(contentHtml)]
        return query === '' || rankIn(texts.map(foldText), search) !== undefined
      })
      .slice(0, maxItems)
      .map(({ item, department }) => creditedItem(item, department, county.language))
    const channel = {
      id: tagUri(new URL(county.publicUrl).hostname, query === '' ? 'county' : `county?${query}`),
      title,
      description: newsSummary,
      homeUrl: `${county.publicUrl}/county`,
      feedUrl: url,
      author: county.name,
      language: websiteLanguageOf(county),
      updatedAt: Math.max(0, ...items.map(({ updatedAt }) => updatedAt)),
    }
    return newsText(format, channel, items)
  }
  const calendars = departments.flatMap(({ calendar }) => calendar ?? [])
  const bytes = mergeCalendars(calendars, {
    name: title,
    description: calendarSummary,
    url,
    timeZone: county.timeZone,
    language: county.language,
    today: siteDateAt(now, county.timeZone),
    search,
    renderEntries: calendarRenderer(format),
    noticeUid: `county-omitted@${new URL(county.publicUrl).hostname}`,
  })
  return bytes.toString('utf8')
}

/** Returns the latest news, newest first, each with its department. */
export function latestNews(departments: readonly Department[], limit: number) {
  return departments
    .flatMap((department) => department.news.map((item) => ({ item, department })))
    .toSorted(
      ({ item: a }, { item: b }) => b.publishedAt - a.publishedAt || compareText(a.id, b.id),
    )
    .slice(0, limit)
}

/** Adds the department's name to an item, with a link to its page. */
function creditedItem(item: FeedItem, { name, publicUrl }: Department, language: string): FeedItem {
  const link = (text: string) => `<a href="${escapeHtml(publicUrl)}/">${text}</a>`
  const credit = `<p>${feedMessages(language).county.source(escapeHtml(name), link)}</p>`
  return {
    ...item,
    title: `${item.title} (${cleanText(name)})`,
    author: item.author === '' ? name : item.author,
    contentHtml: `${item.contentHtml}${credit}`,
  }
}
