import type { Clock } from '../clock.ts'
import type { ProfileSignerFiles } from '../config/profile-signer.ts'
import type { Collections } from '../collections/collections.ts'
import type { Catalog } from '../feeds/catalog.ts'
import type { Feed } from '../feeds/feed.ts'
import type { DuplicatesFor } from '../feeds/duplicates.ts'
import { siteIn, type Site } from '../feeds/site.ts'
import type { ServedLinks } from '../links/link-service.ts'
import type { Logger } from '../log.ts'
import { spokenLanguage, type Language } from '../records/messages.ts'
import type { PictureSource } from '../pictures/picture-source.ts'
import type { PageContent } from '../representations/page-content.ts'
import type { Representations } from '../representations/representations.ts'
import type { SyncLogs } from '../representations/sync-log.ts'
import type { TopicRepresentations } from '../representations/render-target.ts'
import type { StoreError } from '../store/store-error.ts'
import type { Windows } from '../store/store.ts'
import type { AdminActions } from './admin/admin-actions.ts'
import { createBoardAssets } from './board/board-assets.ts'
import { createBoardPictures } from './board/board-pictures.ts'
import type { EmergencyTexts } from '../site/emergency-text.ts'
import type { Following } from './follow/following.ts'
import type { SendPage } from './responses/send-page.ts'
import type { SiteCache } from './responses/site-cache.ts'
import type { Metrics } from './monitoring/metrics.ts'
import type { ServiceStatus } from '../representations/service-status.ts'
import type { RequestLog } from './monitoring/request-log.ts'
import { createAssets } from './pages/assets.ts'
import { pageMessages } from './pages/messages.ts'
import { createSiteImages } from './pages/site-images.ts'
import { createSubscriptionDoctor } from './pages/subscription-doctor.ts'
import { createClientLimit } from './server/client-limit.ts'
import type { Rejections } from './server/rejections.ts'
import { basePathOf } from './server/urls.ts'
import { createPageWords, createRenderPage } from './templates.ts'

export type ServedSite = {
  readonly site: Site
  readonly catalog: Catalog
  readonly publicFeeds: readonly Feed[]
  /** Times when public feeds became private, by feed id, in milliseconds since the epoch. */
  readonly privateSince?: Readonly<Record<string, number>> | undefined
  readonly collections: Collections
  readonly representations: Representations
  readonly topics: TopicRepresentations
  readonly contentIn: PageContent
  readonly duplicatesFor: DuplicatesFor
  readonly links: ServedLinks
  /** Undefined if the site offers no accounts for calendar apps. */
  readonly syncLogs?: SyncLogs | undefined
  /** Undefined if the site does not sign profiles for Apple devices. */
  readonly profileSigner?: ProfileSignerFiles | undefined
  readonly status: () => Promise<ServiceStatus>
  readonly publicStatus: () => Promise<ServiceStatus>
  /** Resolves to the error if the store cannot be used. */
  readonly storeFailure: () => Promise<StoreError | undefined>
  readonly isStopping: () => boolean
  readonly emergency: EmergencyTexts
  /** Undefined if people cannot follow the site. */
  readonly following?: Following | undefined
  /** Counts failed attempts to guess a password. */
  readonly windows: Windows
  readonly fetchPicture: PictureSource['fetch']
  /** Files from earlier exports. Undefined in the service. */
  readonly exportedFiles?: (() => readonly string[]) | undefined
  /** Undefined if there is no admin page. */
  readonly admin: AdminActions | undefined
  /** Returns true for the key of a running `check` command. */
  readonly isProbe: (key: string) => Promise<boolean>
  /** Number of trusted proxies in front of the service. */
  readonly proxies: number
  readonly rejections: Rejections
  readonly clock: Clock
  readonly log: Logger
}

type Sending = {
  readonly siteCache: SiteCache
  readonly sendPage: SendPage
  readonly requestLog: RequestLog
  readonly metrics: Metrics
}

/** Burst and refill interval for pages with URL parameters that they do not read, per client. */
export const pageVariants = { burst: 60, oneMoreMs: 1_000 }

/** Burst and refill interval for new filtered lists, per client. */
export const newLists = { burst: 30, oneMoreMs: 2_000 }

/** Burst and refill interval for searches on pages, per client. */
export const newSearches = { burst: 30, oneMoreMs: 2_000 }

export type SiteContext = ReturnType<typeof createContext>

/** Creates a site's context, once. Each router is a function of it. */
export function createContext(served: ServedSite & Sending) {
  const { site, collections, clock } = served
  const basePath = basePathOf(site)
  const assets = createAssets(basePath, site.identity)
  const siteImages = createSiteImages(served)
  const asset = (name: string) => siteImages.pathOf(name) ?? assets.pathOf(name)
  /** Returns true if the API Project may read the feed's records. */
  const isOffered = ({ resource }: Feed) => !collections.isSwitchedOff(resource)
  return {
    ...served,
    ...inLanguage({ ...served, asset, basePath }, undefined),
    basePath,
    assets,
    siteImages,
    boardAssets: createBoardAssets(basePath, site.identity),
    asset,
    isOffered,
    pictures: createBoardPictures(served),
    doctor: createSubscriptionDoctor(site, clock, isOffered),
    pageLimit: createClientLimit(clock, pageVariants),
    listLimit: createClientLimit(clock, newLists),
    searchLimit: createClientLimit(clock, newSearches),
  }
}

const translations = new WeakMap<SiteContext, Map<Language, SiteContext>>()

/** Returns the context for pages in a language. The default is the website's language. */
export function contextIn(context: SiteContext, language: Language | undefined): SiteContext {
  if (language === undefined || language === spokenLanguage(context.site.language)) return context
  const known = translations.get(context) ?? new Map<Language, SiteContext>()
  const translated = known.get(language) ?? { ...context, ...inLanguage(context, language) }
  translations.set(context, known.set(language, translated))
  return translated
}

/** Returns the parts of the context that depend on the language. */
function inLanguage(
  context: Pick<ServedSite, 'site' | 'contentIn' | 'clock'> & {
    readonly asset: (name: string) => string | undefined
    readonly basePath: string
  },
  language: Language | undefined,
) {
  const { contentIn, clock, asset, basePath } = context
  const site = siteIn(context.site, language)
  const words = createPageWords(site, clock)
  const t = pageMessages(site.language)
  return {
    site,
    ...contentIn(language),
    render: createRenderPage({ site, asset, basePath, words, t }),
  }
}
