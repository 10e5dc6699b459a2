import type { Followers } from '../../followers/followers.ts'

/** What the pages need so that people can follow a site. */
export type Following = {
  readonly followers: Followers
  /** True if people can follow by email. */
  readonly hasMail: boolean
  /** Public key for notifications on devices (RFC 8292). Undefined if there are none. */
  readonly pushKey: string | undefined
}
