import express, { type Express } from 'express'
import { DateTime } from 'luxon'
import type { TimeSource } from '../../clock.ts'
import { identityFrom } from '../../feeds/identity.ts'
import type { Logger } from '../../log.ts'
import type { Documents } from '../../store/store.ts'
import { errorHandler } from '../error-handler.ts'
import type { WorkerOverview, SiteOverview } from '../monitoring/worker-reports.ts'
import { createAssets } from '../pages/assets.ts'
import type { Rejections } from '../server/rejections.ts'
import { allowForms, securityHeaders } from '../server/security-headers.ts'
import { basePathOf } from '../server/urls.ts'
import { createRenderPage } from '../templates.ts'
import { cookieFrom, createAdminAccess } from './admin-access.ts'
import { adminHeaders } from './admin-routes.ts'
import { readForm, requireOwnHost, requireSameOrigin } from './requests.ts'
import { requireSession, requireToken, signIn, signOut, type SignInContext } from './sign-in.ts'

export type SitesPageOptions = {
  /** URL below which the page is `/sites`. */
  readonly publicUrl: string
  /** False if `SITES_URL` is not set. The public URL is then the URL that the server listens on. */
  readonly isPublicUrlSet: boolean
  readonly password: string
  /** Stores the sessions, which persist across restarts. */
  readonly documents: Documents
  /** Returns all workers and their sites. */
  readonly overview: () => Promise<readonly WorkerOverview[]>
  /** Returns one sentence for each reason why the changed sites file is not used. */
  readonly faults: () => readonly string[]
  readonly proxies: number
  readonly rejections: Rejections
  readonly clock: TimeSource
  readonly log: Logger
}

/**
 * Serves `/sites`: the state of all sites, for the operator of the server. Passes other requests on.
 */
export function createSitesPage(options: SitesPageOptions): Express {
  const { publicUrl, isPublicUrlSet, overview, faults, clock, log } = options
  const basePath = basePathOf({ publicUrl })
  const assets = createAssets(basePath, identityFrom({}, 'Feedhouse'))
  const render = createRenderPage({ basePath, asset: assets.pathOf })
  const access = createAdminAccess({
    ...options,
    site: { publicUrl },
    cookieName: 'feedhouse-sites',
  })
  const context: SignInContext = {
    access,
    path: '/sites',
    pages: { signIn: (fault) => render('sites-sign-in', { fault }) },
    audit: ({ ip: address }, done, on = {}) => log.info({ address, page: '/sites', ...on }, done),
    home: (response, rest = '') => response.redirect(303, `${basePath}/sites${rest}`),
    tokenOf: (request) => access.sessions.formTokenOf(cookieFrom(request, access.cookie)),
    clock,
    log,
  }
  const application = express()
  application.disable('x-powered-by')
  application.set('trust proxy', options.proxies)
  application.use(securityHeaders(), assets.router)
  application.use('/sites', allowForms, adminHeaders('/sites'))
  application.use('/sites', requireOwnHost(publicUrl, isPublicUrlSet, '/sites'))
  const ownOrigin = requireSameOrigin(publicUrl, isPublicUrlSet, '/sites')
  application.post('/sites{/*path}', ownOrigin, readForm)
  application.post('/sites/sign-in', signIn(context))
  application.use('/sites', requireSession(context))
  application.post('/sites/sign-out', requireToken(context), signOut(context))
  application.get('/sites', async (request, response) => {
    const workers = await overview()
    const rows = rowsFrom(workers, clock.now())
    const memory = workers.map(({ residentBytes }, index) => ({ index, residentBytes }))
    const token = context.tokenOf(request)
    response.send(render('sites', { token, rows, memory, faults: faults() }))
  })
  application.use(errorHandler(log, options.rejections.report))
  return application
}

/** A line on the page. */
type Row = SiteOverview & {
  readonly title: string
  readonly worker: number
  /** Like "5 minutes ago"; undefined if nothing has been read. */
  readonly readAgo: string | undefined
}

/** Returns all sites by title. Sites that need attention come first. */
export function rowsFrom(workers: readonly WorkerOverview[], now: number): readonly Row[] {
  const base = DateTime.fromMillis(now)
  return workers
    .flatMap(({ sites }, worker) =>
      sites.map((site) => ({
        ...site,
        title: site.title ?? site.name,
        worker,
        readAgo: timeAgo(site.readAt, base),
      })),
    )
    .toSorted((a, b) => rankOf(a) - rankOf(b) || a.title.localeCompare(b.title, 'en'))
}

const rankOf = ({ state }: SiteOverview) => ['failing', 'starting', 'ok'].indexOf(state)

function timeAgo(instant: string | null, base: DateTime): string | undefined {
  if (instant === null) return undefined
  const time = DateTime.fromISO(instant, { locale: 'en' })
  if (time > base.minus({ minutes: 1 })) return 'just now'
  return time.toRelative({ base }) ?? undefined
}
