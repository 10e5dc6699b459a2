import { IANAZone } from 'luxon'
import type { SyncChanges } from '../../representations/sync-log.ts'
import { clientFamily } from '../../web/client-family.ts'
import { isTooLarge, mapInTurns } from './answer-limits.ts'
import { entryFilterIn, rangeIn } from './calendar-filter.ts'
import type { DavItem } from './calendar-items.ts'
import type { DavCollection } from './collections.ts'
import { renderFreeBusy } from './free-busy.ts'
import { contactFilterIn, entryIn } from './property-filter.ts'
import {
  failed,
  itemResource,
  itemTypes,
  missingResponse,
  multistatus,
  reportsAbout,
  responseFor,
  tooLarge,
  wantedIn,
  type DavAnswer,
  type DavPaths,
} from './resources.ts'
import { childOf, childrenOf, namespaces, prefixedName, type Element } from './xml.ts'

const { D, C } = namespaces

/** Time zones with all changes since 1900 have about 20,000 characters. */
const maxTimeZoneLength = 64 * 1024

type ReportContext = {
  readonly paths: DavPaths
  readonly collection: DavCollection
  /** All items of the collection, or the requested one. */
  readonly items: readonly DavItem[]
  readonly isItem: boolean
  readonly isMinimal: boolean
  readonly timeZone: string
  readonly now: number
  readonly userAgent: string | undefined
  /** Resolves to the changes since a token, or to undefined if the token is too old or unknown. */
  readonly changesSince: (token: string) => Promise<SyncChanges | undefined>
}

export async function reportOn(request: Element, context: ReportContext): Promise<DavAnswer> {
  const { collection, isItem } = context
  const report = reportsAbout(collection.kind, isItem).find(
    (name) => name === prefixedName(request),
  )
  switch (report) {
    case 'D:sync-collection':
      return syncCollection(request, context)
    case 'C:calendar-multiget':
    case 'A:addressbook-multiget':
      return multiget(request, context)
    case 'C:calendar-query':
    case 'A:addressbook-query':
      return query(request, context)
    case 'C:free-busy-query':
      return freeBusyQuery(request, context)
    default:
      return failed(403, 'D:supported-report')
  }
}

/** Answers with these items, followed by responses about removed ones. */
async function listed(
  request: Element,
  items: readonly DavItem[],
  { paths, collection, isMinimal }: ReportContext,
  { removed = [], token }: { readonly removed?: readonly Buffer[]; readonly token?: string } = {},
): Promise<DavAnswer> {
  const wanted = wantedIn(request, isMinimal)
  if (isTooLarge(wanted, items.length)) return tooLarge
  const responses = await mapInTurns(items, (item) =>
    responseFor(itemResource(paths, collection, item), wanted),
  )
  return { status: 207, body: multistatus([...responses, ...removed], token) }
}

async function query(request: Element, context: ReportContext): Promise<DavAnswer> {
  const isCalendar = context.collection.kind === 'calendars'
  const timeZone = zoneIn(request) ?? context.timeZone
  const isMatch = isCalendar ? entryFilterIn(request, { timeZone }) : contactFilterIn(request)
  if (!isMatch) return failed(403, `${isCalendar ? 'C' : 'A'}:supported-filter`)
  const found = await mapInTurns(context.items, (item) =>
    isMatch(entryIn(item.body())) ? [item] : [],
  )
  return listed(request, found.flat(), context)
}

/** Returns the time zone of a request (RFC 4791 9.8), if its name is known. */
function zoneIn(request: Element): string | undefined {
  const calendar = childOf(request, C, 'timezone')?.text.slice(0, maxTimeZoneLength) ?? ''
  const [, name = ''] = /^[ \t]*TZID:(.*)/m.exec(calendar) ?? []
  return IANAZone.isValidZone(name.trim()) ? name.trim() : undefined
}

async function freeBusyQuery(
  request: Element,
  { collection, items, timeZone, now }: ReportContext,
): Promise<DavAnswer> {
  const element = childOf(request, C, 'time-range')
  const range = element && rangeIn(element)
  if (!range || !Number.isFinite(range.end - range.start)) return failed(400, 'C:valid-filter')
  const body = await renderFreeBusy(items, { range, timeZone, now, id: collection.contentId })
  return { status: 200, type: itemTypes.calendars.replace('VEVENT', 'VFREEBUSY'), body }
}

async function multiget(request: Element, context: ReportContext): Promise<DavAnswer> {
  const { items, paths, collection, isMinimal } = context
  const byName = new Map(items.map((item) => [item.name, item]))
  const base = paths.collection(collection)
  const named = await mapInTurns(childrenOf(request, D, 'href'), ({ text }) => {
    const href = text.trim()
    return [pathOf(href) ?? href, href] as const
  })
  // Repeated URLs of an entry could make the response to a small request large.
  const byPath = new Map(named)
  const wanted = wantedIn(request, isMinimal)
  if (isTooLarge(wanted, byPath.size)) return tooLarge
  const responses = await mapInTurns([...byPath], ([path, href]) => {
    const item = path.startsWith(base) ? byName.get(path.slice(base.length)) : undefined
    return item ? responseFor(itemResource(paths, collection, item), wanted) : missingResponse(href)
  })
  return { status: 207, body: multistatus(responses) }
}

/** Returns the decoded path of a URL, which may be absolute. */
function pathOf(href: string): string | undefined {
  const url = URL.parse(href, 'http://localhost')
  try {
    return url ? decodeURIComponent(url.pathname) : undefined
  } catch {
    return undefined
  }
}

/** RFC 6578 3.2. */
async function syncCollection(request: Element, context: ReportContext): Promise<DavAnswer> {
  const { items, paths, collection, userAgent, changesSince } = context
  const token = childOf(request, D, 'sync-token')?.text.trim() ?? ''
  const changes = await changesSince(token)
  if (!changes) {
    // The client then syncs from scratch. Thunderbird's address book does so only after a 400.
    return failed(clientFamily(userAgent) === 'Thunderbird' ? 400 : 403, 'D:valid-sync-token')
  }
  const limit = Number(childOf(request, D, 'limit')?.children[0]?.text ?? Infinity)
  if (changes.changed.length + changes.removed.length > limit) {
    // A partial result, even of the first sync, has no token, because tokens identify revisions.
    return tooLarge
  }
  const names = new Set(changes.changed)
  const changed = items.filter(({ name }) => names.has(name))
  const base = paths.collection(collection)
  const removed = changes.removed.map((name) => missingResponse(`${base}${name}`))
  return listed(request, changed, context, { removed, token: changes.token })
}
