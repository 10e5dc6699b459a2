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
import { servePage } from '../web/page-handler.ts'
import { searchPage } from '../features/search/search-page.ts'
import { get, named, post, remove, type Route } from '../web/route.ts'

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

const sentBy =
  (handlerOf: (site: SiteContext) => RequestHandler): RequestHandler =>
  (request, response, next) =>
    handlerOf(siteOf(response))(request, response, next)

/** The URLs of what people see, and of their forms, in the order in which they are tried. */
export const pages: readonly Route[] = [
  ...get(links, '', addSlash),
  ...get(everywhere, '/', servePage(homePage)),
  ...post(links, '/', ...saveChoice),
  ...get(everywhere, '/feeds', servePage(feedsPage)),
  ...post(links, '/feeds', ...saveChoice),
  ...get(everywhere, '/feeds.opml', sendList),
  ...get(everywhere, '/agenda', servePage({ show: showAgenda })),
  ...get(everywhere, '/roster', servePage({ show: showRoster })),
  ...get(everywhere, '/month', servePage({ show: redirectToMonth })),
  ...get(everywhere, '/month/:month', servePage({ show: showMonth })),
  ...get(everywhere, '/search', servePage(searchPage)),
  // Feed links have no poster, because their URLs are secret.
  ...get(publicly, '/poster', servePage(posterPage)),

  ...get(everywhere, '/board', ...board.sendBoard),
  ...get(everywhere, '/board.json', board.sendBoardJson),
  ...get(everywhere, '/board.rss', board.sendBoardRss),
  ...get(everywhere, '/board/concerto.json', board.sendConcerto),
  ...get(everywhere, '/board.png', sendBoardPicture('png')),
  ...get(everywhere, '/board/:picture.png', sendBoardPicture('png')),
  ...get(everywhere, '/board/:picture.bmp', sendBoardPicture('bmp')),
  ...get(everywhere, '/board/worker.js', ...board.sendBoardWorker),
  ...get(everywhere, '/board/new', servePage(composerPage)),
  ...get(publicly, `/${board.staticBoard.source}`, ...board.sendStaticSource),
  ...get(publicly, `/${board.staticBoard.worker}`, ...board.sendStaticWorker),

  ...named(embedIds, get(publicly, '/embed/:name', servePage(embedPage))),
  ...named(embedIds, get(links, '/embed/:name', servePage(linkEmbedPage))),
  ...get(publicly, '/embed/accent/:color', allowReading, sendAccent),
  ...get(publicly, elementPath, allowReading, sendElement),

  ...get(everywhere, '/certifications', servePage(certificationsPage)),
  ...get(everywhere, '/members', sendMembers),
  ...get(everywhere, '/members.vcf', sendCards),
  ...get(everywhere, '/members.csv', sendCsv),
  ...get(everywhere, '/members/:id.vcf', sendCards),

  ...get(everywhere, '/follow', servePage(followPage)),
  ...post(everywhere, '/follow', ...signUp),
  ...get(publicly, '/follow/confirm/:token', ...tokenPages.confirm),
  ...post(publicly, '/follow/confirm/:token', ...tokenPages.confirmed),
  ...get(publicly, '/follow/manage/:token', ...tokenPages.manage),
  ...post(publicly, '/follow/manage/:token', ...tokenPages.managed),
  ...get(publicly, '/follow/manage/:token/data', ...tokenPages.data),
  ...get(publicly, '/follow/end/:token', ...tokenPages.end),
  ...post(publicly, '/follow/end/:token', ...tokenPages.ended),
  ...get(everywhere, '/follow/device', servePage(devicePage)),
  ...post(everywhere, '/follow/device', ...addDevice),
  ...remove(everywhere, '/follow/device', ...removeDevice),
  ...get(everywhere, '/follow/worker.js', ...sendFollowWorker),
  ...get(everywhere, '/follow/app.webmanifest', sendManifest),

  ...get(links, '/account', servePage(accountPage)),
  ...get(links, '/iphone.mobileconfig', sendProfile),

  ...named(feedIds(hasArchive), get(everywhere, '/:name', servePage({ show: showNews }))),
  ...named(feedIds(hasFreeDays), get(everywhere, '/:name/free', servePage({ show: showFreeDays }))),
  ...named(feedIds(isCalendar), get(everywhere, '/:name/:id.ics', servePage(entryFile))),
  ...named(feedIds(isCalendar), get(publicly, '/:name/:id-card.png', servePage(cardPicture))),
  ...named(feedIds(isCalendar), get(publicly, '/:name/:id.png', servePage(squarePicture))),
  ...named(feedIds(isCalendar), get(publicly, '/:name/:id/flyer', servePage(flyerPage))),
  ...named(feedIds(isCalendar), get(everywhere, '/:name/:id', servePage(entryPage))),
  ...named(feedIds(isArticle), get(everywhere, '/:name/:id', servePage(articlePage))),
]

/** The URLs of files that pages load. */
export const files: readonly Route[] = [
  ...get(
    publicly,
    '/assets/:file',
    sentBy(({ assets }) => assets.send),
  ),
  ...get(
    publicly,
    '/assets/site-:version/:file',
    sentBy(({ siteImages }) => siteImages.send),
  ),
  ...get(
    publicly,
    '/assets/board-:version/:file',
    sentBy(({ kept }) => kept(createBoardAssets).send),
  ),
  ...get(
    publicly,
    '/icon-:size.png',
    sentBy(({ siteImages }) => siteImages.sendIcon),
  ),
  ...get(
    publicly,
    '/favicon.ico',
    sentBy(({ siteImages }) => siteImages.sendFavicon),
  ),
  ...get(
    publicly,
    '/board/images/:file',
    sentBy(({ pictures }) => pictures.send),
    sentBy(({ kept }) => kept(createItemPictures).send),
  ),
]

const sendStatus = monitoring.statusSender(
  async (request, { kept }) => (await kept(adminAccess)?.isSignedIn(request)) === true,
)

/** The URLs for programs that watch the service. */
export const monitoringRoutes: readonly Route[] = [
  ...get(publicly, '/livez', monitoring.sendLive),
  ...get(publicly, '/readyz', monitoring.sendReady),
  ...get(publicly, '/status', sendStatus),
  ...get(publicly, '/status.json', sendStatus),
  ...get(publicly, '/metrics', monitoring.sendMetrics),
  ...get(publicly, '/probe/:key', monitoring.sendProbe),
]
