import { timeInWords } from '../records/date-words.ts'
import type { RecordOf } from '../records/read-records.ts'
import { instantFromSiteTime } from '../records/site-time.ts'
import { asSentence, itemDraft, summaryOf, titleOf, type ItemSource } from './feed-item.ts'
import { cleanHtml, paragraphsFrom } from '../text/html.ts'
import { itemMessages } from './messages.ts'

/** Converts an announcement to an item, even if it has expired. */
export function draftFromAnnouncement(announcement: RecordOf['announce'], source: ItemSource) {
  const { headline, text, expires: end } = announcement
  const { language } = source
  const ending =
    end === undefined
      ? ''
      : asSentence(
          itemMessages(language).until(timeInWords({ allDay: false, start: end }, language)),
        )
  return itemDraft(announcement, source, {
    idPrefix: 'announcement',
    expiresAt: end === undefined ? Infinity : instantFromSiteTime(end, source.timeZone),
    title: () => titleOf(headline, source),
    contents: () => ({
      summary: () => [asSentence(summaryOf(text)), ending].filter((part) => part !== '').join('\n'),
      html: [`${cleanHtml(text, source.siteUrl)}${paragraphsFrom(ending)}`],
    }),
  })
}
