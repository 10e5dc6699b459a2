import { oneLine } from '../records/plain-text.ts'
import type { Profile } from '../records/profile.ts'
import type { RecordOf } from '../records/read-records.ts'
import { instantFromSiteTime } from '../records/site-time.ts'
import {
  itemDraft,
  summaryOf,
  titleOf,
  type ItemContents,
  type ItemDraft,
  type ItemSource,
} from './feed-item.ts'
import { cleanHtml, escapeHtml } from './html.ts'

type Entry = RecordOf['guestbook']

/** Returns true for entries that a profile may see. Moderators see all of them with `full`. */
export function isGuestbookEntryShown({ status }: Entry, profile: Profile): boolean {
  return profile === 'full' || status === 'online'
}

/** Converts guestbook entries to items, with email addresses only for the profile `full`. */
export function itemsFromGuestbook(
  entries: readonly Entry[],
  source: ItemSource,
): readonly ItemDraft[] {
  return entries.map((entry) =>
    itemDraft(
      {
        idPrefix: 'guestbook',
        recordId: entry.id,
        publishedAt: instantFromSiteTime(entry.created, source.timeZone),
        title: () => titleFrom(entry),
        contents: (title) => contentsOf(entry, title, source),
      },
      source,
    ),
  )
}

function titleFrom({ name, rank, location, status }: Entry): string {
  const visitor = [name, rank, location].filter((part) => oneLine(part) !== '').join(', ')
  return status === 'online' ? titleOf(visitor) : `${statusWords[status]}: ${titleOf(visitor)}`
}

function contentsOf(entry: Entry, title: string, { profile, siteUrl }: ItemSource): ItemContents {
  const { text } = entry
  const content = [cleanHtml(text, siteUrl), websiteHtml(entry), contactHtml(entry, profile)]
  return {
    summary: summaryOf(text),
    contentHtml: content.filter((part) => part !== '').join('\n') || `<p>${escapeHtml(title)}</p>`,
  }
}

const statusWords = { pending: 'Pending', offline: 'Offline' } as const

function websiteHtml({ website }: Entry): string {
  const address = oneLine(website)
  if (address === '') return ''
  const isLink = /^https?:\/\//i.test(address) && URL.canParse(address)
  const text = escapeHtml(address)
  const html = isLink ? `<a href="${text}" rel="noopener noreferrer nofollow">${text}</a>` : text
  return `<p>Website: ${html}</p>`
}

function contactHtml({ email, status }: Entry, profile: Profile): string {
  if (profile !== 'full') return ''
  const lines = [
    ...(oneLine(email) === '' ? [] : [`Email: ${oneLine(email)}`]),
    ...(status === 'online' ? [] : [`Status: ${statusWords[status]}`]),
  ]
  return lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('\n')
}
