import { promisify } from 'node:util'
import compression from 'compression'
import express, { Router, type Request, type RequestHandler, type Response } from 'express'
import { minuteMs } from '../../clock.ts'
import type { SyncLogs } from '../../representations/sync-log.ts'
import { siteOf, type SiteContext } from '../../web/context.ts'
import { viewerByKey } from '../../web/link-gate.ts'
import { noteUse, type Viewer } from '../../web/viewer.ts'
import type { LinkEntry } from '../../links/link-registry.ts'
import { TooManyRequests } from '../../web/errors.ts'
import { sendContinue } from '../../web/send-continue.ts'
import { createTryLimit, type TryLimits } from '../../web/try-limit.ts'
import { evaluate } from '../../front/conditional.ts'
import { createAnswerLimits, isTooLarge, mapInTurns } from './answer-limits.ts'
import { davCollections, formerCollection, type DavCollection } from './collections.ts'
import type { DavItem } from './calendar-items.ts'
import { reportOn } from './reports.ts'
import {
  collectionResource,
  davPaths,
  errorBody,
  failed,
  homeResource,
  itemResource,
  itemTypes,
  multistatus,
  principalResource,
  responseFor,
  tooLarge,
  rootResource,
  hasOneKind,
  wantedIn,
  type DavAnswer,
  type DavPaths,
  type DavResource,
} from './resources.ts'
import { escapeXml, is, maxBodyBytes, namespaces, parseXml, xml, type Element } from './xml.ts'

const { D } = namespaces

export const wrongPasswords: TryLimits = {
  windowMs: 5 * minuteMs,
  ofClient: 10,
  ofNetwork: 100,
  ofAll: 300,
  // An attempt begins only after its password has turned out to be wrong.
  maxWaitMs: 0,
}

const methods = 'OPTIONS, GET, HEAD, PROPFIND, REPORT'

/** Compliance classes (RFC 4918 18, RFC 3744 7.2, RFC 4791 5.1, RFC 6352 6.1). */
const classes = '1, 3, access-control, calendar-access, addressbook'

/** Methods that modify resources. */
const writes = new Set([
  'PUT',
  'POST',
  'PATCH',
  'DELETE',
  'MKCOL',
  'MKCALENDAR',
  'MOVE',
  'COPY',
  'LOCK',
  'UNLOCK',
  'ACL',
  'PROPPATCH',
])

/** Enough to find the notice of a closed link. */
export const maxClosedBodyBytes = 16 * 1024

/** Reads a body as text, regardless of its type. */
const textReader = (maxBytes: number) => ({
  maxBytes,
  read: promisify(express.text({ type: () => true, limit: maxBytes })),
})

const anyBody = textReader(maxBodyBytes)
const closedBody = textReader(maxClosedBodyBytes)

/** Renders an answer about this many resources when it is its turn, and sends it. */
type Send = (resources: number, render: () => Promise<DavAnswer>) => Promise<void>

const badRequest: DavAnswer = { status: 400, body: '' }

type Found = {
  readonly resource: DavResource
  readonly members?: () => Promise<readonly DavResource[]>
  readonly collection?: DavCollection
  readonly item?: DavItem
}

/** A site that offers accounts. */
type DavSite = SiteContext & { readonly syncLogs: SyncLogs }

const hasAccounts = (site: SiteContext): site is DavSite => site.syncLogs !== undefined

const answerLimits = ({ clock }: SiteContext) => createAnswerLimits(clock)

const passwordTries = ({ windows, clock }: SiteContext) =>
  createTryLimit({ name: 'accounts', limits: wrongPasswords, windows, clock })

/** Resolves to undefined if the user name or password is wrong. */
async function authenticated(
  site: SiteContext,
  { headers, ip = '' }: Request,
): Promise<Viewer | undefined> {
  const [, encoded = ''] = /^Basic ([\w+/=-]+)$/i.exec(headers.authorization ?? '') ?? []
  if (encoded === '') return undefined
  const [, user = '', key = ''] =
    /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? []
  // Some apps keep the spaces and line breaks that were pasted with a password.
  const viewer = await site.kept(viewerByKey)(key.replaceAll(/\s/g, ''), '')
  const isOwn = viewer?.link?.link.id === user.trim().toLowerCase()
  if (!viewer || !isOwn || viewer.closed?.state === 'gone') {
    const attempt = await site.kept(passwordTries).begin(ip)
    if (!attempt.ok) throw new TooManyRequests('too many guesses', attempt.retryAfterMs)
    return undefined
  }
  return viewer
}

function resourceOf(
  { syncLogs }: DavSite,
  paths: DavPaths,
  collection: DavCollection,
): DavResource {
  const { contentId, items } = collection
  return collectionResource(paths, collection, async () =>
    escapeXml(await syncLogs.token(contentId, await items())),
  )
}

/** Resolves to the resource at a path below `/dav/`, or to undefined. */
async function find(
  davSite: DavSite,
  path: string,
  viewer: Viewer,
  paths: DavPaths,
): Promise<Found | undefined> {
  const { site, catalog } = davSite
  const parts = path.split('/').filter(Boolean).map(decoded)
  const [linkId = '', kind = '', name = '', file = '', ...rest] = parts
  const principal = principalResource(paths, site.name)
  if (linkId === '') return { resource: rootResource(paths), members: async () => [principal] }
  if (linkId !== viewer.link?.link.id || rest.length > 0) return undefined
  const home = (each: DavCollection['kind']) => homeResource(paths, each, site.name)
  if (kind === '') {
    return { resource: principal, members: async () => [home('calendars'), home('contacts')] }
  }
  if (kind !== 'calendars' && kind !== 'contacts') return undefined
  const collections = await davCollections(davSite, viewer, kind, name)
  if (name === '') {
    const members = async () => collections.map((each) => resourceOf(davSite, paths, each))
    return { resource: home(kind), members }
  }
  // A closed link also shows its notice at the paths of parts, for clients that already have
  // them.
  const known =
    collections.find(
      (each) => each.name === name || (viewer.closed && name.startsWith(`${each.name}-`)),
    ) ?? formerCollection(catalog, kind, name)
  if (!known) return undefined
  const items = await known.items()
  // Read once, so that all properties in a response describe the same items.
  const collection = { ...known, name, items: async () => items }
  if (file === '') {
    const members = async () => items.map((item) => itemResource(paths, collection, item))
    return { resource: resourceOf(davSite, paths, collection), members, collection }
  }
  const item = items.find((each) => each.name === file)
  return item && { resource: itemResource(paths, collection, item), collection, item }
}

async function report(
  { site, syncLogs, clock }: DavSite,
  request: Request,
  response: Response,
  { collection, item }: Found,
  paths: DavPaths,
  send: Send,
) {
  const items = (await collection?.items()) ?? []
  await send(item ? 1 : items.length, async () => {
    const body = await bodyOf(request.body)
    if (body === 'invalid' || !body) return badRequest
    if (!collection) return failed(403, 'D:supported-report')
    return reportOn(body, {
      paths,
      collection,
      items: item ? [item] : items,
      isItem: item !== undefined,
      isMinimal: isMinimal(request, response),
      timeZone: site.timeZone,
      now: clock.now(),
      userAgent: request.headers['user-agent'],
      changesSince: (token) => syncLogs.changes(collection.contentId, items, token),
    })
  })
}

/** Answers a request whose body has been read. */
async function answer(
  davSite: DavSite,
  request: Request,
  response: Response,
  viewer: Viewer,
  link: LinkEntry,
) {
  const { basePath, clock, kept } = davSite
  const { method, path, headers } = request
  const { id } = link.link
  const paths = davPaths(basePath, id)
  const send: Send = async (resources, render) => {
    const rendered = await kept(answerLimits).render(id, response, resources, render)
    if (rendered) sendXml(response, rendered)
  }
  if (writes.has(method)) return send(1, () => refuseWrite(request, `${basePath}/dav${path}`))
  const found = await find(davSite, path, viewer, paths)
  if (!found) return void response.status(404).end()
  noteUse(link, clock.now(), headers['user-agent'])
  if (method === 'PROPFIND') return propfind(request, response, found, send)
  if (method === 'REPORT') return report(davSite, request, response, found, paths, send)
  const { item, collection } = found
  const isFile = (method === 'GET' || method === 'HEAD') && item && collection
  if (!isFile) return void response.set('Allow', methods).status(405).end()
  const { etag } = item
  const { status } = evaluate(headers, { etags: () => [etag], lastModified: '' }, clock.now())
  if (status === 412) return void response.status(412).end()
  response.set({ ETag: etag, 'Content-Type': itemTypes[collection.kind] }).send(item.body())
}

/**
 * Serves each feed link as an account with read-only calendars and contacts (RFC 4791, 6352, 6578).
 * The user is the link's id, and the password is its key.
 */
const handle: RequestHandler = async (request, response, next) => {
  const site = siteOf(response)
  if (!hasAccounts(site)) return next()
  const { method } = request
  response.locals['route'] = '/dav'
  response.set({ DAV: classes, 'Cache-Control': 'private, no-cache', 'X-Robots-Tag': 'noindex' })
  if (method === 'OPTIONS') return void response.set('Allow', methods).status(200).end()
  const viewer = await authenticated(site, request)
  if (!viewer?.link) {
    response.set('WWW-Authenticate', 'Basic realm="Feedhouse", charset="UTF-8"')
    return void response.status(401).type('text').send('The user name or password is wrong.\n')
  }
  const { link } = viewer
  const { id } = link.link
  const limits = site.kept(answerLimits)
  // After the password, so that only open accounts can make the service read a large body, and after
  // the limits, so that a request that exceeds them costs little.
  limits.check(id)
  const { maxBytes, read } = viewer.closed ? closedBody : anyBody
  if (sendContinue(request, response, maxBytes)) return
  await limits.inTurn(id, response, async () => {
    await read(request, response)
    await answer(site, request, response, viewer, link)
  })
}

// Go's HTTP client turns a redirected PROPFIND into a GET for 301 and 302. RFC 6764 5 allows 307.
const toRoot: RequestHandler = (_request, response, next) => {
  const { basePath, syncLogs } = siteOf(response)
  if (syncLogs) response.redirect(307, `${basePath}/dav/`)
  else next()
}

/** Serves the accounts, if the site offers them. */
export function davRouter(): Router {
  const router = Router({ caseSensitive: true })
  router.all('/.well-known/caldav', toRoot)
  router.all('/.well-known/carddav', toRoot)
  // Clients start at the URL that people enter. Not a route, which would also answer `OPTIONS`.
  router.use((request, response, next) =>
    request.method === 'PROPFIND' && request.path === '/'
      ? toRoot(request, response, next)
      : next(),
  )
  // Files have strong entity tags, which would have to differ for each encoding.
  const compress = compression({ filter: (_request, { statusCode }) => statusCode === 207 })
  router.use('/dav', compress, handle)
  return router
}

async function propfind(request: Request, response: Response, found: Found, send: Send) {
  // Without this header, the depth is infinite (RFC 4918 9.1), but npm's dav omits it and means 1.
  const { depth = '1' } = request.headers
  if (depth !== '0' && depth !== '1') {
    return sendXml(response, failed(403, 'D:propfind-finite-depth'))
  }
  const members = depth === '1' ? ((await found.members?.()) ?? []) : []
  const resources = [found.resource, ...members]
  await send(resources.length, async () => {
    const body = await bodyOf(request.body)
    const isPropfind = !body || (body !== 'invalid' && is(body, D, 'propfind') && hasOneKind(body))
    if (!isPropfind) return badRequest
    const wanted = wantedIn(body, isMinimal(request, response))
    if (isTooLarge(wanted, resources.length)) return tooLarge
    const responses = await mapInTurns(resources, (each) => responseFor(each, wanted))
    return { status: 207, body: multistatus(responses) }
  })
}

/** Returns true if the client prefers a short response (RFC 8144 2), and confirms that to it. */
function isMinimal({ headers }: Request, response: Response): boolean {
  response.vary('Prefer')
  const preferences = String(headers['prefer'] ?? '').split(',')
  const isApplied = preferences.some((each) => /^\s*return\s*=\s*"?minimal"?\s*(?:;|$)/i.test(each))
  if (isApplied) response.set('Preference-Applied', 'return=minimal')
  return isApplied
}

/** Resolves to the root element of a body, to undefined if there is no body, or to `invalid`. */
async function bodyOf(body: unknown): Promise<Element | 'invalid' | undefined> {
  if (typeof body !== 'string' || body === '') return undefined
  return (await parseXml(body)) ?? 'invalid'
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

function sendXml(
  response: Response,
  { status, body, type = 'application/xml; charset=utf-8' }: DavAnswer,
): void {
  if (body.length > 0) response.type(type)
  // Avoids the entity tag that `send` would calculate.
  response.status(status).end(body)
}

/**
 * Rejects a write with an error that makes clients treat the account as read-only (RFC 3744 7.1.1).
 */
async function refuseWrite({ method, body }: Request, href: string): Promise<DavAnswer> {
  if (method === 'PROPPATCH') {
    const request = await bodyOf(body)
    if (request === 'invalid' || !request) return badRequest
    const refused = propertiesIn(request)
      .map((name) => xml(name))
      .join('')
    const stat = `<D:propstat><D:prop>${refused}</D:prop><D:status>HTTP/1.1 403 Forbidden</D:status><D:error><D:cannot-modify-protected-property/></D:error></D:propstat>`
    const answer = `<D:response><D:href>${escapeXml(href)}</D:href>${stat}</D:response>`
    return { status: 207, body: multistatus([Buffer.from(answer)]) }
  }
  const needed = `<D:resource><D:href>${escapeXml(href)}</D:href><D:privilege><D:write/></D:privilege></D:resource>`
  return { status: 403, body: errorBody('D:need-privileges', needed) }
}

/** Returns the properties that a PROPPATCH sets or removes. */
function propertiesIn(request: Element): readonly Element[] {
  return request.children.flatMap(({ children }) => children.flatMap((prop) => prop.children))
}
