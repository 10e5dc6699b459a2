import type { RequestHandler, Response } from 'express'
import { accentColors } from '../../feeds/identity.ts'
import { renderBoardRss } from '../../feeds/board-rss.ts'
import { contentTypeOf } from '../../feeds/formats.ts'
import { siteOffsetsAt } from '../../records/clock-changes.ts'
import { dutyHtml, pageHtml } from '../../signage/board-html.ts'
import type { BoardData, BoardItem } from '../../signage/board-item.ts'
import { layoutOf, type BoardFrame } from '../../signage/board-layout.ts'
import { smallestReadable } from '../../signage/board-sizes.ts'
import { createTextFit, estimatedWidth } from '../../signage/board-text.ts'
import { activeTime, asOf, type TimeOptions } from '../../signage/board-times.ts'
import { siteTimeAt, viewOf } from '../../signage/board-view.ts'
import { concertoContents } from '../../signage/concerto.ts'
import { boardMessages } from '../../signage/messages.ts'
import { siteOf } from '../../web/context.ts'
import { viewerFrom } from '../../web/viewer.ts'
import { queryOf } from '../../web/urls.ts'
import { boardBuild, boardGuard, createBoardAssets } from './board-assets.ts'
import { limitNewLanguages, readBoard, sendBoardAs, type Board } from './board-request.ts'
import { boardOptions, boardOptionsFor, type BoardOptions } from './board-options.ts'
import { qrCodeOf } from '../../web/qr-code.ts'
import { allowForms, allowFraming } from '../../web/security-headers.ts'

/**
 * Marks Feedhouse's own responses, so that screens can distinguish them from proxies' responses and
 * login pages.
 */
export const boardHeaders: RequestHandler = ({ path }, response, next) => {
  if (/\/board(?:\.json)?$/.test(path)) {
    const { kept, clock } = siteOf(response)
    const boardAssets = kept(createBoardAssets)
    const time = new Date(clock.now()).toISOString()
    response.set({ 'Board-Version': boardAssets.version, 'Board-Time': time })
    response.locals['endedScript'] = boardAssets.pathOf('board-ended.js')
  }
  next()
}

/**
 * Files for static hosts, which do not send these headers. The JSON file identifies itself as
 * Feedhouse's. The worker is in the page's folder, so it does not need `Service-Worker-Allowed`.
 */
export const staticBoard = { source: 'board/screen.json', worker: 'board-worker.js' }

const onlyStatic: RequestHandler = (_request, response, next) =>
  next(siteOf(response).site.isStatic ? undefined : 'route')

const jsonType = 'application/json; charset=utf-8'

/** Returns a handler that sends the content in one format, and lets the front cache it. */
const withBoard =
  (
    textOf: (response: Response, board: Board<BoardOptions>) => string | Promise<string>,
  ): RequestHandler =>
  async (request, response) => {
    const query = queryOf(request.originalUrl)
    const board = await readBoard(request, response, query, boardOptionsFor)
    await sendBoardAs(request, response, await textOf(response, board), boardOptions)
  }

const showBoard = withBoard(async (response, board) => {
  const { site, render, clock, kept } = siteOf(response)
  const boardAssets = kept(createBoardAssets)
  const { items, readAt, intervalMs, options: shown } = board
  limitNewLanguages(response.req, response, shown.lang)
  const now = clock.now()
  const offsets = siteOffsetsAt(now, site.timeZone)
  const words = boardMessages(shown.lang)
  // Anyone passing by could scan a link's private URL.
  const isFollowed = shown.hasQrCode && !viewerFrom(response, 'feed').link
  const follow = isFollowed ? `${site.publicUrl}/` : null
  const age = asOf(readAt, { now, offsets, lang: shown.lang, words, intervalMs })
  const first = firstPageOf(items, {
    ...shown,
    words,
    name: shown.title || site.name,
    now: siteTimeAt(now, offsets),
    instant: now,
    asOf: age,
    hasCode: follow !== null,
  })
  return render('board/board', {
    shown,
    board: { ...boardAssets, guard: boardGuard },
    asOf: age,
    first,
    data: {
      items,
      readAt,
      intervalMs,
      offsets,
      version: boardAssets.version,
      ...shown,
      words,
      accent: shown.accent === undefined ? null : accentColors(`#${shown.accent}`),
      follow,
      ...(site.isStatic ? staticBoard : {}),
    } satisfies BoardData,
    words,
    followCode: follow === null ? '' : await qrCodeOf(follow),
    // A static page cannot contain the time, so screens get it from the host.
    now: site.isStatic ? '' : now,
  })
})

export const sendBoard = [allowFraming(boardGuard.hash), showBoard]

export const sendBoardJson = withBoard((response, { items }) => {
  response.type(jsonType)
  return JSON.stringify(items)
})

const sendForScreens = withBoard((response, { items, readAt, intervalMs }) => {
  response.type(jsonType)
  const { version } = siteOf(response).kept(createBoardAssets)
  return JSON.stringify({ feedhouse: 'board', version, readAt, intervalMs, items })
})

export const sendStaticSource = [onlyStatic, sendForScreens]

export const sendBoardRss = withBoard((response, { items, site }) => {
  response.type(contentTypeOf('rss'))
  return renderBoardRss(items, { site, now: siteOf(response).clock.now() })
})

export const sendConcerto = withBoard((response, { items, site }) => {
  response.type(jsonType)
  return JSON.stringify(concertoContents(items, site.timeZone))
})

const sendWorkerFile: RequestHandler = ({ path }, response) => {
  const { basePath } = siteOf(response)
  response
    // The scope includes the page, which is outside the worker's folder.
    .set('Service-Worker-Allowed', `${basePath}${path.replace(/[/-]worker\.js$/, '')}`)
    .type('text/javascript')
    .send(boardBuild().worker)
}

export const sendBoardWorker = [allowForms, sendWorkerFile]

export const sendStaticWorker = [onlyStatic, ...sendBoardWorker]

/** The screen's own script knows its size, and replaces the first page. */
const assumedScreen = { width: 1920, height: 1080 }

const fit = createTextFit(estimatedWidth)

function firstPageOf(
  items: readonly BoardItem[],
  options: BoardOptions & TimeOptions & BoardFrame,
) {
  const { now, instant, lang, words, rows } = options
  const view = viewOf(items, options)
  const { duty, panels } = layoutOf(view, {
    ...options,
    screen: { ...assumedScreen, smallest: smallestReadable(assumedScreen, options) },
    fit,
    time: { now, instant, lang, words },
    maxRows: rows,
  })
  const firstOf = (id: string) => panels.find((panel) => panel.id === id)
  const agenda = firstOf('agenda')
  const cards = firstOf('cards')
  return {
    duty: duty ? dutyHtml(duty, options) : '',
    agenda: agenda || !cards ? pageHtml(agenda?.pages[0], options) : '',
    cards: cards ? pageHtml(cards.pages[0], options) : '',
    emergency: view.emergency ? emergencyHtml(view.emergency, options) : null,
  }
}

/** Returns the whole emergency text, because screens without JavaScript show only one page. */
function emergencyHtml(item: BoardItem, time: TimeOptions) {
  const notices = { items: [item], size: 0, stretch: 1, hasLabel: false }
  return {
    label: time.words.emergency,
    text: pageHtml({ notices, story: null }, time),
    until: activeTime(item, time),
  }
}
