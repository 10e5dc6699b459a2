import type { RequestHandler, Response } from 'express'
import type { TimeSource } from '../../clock.ts'
import type { Catalog } from '../../feeds/catalog.ts'
import { includesMembers } from '../../feeds/catalog/members.ts'
import type { Feed } from '../../feeds/feed.ts'
import type { Site } from '../../feeds/site.ts'
import { linkNotice } from '../../feeds/link-notice.ts'
import { stateOf } from '../../links/feed-link.ts'
import type { LinkEntry, LinkRegistry } from '../../links/link-registry.ts'
import { linkPrefix, setViewer, type Viewer } from './viewer.ts'
import { createClientLimit } from '../server/client-limit.ts'
import { sendMessage } from '../server/send-message.ts'
import { TooManyRequests, Unavailable } from '../server/errors.ts'

/** Burst and refill interval for unknown keys, per client. */
const guesses = { maxConcurrent: 20, oneMoreMs: 10_000 }

/** Minimum interval between store lookups for unknown keys. */
const minPollIntervalMs = 250

const unknownText = 'Unknown feed link. Ask the person who gave it to you for a new one.'

const notLoadedText = 'Feed links are still loading. Please try again shortly.'
const notLoadedRetryMs = 5_000

/** Keeps everything under `/l/` out of search engines, shared caches and `Referer`. */
export const linkHeaders: RequestHandler = ({ path }, response, next) => {
  if (!isBelowLinks(path)) return next()
  response.locals['route'] = linkPrefix
  response.set({
    'X-Robots-Tag': 'noindex',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'private, no-cache',
  })
  next()
}

/**
 * Sets the viewer of a request. All unknown keys get the same response, so that guessing keys reveals
 * nothing. Someone who guesses keys does not lock out link holders with the same IP address.
 */
export function linkGate(options: {
  readonly site: Site
  readonly publicFeeds: readonly Feed[]
  readonly feedsOf: Catalog['feedsOf']
  readonly links: Pick<LinkRegistry, 'find' | 'isLoaded' | 'pull'>
  readonly clock: TimeSource
}): RequestHandler {
  const { site, publicFeeds, feedsOf, links, clock } = options
  const limit = createClientLimit(clock, guesses)
  const open: Viewer = {
    base: site.publicUrl,
    profile: 'public',
    feeds: publicFeeds,
    link: undefined,
    hasMembers: false,
  }

  function viewerBy(known: LinkEntry, key: string): Viewer {
    return {
      base: `${site.publicUrl}/l/${key.toLowerCase()}`,
      profile: known.link.profile,
      feeds: feedsOf(known.link),
      link: known,
      hasMembers: includesMembers(known.link),
    }
  }

  function refuseGuess(response: Response, address: string): void {
    const waitMs = limit.take(address)
    if (waitMs !== undefined) throw new TooManyRequests('too many guesses', waitMs)
    sendMessage(response, 404, unknownText)
  }

  let pulledAt = -Infinity

  /** Looks for a link that another replica or a command has just created. */
  async function findNew(key: string): Promise<LinkEntry | undefined> {
    if (clock.now() < pulledAt + minPollIntervalMs) return undefined
    pulledAt = clock.now()
    await links.pull()
    return links.find(key)
  }

  return async ({ path, ip = '' }, response, next) => {
    if (!isBelowLinks(path)) {
      setViewer(response, open)
      return next()
    }
    if (!links.isLoaded()) throw new Unavailable(notLoadedText, notLoadedRetryMs)
    const [, , key = '', ...rest] = path.split('/')
    const known = links.find(key) ?? (await findNew(key))
    if (!known) return refuseGuess(response, ip)
    const isPage = rest.join('/') === ''
    const now = clock.now()
    if (!isPage && stateOf(known.link, now) === 'gone') {
      return sendMessage(response, 410, linkNotice(known.link, site, now).text)
    }
    setViewer(response, viewerBy(known, key))
    next()
  }
}

function isBelowLinks(path: string): boolean {
  return path.startsWith('/l/')
}
