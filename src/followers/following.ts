import type { FollowRequest } from './confirmation-tokens.ts'
import type { Followers } from './followers.ts'

export type RefusedDevice = { readonly reason: 'full' | 'too many'; readonly retryAfterMs: number }

export type Following = {
  readonly followers: Followers
  /**
   * Requests confirmation by email. Resolves to the time to wait if there are too many requests or
   * followers, or too many requests from the network of the client's address. The result does not
   * depend on the email address.
   */
  readonly signUp: (
    wish: FollowRequest,
    client: string,
  ) => Promise<{ readonly retryAfterMs: number } | undefined>
  /**
   * Adds a device, or changes its choice. Resolves to the time to wait if there are too many
   * devices, or too many new ones from the network of the client's address.
   */
  readonly addDevice: (wish: FollowRequest, client: string) => Promise<RefusedDevice | undefined>
  /** Resolves to the number of messages that wait because of a limit or a failure. */
  readonly waiting: () => Promise<number>
  readonly hasMail: boolean
  /** Public key for notifications (RFC 8292). Undefined if notifications are turned off. */
  readonly pushKey: string | undefined
}
