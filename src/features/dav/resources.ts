import { DateTime } from 'luxon'
import type { DavItem } from './calendar-items.ts'
import type { DavCollection } from './collections.ts'
import {
  childOf,
  childrenOf,
  escapeXml,
  namespaces,
  prefixedName,
  xml,
  xmlDocument,
  type Element,
  type Name,
} from './xml.ts'

const { D } = namespaces

/** Property content as XML, by prefixed name. Undefined if the resource lacks the property. */
type Properties = Readonly<Record<string, () => string | undefined | Promise<string | undefined>>>

export type DavAnswer = {
  readonly status: number
  /** By default, XML. */
  readonly type?: string
  readonly body: string | Buffer
}

export type DavResource = {
  /** Absolute path. */
  readonly href: string
  readonly properties: Properties
}

type Kind = DavCollection['kind']

const hrefTo = (path: string) => xml('D:href', escapeXml(path))

const elements = (...names: readonly string[]) => names.map((name) => xml(name)).join('')

const privileges = (...names: readonly string[]) =>
  names.map((name) => xml('D:privilege', xml(name))).join('')

const readOnly = ['D:read', 'D:read-current-user-privilege-set']

/** Reports about collections and their items (RFC 4791 7, RFC 6352 8). */
const itemReports: Readonly<Record<Kind, readonly string[]>> = {
  calendars: ['C:calendar-query', 'C:calendar-multiget'],
  contacts: ['A:addressbook-query', 'A:addressbook-multiget'],
}

/** Reports only about collections. */
const collectionReports: Readonly<Record<Kind, readonly string[]>> = {
  calendars: ['C:free-busy-query', 'D:sync-collection'],
  contacts: ['D:sync-collection'],
}

export function reportsAbout(kind: Kind, isItem: boolean): readonly string[] {
  return [...itemReports[kind], ...(isItem ? [] : collectionReports[kind])]
}

const supportedReports = (kind: Kind, isItem: boolean) =>
  reportsAbout(kind, isItem)
    .map((name) => xml('D:supported-report', xml('D:report', xml(name))))
    .join('')

export type DavPaths = {
  readonly root: string
  readonly principal: string
  readonly home: (kind: Kind) => string
  readonly collection: (collection: DavCollection) => string
}

export function davPaths(base: string, linkId: string): DavPaths {
  const root = `${base}/dav/`
  const principal = `${root}${linkId}/`
  return {
    root,
    principal,
    home: (kind) => `${principal}${kind}/`,
    collection: ({ kind, name }) => `${principal}${kind}/${name}/`,
  }
}

const ofEvery = ({ root, principal }: DavPaths): Properties => ({
  'D:current-user-principal': () => hrefTo(principal),
  'D:principal-URL': () => hrefTo(principal),
  'D:owner': () => hrefTo(principal),
  'D:current-user-privilege-set': () => privileges(...readOnly),
  'D:principal-collection-set': () => hrefTo(root),
})

const aboutHomes = (paths: DavPaths): Properties => ({
  ...ofEvery(paths),
  'D:resourcetype': () => elements('D:collection'),
  'C:calendar-home-set': () => hrefTo(paths.home('calendars')),
  'C:calendar-user-address-set': () => hrefTo(paths.principal),
  'A:addressbook-home-set': () => hrefTo(paths.home('contacts')),
})

export function rootResource(paths: DavPaths): DavResource {
  return { href: paths.root, properties: aboutHomes(paths) }
}

export function principalResource(paths: DavPaths, title: string): DavResource {
  const properties = {
    ...aboutHomes(paths),
    'D:displayname': () => escapeXml(title),
    'D:resourcetype': () => elements('D:collection', 'D:principal'),
    'D:supported-report-set': () => '',
  }
  return { href: paths.principal, properties }
}

export function homeResource(paths: DavPaths, kind: Kind, title: string): DavResource {
  const properties = { ...aboutHomes(paths), 'D:displayname': () => escapeXml(title) }
  return { href: paths.home(kind), properties }
}

/** Returns a calendar or address book. `tokenOf` resolves to its sync token. */
export function collectionResource(
  paths: DavPaths,
  collection: DavCollection,
  tokenOf: () => Promise<string>,
): DavResource {
  const { kind, title } = collection
  const properties = {
    ...ofEvery(paths),
    'D:displayname': () => escapeXml(title),
    'D:supported-report-set': () => supportedReports(kind, false),
    'D:sync-token': tokenOf,
    'CS:getctag': tokenOf,
    ...(kind === 'calendars' ? ofCalendar(collection) : ofAddressBook(collection)),
  }
  return { href: paths.collection(collection), properties }
}

const ofCalendar = ({ description, color, order, items }: DavCollection): Properties => ({
  'D:resourcetype': () => elements('D:collection', 'C:calendar'),
  'D:current-user-privilege-set': () => privileges(...readOnly, 'C:read-free-busy'),
  'C:calendar-description': () => escapeXml(description),
  // Entries that have a time zone contain the site's time zone.
  'C:calendar-timezone': async () => zoneIn(await items()),
  'C:supported-calendar-component-set': () => '<C:comp name="VEVENT"/>',
  'C:supported-calendar-data': () =>
    '<C:calendar-data content-type="text/calendar" version="2.0"/>',
  'I:calendar-color': () => color || undefined,
  'I:calendar-order': () => String(order + 1),
})

const ofAddressBook = ({ description }: DavCollection): Properties => ({
  'D:resourcetype': () => elements('D:collection', 'A:addressbook'),
  'A:addressbook-description': () => escapeXml(description),
  'A:supported-address-data': () =>
    '<A:address-data-type content-type="text/vcard" version="3.0"/>',
})

/** Media types of the files in collections. */
export const itemTypes = {
  calendars: 'text/calendar; charset=utf-8; component=VEVENT',
  contacts: 'text/vcard; charset=utf-8',
}

export function itemResource(
  paths: DavPaths,
  collection: DavCollection,
  { name, etag, body }: DavItem,
): DavResource {
  const { kind } = collection
  const properties = {
    ...ofEvery(paths),
    'D:resourcetype': () => '',
    'D:supported-report-set': () => supportedReports(kind, true),
    'D:getetag': () => escapeXml(etag),
    'D:getcontenttype': () => itemTypes[kind],
    'D:getcontentlength': () => String(Buffer.byteLength(body())),
    'D:getlastmodified': () => lastModifiedIn(body()),
    [kind === 'calendars' ? 'C:calendar-data' : 'A:address-data']: () => escapeXml(body()),
  }
  return { href: `${paths.collection(collection)}${name}`, properties }
}

/** Returns the time zone in a file as a calendar (RFC 4791 5.2.2), if there is one. */
function zoneIn(items: readonly DavItem[]): string | undefined {
  const file = items.find(({ body }) => body().includes('BEGIN:VTIMEZONE'))
  return file && escapeXml(`${file.body().split('BEGIN:VEVENT', 1)[0]}END:VCALENDAR\r\n`)
}

/** Returns the time of an entry's last change as an HTTP date, if the entry has one. */
function lastModifiedIn(body: string): string | undefined {
  const [, time] = /^(?:LAST-MODIFIED|REV):(\S+)/m.exec(body) ?? []
  return time === undefined ? undefined : (DateTime.fromISO(time).toHTTP() ?? undefined)
}

/** Properties that a client requests. */
export type Wanted = {
  readonly kind: 'prop' | 'allprop' | 'propname'
  /** The requested properties, or the ones in addition to `allprop`. */
  readonly names: readonly Name[]
  /** True to omit properties that the resource does not have (RFC 8144 2.1). */
  readonly isMinimal: boolean
}

/**
 * Properties of RFC 4918, because other specifications exclude theirs from `allprop`. Includes the
 * principal, for clients that drop the body when they follow a redirect.
 */
const inAll = new Set([
  'D:current-user-principal',
  'D:displayname',
  'D:resourcetype',
  'D:getetag',
  'D:getcontenttype',
  'D:getcontentlength',
  'D:getlastmodified',
])

const kinds = ['prop', 'propname', 'allprop'] as const

/** Returns true if a PROPFIND has one of the elements that exclude each other (RFC 4918 14.20). */
export function hasOneKind(propfind: Element): boolean {
  return kinds.flatMap((local) => childrenOf(propfind, D, local)).length === 1
}

/** Reads which properties a PROPFIND or REPORT body requests. */
export function wantedIn(request: Element | undefined, isMinimal: boolean): Wanted {
  const kind = kinds.find((local) => request && childOf(request, D, local)) ?? 'allprop'
  const list = request && childOf(request, D, kind === 'prop' ? 'prop' : 'include')
  // Repeated properties could make the response to a small request large.
  const byName = new Map(list?.children.map((name) => [`${name.ns} ${name.local}`, name]))
  return { kind, names: [...byName.values()], isMinimal }
}

/**
 * Returns the `response` element of a resource with the requested properties, as bytes, because
 * thousands of strings take longer to concatenate and to send.
 */
export async function responseFor(
  { href, properties }: DavResource,
  { kind, names, isMinimal }: Wanted,
): Promise<Buffer> {
  const requested = names.map((name) => prefixedName(name) ?? name)
  const own = kind === 'prop' ? [] : Object.keys(properties)
  const included = own.filter((name) => kind === 'propname' || inAll.has(name))
  const [found, missing]: [string[], string[]] = [[], []]
  for (const name of new Set([...included, ...requested])) {
    const isOwn = typeof name === 'string' && Object.hasOwn(properties, name)
    const content = isOwn ? await properties[name]?.() : undefined
    if (content !== undefined) found.push(xml(name, kind === 'propname' ? '' : content))
    else if (!isMinimal) missing.push(xml(name))
  }
  const stats = `${statOf('200 OK', found)}${statOf('404 Not Found', missing)}`
  const nothing = '<D:propstat><D:prop/><D:status>HTTP/1.1 200 OK</D:status></D:propstat>'
  return Buffer.from(`<D:response>${hrefTo(href)}${stats === '' ? nothing : stats}</D:response>`)
}

/** Returns a `propstat` element, or an empty string if there are no properties. */
function statOf(status: string, content: readonly string[]): string {
  return content.length === 0
    ? ''
    : `<D:propstat><D:prop>${content.join('')}</D:prop><D:status>HTTP/1.1 ${status}</D:status></D:propstat>`
}

/** Returns the `response` element of a URL without a resource. */
export function missingResponse(href: string): Buffer {
  const status = '<D:status>HTTP/1.1 404 Not Found</D:status>'
  return Buffer.from(`<D:response>${hrefTo(href)}${status}</D:response>`)
}

const lineFeed = Buffer.from('\n')

/** Returns a multistatus body (RFC 4918 13). */
export function multistatus(responses: readonly Buffer[], token?: string): Buffer {
  const lines = responses.flatMap((each) => [lineFeed, each]).slice(1)
  const end = token === undefined ? '' : xml('D:sync-token', escapeXml(token))
  return xmlDocument('D:multistatus', [...lines, Buffer.from(end)])
}

/** Returns an error body with the precondition that failed (RFC 4918 16). */
export function errorBody(precondition: string, content?: string): Buffer {
  return xmlDocument('D:error', [Buffer.from(xml(precondition, content))])
}

export const failed = (status: number, precondition: string): DavAnswer => ({
  status,
  body: errorBody(precondition),
})

export const tooLarge = failed(507, 'D:number-of-matches-within-limits')
