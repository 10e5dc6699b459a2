import { DateTime } from 'luxon'
import type { DavItem } from './calendar-items.ts'
import type { DavCollection } from './collections.ts'
import { childOf, escapeXml, namespaces, xml, xmlDocument, type Element, type Name } from './xml.ts'

const { D, C, A, CS, I } = namespaces

/**
 * Functions that return the content of a property as XML, by namespace and name. The content is
 * undefined if the resource does not have the property.
 */
type Properties = ReadonlyMap<string, PropertyContent>

type PropertyContent = () => string | undefined | Promise<string | undefined>

/** A resource with a URL below `/dav/`. */
export type DavResource = {
  /** Absolute path. */
  readonly href: string
  readonly properties: Properties
}

const keyOf = ({ ns, local }: Name) => `${ns} ${local}`

/** Returns a table of properties from lists by namespace. */
function table(
  lists: readonly (readonly [ns: string, Readonly<Record<string, PropertyContent>>])[],
): Properties {
  return new Map(
    lists.flatMap(([ns, properties]) =>
      Object.entries(properties).map(([local, make]) => [keyOf({ ns, local }), make] as const),
    ),
  )
}

const element = (ns: string, local: string, content?: string) => xml({ ns, local }, content)

const hrefTo = (path: string) => element(D, 'href', escapeXml(path))

type Tuple = readonly [ns: string, local: string]

const typesOf = (...types: readonly Tuple[]) =>
  types.map(([ns, local]) => element(ns, local)).join('')

const collectionType = [D, 'collection'] as const

const privilegesOf = (...names: readonly Tuple[]) =>
  names.map((name) => element(D, 'privilege', element(...name))).join('')

const readOnly = [
  [D, 'read'],
  [D, 'read-current-user-privilege-set'],
] as const

/** Reports about collections and their items (RFC 4791 7, RFC 6352 8). */
const itemReports = {
  calendars: [
    [C, 'calendar-query'],
    [C, 'calendar-multiget'],
  ],
  contacts: [
    [A, 'addressbook-query'],
    [A, 'addressbook-multiget'],
  ],
} as const

/** Reports only about collections. */
const collectionReports = {
  calendars: [
    [C, 'free-busy-query'],
    [D, 'sync-collection'],
  ],
  contacts: [[D, 'sync-collection']],
} as const

/** Returns the reports about a collection, or about its items. */
export function reportsAbout(kind: DavCollection['kind'], isItem: boolean): readonly Tuple[] {
  return [...itemReports[kind], ...(isItem ? [] : collectionReports[kind])]
}

const supportedReports = (kind: DavCollection['kind'], isItem: boolean) =>
  reportsAbout(kind, isItem)
    .map((name) => element(D, 'supported-report', element(D, 'report', element(...name))))
    .join('')

/** Returns the paths of an account's resources. */
export function davPaths(base: string, linkId: string) {
  const root = `${base}/dav/`
  const principal = `${root}${linkId}/`
  return {
    root,
    principal,
    home: (kind: DavCollection['kind']) => `${principal}${kind}/`,
    collection: ({ kind, name }: DavCollection) => `${principal}${kind}/${name}/`,
  }
}

export type DavPaths = ReturnType<typeof davPaths>

function ofEvery({ root, principal }: DavPaths) {
  return {
    'current-user-principal': () => hrefTo(principal),
    'principal-URL': () => hrefTo(principal),
    owner: () => hrefTo(principal),
    'current-user-privilege-set': () => privilegesOf(...readOnly),
    'principal-collection-set': () => hrefTo(root),
  }
}

function homesOf({ principal, home }: DavPaths) {
  return [
    [
      C,
      {
        'calendar-home-set': () => hrefTo(home('calendars')),
        'calendar-user-address-set': () => hrefTo(principal),
      },
    ],
    [A, { 'addressbook-home-set': () => hrefTo(home('contacts')) }],
  ] as const
}

export function rootResource(paths: DavPaths): DavResource {
  const own = { ...ofEvery(paths), resourcetype: () => typesOf(collectionType) }
  return { href: paths.root, properties: table([[D, own], ...homesOf(paths)]) }
}

export function principalResource(paths: DavPaths, title: string): DavResource {
  const own = {
    ...ofEvery(paths),
    displayname: () => escapeXml(title),
    resourcetype: () => typesOf(collectionType, [D, 'principal']),
    'supported-report-set': () => '',
  }
  return { href: paths.principal, properties: table([[D, own], ...homesOf(paths)]) }
}

export function homeResource(
  paths: DavPaths,
  kind: DavCollection['kind'],
  title: string,
): DavResource {
  const own = {
    ...ofEvery(paths),
    displayname: () => escapeXml(title),
    resourcetype: () => typesOf(collectionType),
  }
  return { href: paths.home(kind), properties: table([[D, own], ...homesOf(paths)]) }
}

/** Returns a calendar or address book. `tokenOf` resolves to its sync token. */
export function collectionResource(
  paths: DavPaths,
  collection: DavCollection,
  tokenOf: () => Promise<string>,
): DavResource {
  const { kind, title, description, color, order } = collection
  const isCalendar = kind === 'calendars'
  const own = {
    ...ofEvery(paths),
    displayname: () => escapeXml(title),
    resourcetype: () => typesOf(collectionType, isCalendar ? [C, 'calendar'] : [A, 'addressbook']),
    'supported-report-set': () => supportedReports(kind, false),
    ...(isCalendar && {
      'current-user-privilege-set': () => privilegesOf(...readOnly, [C, 'read-free-busy']),
    }),
    'sync-token': tokenOf,
  }
  const calendar = {
    'calendar-description': () => escapeXml(description),
    // Each entry with a time zone contains the site's.
    'calendar-timezone': async () => zoneIn(await collection.items()),
    'supported-calendar-component-set': () => '<C:comp name="VEVENT"/>',
    'supported-calendar-data': () =>
      '<C:calendar-data content-type="text/calendar" version="2.0"/>',
  }
  const contacts = {
    'addressbook-description': () => escapeXml(description),
    'supported-address-data': () =>
      '<A:address-data-type content-type="text/vcard" version="3.0"/>',
  }
  const apple = {
    'calendar-color': () => color || undefined,
    'calendar-order': () => String(order + 1),
  }
  return {
    href: paths.collection(collection),
    properties: table([
      [D, own],
      [CS, { getctag: tokenOf }],
      ...(isCalendar
        ? ([
            [C, calendar],
            [I, apple],
          ] as const)
        : ([[A, contacts]] as const)),
    ]),
  }
}

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
  const own = {
    ...ofEvery(paths),
    resourcetype: () => '',
    'supported-report-set': () => supportedReports(kind, true),
    getetag: () => escapeXml(etag),
    getcontenttype: () => itemTypes[kind],
    getcontentlength: () => String(Buffer.byteLength(body())),
    getlastmodified: () => lastModifiedIn(body()),
  }
  const data = () => escapeXml(body())
  return {
    href: `${paths.collection(collection)}${name}`,
    properties: table([
      [D, own],
      kind === 'calendars' ? [C, { 'calendar-data': data }] : [A, { 'address-data': data }],
    ]),
  }
}

/** Returns the time zone in a file as a calendar (RFC 4791 5.2.2), if there is one. */
function zoneIn(items: readonly DavItem[]): string | undefined {
  const file = items.find(({ body }) => body().includes('BEGIN:VTIMEZONE'))
  return file && escapeXml(file.body().replace(/BEGIN:VEVENT[^]*END:VEVENT\r\n/, ''))
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
  readonly keys: readonly string[]
  /** True to omit properties that the resource does not have (RFC 8144 2.1). */
  readonly isMinimal: boolean
}

/**
 * Properties of RFC 4918, because other specifications exclude theirs from `allprop`. Clients that
 * drop the body when they follow a redirect also need to find the principal.
 */
const inAll = new Set(
  [
    'current-user-principal',
    'displayname',
    'resourcetype',
    'getetag',
    'getcontenttype',
    'getcontentlength',
    'getlastmodified',
  ].map((local) => keyOf({ ns: D, local })),
)

/** Reads which properties a PROPFIND or REPORT body requests. */
export function wantedIn(request: Element | undefined, isMinimal: boolean): Wanted {
  const kinds = ['prop', 'propname', 'allprop'] as const
  const kind = kinds.find((local) => request && childOf(request, D, local)) ?? 'allprop'
  const list = request && childOf(request, D, kind === 'prop' ? 'prop' : 'include')
  // Repeated properties could make the response to a small request large.
  return { kind, keys: [...new Set(list?.children.map(keyOf))], isMinimal }
}

/** Returns the `response` element of a resource with the requested properties. */
export async function responseFor(
  { href, properties }: DavResource,
  { kind, keys, isMinimal }: Wanted,
): Promise<string> {
  const isIncluded = (key: string) => kind === 'propname' || (kind === 'allprop' && inAll.has(key))
  const [found, missing]: [string[], string[]] = [[], []]
  for (const key of new Set([...[...properties.keys()].filter(isIncluded), ...keys])) {
    const content = await properties.get(key)?.()
    if (content !== undefined) found.push(xml(nameIn(key), kind === 'propname' ? '' : content))
    else if (!isMinimal) missing.push(xml(nameIn(key)))
  }
  const stats = `${statOf('200 OK', found)}${statOf('404 Not Found', missing)}`
  const nothing = '<D:propstat><D:prop/><D:status>HTTP/1.1 200 OK</D:status></D:propstat>'
  return `<D:response>${hrefTo(href)}${stats === '' ? nothing : stats}</D:response>`
}

/** Returns a `propstat` element, or an empty string if there are no properties. */
function statOf(status: string, content: readonly string[]): string {
  return content.length === 0
    ? ''
    : `<D:propstat><D:prop>${content.join('')}</D:prop><D:status>HTTP/1.1 ${status}</D:status></D:propstat>`
}

function nameIn(key: string): Name {
  const end = key.lastIndexOf(' ')
  return { ns: key.slice(0, end), local: key.slice(end + 1) }
}

/** Returns the `response` element of a URL without a resource. */
export function missingResponse(href: string): string {
  return `<D:response>${hrefTo(href)}<D:status>HTTP/1.1 404 Not Found</D:status></D:response>`
}

/** Returns a multistatus body (RFC 4918 13). */
export function multistatus(responses: readonly string[], token?: string): string {
  const end = token === undefined ? '' : `<D:sync-token>${escapeXml(token)}</D:sync-token>`
  return xmlDocument({ ns: D, local: 'multistatus' }, `${responses.join('\n')}${end}`)
}

/** Returns an error body with the precondition that failed (RFC 4918 16). */
export function errorBody(precondition: string): string {
  return xmlDocument({ ns: D, local: 'error' }, precondition)
}
