import { DateTime } from 'luxon'
import { renderICalendar } from '../calendar/icalendar.ts'
import { revisionAt } from '../calendar/revision.ts'
import { createSiteZone } from '../calendar/site-zone.ts'
import { renderEvent } from '../calendar/vevent.ts'
import { endOf, goneAt, type FeedLink } from '../links/feed-link.ts'
import { siteDateAt } from '../records/site-time.ts'
import { escapeHtml } from '../syndication/html.ts'
import { tagUri } from '../syndication/channel.ts'
import type { AddressedFeed } from './combined-feed.ts'
import type { FeedFormat, RenderedFeed } from './feed.ts'
import { nameOf, type Site } from './site.ts'
import { newsText } from './news-feed.ts'

export type WithdrawnNotice = { readonly title: string; readonly text: string }

/** Returns the notice for people whose link has expired or was revoked. */
export function withdrawnNotice(link: FeedLink, site: Site): WithdrawnNotice {
  const end = DateTime.fromMillis(endOf(link), { zone: site.timeZone, locale: 'en' })
  const day = end.toFormat('LLLL d, yyyy')
  const isRevoked = endOf(link) === link.revokedAt
  const what = isRevoked ? `was withdrawn on ${day}` : `expired on ${day}`
  return {
    title: `This feed link ${isRevoked ? 'was withdrawn' : 'has expired'}`,
    text: `The link for this subscription to ${nameOf(site)} ${what}, so the subscription no longer receives updates. Ask the webmaster for a new link, subscribe to that, and delete this subscription.`,
  }
}

/** Renders a replacement for a feed whose link has expired or was revoked, with the notice as its only entry. */
export function renderWithdrawn(
  feed: AddressedFeed,
  format: FeedFormat,
  { link, site }: { readonly link: FeedLink; readonly site: Site },
): RenderedFeed {
  const notice = withdrawnNotice(link, site)
  const title = `${nameOf(site)}: ${feed.title}`
  const making = { link, site, title, notice }
  const body = format === 'ics' ? calendarOf(feed, making) : newsOf(feed, format, making)
  return { body, title, validFrom: endOf(link), validUntil: goneAt(link) }
}

type Making = {
  readonly link: FeedLink
  readonly site: Site
  readonly title: string
  readonly notice: WithdrawnNotice
}

/** Returns a calendar with one all-day entry that spans every day on which the notice is served. */
function calendarOf(feed: AddressedFeed, { link, site, title, notice }: Making): Buffer {
  const start = siteDateAt(endOf(link), site.timeZone)
  const zone = createSiteZone(site.timeZone, Number(start.slice(0, 4)))
  const entry = {
    uid: `withdrawn-${link.id}@${site.idHost}`,
    summary: notice.title,
    description: notice.text,
    time: { allDay: true, start, end: siteDateAt(goneAt(link), site.timeZone) },
    status: 'confirmed',
    location: '',
    categories: [],
    isBusy: false,
    url: undefined,
    revision: revisionAt(endOf(link)),
  } as const
  const event = renderEvent(entry, { zone, alarmMinutes: [] })
  return renderICalendar([event], zone, { name: title, description: feed.summary, url: undefined })
}

function newsOf(
  feed: AddressedFeed,
  format: Exclude<FeedFormat, 'ics'>,
  { link, site, title, notice }: Making,
): Buffer {
  const at = endOf(link)
  const channel = {
    id: tagUri(site.idHost, feed.id),
    title,
    description: feed.summary,
    homeUrl: site.url,
    feedUrl: undefined,
    author: nameOf(site),
    updatedAt: at,
    hubs: [],
  }
  const item = {
    id: tagUri(site.idHost, `withdrawn-${link.id}`),
    recordId: 0,
    url: site.url,
    title: notice.title,
    summary: notice.text,
    contentHtml: `<p>${escapeHtml(notice.text)}</p>`,
    author: '',
    category: '',
    pictures: [],
    attachments: [],
    publishedAt: at,
    updatedAt: at,
    expiresAt: Infinity,
  }
  return Buffer.from(newsText(format, channel, [item]))
}
