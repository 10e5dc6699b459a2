import { DateTime } from 'luxon'
import type { RecordOf } from '../records/read-records.ts'
import { instantFromSiteTime, type SiteDateTime } from '../records/site-time.ts'
import {
  asSentence,
  itemDraft,
  summaryOf,
  titleOf,
  type ItemContents,
  type ItemDraft,
  type ItemSource,
  instantOrFirstSeen,
} from './feed-item.ts'
import { cleanHtml, escapeHtml, paragraphsFrom } from './html.ts'

type Announcement = RecordOf['announce']

/** Converts all Online announcements to items, including expired ones. */
export function itemsFromAnnouncements(
  announcements: readonly Announcement[],
  source: ItemSource,
): readonly ItemDraft[] {
  return announcements
    .filter(({ status }) => status === 'online')
    .map((announcement) => {
      const { id, created, expires } = announcement
      const instantOf = (time: SiteDateTime) => instantFromSiteTime(time, source.timeZone)
      return itemDraft(
        {
          idPrefix: 'announcement',
          recordId: id,
          publishedAt: instantOrFirstSeen(created, id, source),
          expiresAt: expires === undefined ? Infinity : instantOf(expires),
          title: () => titleOf(announcement.headline),
          contents: (title) => contentsOf(announcement, title, source.siteUrl),
        },
        source,
      )
    })
}

function contentsOf({ text, expires }: Announcement, title: string, siteUrl: string): ItemContents {
  const ending = expires === undefined ? '' : `Until ${inWords(expires)}.`
  return {
    summary: [asSentence(summaryOf(text)), ending].filter((part) => part !== '').join(' '),
    contentHtml:
      `${cleanHtml(text, siteUrl)}${paragraphsFrom(ending)}` || `<p>${escapeHtml(title)}</p>`,
  }
}

function inWords(time: SiteDateTime): string {
  return DateTime.fromISO(time, { zone: 'utc', locale: 'en' }).toFormat(
    'cccc, LLLL d, yyyy, h:mm a',
  )
}
