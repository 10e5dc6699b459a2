import { noticeEntry } from '../calendar/entries.ts'
import { renderICalendar } from '../calendar/icalendar.ts'
import { revisionAt } from '../calendar/revision.ts'
import { createSiteZone } from '../calendar/site-zone.ts'
import { renderEvent } from '../calendar/vevent.ts'
import { endOf, goneAt, hasEnded, type FeedLink } from '../links/feed-link.ts'
import { fullDayInWords } from '../records/date-words.ts'
import { siteDateAt } from '../records/site-time.ts'
import { escapeHtml } from '../syndication/html.ts'
import { tagUri, type Channel } from '../syndication/channel.ts'
import { itemDefaults } from '../syndication/feed-item.ts'
import type { AnyFeed } from './combined-feed.ts'
import type { FeedFormat, RenderedFeed } from './feed.ts'
import { siteChannel, type Site } from './site.ts'
import { newsText } from './news-feed.ts'

/**
 * A pause can be long, so its notice is extended in steps, early enough to always cover the next
 * few days.
 */
const pauseStepMs = 7 * 24 * 60 * 60 * 1000
const pausedNoticeMs = 3 * pauseStepMs

/** Replaces the entries of a paused or ended link. Times are in milliseconds since the epoch. */
export type LinkNotice = {
  readonly id: string
  readonly title: string
  readonly text: string
  /** Replaces the text on screens, where there is no subscription to delete. */
  readonly screenText: string
  /** When the link was paused or ended. */
  readonly since: number
  readonly changedAt: number
  readonly until: number
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
  return {
    id: `paused-${id}-${Math.floor(pausedAt / 1000)}`,
    title: 'This feed link is paused',
    text: `The webmaster of ${site.name} has paused the link for this subscription, so it currently shows nothing. Keep the subscription: everything comes back automatically when the webmaster resumes the link.`,
    screenText: `The webmaster of ${site.name} has paused this screen's link. Everything comes back automatically when the webmaster resumes the link.`,
    since: pausedAt,
    changedAt,
    until: changedAt + pausedNoticeMs,
  }
}

function endedNotice(link: FeedLink, site: Site): LinkNotice {
  const endedAt = endOf(link)
  const day = fullDayInWords(siteDateAt(endedAt, site.timeZone), undefined, site.language)
  const isRevoked = endedAt === link.revokedAt
  const what = isRevoked ? `was withdrawn on ${day}` : `expired on ${day}`
  return {
    id: `withdrawn-${link.id}`,
    title: `This feed link ${isRevoked ? 'was withdrawn' : 'has expired'}`,
    text: `The link for this subscription to ${site.name} ${what}, so the subscription no longer receives updates. Ask the webmaster for a new link, subscribe to that, and delete this subscription.`,
    screenText: `This screen's link ${what}. Ask the webmaster of ${site.name} for a new link, and open its board on this screen.`,
    since: endedAt,
    changedAt: endedAt,
    until: goneAt(link),
  }
}

/** Renders a replacement for a feed whose link is paused or has ended, with the notice as its only entry. */
export function renderLinkNotice(
  feed: AnyFeed,
  format: FeedFormat,
  { notice, site }: { readonly notice: LinkNotice; readonly site: Site },
): RenderedFeed {
  const { summary: description } = feed
  const title = `${site.name}: ${feed.title}`
  const channel = { id: tagUri(site.idHost, feed.id), title, description }
  const body =
    format === 'ics' ? calendarOf(notice, channel, site) : newsOf(notice, format, channel, site)
  return { body, title, validFrom: notice.changedAt, validUntil: notice.until }
}

/** Returns a calendar with one all-day entry that spans every day on which the notice is served. */
function calendarOf(
  notice: LinkNotice,
  { title: name, description }: Pick<Channel, 'title' | 'description'>,
  { timeZone, idHost }: Site,
): Buffer {
  const start = siteDateAt(notice.since, timeZone)
  const zone = createSiteZone(timeZone, Number(start.slice(0, 4)))
  const entry = noticeEntry({
    uid: `${notice.id}@${idHost}`,
    summary: notice.title,
    description: notice.text,
    time: { allDay: true, start, end: siteDateAt(notice.until, timeZone) },
    revision: revisionAt(notice.changedAt),
  })
  const event = renderEvent(entry, { zone, alarmMinutes: [] })
  return renderICalendar([event], zone, { name, description, url: undefined })
}

function newsOf(
  notice: LinkNotice,
  format: FeedFormat,
  about: Pick<Channel, 'id' | 'title' | 'description'>,
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
