import { isDeepStrictEqual } from 'node:util'
import express, { type Request, type RequestHandler, type Response } from 'express'
import type { TimeSource } from '../../clock.ts'
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
import { publicFeedFields } from '../../web/route.ts'
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
import { trustProxies } from '../../web/trust-proxies.ts'
import { basePathOf, queryOf } from '../../web/urls.ts'
import { createAssets } from '../../web/assets.ts'
import { countyColors } from './county-colors.ts'
import { createCountyContent, type CountyContent, type CountyRequest } from './county-content.ts'
import { createDepartmentReader } from './department-feeds.ts'

/** Distinguishes the county page from sites, whose names have no underscore. */
const countySite = '_county'

const startingSeconds = 10

/** Parameters with which responses are cached. Those with others are limited for each client. */
const pageParameters = [languageParameter]
const feedParameters = [languageParameter, searchOptions.search.name]

type CountySettings = {
  readonly countyName: string | undefined
  readonly sitesUrl: string | undefined
  readonly proxies: number
}

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
  { countyName: name, sitesUrl: publicUrl, proxies }: CountySettings,
  { server, clock, log }: CountyOptions,
) {
  if (name === undefined || publicUrl === undefined) return undefined
  const removeResponses = () => server.front.remove(countySite)
  const reader = createDepartmentReader(server.url, removeResponses, clock, log)
  let listed: readonly ListedDepartment[] = []
  let county: County = { name, publicUrl, timeZone: 'Etc/UTC', language: defaultLanguage }
  let hasStarted = false
  const identity = identityFrom({}, name)
  const assets = createAssets(basePathOf(county), identity)
  const sendPage = createSendPage(createPageCache(countySite), clock)
  const limitVariants = createClientLimit(clock, pageVariants)

  async function send(request: Request, response: Response, file: CountyFile): Promise<void> {
    const { headers, parameters, render } = file
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
    response.set(headers(county))
    const month = String(request.params['month'])
    const text = render({ county, departments, query, month, client: request.ip ?? '' })
    await sendPage(request, response, text, { route: request.path, link: undefined, parameters })
  }

  const application = express()
  application.disable('x-powered-by')
  trustProxies(application, proxies)
  application.enable('case sensitive routing')
  application.enable('strict routing')
  application.use(inTurn, securityHeaders())
  application.get('/assets/:file', assets.send)
  application.use('/county', allowSafeMethods())
  for (const format of feedFormats) {
    application.use(`/county.${format}`, allowSafeMethods({ isOpen: () => true }))
  }
  for (const file of countyFiles(createCountyContent(identity, assets, clock))) {
    application.get(file.path, ...file.before, (request, response) => send(request, response, file))
  }
  const { correctQuery } = pastedAddresses(() => ({ basePath: '' }))
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

type CountyFile = {
  readonly path: string
  readonly before: readonly RequestHandler[]
  readonly headers: (county: County) => Readonly<Record<string, string>>
  readonly parameters: readonly string[]
  readonly render: (request: CountyRequest) => string
}

/** Returns the pages, the style sheet and the feeds of the county. */
function countyFiles(content: CountyContent): readonly CountyFile[] {
  const revalidated = { 'Cache-Control': 'no-cache' }
  const pageAt = (path: string, render: CountyFile['render']): CountyFile => {
    return {
      path,
      before: [allowForms],
      headers: () => revalidated,
      parameters: pageParameters,
      render,
    }
  }
  return [
    pageAt('/county', content.page),
    pageAt('/county/month/:month', content.month),
    {
      path: '/county/colors.css',
      before: [],
      headers: () => ({ ...revalidated, 'Content-Type': 'text/css; charset=utf-8' }),
      parameters: [],
      render: ({ departments }) => countyColors(departments),
    },
    ...feedFormats.map((format): CountyFile => ({
      path: `/county.${format}`,
      before: [],
      headers: (county) => ({
        ...Object.fromEntries(publicFeedFields),
        'Content-Type': contentTypeOf(format),
        'Content-Disposition': contentDisposition(countyTitle(county, format), format),
      }),
      parameters: feedParameters,
      render: content.feed(format),
    })),
  ]
}

function departmentFrom({ name: id, config: { site, publicUrl } }: NamedSite): ListedDepartment {
  const { name, identity, url: websiteUrl } = site
  return { id, name, place: identity?.place, publicUrl, websiteUrl }
}
