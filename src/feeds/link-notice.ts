import { noticeEntry } from '../calendar/entries.ts'
import { revisionAt } from '../calendar/revision.ts'
import { siteZoneOf } from '../calendar/site-zone.ts'
import { renderEvent } from '../calendar/vevent.ts'
import { endOf, goneAt, hasEnded, noticeMs, type FeedLink } from '../links/feed-link.ts'
import { fullDayInWords } from '../records/date-words.ts'
import { wholeSeconds } from '../records/recorded-change.ts'
import { siteDateAt } from '../records/site-time.ts'
import { escapeHtml } from '../text/html.ts'
import { tagUri } from '../syndication/channel.ts'
import { itemDefaults } from '../syndication/feed-item.ts'
import type { RenderedFeed, ServedFeed } from './feed.ts'
import { calendarRenderer, type FeedFormat, isCalendarFormat, newsText } from './formats.ts'
import { siteChannel, type Site } from './site.ts'
import { feedMessages } from './messages.ts'

/** Header of the notice that replaces a public feed that was made private. */
export const noticeField = 'Feedhouse-Notice'

/**
 * A pause can be long, so its notice is extended in steps, early enough to always cover the next
 * few days.
 */
const pauseStepMs = 7 * 24 * 60 * 60 * 1000
const pausedNoticeMs = 3 * pauseStepMs

/**
 * Replaces the entries of a feed that a subscription can no longer read. Times are in milliseconds
 * since the epoch.
 */
export type FeedNotice = {
  readonly id: string
  readonly title: string
  readonly text: string
  /** When the feed was closed. */
  readonly since: number
  readonly changedAt: number
  readonly until: number
}

/** Replaces the entries of a paused or ended link. */
export type LinkNotice = FeedNotice & {
  /** Replaces the text on screens, where there is no subscription to delete. */
  readonly screenText: string
}

/** Returns the notice for people whose link is paused, has expired or was revoked. */
export function linkNotice(link: FeedLink, site: Site, now: number): LinkNotice {
  const { id, pausedAt } = link
  if (pausedAt === undefined || hasEnded(link, now)) return endedNotice(link, site)
  return pausedNotice(id, pausedAt, site, now)
}

function pausedNotice(id: string, pausedAt: number, site: Site, now: number): LinkNotice {
  const steps = Math.max(0, Math.floor((now - pausedAt) / pauseStepMs))
  const changedAt = pausedAt + steps * pauseStepMs
  const { title, text, screen } = feedMessages(site.language).link.paused
  return {
    id: `paused-${id}-${Math.floor(pausedAt / 1000)}`,
    title,
    text: text(site.name),
    screenText: screen(site.name),
    since: pausedAt,
    changedAt,
    until: changedAt + pausedNoticeMs,
  }
}

function endedNotice(link: FeedLink, site: Site): LinkNotice {
  const endedAt = endOf(link)
  const day = fullDayInWords(siteDateAt(endedAt, site.timeZone), undefined, site.language)
  const { revoked, expired } = feedMessages(site.language).link
  const { title, text, screen } = endedAt === link.revokedAt ? revoked : expired
  return {
    id: `withdrawn-${link.id}`,
    title,
    text: text(site.name, day),
    screenText: screen(site.name, day),
    since: endedAt,
    changedAt: endedAt,
    until: goneAt(link),
  }
}

/** Returns the notice for readers of a public feed that was made private, or undefined after two weeks. */
export function privateNotice(
  feedId: string,
  since: number,
  site: Site,
  now: number,
): FeedNotice | undefined {
  if (now >= since + noticeMs) return undefined
  const day = fullDayInWords(siteDateAt(since, site.timeZone), undefined, site.language)
  const { title, text } = feedMessages(site.language).madePrivate
  return {
    id: `private-${feedId}-${wholeSeconds(since) / 1000}`,
    title,
    text: text(site.name, day),
    since,
    // Later than the content, which may have changed in the same second.
    changedAt: wholeSeconds(since) + 1_000,
    until: since + noticeMs,
  }
}

/** Renders a replacement for a feed that is closed, with the notice as its only entry. */
export function renderNotice(
  feed: ServedFeed,
  format: FeedFormat,
  { notice, site }: { readonly notice: FeedNotice; readonly site: Site },
): RenderedFeed {
  const { title: feedTitle, summary: description } = feed.textIn(site.language)
  const title = feedMessages(site.language).titled(site.name, feedTitle)
  const channel = { id: tagUri(site.idHost, feed.id), title, description }
  const bodyOf = isCalendarFormat(format) ? calendarOf : newsOf
  const body = bodyOf(notice, format, channel, site)
  return { body, title, validFrom: notice.changedAt, validUntil: notice.until }
}

/** Returns a calendar with one all-day entry that spans every day on which the notice is served. */
function calendarOf(
  notice: FeedNotice,
  format: FeedFormat,
  { title: name, description }: { readonly title: string; readonly description: string },
  { timeZone, idHost }: Site,
): Buffer {
  const start = siteDateAt(notice.since, timeZone)
  const zone = siteZoneOf(timeZone, Number(start.slice(0, 4)))
  const entry = noticeEntry({
    uid: `${notice.id}@${idHost}`,
    summary: notice.title,
    description: notice.text,
    time: { allDay: true, start, end: siteDateAt(notice.until, timeZone) },
    revision: revisionAt(notice.changedAt),
  })
  const event = { entry, bytes: renderEvent(entry, zone) }
  return calendarRenderer(format)([event], zone, { name, description, url: undefined })
}

function newsOf(
  notice: FeedNotice,
  format: FeedFormat,
  about: { readonly id: string; readonly title: string; readonly description: string },
  site: Site,
): Buffer {
  const at = notice.since
  const channel = { ...about, ...siteChannel(site), updatedAt: at }
  const item = {
    ...itemDefaults,
    id: tagUri(site.idHost, notice.id),
    recordId: 0,
    url: site.url,
    title: notice.title,
    summary: notice.text,
    contentHtml: `<p>${escapeHtml(notice.text)}</p>`,
    publishedAt: at,
    updatedAt: at,
  }
  return Buffer.from(newsText(format, channel, [item]))
}
