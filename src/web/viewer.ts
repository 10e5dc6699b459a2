import type { Response } from 'express'
import type { Feed } from '../feeds/feed.ts'
import type { LinkEntry } from '../links/link-registry.ts'
import type { LinkApp } from '../links/link-use.ts'
import type { Profile } from '../records/profile.ts'
import { clientFamily, type ClientFamily } from './client-family.ts'
import { LinkClosed, PrivateFeed, type ClosedLink, type RouteKind } from './errors.ts'

/** What a client may read: the public feeds, or the feeds in its feed link. */
export type Viewer = {
  /** Base URL of the feeds: the public URL or the link's URL. */
  readonly base: string
  readonly profile: Profile
  readonly feeds: readonly Feed[]
  readonly link: LinkEntry | undefined
  /** Set if the link is paused or has ended. */
  readonly closed: ClosedLink | undefined
  /** True if the link includes the members' contact data. */
  readonly hasMembers: boolean
}

/** Prefix of feed links. Every public route is also mounted under it. */
export const linkPrefix = '/l/:key'

/** Throws `PrivateFeed` for a feed that the viewer may not read. */
export function requireReadable(feed: Feed, { feeds, link }: Viewer): void {
  if (!feeds.includes(feed)) throw new PrivateFeed(feed, link)
}

/**
 * Throws `LinkClosed` under a paused or ended link, because only feeds and boards send their own
 * notice.
 */
export function viewerFrom(response: Response, kind: RouteKind | 'feed' = 'page'): Viewer {
  const viewer = response.locals['viewer'] as Viewer
  if (viewer.closed && kind !== 'feed') throw new LinkClosed(kind, viewer.closed)
  return viewer
}

const apps: Readonly<Partial<Record<ClientFamily, LinkApp>>> = {
  'Apple Calendar': 'Apple',
  Google: 'Google',
  Outlook: 'Outlook',
  Thunderbird: 'Thunderbird',
  'Android calendar': 'Android',
  'other calendar': 'other calendar',
  'feed reader': 'reader',
  screen: 'screen',
}

/** Contains the link's id, so that only its own readers could impersonate a check. */
export function ownCheckAgent({ link }: LinkEntry): string {
  return `Feedhouse check of ${link.id}`
}

/** Records the use of a link by an app, for the link's page and the list on the admin page. */
export function noteUse(link: LinkEntry, at: number, userAgent: string | undefined): void {
  if (userAgent === ownCheckAgent(link)) return
  link.noteUse({ at, app: apps[clientFamily(userAgent)] ?? 'other' })
}

export const isForMember = (link: LinkEntry | undefined) => link?.link.memberId !== undefined
