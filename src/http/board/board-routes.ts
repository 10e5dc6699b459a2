import { Router, type Request, type RequestHandler, type Response } from 'express'
import type { Clock } from '../../clock.ts'
import { CollectionUnavailable } from '../../collections/collection.ts'
import type { Collections } from '../../collections/collections.ts'
import { renderBoardRss } from '../../feeds/board-rss.ts'
import type { Feed } from '../../feeds/feed.ts'
import type { Site } from '../../feeds/site.ts'
import { withdrawnNotice } from '../../feeds/withdrawn-feed.ts'
import { endOf } from '../../links/feed-link.ts'
import { instantFromSiteTime } from '../../records/site-time.ts'
import type { FeedOverviews } from '../../representations/feed-overviews.ts'
import { agendaHtml, asOf, cardHtml } from '../../signage/board-html.js'
import { boardItem, type BoardItem } from '../../signage/board-item.ts'
import { boardOf } from '../../signage/board.ts'
import { siteTimeAt, viewOf } from '../../signage/board-view.js'
import { concertoContents } from '../../signage/concerto.ts'
import { viewerFrom, prefixes } from '../feeds/viewer.ts'
import { BadOption } from '../feeds/bad-option.ts'
import { basePathOf } from '../server/base-path.ts'
import { boardAgeOf, type BoardAge } from './board-age.ts'
import type { BoardAssets } from './board-assets.ts'
import { createBoardLanguages } from './board-languages.ts'
import { readBoardOptions, type BoardOptions } from './board-options.ts'
import type { BoardPictures } from './board-pictures.ts'
import { noteUse } from '../feeds/link-use.ts'
import { createListLimit, readListFilters } from '../feeds/list-filters.ts'
import { PrivateFeed } from '../feeds/private-feed.ts'
import { queryOf } from '../server/query.ts'
import { allowForms, allowFraming } from '../server/security-headers.ts'
import type { RenderPage } from '../templates/templates.ts'
import { Unavailable } from '../server/unavailable.ts'

/** Caches in between ask anew as often as screens do. */
const freshSeconds = 60

/**
 * What a screen tells an answer of Feedhouse by, also one that says that there is nothing: what stands
 * in between may answer too.
 */
export function boardHeaders(
  { version, pathOf }: Pick<BoardAssets, 'version' | 'pathOf'>,
  clock: Pick<Clock, 'now'>,
): RequestHandler {
  return ({ path }, response, next) => {
    if (/\/board(?:\.json)?$/.test(path)) {
      const time = new Date(clock.now()).toISOString()
      response.set({ 'Board-Version': version, 'Board-Time': time })
      response.locals['endedScript'] = pathOf('board-ended.js')
    }
    next()
  }
}

/**
 * Static hosts add no headers that a screen could tell Feedhouse's answers by, so their board reads a
 * file that says itself whose it is. Its worker lies where no header is needed for what it is for.
 */
const staticBoard = { source: 'board/screen.json', worker: 'board-worker.js' }

const switchedOffText =
  'The feeds on this board are currently unavailable. They come back automatically once the website provides them again.'

type BoardContent = BoardAge & { readonly items: readonly BoardItem[] }

/** `/board` for screens, and the same for players as data: for anyone, and below a link. */
export function boardRoutes(options: {
  readonly site: Site
  readonly feeds: readonly Feed[]
  readonly collections: Pick<Collections, 'states'>
  readonly overviews: FeedOverviews
  readonly pictures: BoardPictures
  readonly assets: BoardAssets
  readonly render: RenderPage
  readonly clock: Pick<Clock, 'now'>
}): Router {
  const { site, feeds, collections, overviews, pictures, assets, render, clock } = options
  const basePath = basePathOf(site)
  const feedIds = feeds.map(({ id }) => id)
  const limitLists = createListLimit(overviews, clock)
  const languages = createBoardLanguages(clock)
  const router = Router({ caseSensitive: true, strict: true })

  /**
   * What this client may see and asks for, and when the website was last read for it. Throws
   * `PrivateFeed` for a feed that it names and may not see.
   */
  async function contentFor(
    { originalUrl, headers, ip = '' }: Request,
    response: Response,
    { show, limit }: BoardOptions,
  ): Promise<BoardContent> {
    const { feeds: readable, profile, link } = viewerFrom(response)
    const query = queryOf(originalUrl)
    const filters = readListFilters(feeds, query)
    const now = clock.now()
    if (!link) {
      response.set('Cache-Control', `public, max-age=${freshSeconds}`)
      // Some players read it by a script of theirs.
      response.set('Access-Control-Allow-Origin', '*')
      response.set('Cross-Origin-Resource-Policy', 'cross-origin')
    }
    if (link && now >= link.endsAt) {
      return { items: [withdrawnItem(link.link, site)], readAt: now, intervalMs: 0 }
    }
    if (link) noteUse(link, now, headers['user-agent'])
    const wanted = feeds.filter(({ id }) => show.includes(id))
    const missing = wanted.find((feed) => !readable.includes(feed))
    if (missing && query.has('show')) {
      throw new PrivateFeed(missing.title, { hasLink: link !== undefined })
    }
    const shown = wanted.filter((feed) => readable.includes(feed))
    limitLists(ip, profile, new Map([...filters].filter(([feed]) => shown.includes(feed))))
    const boards = await shownOf(shown, async (feed) => {
      const { board } = await overviews.read(feed, profile, filters.get(feed))
      return board.slice(0, limit)
    })
    const items = pictures.hosted(boardOf(boards.flat()), site)
    return { items, ...boardAgeOf(shown, collections, clock.now()) }
  }

  /** A handler that is given the options and the content. */
  const withBoard =
    (
      send: (response: Response, board: BoardContent & { readonly options: BoardOptions }) => void,
    ): RequestHandler =>
    async (request, response) => {
      const reading = readBoardOptions(queryOf(request.originalUrl), feedIds)
      if (!reading.ok) throw new BadOption(reading.reason)
      const content = await contentFor(request, response, reading.options)
      response.set('Board-Read', new Date(content.readAt).toISOString())
      response.set('Board-Interval', String(Math.ceil(content.intervalMs / 1000)))
      send(response, { ...content, options: reading.options })
    }

  const showPage = withBoard((response, { items, readAt, intervalMs, options: shown }) => {
    languages.admit(shown.lang, response.req.ip ?? '')
    const now = clock.now()
    const { timeZone } = site
    const view = {
      now: siteTimeAt(now, timeZone),
      rows: shown.rows,
      lines: shown.lines,
      lang: shown.lang,
    }
    const { agenda, cards } = viewOf(items, view)
    // What a screen shows while it is being loaded must not outlast a link that ends.
    revalidate(response)
    const [card] = cards
    response.send(
      render('board', {
        shown,
        board: assets,
        asOf: asOf(readAt, { now, timeZone, lang: shown.lang, intervalMs }),
        agenda: agendaHtml(agenda[0], view),
        card: card ? cardHtml(card, view) : '',
        data: {
          items,
          readAt,
          intervalMs,
          timeZone,
          version: assets.version,
          ...shown,
          ...(site.isStatic ? staticBoard : {}),
        },
        // A file stays as it is: its screens ask at once what time it is.
        now: site.isStatic ? '' : now,
      }),
    )
  })

  const sendJson = withBoard((response, { items }) => {
    // Its headers say what time it is.
    revalidate(response)
    response.json(items)
  })

  const sendForScreens = withBoard((response, { items, readAt, intervalMs }) => {
    revalidate(response)
    const { version } = assets
    response.json({ feedhouse: 'board', version, readAt, intervalMs, items })
  })

  const sendRss = withBoard((response, { items }) => {
    const text = renderBoardRss(items, { site, now: clock.now() })
    response.type('application/rss+xml').send(text)
  })

  const sendConcerto = withBoard((response, { items }) => {
    response.json(concertoContents(items, (time) => isoInstant(time, site.timeZone)))
  })

  const sendWorker: RequestHandler = ({ path }, response) => {
    revalidate(response)
    response
      // It is for the page beside its folder too.
      .set('Service-Worker-Allowed', `${basePath}${path.replace(/[/-]worker\.js$/, '')}`)
      .type('text/javascript')
      .send(assets.worker)
  }

  router.use(assets.router)
  router.use(pictures.router)
  for (const prefix of prefixes) {
    router.get(`${prefix}/board`, allowFraming, showPage)
    router.get(`${prefix}/board.json`, sendJson)
    router.get(`${prefix}/board.rss`, sendRss)
    router.get(`${prefix}/board/concerto.json`, sendConcerto)
    router.get(`${prefix}/board/worker.js`, allowForms, sendWorker)
  }
  if (site.isStatic) {
    router.get(`/${staticBoard.source}`, sendForScreens)
    router.get(`/${staticBoard.worker}`, allowForms, sendWorker)
  }
  return router
}

/** Caches ask each time; below a feed link none but the browser's own may keep it at all. */
function revalidate(response: Response): void {
  response.set('Cache-Control', viewerFrom(response).link ? 'private, no-cache' : 'no-cache')
}

/**
 * Of those that are not switched off. Rejects when all are, as with what passes: a screen must keep
 * what it shows, rather than say that nothing is on.
 */
async function shownOf<T>(
  feeds: readonly Feed[],
  show: (feed: Feed) => Promise<T>,
): Promise<readonly T[]> {
  const outcomes = await Promise.allSettled(feeds.map(show))
  const shown = outcomes.flatMap((outcome) =>
    outcome.status === 'fulfilled' ? [outcome.value] : [],
  )
  const failed = outcomes.filter((outcome) => outcome.status === 'rejected')
  const other = failed.find(({ reason }) => !isSwitchedOff(reason))
  if (other) throw other.reason
  const first = failed.map(({ reason }) => reason as unknown).find(isSwitchedOff)
  if (first && shown.length === 0) throw new Unavailable(switchedOffText, first.retryAfterMs, first)
  return shown
}

function isSwitchedOff(error: unknown): error is CollectionUnavailable {
  return error instanceof CollectionUnavailable && error.kind === 'not allowed'
}

function withdrawnItem(link: Parameters<typeof withdrawnNotice>[0], site: Site): BoardItem {
  const { title, text } = withdrawnNotice(link, site)
  const start = siteTimeAt(endOf(link), site.timeZone)
  const id = `withdrawn-${link.id}`
  return boardItem({ id, kind: 'announcements', title, text, when: '', start, end: null })
}

/** Of a date, its beginning. */
function isoInstant(time: string, timeZone: string): string {
  const whole = time.length === 10 ? `${time}T00:00:00` : time
  return new Date(instantFromSiteTime(whole, timeZone)).toISOString()
}
