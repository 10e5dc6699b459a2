import { DateTime } from 'luxon'
import { lastChangeOf } from '../records/known-changes.ts'
import type { RecordOf } from '../records/read-records.ts'
import { instantFromSiteTime, type SiteDateTime } from '../records/site-time.ts'
import { summaryOf, titleOf, type FeedItem, type ItemDraft, type ItemSource } from './feed-item.ts'
import { cleanHtml, escapeHtml, paragraphsFrom } from './html.ts'
import { tagUri } from './tag-uri.ts'

type Announcement = RecordOf['announce']

/** Every announcement that is Online as an item, also those that have expired. */
export function itemsFromAnnouncements(
  announcements: readonly Announcement[],
  source: ItemSource,
): readonly ItemDraft[] {
  return announcements
    .filter(({ status }) => status === 'online')
    .map((announcement) => {
      const { id, created, expires } = announcement
      const instantOf = (time: SiteDateTime) => instantFromSiteTime(time, source.timeZone)
      const times = {
        publishedAt: created === undefined ? source.knownOf(id).firstSeenAt : instantOf(created),
        expiresAt: expires === undefined ? Infinity : instantOf(expires),
      }
      const make = () => itemFrom(announcement, times, source)
      return { recordId: id, ...times, order: times.publishedAt, make }
    })
}

function itemFrom(
  announcement: Announcement,
  times: Pick<FeedItem, 'publishedAt' | 'expiresAt'>,
  source: ItemSource,
): FeedItem {
  const { id, headline, text, expires } = announcement
  const { siteUrl, timeZone, urlOf, knownOf } = source
  const instantOf = (time: SiteDateTime) => instantFromSiteTime(time, timeZone)
  const title = titleOf(headline)
  const ending = expires === undefined ? '' : `Until ${inWords(expires)}.`
  return {
    id: tagUri(siteUrl, `announcement-${id}`),
    recordId: id,
    url: urlOf(id),
    title,
    summary: [sentence(summaryOf(text)), ending].filter((part) => part !== '').join(' '),
    contentHtml:
      `${cleanHtml(text, siteUrl)}${paragraphsFrom(ending)}` || `<p>${escapeHtml(title)}</p>`,
    author: '',
    category: '',
    pictures: [],
    attachments: [],
    ...times,
    updatedAt: Math.max(times.publishedAt, lastChangeOf(knownOf(id), instantOf)),
  }
}

function inWords(time: SiteDateTime): string {
  return DateTime.fromISO(time, { zone: 'utc', locale: 'en' }).toFormat(
    'cccc, LLLL d, yyyy, h:mm a',
  )
}

/** With an end that something can follow. */
function sentence(text: string): string {
  return text === '' || /[.!?…:;]$/.test(text) ? text : `${text}.`
}
