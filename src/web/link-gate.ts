import type { RequestHandler } from 'express'
import { includesMembers } from '../feeds/catalog/members.ts'
import { siteIn } from '../feeds/site.ts'
import { linkNotice } from '../feeds/link-notice.ts'
import { stateOf } from '../links/feed-link.ts'
import type { LinkEntry } from '../links/link-registry.ts'
import { siteOf, type SiteContext } from './context.ts'
import { languageForMessages } from './translation.ts'
import { createClientLimit } from './client-limit.ts'
import { Unavailable } from './errors.ts'
import { withoutAround } from './pasted-address.ts'
import { sendMessage } from './send-message.ts'
import { linkPrefix, type Viewer } from './viewer.ts'

export const guesses = { burst: 20, oneMoreMs: 10_000 }

/** Minimum interval between store lookups for unknown keys. */
const minPollIntervalMs = 250

const notLoadedRetryMs = 5_000

/**
 * Keeps everything under `/l/` out of search engines, shared caches and `Referer`, including links
 * that were pasted with mistakes.
 */
export const linkHeaders: RequestHandler = ({ path }, response, next) => {
  if (!mayHaveKey(path)) return next()
  response.locals['route'] = linkPrefix
  response.set({
    'X-Robots-Tag': 'noindex',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'private, no-cache',
  })
  next()
}

/**
 * Returns a function that resolves to the viewer with a link's key, or to undefined if there is no
 * such link. `url` selects the language of the link's notice.
 */
export function viewerByKey({ site, catalog, links, clock }: SiteContext) {
  let pulledAt = -Infinity

  /** Looks for a link that another replica or a command has just created. */
  async function findNew(key: string): Promise<LinkEntry | undefined> {
    if (clock.now() < pulledAt + minPollIntervalMs) return undefined
    pulledAt = clock.now()
    await links.pull()
    return links.find(key)
  }

  return async (key: string, url: string): Promise<Viewer | undefined> => {
    requireLoaded(links)
    const entry = links.find(key) ?? (await findNew(key))
    if (!entry) return undefined
    const { link } = entry
    const now = clock.now()
    const state = stateOf(link, now)
    const noticeSite = () => siteIn(site, languageForMessages(url, site))
    return {
      base: `${site.publicUrl}/l/${key.toLowerCase()}`,
      profile: link.profile,
      feeds: catalog.feedsOf(link),
      link: entry,
      closed: state === 'open' ? undefined : { state, notice: linkNotice(link, noticeSite(), now) },
      hasMembers: includesMembers(link),
    }
  }
}

const guessLimit = ({ clock }: SiteContext) => createClientLimit(clock, guesses, 'too many guesses')

const publicViewer = ({ site, publicFeeds }: SiteContext): Viewer => ({
  base: site.publicUrl,
  profile: 'public',
  feeds: publicFeeds,
  link: undefined,
  closed: undefined,
  hasMembers: false,
})

/**
 * Decides once per request who the viewer is, and whether the link is open. All unknown keys get
 * the same response, so that guessing keys reveals nothing. Guessing keys does not lock out link
 * holders with the same IP address.
 */
export const linkGate: RequestHandler = (request, response, next) => {
  if (isBelowLinks(request.path)) return admitViewer(request, response, next)
  response.locals['viewer'] = siteOf(response).kept(publicViewer)
  return next()
}

const admitViewer: RequestHandler = async ({ path, originalUrl, ip = '' }, response, next) => {
  const { basePath, kept } = siteOf(response)
  const [, , key = '', ...rest] = path.split('/')
  const viewerOf = kept(viewerByKey)
  const viewer = await viewerOf(key, originalUrl)
  if (!viewer) {
    kept(guessLimit)(ip)
    const pasted = withoutAround(key)
    if (pasted !== key && rest.length === 0 && (await viewerOf(pasted, originalUrl))) {
      return response.redirect(301, `${basePath}/l/${pasted}/`)
    }
    return sendMessage(response, 404, ({ unknownLink }) => unknownLink)
  }
  const isPage = rest.join('/') === ''
  const { closed } = viewer
  if (closed?.state === 'gone' && !isPage)
    return sendMessage(response, 410, () => closed.notice.text)
  response.locals['viewer'] = viewer
  next()
}

/** Throws `Unavailable` until the feed links have been loaded. */
export function requireLoaded(links: SiteContext['links']): void {
  if (links.isLoaded()) return
  throw new Unavailable(({ linksNotLoaded }) => linksNotLoaded, notLoadedRetryMs)
}

function isBelowLinks(path: string): boolean {
  return path.startsWith('/l/')
}

/** Returns true for paths that may contain a link's key, like `/L/key/` and `/%20l/key/`. */
function mayHaveKey(path: string): boolean {
  // Decodes bytes, because other parts of the path may be invalid.
  const text = path.replaceAll(/%[\da-f]{2}/gi, (byte) =>
    String.fromCharCode(Number.parseInt(byte.slice(1), 16)),
  )
  return /^[^a-z\d]*l[^a-z\d]*\//i.test(text)
}
