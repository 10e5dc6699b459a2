import type { Response } from 'express'
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
import type { ItemPages, Overviews, PageContent } from '../representations/page-content.ts'
import type { Representations } from '../representations/representations.ts'
import type { SyncLogs } from '../representations/sync-log.ts'
import type { TopicRepresentations } from '../representations/render-target.ts'
import { siteTimeAt } from '../records/site-time.ts'
import type { StoreError } from '../store/store-error.ts'
import type { Windows } from '../store/store.ts'
import type { AdminActions } from '../site/admin-actions.ts'
import { createHostedPictures, type HostedPictures } from './hosted-pictures.ts'
import { emergencyWords, type EmergencyTexts } from '../site/emergency-text.ts'
import type { Following } from '../followers/following.ts'
import type { SendPage } from './send-page.ts'
import type { SiteCache } from './site-cache.ts'
import type { PublicReaders } from './public-readers.ts'
import type { ServiceStatus } from '../representations/service-status.ts'
import type { RequestLog } from './request-log.ts'
import { createAssets, type Assets } from './assets.ts'
import { pageMessages } from './messages.ts'
import { createSiteImages, type SiteImages } from './site-images.ts'
import { createSubscriptionDoctor, type SubscriptionDoctor } from './subscription-doctor.ts'
import { pageLinks } from './translation.ts'
import { createClientLimit, type ClientLimit } from './client-limit.ts'
import type { Rejections } from '../front/rejections.ts'
import { basePathOf } from './urls.ts'
import { createPageWords, createRenderPage, type RenderPage } from './templates.ts'

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
  readonly publicReaders: PublicReaders
  readonly fetchPicture: PictureSource['fetch']
  /** Files from earlier exports. Undefined in the service. */
  readonly exportedFiles?: (() => readonly string[]) | undefined
  /** Undefined if there is no admin page. */
  readonly admin: AdminActions | undefined
  /** Returns true for the key of a running `check` command. */
  readonly isProbe: (key: string) => Promise<boolean>
  readonly rejections: Rejections
  readonly clock: Clock
  readonly log: Logger
}

type Sending = {
  /** When the site started with stored records. `-Infinity` if it started without any. */
  readonly restartedAt: number
  readonly siteCache: SiteCache
  readonly sendPage: SendPage
  readonly requestLog: RequestLog
  /** Prometheus text, and its content type. */
  readonly metrics: { readonly contentType: string; readonly text: () => Promise<string> }
}

/** The parts of a context that depend on the language. */
type Translation = {
  readonly site: Site
  readonly overviews: Overviews
  readonly itemPages: ItemPages
  readonly render: RenderPage
}

/** A site, as its handlers see it. `contextIn` returns it in another language. */
export type SiteContext = ServedSite &
  Sending &
  Translation & {
    readonly basePath: string
    readonly assets: Assets
    readonly siteImages: SiteImages
    /** Returns the path of a style sheet, script or image. */
    readonly asset: (name: string) => string | undefined
    /** Returns true if the API Project may read the feed's records. */
    readonly isOffered: (feed: Feed) => boolean
    readonly pictures: HostedPictures
    readonly doctor: SubscriptionDoctor
    readonly pageLimit: ClientLimit
    readonly listLimit: ClientLimit
    readonly searchLimit: ClientLimit
    /** Returns what one feature keeps for the site. Creates it when it is first needed. */
    readonly kept: <Kept>(create: (site: SiteContext) => Kept) => Kept
  }

/** Burst and refill interval for pages with URL parameters that they do not read, per client. */
export const pageVariants = { burst: 60, oneMoreMs: 1_000 }

/** Burst and refill interval for new feeds with options, per client. */
export const newFeedVariants = { burst: 30, oneMoreMs: 2_000 }

/** Burst and refill interval for new filtered lists, per client. */
export const newLists = { burst: 30, oneMoreMs: 2_000 }

/** Burst and refill interval for searches on pages, per client. */
export const newSearches = { burst: 30, oneMoreMs: 2_000 }

export function createContext(served: ServedSite & Sending): SiteContext {
  const { site, collections, clock } = served
  const basePath = basePathOf(site)
  const assets = createAssets(basePath, site.identity)
  const siteImages = createSiteImages(served)
  const asset = (name: string) => siteImages.pathOf(name) ?? assets.pathOf(name)
  const isOffered = ({ resource }: Feed) => !collections.isSwitchedOff(resource)
  const context: SiteContext = {
    ...served,
    ...inLanguage({ ...served, asset, basePath }, undefined),
    basePath,
    assets,
    siteImages,
    asset,
    isOffered,
    pictures: createHostedPictures(served),
    doctor: createSubscriptionDoctor(site, clock, isOffered),
    pageLimit: createClientLimit(clock, pageVariants),
    listLimit: createClientLimit(clock, newLists),
    searchLimit: createClientLimit(clock, newSearches),
    kept: keptFor(() => context),
  }
  return context
}

export function keptFor(site: () => SiteContext): SiteContext['kept'] {
  const kept = new Map<unknown, unknown>()
  return <Kept>(create: (site: SiteContext) => Kept) => {
    if (!kept.has(create)) kept.set(create, create(site()))
    return kept.get(create) as Kept
  }
}

export const siteOf = ({ locals }: Response): SiteContext => locals['site'] as SiteContext

const translationsOf = (_site: SiteContext) => new Map<Language, SiteContext>()

/** Returns the context for pages in a language. The default is the website's language. */
export function contextIn(context: SiteContext, language: Language | undefined): SiteContext {
  if (language === undefined || language === spokenLanguage(context.site.language)) return context
  const translations = context.kept(translationsOf)
  const translated = translations.get(language) ?? { ...context, ...inLanguage(context, language) }
  translations.set(language, translated)
  return translated
}

function inLanguage(
  context: Pick<SiteContext, 'site' | 'contentIn' | 'clock' | 'asset' | 'basePath' | 'emergency'>,
  language: Language | undefined,
): Translation {
  const { contentIn, clock, asset, basePath } = context
  const site = siteIn(context.site, language)
  const words = createPageWords(site, clock)
  const t = pageMessages(site.language)
  /** Returns the emergency text for the top of pages. */
  function emergency() {
    const text = context.emergency.current('pages')
    if (!text) return undefined
    const { timeZone } = site
    const end = siteTimeAt(text.until, timeZone)
    return { ...text, ...emergencyWords(end, site.language, { timeZone, instant: clock.now() }) }
  }
  return {
    site,
    ...contentIn(language),
    render: createRenderPage({ site, asset, basePath, words, t, emergency, ...pageLinks(site) }),
  }
}
