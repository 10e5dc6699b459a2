import express, { type Request, type RequestHandler, type Response } from 'express'
import type { TimeSource } from '../../clock.ts'
import {
  countyFeedUrl,
  countyTitle,
  renderCounty,
  type County,
  type Department,
} from '../../feeds/county.ts'
import { contentTypes, type FeedFormat } from '../../feeds/feed.ts'
import { identityFrom } from '../../feeds/identity.ts'
import type { Logger } from '../../log.ts'
import { siteDateAt } from '../../records/site-time.ts'
import { errorHandler } from '../error-handler.ts'
import { contentDisposition } from '../feeds/content-disposition.ts'
import { publicCaching } from '../feeds/feed-response.ts'
import { createSendPage } from '../responses/send-page.ts'
import { createPageCache } from '../responses/site-cache.ts'
import { allowSafeMethods } from '../server/allow-safe-methods.ts'
import type { Rejections } from '../server/rejections.ts'
import { securityHeaders } from '../server/security-headers.ts'
import { sendMessage } from '../server/send-message.ts'
import { basePathOf } from '../server/urls.ts'
import { createRenderPage } from '../templates.ts'
import { createAssets } from './assets.ts'
import { calendarServices } from './calendar-services.ts'

const formatNames = { ics: 'iCalendar', rss: 'RSS', atom: 'Atom', json: 'JSON Feed' }
const formats = ['ics', 'rss', 'atom', 'json'] as const

const startingSeconds = 10

/**
 * Serves the county page, which lists departments, and the feeds with the public entries of all of them.
 * Passes other requests on.
 */
export function createCountyPages(options: {
  readonly county: County
  /** Returns the departments; undefined while they are starting. */
  readonly departments: () => Promise<readonly Department[] | undefined>
  /** Distinguishes the pages from those of sites that share the front. */
  readonly site: string
  readonly rejections: Rejections
  readonly clock: TimeSource
  readonly log: Logger
}): RequestHandler {
  const { county, departments, site, rejections, clock, log } = options
  const basePath = basePathOf(county)
  const identity = identityFrom({}, county.name)
  const assets = createAssets(basePath, identity)
  const render = createRenderPage({ basePath, asset: assets.pathOf })
  const sendPage = createSendPage({ siteCache: createPageCache(site), clock })
  const feeds = formats.map((format) => ({
    name: formatNames[format],
    type: contentTypes[format],
    title: countyTitle(county, format),
    url: countyFeedUrl(county, format),
  }))
  const services = calendarServices(countyFeedUrl(county, 'ics'), countyTitle(county, 'ics'))
  const about = { county, initials: identity.initials, feeds, services }
  const rendered = new Map<
    FeedFormat,
    { readonly input: readonly unknown[]; readonly text: string }
  >()

  /** Renders a feed again only if the departments or the day have changed. */
  function textOf(format: FeedFormat, listed: readonly Department[]): string {
    const now = clock.now()
    const input = [listed, siteDateAt(now, county.timeZone)]
    const before = rendered.get(format)
    if (before?.input.every((value, index) => value === input[index])) return before.text
    const text = renderCounty(county, listed, { format, now })
    rendered.set(format, { input, text })
    return text
  }

  async function send(
    request: Request,
    response: Response,
    headers: Readonly<Record<string, string>>,
    textFor: (listed: readonly Department[]) => string,
  ): Promise<void> {
    const listed = await departments()
    if (!listed) {
      response.set('Retry-After', String(startingSeconds))
      return sendMessage(response, 503, 'Feedhouse is starting. Please try again shortly.')
    }
    response.set(headers)
    const page = { route: request.path, link: undefined }
    await sendPage(request, response, textFor(listed), page)
  }

  const application = express()
  application.disable('x-powered-by')
  application.enable('case sensitive routing')
  application.enable('strict routing')
  application.use(securityHeaders(), assets.router)
  application.use('/county', allowSafeMethods(new Set()))
  application.get('/county', async (request, response) => {
    await send(request, response, { 'Cache-Control': 'no-cache' }, (listed) =>
      render('county', { ...about, departments: listed }),
    )
  })
  for (const format of formats) {
    application.use(`/county.${format}`, allowSafeMethods(new Set(['/'])))
    application.get(`/county.${format}`, async (request, response) => {
      const title = countyTitle(county, format)
      const headers = {
        'Content-Type': contentTypes[format],
        'Cache-Control': publicCaching,
        'Content-Disposition': contentDisposition(title, format, { isDownload: false }),
        'Access-Control-Allow-Origin': '*',
        'Access-Control-Expose-Headers': 'ETag',
        'Cross-Origin-Resource-Policy': 'cross-origin',
      }
      await send(request, response, headers, (listed) => textOf(format, listed))
    })
  }
  application.use(errorHandler(log, rejections.report))
  return application
}
