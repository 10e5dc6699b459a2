import { DateTime } from 'luxon'
import { standardCatalog } from '../feeds/catalog.ts'
import type { FeedLink } from '../links/feed-link.ts'
import type { ListedLink } from '../links/stored-links.ts'

/** Returns the printed properties of a link. */
export function jsonFromLink(link: FeedLink) {
  return {
    id: link.id,
    label: link.label,
    feeds: link.feedIds ?? standardCatalog.feedsOf(link).map(({ id }) => id),
    profile: link.profile,
    expiresAt: isoFromInstant(link.expiresAt),
    createdAt: isoFromInstant(link.createdAt),
    revokedAt: isoFromInstant(link.revokedAt),
    memberId: link.memberId ?? null,
    pausedAt: isoFromInstant(link.pausedAt),
  }
}

/** Returns the printed properties of a link's latest use. */
export function useFromLink({ lastUse }: ListedLink) {
  return { lastUsedAt: isoFromInstant(lastUse?.at), lastClient: lastUse?.client ?? null }
}

/** Describes a link in one line. */
export function lineFromLink(link: ListedLink, timeZone: string): string {
  const at = (instant: number, format = 'yyyy-MM-dd') =>
    DateTime.fromMillis(instant, { zone: timeZone, locale: 'en' }).toFormat(format)
  const { id, label, profile, feedIds: ids, memberId, lastUse } = link
  const { createdAt, expiresAt, revokedAt, pausedAt } = link
  return [
    `${id}  ${label}`,
    `${profile}, ${ids?.join(', ') ?? 'all feeds'}, created ${at(createdAt)}`,
    expiresAt === undefined ? '' : `expires after ${at(expiresAt)}`,
    memberId === undefined ? '' : `member ${memberId}`,
    pausedAt === undefined ? '' : `paused ${at(pausedAt)}`,
    revokedAt === undefined ? '' : `revoked ${at(revokedAt)}`,
    lastUse ? `last used ${at(lastUse.at, 'yyyy-MM-dd HH:mm')} (${lastUse.client})` : 'never used',
  ]
    .filter((part) => part !== '')
    .join('; ')
}

function isoFromInstant(instant: number | undefined): string | null {
  return instant === undefined ? null : new Date(instant).toISOString()
}
