import { randomUUID } from 'node:crypto'
import type { Clock } from '../../clock.ts'
import type { FollowSettings } from '../../config/follow-settings.ts'
import { createFollowKeys } from '../../followers/follow-keys.ts'
import { createFollowers } from '../../followers/followers.ts'
import type { Follower } from '../../followers/follower.ts'
import type { EmergencyTexts } from '../../http/board/emergency-text.ts'
import type { Following } from '../../http/follow/following.ts'
import { hasEnded } from '../../links/feed-link.ts'
import type { LinkService } from '../../links/link-service.ts'
import type { Logger } from '../../log.ts'
import type { Store } from '../../store/store.ts'
import { createMessages, type MessageOptions } from './create-message.ts'
import { findFollowedItems } from './followed-changes.ts'
import { createMailTransport } from './mail-transport.ts'
import { followUrls } from './messages.ts'
import { createVapid, type Vapid } from './push-encryption.ts'
import { createPushTransport } from './push-transport.ts'
import { readableFeeds } from './reader.ts'
import { sendingState, sendToFollowers, type FollowingOptions } from './send-to-followers.ts'

type SiteFollowing = Following & { readonly vapid: Vapid | undefined }

/**
 * Creates the store of a site's followers. Returns undefined if the settings do not let people
 * follow the site.
 */
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
  const waiting = async () => (await sendingState(options.store.documents)).waiting ?? 0
  return { followers, waiting, hasMail: mail !== undefined, pushKey: vapid?.publicKey, vapid }
}

/** Sends messages to the people who follow a site until aborted. */
export async function runFollowing(
  { followers, vapid }: SiteFollowing,
  options: Pick<FollowingOptions, 'store' | 'clock' | 'signal'> & {
    readonly settings: FollowSettings
    readonly parts: Omit<MessageOptions, 'emergency' | 'urlsFor' | 'clock' | 'links'>
    readonly emergency: Pick<EmergencyTexts, 'current'>
    readonly links: Pick<LinkService, 'byId' | 'open' | 'isLoaded'>
    readonly log: Logger
  },
): Promise<void> {
  const { parts, settings, emergency, links, clock } = options
  const { site } = parts
  const urlsFor = (follower: Follower) => followUrls(site, follower, followers)
  const content = { ...parts, links, clock, urlsFor, emergency: emergency.current }
  const mail = settings.mail && createMailTransport(settings.mail, site, clock)
  using push = vapid && createPushTransport({ vapid, site, clock })
  await sendToFollowers({
    ...options,
    followers,
    transports: { ...(mail && { mail }), ...(push && { push }) },
    createMessage: (found) => createMessages(content, found),
    urlsFor,
    emergencySince: () => emergency.current()?.since,
    mayFollow({ linkId }) {
      if (linkId === undefined || !links.isLoaded()) return true
      const entry = links.byId(linkId)
      return entry !== undefined && !hasEnded(entry.link, clock.now())
    },
    feedIdsOf: (follower) => readableFeeds(follower, content).map(({ id }) => id),
    findChanges: () => findFollowedItems(content),
    timeZone: site.timeZone,
    holder: randomUUID(),
  })
}
