import { dayMs, type Clock } from '../../clock.ts'
import type { FollowSettings } from '../../config/follow-settings.ts'
import { createFollowKeys } from '../../followers/follow-keys.ts'
import { createFollowers } from '../../followers/followers.ts'
import type { Follower } from '../../followers/follower.ts'
import { knownServiceOf, subscriptionFrom } from '../../followers/push-subscription.ts'
import type { EmergencyTexts } from '../../site/emergency-text.ts'
import type { Following } from '../../followers/following.ts'
import { networkOf } from '../../front/client-address.ts'
import { hasEnded } from '../../links/feed-link.ts'
import type { ServedLinks } from '../../links/link-service.ts'
import type { SharedCounts } from '../../store/shared-counts.ts'
import type { Store } from '../../store/store.ts'
import type { OutboxContext } from '../notifications/outbox.ts'
import { createMessages, type MessageOptions } from './create-message.ts'
import { findFollowedItems } from './followed-changes.ts'
import { createMailTransport, mailAccountOf } from './mail-transport.ts'
import { followUrls } from './messages.ts'
import { createVapid, type Vapid } from './push-encryption.ts'
import { createPushTransport } from './push-transport.ts'
import { readBounces } from './read-bounces.ts'
import { readableFeeds } from './reader.ts'
import { admitDevice, admitEmail } from './sign-up-limits.ts'
import { sendToFollowers } from './send-to-followers.ts'
import { sendingState } from './sending-state.ts'

const fullRetryMs = dayMs

export type SiteFollowing = Following & {
  readonly isOn: boolean
  readonly vapid: Vapid | undefined
}

/**
 * Creates the store of a site's followers. If following is turned off now, the links in earlier
 * emails keep working.
 */
export function createFollowing(
  { mail, pushSubject }: FollowSettings,
  options: {
    readonly secret: string
    readonly store: Store
    readonly sharedCounts: SharedCounts
    readonly clock: Clock
    readonly idHost: string
  },
): SiteFollowing {
  const { secret } = options
  const { documents, windows } = options.store
  const keys = createFollowKeys(secret)
  const followers = createFollowers(documents, { ...options, keys })
  const vapid =
    pushSubject === undefined ? undefined : createVapid(secret, pushSubject, options.clock)

  const signUp: Following['signUp'] = async (wish, client) => {
    if (!mail || !(await followers.hasRoom('mail'))) return { retryAfterMs: fullRetryMs }
    const admission = await admitEmail(
      { address: wish.address, network: networkOf(client) },
      { ...mail, windows, shared: options.sharedCounts, keys, account: mailAccountOf(mail.server) },
    )
    if (admission.ok) await followers.request(wish)
    return admission.ok || admission.isEnough ? undefined : admission
  }

  const addDevice: Following['addDevice'] = async (wish, client) => {
    const isKnownService = knownServiceOf(subscriptionFrom(wish.address).endpoint) !== undefined
    if (!(await followers.hasDevice(wish))) {
      const device = { network: networkOf(client), isKnownService }
      const admission = await admitDevice(device, { windows, keys })
      if (!admission.ok) return { ...admission, reason: 'too many' }
    }
    const added = await followers.addDevice(wish)
    return added ? undefined : { reason: 'full', retryAfterMs: fullRetryMs }
  }

  return {
    followers,
    signUp,
    addDevice,
    waiting: async () => (await sendingState(documents)).waiting ?? 0,
    isOn: mail !== undefined || pushSubject !== undefined,
    hasMail: mail !== undefined,
    pushKey: vapid?.publicKey,
    vapid,
  }
}

export async function runFollowing(
  { followers, vapid }: SiteFollowing,
  options: Omit<OutboxContext, 'store'> & {
    readonly store: Store
    readonly settings: FollowSettings
    readonly sharedCounts: SharedCounts
    readonly parts: Omit<MessageOptions, 'emergency' | 'urlsFor' | 'clock' | 'links'>
    readonly emergency: EmergencyTexts
    readonly links: ServedLinks
    readonly drawLogo: () => Promise<Buffer | undefined>
  },
): Promise<void> {
  const { parts, settings, emergency, links, clock } = options
  const { site } = parts
  const urlsFor = (follower: Follower) => followUrls(site, follower, followers)
  const content = { ...parts, links, clock, urlsFor, emergency: emergency.current }
  const mail = settings.mail && createMailTransport(settings.mail, site, clock, options.drawLogo)
  using push = vapid && createPushTransport({ vapid, site, clock })
  const shared = { ...options, followers }
  const mailbox = settings.bounces
  const reading = mailbox && readBounces({ ...shared, mailbox })
  await sendToFollowers({
    ...shared,
    transports: { ...(mail && { mail }), ...(push && { push }) },
    createMessage: (found) => createMessages(content, found),
    urlsFor,
    emergencySince: () => emergency.current('devices')?.since,
    mayFollow({ linkId }) {
      if (linkId === undefined || !links.isLoaded()) return true
      const entry = links.byId(linkId)
      return entry !== undefined && !hasEnded(entry.link, clock.now())
    },
    loadLinks: links.pull,
    feedIdsOf: (follower) => readableFeeds(follower, content).map(({ id }) => id),
    findChanges: () => findFollowedItems(content),
    takeFromDay: (means, limit) =>
      means === 'mail' && settings.mail
        ? options.sharedCounts.take(`mail ${mailAccountOf(settings.mail.server)}`, [limit])
        : options.store.windows.take(`follow ${means}`, [limit]),
    timeZone: site.timeZone,
  })
  await reading
}
