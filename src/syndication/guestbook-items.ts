import { lineWithCommas, oneLine } from '../text/plain-text.ts'
import type { Profile } from '../records/profile.ts'
import type { RecordOf } from '../records/read-records.ts'
import { itemDraft, summaryOf, titleOfText, type ItemSource } from './feed-item.ts'
import { cleanHtml, escapeHtml, linkHtml, paragraphsFrom } from '../text/html.ts'
import { itemMessages } from './messages.ts'
import type { ItemMessages } from './messages/en.ts'

type Entry = RecordOf['guestbook']

/** Returns true for entries that a profile may see. Moderators see all of them with `full`. */
export function isGuestbookEntryShown({ status }: Entry, profile: Profile): boolean {
  return profile === 'full' || status === 'online'
}

/** Converts a guestbook entry to an item, with email addresses only for the profile `full`. */
export function draftFromGuestbookEntry(entry: Entry, source: ItemSource) {
  const { profile, siteUrl, language } = source
  const messages = itemMessages(language)
  return itemDraft(entry, source, {
    idPrefix: 'guestbook',
    title: () => titleFrom(entry, source),
    contents: () => ({
      summary: () => summaryOf(entry.text),
      html: [
        cleanHtml(entry.text, siteUrl),
        websiteHtml(entry, messages),
        ...(profile === 'full' ? linesForModerators(entry, messages).map(paragraphsFrom) : []),
      ],
    }),
  })
}

function titleFrom({ name, rank, location, status }: Entry, source: ItemSource): string {
  const visitor = [oneLine(name), oneLine(rank), lineWithCommas(location)]
  const title = titleOfText(visitor.filter((part) => part !== '').join(', '), source)
  const { labeled, guestbook } = itemMessages(source.language)
  return status === 'online' ? title : labeled(guestbook[status], title)
}

function websiteHtml({ website }: Entry, { labeled, guestbook }: ItemMessages): string {
  const url = oneLine(website)
  if (url === '') return ''
  const isLink = /^https?:\/\//i.test(url) && URL.canParse(url)
  return `<p>${labeled(guestbook.website, isLink ? linkHtml(url, url) : escapeHtml(url))}</p>`
}

function linesForModerators(
  { email, status }: Entry,
  { labeled, guestbook }: ItemMessages,
): readonly string[] {
  return [
    oneLine(email) === '' ? '' : labeled(guestbook.email, oneLine(email)),
    status === 'online' ? '' : labeled(guestbook.status, guestbook[status]),
  ]
}
