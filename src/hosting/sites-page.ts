import express from 'express'
import { DateTime } from 'luxon'
import type { Clock } from '../clock.ts'
import type { ServerConfig } from '../config/config.ts'
import { identityFrom } from '../feeds/identity.ts'
import type { Logger } from '../log.ts'
import { openedOnUse } from '../store/opened-on-use.ts'
import type { Documents, RateLimiter, Store } from '../store/store.ts'
import { errorHandler } from '../web/error-handler.ts'
import type { ServerPages, TitledSite } from '../features/monitoring/server-pages.ts'
import { createAssets } from '../web/assets.ts'
import type { Rejections } from '../front/rejections.ts'
import { securityHeaders } from '../web/security-headers.ts'
import { inTurn } from '../web/turns.ts'
import { trustProxies } from '../web/trust-proxies.ts'
import { basePathOf } from '../web/urls.ts'
import { createRenderPage } from '../web/templates.ts'
import { createAdminAccess } from '../web/sessions.ts'
import { createPasswordPages, signInLimit, type PasswordSite } from '../web/password-pages.ts'

/** Shows the operator the state of all sites at `/sites`. Returns undefined without a password. */
export function createHostedSitesPage(
  { sitesPassword: password, sitesUrl, proxies }: ServerConfig,
  options: {
    readonly server: { readonly url: string; readonly rejections: Rejections }
    readonly overview: ServerPages['overview']
    readonly faults: () => readonly string[]
    /** Opens the store for sessions. */
    readonly openStore: () => Promise<Store>
    readonly clock: Clock
    readonly log: Logger
  },
) {
  if (password === undefined) return undefined
  const { server, overview, faults, clock } = options
  const log = options.log.child({ page: '/sites' })
  const publicUrl = sitesUrl ?? server.url
  const basePath = basePathOf({ publicUrl })
  const assets = createAssets(basePath, identityFrom({}, 'Feedhouse'))
  const store = openedOnUse(options.openStore)
  const { documents, windows } = partsOf(store.opened)
  const site = { publicUrl }
  const passwordSite: PasswordSite = {
    publicUrl,
    isPublicUrlSet: sitesUrl !== undefined,
    access: createAdminAccess({ site, documents, password, clock, cookieName: 'feedhouse-sites' }),
    signIns: signInLimit('/sites', windows, clock),
    render: createRenderPage({ basePath, asset: assets.pathOf }),
    linkTo: (url) => url,
    log,
  }
  const { router, page } = createPasswordPages('/sites', () => passwordSite)
  page('', async () => {
    const { workers, sites } = await overview()
    const hosts = Map.groupBy(workers, ({ host }) => host)
    const memory = [...hosts].map(([host, ofHost]) => ({
      host,
      bytes: ofHost.map(({ residentBytes }) => residentBytes),
    }))
    const shown = { rows: rowsFrom(sites, clock.now()), memory, faults: faults() }
    return { template: 'hosting/sites', shown }
  })
  const handler = express()
  handler.disable('x-powered-by')
  trustProxies(handler, proxies)
  handler.use(inTurn, securityHeaders())
  handler.get('/assets/:file', assets.send)
  handler.use(router)
  handler.use(errorHandler(log, server.rejections.report))
  return { handler, [Symbol.asyncDispose]: store[Symbol.asyncDispose] }
}

/** Returns all sites by title. Sites that need attention come first. */
function rowsFrom(sites: readonly TitledSite[], now: number) {
  const base = DateTime.fromMillis(now)
  return sites
    .map((site) => ({ ...site, readAgo: timeAgo(site.readAt, base) }))
    .toSorted((a, b) => rankOf(a) - rankOf(b) || a.title.localeCompare(b.title, 'en'))
}

const rankOf = ({ state }: TitledSite) => ['failing', 'starting', 'ok'].indexOf(state)

/** Returns a time like "5 minutes ago", or undefined if there is none. */
function timeAgo(instant: string | null, base: DateTime): string | undefined {
  if (instant === null) return undefined
  const time = DateTime.fromISO(instant, { locale: 'en' })
  if (time > base.minus({ minutes: 1 })) return 'just now'
  return time.toRelative({ base }) ?? undefined
}

/** Returns the parts of a store that the page needs. Using one opens the store. */
function partsOf(opened: () => Promise<Store>): {
  readonly documents: Documents
  readonly windows: RateLimiter
} {
  return {
    documents: {
      all: async (...args) => (await opened()).documents.all(...args),
      get: async (...args) => (await opened()).documents.get(...args),
      write: async (...args) => (await opened()).documents.write(...args),
    },
    windows: {
      take: async (...args) => (await opened()).windows.take(...args),
      release: async (...args) => (await opened()).windows.release(...args),
    },
  }
}
