import type { RequestHandler } from 'express'
import { isCalendar, type Feed } from '../feeds/feed.ts'
import { adminAccess } from '../web/sessions.ts'
import { createBoardAssets } from '../features/board/board-assets.ts'
import * as board from '../features/board/board-routes.ts'
import { sendBoardPicture } from '../features/board/board-picture.ts'
import { composerPage } from '../features/board/board-composer.ts'
import { siteOf, type SiteContext } from '../web/context.ts'
import { accountPage, sendProfile } from '../features/dav/account-routes.ts'
import { linkPrefix } from '../web/viewer.ts'
import { addDevice, devicePage, removeDevice } from '../features/follow/device-routes.ts'
import { sendFollowWorker, sendManifest } from '../features/follow/device-routes.ts'
import { followPage, signUp } from '../features/follow/follow-routes.ts'
import { tokenPages } from '../features/follow/token-pages.ts'
import * as monitoring from '../features/monitoring/monitoring-routes.ts'
import { redirectToMonth, showAgenda, showMonth } from '../features/agenda/agenda-pages.ts'
import { hasArchive } from '../web/archives.ts'
import { posterPage } from '../features/home/poster-page.ts'
import { certificationsPage } from '../features/members/certifications-page.ts'
import { sendCards, sendCsv, sendMembers } from '../features/members/contact-routes.ts'
import { elementPath, sendElement } from '../web/embed-element.ts'
import { embedsOf } from '../web/embed-options.ts'
import {
  allowReading,
  embedPage,
  linkEmbedPage,
  sendAccent,
} from '../features/embed/embed-routes.ts'
import { showRoster } from '../features/agenda/roster-page.ts'
import { hasFreeDays, showFreeDays } from '../features/agenda/free-days-page.ts'
import {
  addSlash,
  feedsPage,
  homePage,
  saveChoice,
  sendList,
} from '../features/home/home-routes.ts'
import { articlePage, entryFile, entryPage } from '../features/items/item-pages.ts'
import { cardPicture, flyerPage, squarePicture } from '../features/items/event-pages.ts'
import { createItemPictures } from '../features/items/item-pictures.ts'
import { showNews } from '../features/items/news-page.ts'
import { servePage, type Page } from '../web/page-handler.ts'
import { searchPage } from '../features/search/search-page.ts'
import { get, named, post, remove, type Caching, type Route } from '../web/route.ts'

/** Where a URL exists: publicly and below each feed link, only below links, or only publicly. */
const everywhere = ['', linkPrefix]
const links = [linkPrefix]
const publicly = ['']

const feedIds =
  (isIt: (feed: Feed) => boolean) =>
  ({ catalog }: SiteContext) =>
    catalog.feeds.filter(isIt).map(({ id }) => id)

const embedIds = ({ catalog }: SiteContext) => embedsOf(catalog.feeds).map(({ id }) => id)

const isArticle = (feed: Feed) => !isCalendar(feed)

const page = (prefixes: readonly string[], path: string, shown: Page, cached: Caching = 'front') =>
  get(prefixes, path, cached, servePage(shown))

const sentBy =
  (handlerOf: (site: SiteContext) => RequestHandler): RequestHandler =>
  (request, response, next) =>
    handlerOf(siteOf(response))(request, response, next)

/** The URLs of what people see, and of their forms, in the order in which they are tried. */
export const pages: readonly Route[] = [
  ...get(links, '', 'revalidated', addSlash),
  ...page(everywhere, '/', homePage),
  ...post(links, '/', ...saveChoice),
  ...page(everywhere, '/feeds', feedsPage),
  ...post(links, '/feeds', ...saveChoice),
  ...get(everywhere, '/feeds.opml', 'revalidated', sendList),
  ...page(everywhere, '/agenda', { show: showAgenda }),
  ...page(everywhere, '/roster', { show: showRoster }),
  ...page(everywhere, '/month', { show: redirectToMonth }, 'revalidated'),
  ...page(everywhere, '/month/:month', { show: showMonth }),
  ...page(everywhere, '/search', searchPage),
  // Feed links have no poster, because their URLs are secret.
  ...page(publicly, '/poster', posterPage),

  ...get(everywhere, '/board', 'front', ...board.sendBoard),
  ...get(everywhere, '/board.json', 'front', board.sendBoardJson),
  ...get(everywhere, '/board.rss', 'front, 1 minute', board.sendBoardRss),
  ...get(everywhere, '/board/concerto.json', 'front, 1 minute', board.sendConcerto),
  ...get(everywhere, '/board.png', 'front, 1 minute', sendBoardPicture('png')),
  ...get(everywhere, '/board/:picture.png', 'front, 1 minute', sendBoardPicture('png')),
  ...get(everywhere, '/board/:picture.bmp', 'front, 1 minute', sendBoardPicture('bmp')),
  ...get(everywhere, '/board/worker.js', 'revalidated', ...board.sendBoardWorker),
  ...page(everywhere, '/board/new', composerPage),
  ...get(publicly, `/${board.staticBoard.source}`, 'front', ...board.sendStaticSource),
  ...get(publicly, `/${board.staticBoard.worker}`, 'revalidated', ...board.sendStaticWorker),

  ...named(embedIds, page(publicly, '/embed/:name', embedPage, 'front, 5 minutes')),
  ...named(embedIds, page(links, '/embed/:name', linkEmbedPage)),
  ...get(publicly, '/embed/accent/:color', '1 day', allowReading, sendAccent),
  ...get(publicly, elementPath, '1 hour', allowReading, sendElement),

  ...page(everywhere, '/certifications', certificationsPage),
  ...get(everywhere, '/members', 'never', sendMembers),
  ...get(everywhere, '/members.vcf', 'never', sendCards),
  ...get(everywhere, '/members.csv', 'never', sendCsv),
  ...get(everywhere, '/members/:id.vcf', 'never', sendCards),

  ...page(everywhere, '/follow', followPage),
  ...post(everywhere, '/follow', ...signUp),
  ...get(publicly, '/follow/confirm/:token', 'never', ...tokenPages.confirm),
  ...post(publicly, '/follow/confirm/:token', ...tokenPages.confirmed),
  ...get(publicly, '/follow/manage/:token', 'never', ...tokenPages.manage),
  ...post(publicly, '/follow/manage/:token', ...tokenPages.managed),
  ...get(publicly, '/follow/manage/:token/data', 'never', ...tokenPages.data),
  ...get(publicly, '/follow/end/:token', 'never', ...tokenPages.end),
  ...post(publicly, '/follow/end/:token', ...tokenPages.ended),
  ...page(everywhere, '/follow/device', devicePage),
  ...post(everywhere, '/follow/device', ...addDevice),
  ...remove(everywhere, '/follow/device', ...removeDevice),
  ...get(everywhere, '/follow/worker.js', 'revalidated', ...sendFollowWorker),
  ...get(everywhere, '/follow/app.webmanifest', 'revalidated', sendManifest),

  ...page(links, '/account', accountPage),
  ...get(links, '/iphone.mobileconfig', 'never', sendProfile),

  ...named(feedIds(hasArchive), page(everywhere, '/:name', { show: showNews })),
  ...named(feedIds(hasFreeDays), page(everywhere, '/:name/free', { show: showFreeDays })),
  ...named(feedIds(isCalendar), page(everywhere, '/:name/:id.ics', entryFile)),
  ...named(feedIds(isCalendar), page(publicly, '/:name/:id-card.png', cardPicture)),
  ...named(feedIds(isCalendar), page(publicly, '/:name/:id.png', squarePicture)),
  ...named(feedIds(isCalendar), page(publicly, '/:name/:id/flyer', flyerPage)),
  ...named(feedIds(isCalendar), page(everywhere, '/:name/:id', entryPage)),
  ...named(feedIds(isArticle), page(everywhere, '/:name/:id', articlePage)),
]

/** The URLs of files that pages load. */
export const files: readonly Route[] = [
  ...get(
    publicly,
    '/assets/:file',
    '1 year',
    sentBy(({ assets }) => assets.send),
  ),
  ...get(
    publicly,
    '/assets/site-:version/:file',
    '1 year',
    sentBy(({ siteImages }) => siteImages.send),
  ),
  ...get(
    publicly,
    '/assets/board-:version/:file',
    '1 year',
    sentBy(({ kept }) => kept(createBoardAssets).send),
  ),
  ...get(
    publicly,
    '/icon-:size.png',
    '1 day',
    sentBy(({ siteImages }) => siteImages.sendIcon),
  ),
  ...get(
    publicly,
    '/favicon.ico',
    '1 day',
    sentBy(({ siteImages }) => siteImages.sendFavicon),
  ),
  ...get(
    publicly,
    '/board/images/:file',
    '1 day',
    sentBy(({ pictures }) => pictures.send),
    sentBy(({ kept }) => kept(createItemPictures).send),
  ),
]

const sendStatus = monitoring.statusSender(
  async (request, { kept }) => (await kept(adminAccess)?.isSignedIn(request)) === true,
)

/** The URLs for programs that watch the service. */
export const monitoringRoutes: readonly Route[] = [
  ...get(publicly, '/livez', 'never', monitoring.sendLive),
  ...get(publicly, '/readyz', 'never', monitoring.sendReady),
  ...get(publicly, '/status', 'never', sendStatus),
  ...get(publicly, '/status.json', 'never', sendStatus),
  ...get(publicly, '/metrics', 'never', monitoring.sendMetrics),
  ...get(publicly, '/probe/:key', 'never', monitoring.sendProbe),
]
