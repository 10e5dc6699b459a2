import { isDeepStrictEqual } from 'node:util'
import express, { type Request, type Response } from 'express'
import type { TimeSource } from '../../clock.ts'
import type { ServerConfig } from '../../config/config.ts'
import type { NamedSite } from '../../config/sites-config.ts'
import { countyTitle, type County, type ListedDepartment } from '../../feeds/county.ts'
import { contentTypeOf, feedFormats } from '../../feeds/formats.ts'
import { languageParameter } from '../../feeds/feed-options.ts'
import { identityFrom } from '../../feeds/identity.ts'
import type { Logger } from '../../log.ts'
import { defaultLanguage } from '../../records/language.ts'
import { searchOptions } from '../../search/search-options.ts'
import { errorHandler } from '../../web/error-handler.ts'
import { pastedAddresses } from '../../web/pasted-address.ts'
import { contentDisposition } from '../../web/content-disposition.ts'
import { pageVariants } from '../../web/context.ts'
import { publicFields } from '../../web/feed-response.ts'
import { createSendPage } from '../../web/send-page.ts'
import { bypassesCache } from '../../front/bypasses-cache.ts'
import type { Purges } from '../../front/protocol.ts'
import { createPageCache } from '../../web/site-cache.ts'
import { allowSafeMethods } from '../../web/allow-safe-methods.ts'
import { createClientLimit } from '../../web/client-limit.ts'
import type { Rejections } from '../../front/rejections.ts'
import { allowForms, securityHeaders } from '../../web/security-headers.ts'
import { inTurn } from '../../web/turns.ts'
import { sendMessage } from '../../web/send-message.ts'
import { basePathOf, queryOf } from '../../web/urls.ts'
import { createAssets } from '../../web/assets.ts'
import { countyColors } from './county-colors.ts'
import { createCountyContent, type Listing } from './county-content.ts'
import { createDepartmentReader } from './department-feeds.ts'

/** Distinguishes the county page from sites, whose names have no underscore. */
const countySite = '_county'

const startingSeconds = 10

/** Parameters with which responses are cached. Those with others are limited for each client. */
const pageParameters = [languageParameter]
const feedParameters = [languageParameter, searchOptions.search.name]

export type CountyOptions = {
  readonly server: { readonly url: string; readonly front: Purges; readonly rejections: Rejections }
  readonly clock: TimeSource
  readonly log: Logger
}

/**
 * Creates the page and feeds with the public entries of all departments. Returns undefined without
 * a name and a URL. Reads the departments' feeds through the server, like any other client, so that
 * it does not matter which worker has a department, and nothing private can leak.
 */
export function createHostedCounty(
  config: Pick<ServerConfig, 'countyName' | 'sitesUrl' | 'proxies'>,
  { server, clock, log }: CountyOptions,
) {
  const { countyName: name, sitesUrl: publicUrl, proxies } = config
  if (name === undefined || publicUrl === undefined) return undefined
  const removeResponses = () => server.front.remove(countySite)
  const reader = createDepartmentReader(server.url, removeResponses, clock, log)
  let listed: readonly ListedDepartment[] = []
  let county: County = { name, publicUrl, timeZone: 'Etc/UTC', language: defaultLanguage }
  let hasStarted = false
  const identity = identityFrom({}, name)
  const assets = createAssets(basePathOf(county), identity)
  const content = createCountyContent(identity, assets, clock)
  const sendPage = createSendPage(createPageCache(countySite), clock)
  const limitVariants = createClientLimit(clock, pageVariants)

  async function send(
    request: Request,
    response: Response,
    headers: Readonly<Record<string, string>>,
    parameters: readonly string[],
    render: (query: URLSearchParams, listing: Listing) => string,
  ): Promise<void> {
    const query = queryOf(request.originalUrl)
    const isVariant = [...query.keys()].some((parameter) => !parameters.includes(parameter))
    if (isVariant || bypassesCache(request)) limitVariants(request.ip ?? '')
    const departments = await reader.departments()
    if (!departments) {
      response.set('Retry-After', String(startingSeconds))
      return sendMessage(response, 503, 'Feedhouse is starting. Please try again shortly.')
    }
    // Drops the responses from before a restart.
    if (!hasStarted) removeResponses()
    hasStarted = true
    response.set(headers)
    const text = render(query, { county, departments })
    await sendPage(request, response, text, { route: request.path, link: undefined, parameters })
  }

  const application = express()
  application.disable('x-powered-by')
  application.set('trust proxy', proxies)
  application.enable('case sensitive routing')
  application.enable('strict routing')
  application.use(inTurn, securityHeaders())
  application.get('/assets/:file', assets.send)
  application.use('/county', allowSafeMethods())
  const revalidated = { 'Cache-Control': 'no-cache' }
  application.get('/county', allowForms, async (request, response) => {
    await send(request, response, revalidated, pageParameters, (query, listing) =>
      content.page(query, listing, request.ip ?? ''),
    )
  })
  application.get('/county/month/:month', allowForms, async (request, response) => {
    await send(request, response, revalidated, pageParameters, (query, listing) =>
      content.month(query, listing, String(request.params['month']), request.ip ?? ''),
    )
  })
  application.get('/county/colors.css', async (request, response) => {
    const headers = { ...revalidated, 'Content-Type': 'text/css; charset=utf-8' }
    await send(request, response, headers, [], (_query, { departments }) =>
      countyColors(departments),
    )
  })
  for (const format of feedFormats) {
    application.use(`/county.${format}`, allowSafeMethods({ isOpen: () => true }))
    application.get(`/county.${format}`, async (request, response) => {
      const headers = {
        ...Object.fromEntries(publicFields),
        'Content-Type': contentTypeOf(format),
        'Content-Disposition': contentDisposition(countyTitle(county, format), format),
      }
      await send(request, response, headers, feedParameters, (query, listing) =>
        content.feed(format, query, listing, request.ip ?? ''),
      )
    })
  }
  const { correctQuery } = pastedAddresses(
    () => ({ basePath: '' }),
    () => false,
  )
  application.use(correctQuery, errorHandler(log, server.rejections.report))

  return {
    /** Passes other requests on. */
    handler: application,
    changeSites(sites: readonly NamedSite[]) {
      const inCounty = sites.filter(({ config }) => config.isInCounty)
      const changed = inCounty.map(departmentFrom)
      if (isDeepStrictEqual(changed, listed)) return
      const isFirst = listed.length === 0
      listed = changed
      const { timeZone = 'Etc/UTC', language = defaultLanguage } = inCounty[0]?.config.site ?? {}
      county = { name, publicUrl, timeZone, language }
      reader.list(changed)
      if (!isFirst) removeResponses()
    },
  }
}

function departmentFrom({ name: id, config: { site, publicUrl } }: NamedSite): ListedDepartment {
  const { name, identity, url: websiteUrl } = site
  return { id, name, place: identity?.place, publicUrl, websiteUrl }
}
