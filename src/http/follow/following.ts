import type { Followers } from '../../followers/followers.ts'

/** The followers of a site, and the ways in which people can follow it. */
export type Following = {
  readonly followers: Followers
  /** Resolves to the number of messages that wait because of a limit or a failure. */
  readonly waiting: () => Promise<number>
  /** True if people can follow by email. */
  readonly hasMail: boolean
  /**
   * Public key for notifications on devices (RFC 8292). Undefined if notifications are turned off.
   */
  readonly pushKey: string | undefined
}
