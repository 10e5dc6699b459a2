import type { Response } from 'express'
import type { Feed } from '../../feeds/feed.ts'
import type { LinkEntry } from '../../links/link-registry.ts'
import type { Profile } from '../../records/profile.ts'

/** What whoever asks may read, and where: anyone, or those who have a feed link. */
export type Viewer = {
  /** What the addresses of its feeds begin with: Feedhouse's own origin, or the link. */
  readonly base: string
  readonly profile: Profile
  readonly feeds: readonly Feed[]
  readonly link: LinkEntry | undefined
}

/** Where there is something for those who have a link: the same as below the root for anyone. */
export const linkPrefix = '/l/:key'

export const prefixes = ['', linkPrefix]

/** As the gate has found it. */
export function viewerFrom(response: Response): Viewer {
  return response.locals['access'] as Viewer
}
