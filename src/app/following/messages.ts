import type { DueMessage } from '../../followers/due-message.ts'
import type { TokenPurpose } from '../../followers/follow-keys.ts'
import type { Follower } from '../../followers/follower.ts'
import type { Followers } from '../../followers/followers.ts'

/** A message to a follower, independent of the way it is sent. */
export type FollowMessage = {
  /** The same for every attempt to send this message, and for no other. Letters, digits and hyphens. */
  readonly id: string
  readonly kind: DueMessage['kind']
  /** Language of the texts. */
  readonly language: string
  /** Plain text. */
  readonly title: string
  /** Content as safe HTML: headings, lists, paragraphs and links. */
  readonly html: string
  /** A few words of plain text for notifications. */
  readonly summary: string
  /** Page with more information. */
  readonly url: string
}

/** URLs for a follower in their messages. Each contains a secret token. */
export type FollowUrls = {
  /** Page that confirms the requested choice, or renews it. */
  readonly confirm: string
  /** Page that changes the choice, and shows and deletes what is stored. */
  readonly manage: string
  /** Page that ends the messages, and ends them without questions on a POST request (RFC 8058). */
  readonly end: string
}

export function followUrls(
  { publicUrl }: { readonly publicUrl: string },
  follower: Follower,
  { tokenFor }: Pick<Followers, 'tokenFor'>,
): FollowUrls {
  const urlFor = (purpose: TokenPurpose) =>
    `${publicUrl}/follow/${purpose}/${tokenFor(purpose, follower)}`
  return { confirm: urlFor('confirm'), manage: urlFor('manage'), end: urlFor('end') }
}

/** Result of sending a message. The reason is a few words without addresses. */
export type Sent =
  | { readonly ok: true }
  | {
      readonly ok: false
      readonly reason: string
      /**
       * What failed: this address forever, this address for now, or the whole service for now.
       */
      readonly failed: 'address' | 'once' | 'service'
      readonly retryAfterMs?: number | undefined
    }

/** Sends messages by one of the means. */
export type Transport = {
  /** Maximum number of messages in 24 hours. */
  readonly maxPerDay: number
  readonly send: (
    message: FollowMessage,
    to: { readonly address: string; readonly urls: FollowUrls },
    signal: AbortSignal,
  ) => Promise<Sent>
}

/** Returns a message, or undefined if there is nothing to tell, such as no entries tomorrow. */
export type CreateMessage = (
  follower: Follower,
  due: DueMessage,
) => Promise<FollowMessage | undefined>
