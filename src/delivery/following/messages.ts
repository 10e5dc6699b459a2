import type { DueMessage } from '../../followers/due-message.ts'
import type { TokenPurpose } from '../../followers/follow-keys.ts'
import type { Follower } from '../../followers/follower.ts'
import type { Followers } from '../../followers/followers.ts'

export type MessageContent = {
  /** Plain text. */
  readonly title: string
  /** Content as safe HTML: headings, lists, paragraphs and links. */
  readonly html: string
  /** The same for emails, with buttons and day tiles. */
  readonly mail?: string | undefined
  /** Short plain text for notifications. */
  readonly summary: string
}

/** A message to a follower, independent of the way it is sent. */
export type FollowMessage = MessageContent & {
  /** Unique id, the same for every attempt to send the message: letters, digits and hyphens. */
  readonly id: string
  readonly kind: DueMessage['kind']
  readonly language: string
  readonly url: string
}

/** URLs in a follower's messages. Each contains a secret token. */
export type FollowUrls = {
  /** Page that confirms the requested choice, or renews it. */
  readonly confirm: string
  /** Page of the link that an invitation is for. */
  readonly invitation?: string | undefined
  /** Page to change the choice, unsubscribe, and download the stored data. */
  readonly manage: string
  /** Page to unsubscribe. A POST request unsubscribes right away (RFC 8058). */
  readonly end: string
}

export function followUrls(
  { publicUrl }: { readonly publicUrl: string },
  follower: Follower,
  { tokenFor, confirmationFor, invitationKeyOf }: Followers,
): FollowUrls {
  const urlFor = (purpose: TokenPurpose) =>
    `${publicUrl}/follow/${purpose}/${tokenFor(purpose, follower)}`
  const confirm = `${publicUrl}/follow/confirm/${confirmationFor(follower)}`
  const key = invitationKeyOf(follower)
  const invitation = key === undefined ? undefined : `${publicUrl}/l/${key}/`
  return { confirm, invitation, manage: urlFor('manage'), end: urlFor('end') }
}

/** Result of sending a message. `reason` is a short phrase without addresses. */
export type Sent =
  | {
      readonly ok: true
      /** True if the service was so slow that others should not wait for it. */
      readonly isSlow?: boolean
    }
  | {
      readonly ok: false
      readonly reason: string
      /**
       * `address`: stop using the address. `once`: retry this message later. `service`: retry
       * all messages later.
       */
      readonly failed: 'address' | 'once' | 'service'
      readonly retryAfterMs?: number | undefined
    }

/** Sends messages by email or as notifications. */
export type Transport = {
  readonly maxPerDay: number
  readonly send: (
    message: FollowMessage,
    to: { readonly address: string; readonly urls: FollowUrls },
    signal: AbortSignal,
  ) => Promise<Sent>
  /** Closes open connections. The next message opens a new one. */
  readonly disconnect?: () => void
}

/** Returns a message, or undefined if it would be empty, such as without entries tomorrow. */
export type CreateMessage = (
  follower: Follower,
  due: DueMessage,
) => Promise<FollowMessage | undefined>
