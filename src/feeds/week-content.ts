import { memberKey, type DuplicateGroups } from '../calendar/duplicate-groups.ts'
import { asCanceled } from '../calendar/canceled-title.ts'
import { calendarMessages } from '../calendar/messages.ts'
import { ownTitle } from '../calendar/personal-sections.ts'
import { firstDayOf, longDayInWords, soonestFirst, timeBesideDay } from '../records/date-words.ts'
import type { ChangeHistory } from '../records/recorded-change.ts'
import type { SiteDate } from '../records/site-time.ts'
import { shortenedText } from '../text/text.ts'
import type { FeedItem, ItemDraft } from '../syndication/feed-item.ts'
import { escapeHtml, linkHtml } from '../text/html.ts'
import { membersIn, type FeedChange } from './changes.ts'
import {
  newsItemsOf,
  type Feed,
  type ListedEntry,
  type DayRange,
  type PageContext,
  type ShownSource,
  type SiteReader,
} from './feed.ts'
import { feedMessages } from './messages.ts'
import type { Site } from './site.ts'

const maxListed = 100

/** Maximum number of entry titles in the title of a list. */
const maxHighlights = 3
const maxHighlightLength = 60

const maxSummaryLength = 400

/** News that was first seen longer after its date is omitted, because its week has passed. */
const maxDelayMs = 7 * 24 * 60 * 60 * 1000

type News = { readonly feed: Feed; readonly draft: ItemDraft; readonly appearedAt: number }

/** Entries, changes and news for readers, as in a weekly message. */
export type WeekContent = {
  readonly entries: readonly ListedEntry[]
  readonly changes: readonly FeedChange[]
  readonly news: readonly News[]
}

export const isNews = ({ boardRole }: Feed) => boardRole === 'story' || boardRole === 'announcement'

/** Soonest first, each event once. `isIncluded` returns false for records to omit. */
export function entriesIn(
  sources: readonly ShownSource[],
  { from, to }: DayRange,
  context: PageContext & { readonly duplicates: DuplicateGroups },
  isIncluded: (history: ChangeHistory | undefined) => boolean = () => true,
): readonly ListedEntry[] {
  const groupOf = membersIn(context.duplicates, sources, () => true)
  const listed = sources.flatMap(({ feed, source }) => {
    const range = { from, to, parts: [], cancelled: 'mark' } as const
    const entries = [...(feed.listed?.(source, range, context) ?? [])]
    return entries.flatMap((entry) => {
      const { recordId: id } = entry
      const key = memberKey({ resource: feed.resource, id })
      return isIncluded(source.ledger.get(id)) ? { entry, event: groupOf.get(key) ?? entry } : []
    })
  })
  const groups = [...Map.groupBy(listed, ({ event }) => event).values()]
  const shown = groups.flatMap(([first, ...others]) => {
    const active = [first, ...others].find((each) => each?.entry.isCanceled !== true)
    return (active ?? first)?.entry ?? []
  })
  return soonestFirst(shown, from, ({ time }) => time)
}

/** Returns news and announcements with the time when readers could first see them, latest first. */
export function newsIn(
  sources: readonly ShownSource[],
  { site, profile }: SiteReader,
): readonly News[] {
  return sources
    .filter(({ feed }) => isNews(feed))
    .flatMap(({ feed, source }) => {
      const drafts = newsItemsOf(feed, source, { site, profile, values: {} })
      return drafts.flatMap((draft): News | [] => {
        const { publishedAt, recordId } = draft
        const { firstSeenAt = publishedAt } = source.ledger.get(recordId) ?? {}
        if (firstSeenAt > publishedAt + maxDelayMs) return []
        return { feed, draft, appearedAt: Math.max(publishedAt, firstSeenAt) }
      })
    })
    .toSorted((a, b) => b.appearedAt - a.appearedAt)
}

export type ListOptions = {
  readonly site: Site
  readonly from: SiteDate
  /** The days of the list, which its title starts with. */
  readonly days: string
  /** Page with the entries that are not listed. */
  readonly url: string
  /**
   * Returns the URL of the page of an entry or item, or undefined if the reader cannot open one.
   * `isLasting` is false for canceled entries and for news that expires.
   */
  readonly pageUrlOf: (feedId: string, recordId: number, isLasting: boolean) => string | undefined
  /** Returns HTML for a day from its entries and their HTML. The default is a heading and a list. */
  readonly dayHtml?: (
    day: SiteDate,
    lines: readonly string[],
    entries: readonly ListedEntry[],
  ) => string
  /** Returns HTML to add after an entry. */
  readonly afterEntry?: (entry: ListedEntry) => string
}

/** Returns a title, a summary and HTML for readers. */
export function renderContent(content: WeekContent, options: ListOptions) {
  const { site, from, days, url, pageUrlOf } = options
  const { language } = site
  const { more } = calendarMessages(language).changes
  const entries = content.entries.slice(0, maxListed)
  const changes = content.changes
    .toSorted((a, b) => b.since - a.since || a.recordId - b.recordId)
    .slice(0, maxListed)
  const news = content.news
    .slice(0, maxListed)
    .map(({ feed, draft }) => ({ ...draft.make(), feed }))
  const active = entries.filter(({ isCanceled }) => isCanceled !== true)
  const titles = [...new Set([...active, ...news].map(({ title }) => title))]
  const highlights = titles.slice(0, titles.length > maxHighlights ? maxHighlights - 1 : undefined)
  const named = highlights.map((title) => shortenedText(title, maxHighlightLength)).join(', ')
  const rest = titles.length - highlights.length
  const firstShown = ({ time }: ListedEntry) => (firstDayOf(time) < from ? from : firstDayOf(time))
  const headed = (day: SiteDate, lines: readonly string[]) =>
    `<h3>${escapeHtml(longDayInWords(day, undefined, language))}</h3>\n${listHtml(lines)}`
  const { dayHtml = headed } = options
  const byDay = [...Map.groupBy(entries, firstShown)].map(([day, ofDay]) =>
    dayHtml(
      day,
      ofDay.map((entry) => entryHtml(entry, options)),
      ofDay,
    ),
  )
  const sectionOf = (heading: string, total: number, lists: readonly string[]) => {
    const unlisted = total - maxListed
    const end = unlisted > 0 ? [`<p>${linkHtml(url, more(unlisted))}</p>`] : []
    return total === 0 ? [] : [`<h2>${escapeHtml(heading)}</h2>`, ...lists, ...end]
  }
  const { news: aboutNews, changes: aboutChanges } = feedMessages(language).feeds
  const html = [
    ...sectionOf(feedMessages(language).coming, content.entries.length, byDay),
    ...sectionOf(aboutChanges.title, content.changes.length, [
      listHtml(
        changes.map(({ feed, recordId, text, isShown }) =>
          linkedText(pageUrlOf(feed.id, recordId, isShown), text),
        ),
      ),
    ]),
    ...sectionOf(aboutNews.title, content.news.length, [
      listHtml(news.map((item) => newsHtml(item, options))),
    ]),
  ]
  return {
    title: named === '' ? days : `${days}: ${named}${rest > 0 ? ` ${more(rest)}` : ''}`,
    summary: shortenedText(
      titles.join(', ') || changes.map(({ text }) => text).join(', ') || days,
      maxSummaryLength,
    ),
    html: html.join('\n'),
  }
}

function listHtml(lines: readonly string[]): string {
  return `<ul>\n${lines.map((line) => `<li>${line}</li>\n`).join('')}</ul>`
}

function entryHtml(entry: ListedEntry, options: ListOptions): string {
  const { from, site, pageUrlOf, afterEntry } = options
  const { kind, recordId, time, title, location, isCanceled = false, own } = entry
  const { language } = site
  const when = escapeHtml(timeBesideDay(time, undefined, { firstListed: from, language }))
  const ownedTitle = own ? ownTitle({ role: own.role, title }, language) : title
  const text = isCanceled ? asCanceled(ownedTitle, language) : ownedTitle
  const place = location === '' ? '' : `, ${escapeHtml(location)}`
  const named = linkedText(pageUrlOf(kind, recordId, !isCanceled), text)
  return `<b>${when}</b> ${named}${place}${afterEntry?.(entry) ?? ''}`
}

function linkedText(url: string | undefined, text: string): string {
  return url === undefined ? escapeHtml(text) : linkHtml(url, text)
}

/** Returns a linked title with the first sentence of the text. */
function newsHtml(
  { feed, recordId, title, summary, expiresAt }: FeedItem & { readonly feed: Feed },
  { site, pageUrlOf }: ListOptions,
): string {
  const [first] = new Intl.Segmenter(site.language, { granularity: 'sentence' }).segment(summary)
  const sentence = first?.segment.trim() ?? ''
  const text = sentence === '' || sentence === title ? '' : `<br>${escapeHtml(sentence)}`
  return `${linkedText(pageUrlOf(feed.id, recordId, expiresAt === Infinity), title)}${text}`
}
