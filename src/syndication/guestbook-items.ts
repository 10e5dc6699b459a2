import { oneLine } from '../records/plain-text.ts'
import type { Profile } from '../records/profile.ts'
import type { RecordOf } from '../records/read-records.ts'
import { itemDraft, summaryOf, titleOf, type ItemSource } from './feed-item.ts'
import { cleanHtml, escapeHtml, linkHtml, paragraphsFrom } from './html.ts'

type Entry = RecordOf['guestbook']

/** Returns true for entries that a profile may see. Moderators see all of them with `full`. */
export function isGuestbookEntryShown({ status }: Entry, profile: Profile): boolean {
  return profile === 'full' || status === 'online'
}

/** Converts a guestbook entry to an item, with email addresses only for the profile `full`. */
export function draftFromGuestbookEntry(entry: Entry, source: ItemSource) {
  const { profile, siteUrl } = source
  return itemDraft(entry, source, {
    idPrefix: 'guestbook',
    title: () => titleFrom(entry),
    contents: () => ({
      summary: summaryOf(entry.text),
      html: [
        cleanHtml(entry.text, siteUrl),
        websiteHtml(entry),
        ...(profile === 'full' ? linesForModerators(entry).map(paragraphsFrom) : []),
      ],
    }),
  })
}

const statusWords = { pending: 'Pending', offline: 'Offline' } as const

function titleFrom({ name, rank, location, status }: Entry): string {
  const visitor = [name, rank, location].filter((part) => oneLine(part) !== '').join(', ')
  return status === 'online' ? titleOf(visitor) : `${statusWords[status]}: ${titleOf(visitor)}`
}

function websiteHtml({ website }: Entry): string {
  const url = oneLine(website)
  if (url === '') return ''
  const isLink = /^https?:\/\//i.test(url) && URL.canParse(url)
  return `<p>Website: ${isLink ? linkHtml(url, url) : escapeHtml(url)}</p>`
}

function linesForModerators({ email, status }: Entry): readonly string[] {
  return [
    oneLine(email) === '' ? '' : `Email: ${oneLine(email)}`,
    status === 'online' ? '' : `Status: ${statusWords[status]}`,
  ]
}
