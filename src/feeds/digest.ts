import { daysInWords } from '../records/date-words.ts'
import type { ChangeHistory } from '../records/recorded-change.ts'
import {
  daysAfter,
  instantFromSiteTime,
  isoWeekOf,
  mondayOf,
  siteDateAt,
  type SiteDate,
} from '../records/site-time.ts'
import { inSteps } from '../steps.ts'
import { tagUri } from '../syndication/channel.ts'
import { itemDefaults, type FeedItem } from '../syndication/feed-item.ts'
import { changesOf } from './changes.ts'
import { isCalendar, itemUrl, type ServedFeed } from './feed.ts'
import { feedMessages, textIn } from './messages.ts'
import { channelLinks } from './news-feed.ts'
import { newsFormats, newsText } from './formats.ts'
import { siteChannel, withLanguage, type Site } from './site.ts'
import { entriesIn, isNews, newsIn, renderContent, type WeekContent } from './week-content.ts'

/** When a week's item appears, in the site's time zone: on the Sunday before its Monday. */
const publishedTime = '08:00:00'

const weeksShown = 4

type Week = {
  readonly monday: SiteDate
  readonly sunday: SiteDate
  /** When the previous week's item appeared. Milliseconds since the epoch. */
  readonly previousAt: number
  readonly publishedAt: number
}

/** A weekly item with the public entries of a week, and the changes and news of the week before. */
export const digest: ServedFeed = {
  id: 'digest',
  textIn: textIn('digest'),
  formats: newsFormats,
  isForEveryone: true,
  isPublicOnly: true,
  options: () => ({}),
  sourcesFrom: (readable) => readable.filter((feed) => isCalendar(feed) || isNews(feed)),
  *render(sources, request, { site }) {
    const { now, format } = request
    const duplicates = request.duplicates?.() ?? []
    const latest = weekAt(now, site)
    const weeks = Array.from({ length: weeksShown }, (_, ago) => weekOf(latest.monday, -ago, site))
    const changes = changesOf(sources, site, duplicates)
    const reader = { site, profile: 'public', duplicates } as const
    const news = newsIn(sources, reader)
    yield
    const summaries = yield* inSteps(weeks, (week) => {
      const isBefore = (at: number) => week.previousAt <= at && at < week.publishedAt
      const content = {
        // Entries added to the week later are omitted, so that an item never grows.
        entries: entriesIn(
          sources,
          { from: week.monday, to: week.sunday },
          { ...reader, now: week.publishedAt },
          (history) => wasInWeek(history?.changes, week),
        ),
        changes: changes.filter(({ finalAt }) => isBefore(finalAt)),
        news: news.filter(
          ({ appearedAt, draft }) => isBefore(appearedAt) && week.publishedAt < draft.expiresAt,
        ),
      }
      const isEmpty = Object.values(content).every(({ length }) => length === 0)
      return isEmpty ? [] : [itemFrom(week, content, site)]
    })
    const items = summaries.flat()
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

/** Returns true unless the first change after the week's item added the record to the week. */
function wasInWeek(
  changes: ChangeHistory['changes'] = [],
  { monday: from, sunday: to, publishedAt }: Week,
): boolean {
  const next = changes.find(({ since }) => since >= publishedAt)
  if (!next) return true
  if (!next.before) return false
  const { startDate, endDate = startDate } = next.before
  return startDate <= to && endDate >= from
}

function itemFrom(
  { monday, sunday, publishedAt }: Week,
  content: WeekContent,
  site: Site,
): FeedItem {
  const id = `${digest.id}-${isoWeekOf(monday)}`
  const query = withLanguage('', site)
  const url = `${site.publicUrl}/${query === '' ? '' : `?${query}`}#${id}`
  const { title, summary, html } = renderContent(content, {
    site,
    from: monday,
    days: daysInWords(monday, sunday, undefined, site.language),
    url,
    // A static host has no pages for canceled entries and for news that has expired.
    pageUrlOf: (feedId, recordId, isLasting) =>
      isLasting || !site.isStatic ? itemUrl(feedId, recordId, site) : undefined,
  })
  return {
    ...itemDefaults,
    id: tagUri(site.idHost, id),
    recordId: Date.parse(monday),
    url,
    title,
    summary,
    contentHtml: html,
    publishedAt,
    // Later corrections do not count as updates, so that no service sends an item twice.
    updatedAt: publishedAt,
  }
}
