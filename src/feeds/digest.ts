import { memberKey, type DuplicateGroups } from '../calendar/duplicate-history.ts'
import { calendarMessages } from '../calendar/messages.ts'
import {
  bySoonest,
  daysInWords,
  firstDayOf,
  longDayInWords,
  timeBesideDay,
} from '../records/date-words.ts'
import type { ChangeHistory } from '../records/recorded-change.ts'
import {
  daysAfter,
  instantFromSiteTime,
  isoWeekOf,
  mondayOf,
  siteDateAt,
  type SiteDate,
} from '../records/site-time.ts'
import { shortenedText } from '../records/text.ts'
import { tagUri } from '../syndication/channel.ts'
import { itemDefaults, type FeedItem, type ItemDraft } from '../syndication/feed-item.ts'
import { escapeHtml, linkHtml } from '../syndication/html.ts'
import { changesOf, membersIn, type FeedChange } from './changes.ts'
import type { CombinedFeed, CombinedSource } from './combined-feed.ts'
import { itemUrl, type Feed, type ListedEntry } from './feed.ts'
import { feedMessages, textIn } from './messages.ts'
import { channelLinks, newsText } from './news-feed.ts'
import { siteChannel, withLanguage, type Site } from './site.ts'

/** When a week's item appears, in the site's time zone: on the Sunday before its Monday. */
const publishedTime = '08:00:00'

/** Number of weeks that an item is shown. */
const weeksShown = 4

/** Maximum number of entries, changes or news in an item. */
const maxListed = 100

/** Titles in an item's title. */
const maxHighlights = 3
const maxHighlightLength = 60

const maxSummaryLength = 400

/** News first seen later than this after its date is omitted, because its week has passed. */
const maxDelayMs = 7 * 24 * 60 * 60 * 1000

type Week = {
  readonly monday: SiteDate
  readonly sunday: SiteDate
  /** When the previous week's item appeared. Milliseconds since the epoch. */
  readonly previousAt: number
  readonly publishedAt: number
}

type News = { readonly draft: ItemDraft; readonly appearedAt: number }

type Content = {
  readonly entries: readonly ListedEntry[]
  readonly changes: readonly FeedChange[]
  readonly news: readonly News[]
}

/** A weekly item with the public entries of a week, and the changes and news of the week before. */
export const digest: CombinedFeed = {
  id: 'digest',
  textIn: textIn('digest'),
  formats: ['rss', 'atom', 'json'],
  isForEveryone: true,
  isPublicOnly: true,
  options: () => ({}),
  sourcesFrom: (readable) => readable.filter((feed) => isCalendar(feed) || isNews(feed)),
  render(sources, request, { site }) {
    const { now, format, duplicates = [] } = request
    const latest = weekAt(now, site)
    const weeks = Array.from({ length: weeksShown }, (_, ago) => weekOf(latest.monday, -ago, site))
    const changes = changesOf(sources, site, duplicates)
    const news = newsIn(sources, site)
    const items = weeks.flatMap((week) => {
      const isBefore = (at: number) => week.previousAt <= at && at < week.publishedAt
      const content = {
        entries: entriesIn(week, sources, duplicates, site),
        changes: changes.filter(({ since }) => isBefore(since)),
        news: news.filter(
          ({ appearedAt, draft }) => isBefore(appearedAt) && week.publishedAt < draft.expiresAt,
        ),
      }
      const isEmpty = Object.values(content).every(({ length }) => length === 0)
      return isEmpty ? [] : itemFrom(week, content, site)
    })
    const { title, summary: description } = digest.textIn(site.language)
    const channel = {
      ...channelLinks(digest, request, site),
      ...siteChannel(site),
      title: feedMessages(site.language).titled(site.name, title),
      description,
      updatedAt: items[0]?.publishedAt ?? latest.publishedAt,
    }
    return {
      body: Buffer.from(newsText(format, channel, items)),
      title: channel.title,
      validFrom: latest.publishedAt,
      validUntil: weekOf(latest.monday, 1, site).publishedAt,
    }
  },
}

const isCalendar = (feed: Feed) => 'listed' in feed

const isNews = ({ boardRole }: Feed) => boardRole === 'story' || boardRole === 'announcement'

/** Returns the week whose item was published last. */
function weekAt(now: number, site: Site): Week {
  const week = weekOf(mondayOf(siteDateAt(now, site.timeZone)), 1, site)
  return week.publishedAt <= now ? week : weekOf(week.monday, -1, site)
}

function weekOf(mondayBefore: SiteDate, weeks: number, { timeZone }: Site): Week {
  const monday = daysAfter(mondayBefore, 7 * weeks)
  const publishedBefore = (day: SiteDate) =>
    instantFromSiteTime(`${daysAfter(day, -1)}T${publishedTime}`, timeZone)
  return {
    monday,
    sunday: daysAfter(monday, 6),
    previousAt: publishedBefore(daysAfter(monday, -7)),
    publishedAt: publishedBefore(monday),
  }
}

/**
 * Returns the public entries of a week, soonest first, each event once. Entries added to the week
 * after the item appeared are omitted, so that an item never grows.
 */
function entriesIn(
  week: Week,
  sources: readonly CombinedSource[],
  duplicates: DuplicateGroups,
  site: Site,
): readonly ListedEntry[] {
  const { monday: from, sunday: to, publishedAt: now } = week
  const groupOf = membersIn(duplicates, sources, () => true)
  const listed = sources.flatMap(({ feed, source }) => {
    const range = { from, to, parts: [], cancelled: 'mark' } as const
    const entries = feed.listed?.(source, range, { site, profile: 'public', now }) ?? []
    return entries.flatMap((entry) => {
      const { recordId: id } = entry
      const key = memberKey({ resource: feed.resource, id })
      return wasInWeek(source.ledger.get(id), week)
        ? { entry, event: groupOf.get(key) ?? entry }
        : []
    })
  })
  return [...Map.groupBy(listed, ({ event }) => event).values()]
    .flatMap(([first, ...others]) => {
      const active = [first, ...others].find((each) => each?.entry.isCanceled !== true)
      return (active ?? first)?.entry ?? []
    })
    .toSorted((a, b) => bySoonest(from)(a.time, b.time))
}

/** Returns true unless the first change after the week's item added the record to the week. */
function wasInWeek(
  { changes = [] }: Pick<ChangeHistory, 'changes'> = {},
  { monday: from, sunday: to, publishedAt }: Week,
): boolean {
  const next = changes.find(({ since }) => since >= publishedAt)
  if (!next) return true
  if (!next.before) return false
  const { startDate, endDate = startDate } = next.before
  return startDate <= to && endDate >= from
}

/**
 * Returns the public news and announcements with the time when readers could first see them, latest
 * first.
 */
function newsIn(sources: readonly CombinedSource[], site: Site): readonly News[] {
  return sources
    .filter(({ feed }) => isNews(feed))
    .flatMap(({ feed, source }) => {
      const drafts = feed.newsItems?.(source, { site, profile: 'public', values: {} }) ?? []
      return drafts.flatMap((draft): News | [] => {
        const { publishedAt, recordId } = draft
        const { firstSeenAt = publishedAt } = source.ledger.get(recordId) ?? {}
        if (firstSeenAt > publishedAt + maxDelayMs) return []
        return { draft, appearedAt: Math.max(publishedAt, firstSeenAt) }
      })
    })
    .toSorted((a, b) => b.appearedAt - a.appearedAt)
}

function itemFrom(week: Week, content: Content, site: Site): FeedItem {
  const { monday, sunday, publishedAt } = week
  const { language } = site
  const id = `${digest.id}-${isoWeekOf(monday)}`
  const query = withLanguage('', site)
  const url = `${site.publicUrl}/${query === '' ? '' : `?${query}`}#${id}`
  const { more } = calendarMessages(language).changes
  const entries = content.entries.slice(0, maxListed)
  const changes = content.changes
    .toSorted((a, b) => b.since - a.since || a.recordId - b.recordId)
    .slice(0, maxListed)
  const news = content.news.slice(0, maxListed).map(({ draft }) => draft.make())
  const active = entries.filter(({ isCanceled }) => isCanceled !== true)
  const titles = [...new Set([...active, ...news].map(({ title }) => title))]
  const highlights = titles.slice(0, titles.length > maxHighlights ? maxHighlights - 1 : undefined)
  const named = highlights.map((title) => shortenedText(title, maxHighlightLength)).join(', ')
  const rest = titles.length - highlights.length
  const days = daysInWords(monday, sunday, undefined, language)
  const firstShown = ({ time }: ListedEntry) =>
    firstDayOf(time) < monday ? monday : firstDayOf(time)
  const byDay = [...Map.groupBy(entries, firstShown)].map(
    ([day, ofDay]) =>
      `<h3>${escapeHtml(longDayInWords(day, undefined, language))}</h3>\n` +
      listHtml(ofDay.map((entry) => entryHtml(entry, monday, site))),
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
      listHtml(changes.map((change) => changeHtml(change, site))),
    ]),
    ...sectionOf(aboutNews.title, content.news.length, [
      listHtml(news.map((item) => newsHtml(item, site))),
    ]),
  ]
  return {
    ...itemDefaults,
    id: tagUri(site.idHost, id),
    recordId: Date.parse(monday),
    url,
    title: named === '' ? days : `${days}: ${named}${rest > 0 ? ` ${more(rest)}` : ''}`,
    summary: shortenedText(
      titles.join(', ') || changes.map(({ text }) => text).join(', ') || days,
      maxSummaryLength,
    ),
    contentHtml: html.join('\n'),
    publishedAt,
    // Later corrections do not count as updates, so that no service sends an item twice.
    updatedAt: publishedAt,
  }
}

function listHtml(lines: readonly string[]): string {
  return `<ul>\n${lines.map((line) => `<li>${line}</li>\n`).join('')}</ul>`
}

function entryHtml(entry: ListedEntry, firstListed: SiteDate, site: Site): string {
  const { kind, recordId, time, title, location, isCanceled = false } = entry
  const { language } = site
  const when = escapeHtml(timeBesideDay(time, undefined, { firstListed, language }))
  const text = isCanceled ? calendarMessages(language).canceled(title) : title
  const place = location === '' ? '' : `, ${escapeHtml(location)}`
  return `<b>${when}</b> ${linkUnlessGone(kind, recordId, text, !isCanceled, site)}${place}`
}

function changeHtml({ feed, recordId, text, isShown }: FeedChange, site: Site): string {
  return linkUnlessGone(feed.id, recordId, text, isShown, site)
}

/** Links a text to an entry's page. A static host has pages only for entries that are shown. */
function linkUnlessGone(
  feedId: string,
  recordId: number,
  text: string,
  isShown: boolean,
  site: Site,
): string {
  return isShown || !site.isStatic
    ? linkHtml(itemUrl(feedId, recordId, site), text)
    : escapeHtml(text)
}

/**
 * Returns a linked title with the first sentence of the text. A static host has no page for an item
 * that has expired.
 */
function newsHtml({ url, title, summary, expiresAt }: FeedItem, site: Site): string {
  const { language, isStatic = false } = site
  const [first] = new Intl.Segmenter(language, { granularity: 'sentence' }).segment(summary)
  const sentence = first?.segment.trim() ?? ''
  const text = sentence === '' || sentence === title ? '' : `<br>${escapeHtml(sentence)}`
  return `${isStatic && expiresAt < Infinity ? escapeHtml(title) : linkHtml(url, title)}${text}`
}
