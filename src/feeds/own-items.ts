import { ownEntries, type PersonalSource } from '../calendar/personal-sections.ts'
import { endOfSpan, formatted, timeInWords } from '../records/date-words.ts'
import type { Profile } from '../records/profile.ts'
import { unrecordedHistory } from '../records/recorded-change.ts'
import { instantFromSiteTime } from '../records/site-time.ts'
import { itemDraft, type ItemDraft } from '../syndication/feed-item.ts'
import { paragraphsFrom } from '../syndication/html.ts'
import { itemUrl, websiteItemUrl } from './feed.ts'
import type { Site } from './site.ts'

/** Kinds of own entries, as in the ids of their calendar entries. */
const idParts = { signup: 'signup', training: 'certification' }

/** Converts a member's own entries to items, soonest first. Items disappear when the entry ends. */
export function ownItems(
  source: PersonalSource,
  { site, profile }: { readonly site: Site; readonly profile: Profile },
): readonly ItemDraft[] {
  const { timeZone, idHost, url: siteUrl } = site
  return ownEntries(source).map(({ resource, recordId, title, role, time }) => {
    const { ledger, changedAt = 0 } = source[resource] ?? {}
    const day = time.start.slice(0, 10)
    const itemSource = {
      siteUrl,
      idHost,
      timeZone,
      profile,
      urlOf: (id: number) => itemUrl(resource, id, site),
      websiteUrlOf: (id: number) => websiteItemUrl(resource, id, site) ?? siteUrl,
      knownOf: (id: number) => ledger?.get(id) ?? unrecordedHistory(changedAt),
    }
    return itemDraft({ id: recordId }, itemSource, {
      idPrefix: `member-${source.memberId}-${idParts[resource]}`,
      expiresAt: instantFromSiteTime(endOfSpan(time), timeZone),
      order: -instantFromSiteTime(time.allDay ? `${day}T00:00:00` : time.start, timeZone),
      title: () =>
        `${formatted(day, 'LLL d, yyyy')}: You: ${role === undefined ? '' : `${role}, `}${title}`,
      contents: () => ({
        summary: timeInWords(time),
        html: [paragraphsFrom(timeInWords(time))],
        category: 'Personal',
      }),
    })
  })
}
