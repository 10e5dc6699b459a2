import { randomUUID } from 'node:crypto'
import type { Clock } from '../../clock.ts'
import type { FollowSettings } from '../../config/follow-settings.ts'
import { siteChannel, type Site } from '../../feeds/site.ts'
import { createFollowKeys } from '../../followers/follow-keys.ts'
import { createFollowers } from '../../followers/followers.ts'
import type { Following } from '../../http/follow/following.ts'
import { hasEnded } from '../../links/feed-link.ts'
import type { LinkService } from '../../links/link-service.ts'
import type { Logger } from '../../log.ts'
import type { Store } from '../../store/store.ts'
import { findChangeItems, type ChangeItemOptions } from '../notifications/change-webhooks.ts'
import { followUrls } from './messages.ts'
import { createVapid, type Vapid } from './push-encryption.ts'
import { createPushTransport } from './push-transport.ts'
import { sendToFollowers, type FollowingOptions } from './send-to-followers.ts'

type SiteFollowing = Following & { readonly vapid: Vapid | undefined }

/** Returns what people need to follow a site, or undefined if its settings do not allow it. */
export function createFollowing(
  { mail, pushSubject }: FollowSettings,
  options: {
    readonly secret: () => string
    readonly store: Pick<Store, 'documents'>
    readonly clock: Clock
  },
): SiteFollowing | undefined {
  if (!mail && pushSubject === undefined) return undefined
  const secret = options.secret()
  const keys = createFollowKeys(secret)
  const followers = createFollowers(options.store.documents, { ...options, keys })
  const vapid =
    pushSubject === undefined
      ? undefined
      : createVapid({ ...options, secret, subject: pushSubject })
  return { followers, hasMail: mail !== undefined, pushKey: vapid?.publicKey, vapid }
}

/** Sends messages to the people who follow a site until aborted. */
export async function runFollowing(
  { followers, vapid }: SiteFollowing,
  options: Pick<FollowingOptions, 'store' | 'clock' | 'signal' | 'emergencySince'> & {
    readonly settings: FollowSettings
    readonly site: Site
    readonly changes: ChangeItemOptions
    readonly links: Pick<LinkService, 'byId' | 'isLoaded'>
    readonly log: Logger
  },
): Promise<void> {
  const { site, changes, links, clock } = options
  const iconUrl = siteChannel(site).icons.large
  using push = vapid && createPushTransport({ vapid, iconUrl, clock })
  await sendToFollowers({
    ...options,
    followers,
    transports: { ...(push && { push }) },
    createMessage: () => async () => undefined,
    urlsFor: (follower) => followUrls(site, follower, followers),
    mayFollow({ linkId }) {
      if (linkId === undefined || !links.isLoaded()) return true
      const entry = links.byId(linkId)
      return entry !== undefined && !hasEnded(entry.link, clock.now())
    },
    findChanges: (now) => findChangeItems(changes, now),
    timeZone: site.timeZone,
    holder: randomUUID(),
  })
}
