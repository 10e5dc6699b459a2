import { isCalendar, type Feed } from '../feeds/feed.ts'
import { siteFrom, type Site } from '../feeds/site.ts'
import { spokenLanguage } from '../records/messages.ts'
import { createApplication } from '../http/application.ts'
import { siteDateAt } from '../records/site-time.ts'
import { staticMonths } from '../features/agenda/agenda-pages.ts'
import { hasFreeDays } from '../features/agenda/free-days-page.ts'
import { createBoardAssets } from '../features/board/board-assets.ts'
import { hasArchive } from '../web/archives.ts'
import { embedPaths } from '../web/embed-options.ts'
import { createAssets } from '../web/assets.ts'
import { listen } from '../front/server.ts'
import { siteImagePaths } from '../web/site-images.ts'
import { entrySettingsChangedAt } from '../representations/entry-settings.ts'
import { cacheBudgetPerSite } from '../app/worker-cache-budget.ts'
import { createSite, type SiteOptions } from '../app/site.ts'
import type { Runtime } from '../app/runtime.ts'
import { serverUrl, withoutFront } from '../hosting/web-server.ts'

export type StaticSite = Awaited<ReturnType<typeof startStaticSite>>

const loopback = { host: '127.0.0.1', port: 0 }

/** Empty link service, so that private feeds are never rendered. */
const noLinks: SiteOptions['links'] = {
  find: () => undefined,
  byId: () => undefined,
  isLoaded: () => true,
  pull: async () => true,
  open: () => [],
  onChange: () => undefined,
  edit: async () => ({ ok: false, reason: 'unknown' }),
  storeFailure: () => undefined,
}

/** Files on a static host cannot change fast enough for an emergency. */
const noEmergency: SiteOptions['emergency'] = { current: () => undefined, onChange: () => {} }

/** Starts serving the public part of a site on loopback, so that an export can save it as files. */
export async function startStaticSite(
  options: Runtime &
    Pick<SiteOptions, 'config' | 'site' | 'store'> & {
      readonly publicUrl: string
      readonly publicFeedIds: readonly string[]
      readonly idHost: string
      readonly exportedFiles: () => readonly string[]
    },
) {
  const { idHost, publicUrl, publicFeedIds, config, log } = options
  await using starting = new AsyncDisposableStack()
  const server = starting.use(await listen(loopback.host, loopback.port, options))
  const url = serverUrl(loopback.host, server.port)
  // An export does not notify hubs.
  const shown = siteFrom(options.site, { idHost, publicUrl, publicFeedIds, hubs: [] })
  const staticLanguages = config.exportLanguages.filter(
    (language) => language !== spokenLanguage(shown.language),
  )
  const changedAt = await entrySettingsChangedAt(options.store.documents, shown, {
    now: options.clock.now(),
    id: 'export',
  })
  const published: Site = {
    ...shown,
    entrySettingsChangedAt: changedAt,
    isStatic: true,
    staticLanguages,
  }
  const parts = await createSite(starting, {
    ...options,
    published,
    links: noLinks,
    emergency: noEmergency,
    memory: cacheBudgetPerSite(1),
    // This time is irrelevant, because the static host sets Last-Modified.
    presentationChangedAt: 0,
    server: {
      ...withoutFront,
      application: createApplication(0),
      isAlone: true,
      rejections: server.rejections,
      name: '',
    },
    // Do not log one request per file.
    requestLog: log.child({}, { level: log.isLevelEnabled('info') ? 'warn' : log.level }),
  })
  const { catalog, publicFeeds } = parts.feeds
  const { collections } = parts
  const { representations, contentIn } = parts.pipeline
  starting.use(server.answer(parts.http.listener))
  starting.defer(parts.abort)
  /** Returns the public feeds that the API Project has permission to read. */
  const shownFeeds = () =>
    publicFeeds.filter(({ resource }) => !collections.isSwitchedOff(resource))
  const running = starting.move()
  return {
    site: published,
    collections,
    representations,
    overviews: contentIn(undefined).overviews,
    status: parts.statuses.readingStatus,
    shownFeeds,
    combinedFeeds: catalog.combinedFeeds.filter(({ isForEveryone }) => isForEveryone),
    assetPaths: [
      ...createAssets('', published.identity).paths,
      ...createBoardAssets({ basePath: '', site: published }).paths,
    ],
    imagePaths: siteImagePaths(published),
    boardPicturePaths: ['/board.png', ...config.exportPictures.map((name) => `/board/${name}`)],
    /** Returns the paths of pages that list items. */
    pagePaths: () => [
      ...embedPaths(shownFeeds()),
      ...browsingPaths(shownFeeds(), published, options.clock.now()),
    ],
    /** Fetches a path under the public URL. */
    ask: (path: string) =>
      fetch(`${url}${path}`, {
        headers: { 'Accept-Encoding': 'identity', Accept: 'text/html,*/*' },
        redirect: 'error',
      }),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

/** Returns the paths of the pages on a static host, except for item pages. */
function browsingPaths(feeds: readonly Feed[], { timeZone }: Site, now: number) {
  const months = staticMonths(siteDateAt(now, timeZone)).map((month) => `/month/${month}`)
  return [
    ...(feeds.some(isCalendar) ? ['/agenda', ...months] : []),
    ...feeds.filter(hasArchive).map(({ id }) => `/${id}`),
    ...feeds.filter(hasFreeDays).map(({ id }) => `/${id}/free`),
  ]
}
