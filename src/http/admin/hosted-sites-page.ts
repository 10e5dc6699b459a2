import type { TimeSource } from '../../clock.ts'
import type { ServerConfig } from '../../config/config.ts'
import { createSitesPage, type SitesPageOptions } from './sites-page.ts'
import type { Logger } from '../../log.ts'
import type { Documents, Store } from '../../store/store.ts'
import type { Rejections } from '../server/rejections.ts'

/** The page with all sites. */
export type HostedSitesPage = AsyncDisposable & {
  /** Passes other requests on. */
  readonly handler: ReturnType<typeof createSitesPage>
}

/** Creates the page with all sites. Returns undefined if no password is set for it. */
export function createHostedSitesPage(
  { sitesPassword: password, sitesUrl, proxies }: ServerConfig,
  options: {
    readonly server: { readonly url: string; readonly rejections: Rejections }
    readonly overview: SitesPageOptions['overview']
    readonly faults: SitesPageOptions['faults']
    /** Opens the store for sessions. */
    readonly openStore: () => Promise<Store>
    readonly clock: TimeSource
    readonly log: Logger
  },
): HostedSitesPage | undefined {
  if (password === undefined) return undefined
  const { server, overview, faults, clock, log } = options
  const store = openedOnUse(options.openStore)
  const handler = createSitesPage({
    publicUrl: sitesUrl ?? server.url,
    isPublicUrlSet: sitesUrl !== undefined,
    password,
    documents: store.documents,
    overview,
    faults,
    proxies,
    rejections: server.rejections,
    clock,
    log,
  })
  return {
    handler,
    [Symbol.asyncDispose]: store[Symbol.asyncDispose],
  }
}

/** Opens a store when it is needed, and tries again if that fails. */
function openedOnUse(open: () => Promise<Store>): AsyncDisposable & {
  readonly documents: Pick<Documents, 'all' | 'get' | 'write'>
} {
  let opening: Promise<Store> | undefined

  async function documents(): Promise<Documents> {
    opening ??= open().catch((error: unknown) => {
      opening = undefined
      throw error
    })
    return (await opening).documents
  }

  return {
    documents: {
      all: async (...args) => (await documents()).all(...args),
      get: async (...args) => (await documents()).get(...args),
      write: async (...args) => (await documents()).write(...args),
    },
    async [Symbol.asyncDispose]() {
      const store = await opening?.catch(() => undefined)
      await store?.[Symbol.asyncDispose]()
    },
  }
}
