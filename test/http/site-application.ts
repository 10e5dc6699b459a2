import { cacheBudgetPerSite } from '../../src/app/worker-cache-budget.ts'
import { createPipeline } from '../../src/app/site.ts'
import { standardCatalog, type Catalog } from '../../src/feeds/catalog.ts'
import type { Feed } from '../../src/feeds/feed.ts'
import type { Site } from '../../src/feeds/site.ts'
import { createRejections } from '../../src/front/rejections.ts'
import { createPublicReaders } from '../../src/web/public-readers.ts'
import { createApplication, createSiteListener } from '../../src/http/application.ts'
import { createLogger } from '../../src/log.ts'
import { createSyncLogs } from '../../src/representations/sync-log.ts'
import { collectionsOf } from '../support/collections.ts'
import { testSite } from '../support/site.ts'

const notAsked = () => Promise.reject(new Error('not asked for'))

/** Creates the application of a site without links, and the fake website that it reads. */
export function siteApplication({
  site = testSite,
  catalog = standardCatalog,
  publicFeeds = catalog.feeds,
}: {
  readonly site?: Site
  readonly catalog?: Catalog
  readonly publicFeeds?: readonly Feed[]
} = {}) {
  const resources = new AsyncDisposableStack()
  const parts = collectionsOf({ resources: publicFeeds.map(({ resource }) => resource) })
  const { collections, dataService, website, clock, store } = parts
  resources.defer(parts.stop)
  const log = createLogger('fatal')
  const links = {
    find: () => undefined,
    byId: () => undefined,
    isLoaded: () => true,
    pull: async () => true,
    open: () => [],
    onChange: () => undefined,
    edit: notAsked,
    storeFailure: () => undefined,
  }
  const { diagnostics: _, ...pipeline } = createPipeline(
    resources,
    { feeds: { catalog, publicFeeds }, links, collections, dataService },
    { site, presentationChangedAt: 0, memory: cacheBudgetPerSite(1), clock, log },
  )
  const rejections = createRejections(clock, log)
  const versions: string[] = []
  const front = {
    expire: () => undefined,
    remove: () => undefined,
    restart: (_site: string, version: string) => void versions.push(version),
    lost: () => undefined,
    done: async () => undefined,
    onUse: () => undefined,
  }
  const { listener, resume } = createSiteListener({
    site,
    catalog,
    publicFeeds,
    links,
    collections,
    ...pipeline,
    presentationChangedAt: 0,
    status: notAsked,
    publicStatus: notAsked,
    readingStatus: notAsked,
    storeFailure: notAsked,
    upstreamCalls: () => new Map(),
    emergency: { current: () => undefined, onChange: () => undefined },
    windows: store.windows,
    publicReaders: createPublicReaders(store.documents, clock),
    fetchPicture: notAsked,
    syncLogs: createSyncLogs(store.documents, clock),
    admin: undefined,
    isStopping: () => false,
    isProbe: async () => false,
    isAlone: true,
    frontFigures: () => undefined,
    application: createApplication(0),
    name: '',
    front,
    rejections,
    clock,
    log,
  })

  /** Starts the site in the front, and returns the version of the settings that the front gets. */
  function versionInFront(): string | undefined {
    resume()
    return versions.at(-1)
  }

  return {
    listener,
    website,
    versionInFront,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}
