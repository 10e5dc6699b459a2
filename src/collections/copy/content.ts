import type { Ledger } from '../../records/recorded-change.ts'
import { setImmediate } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { membersIn } from '../../records/list-sizes.ts'
import { readRecords, type RecordOf, type RecordFault } from '../../records/read-records.ts'
import { isOwnId, nameOfId, repeatedIn, websiteIdOf } from '../../records/repeated-ids.ts'
import type { FeedResource } from '../../records/resources.ts'
import { compareText } from '../../text/text.ts'
import type { FaultyRecord, LeftOut } from '../collection.ts'
import { hashOf } from './ledger.ts'
import { packItems, type PackedItems } from './packed-items.ts'
import { detailedResource, rulesFor } from './resource-rules.ts'

const maxRejectedKept = 20

/** Yield to the event loop after this many records and members of their lists. */
export const sliceSize = 300

/** Maximum number of records for resources without a day window. The newest records are kept. */
export const maxRecords = 2_000

/** The same for the other resources. The earliest records are kept. */
export const maxScheduled = 50_000

/** Records from a single reading, and the ids of omitted records. */
export type Content<R extends FeedResource> = {
  readonly items: PackedItems
  readonly records: readonly RecordOf[R][]
  readonly hashes: ReadonlyMap<number, string>
  readonly version: string
  /** Ids of records that are listed, but have never been readable. */
  readonly unreadIds: ReadonlySet<number>
  /** Ids of records that are not kept, because there are too many. */
  readonly omittedIds: ReadonlySet<number>
  readonly leftOut: LeftOut
}

/** Unreadable items are replaced by their last good versions, which `lastGoodOf` returns by id. */
export async function contentOf<R extends FeedResource>(
  resource: R,
  items: readonly unknown[],
  lastGoodOf: (ids: ReadonlySet<number>) => Promise<readonly unknown[]> = async () => [],
): Promise<Content<R>> {
  const read = await recordsFrom(resource, items)
  const lastGood = await lastGoodOf(unreadIn(read))
  if (lastGood.length === 0) return contentFrom(resource, items, read)
  const { byId, hashById, rejected } = await recordsFrom(resource, lastGood)
  return contentFrom(resource, [...items, ...lastGood], {
    byId: new Map([...read.byId, ...byId]),
    hashById: new Map([...read.hashById, ...hashById]),
    rejected: [...read.rejected, ...rejected],
  })
}

type ReadItems<R extends FeedResource> = {
  readonly byId: ReadonlyMap<number, RecordOf[R]>
  readonly hashById: ReadonlyMap<number, string>
  readonly rejected: readonly RecordFault[]
}

async function recordsFrom<R extends FeedResource>(
  resource: R,
  items: readonly unknown[],
): Promise<ReadItems<R>> {
  const byId = new Map<number, RecordOf[R]>()
  const hashById = new Map<number, string>()
  const rejected: RecordFault[] = []
  for (const [index, part] of [...slicesOf(items)].entries()) {
    if (index > 0) await setImmediate()
    const slice = readRecords(resource, part)
    for (const record of slice.records) {
      byId.set(record.id, record)
      hashById.set(record.id, hashOf(shownPartOf(resource, record)))
    }
    rejected.push(...slice.rejected)
  }
  if (items.length > sliceSize) await setImmediate()
  return { byId, hashById, rejected }
}

/** Divides items into parts that take about the same time. */
function* slicesOf(items: readonly unknown[]): Generator<readonly unknown[]> {
  let slice: unknown[] = []
  let size = 0
  for (const item of items) {
    slice.push(item)
    size += 1 + membersIn(item)
    if (size < sliceSize) continue
    yield slice
    slice = []
    size = 0
  }
  if (slice.length > 0) yield slice
}

function unreadIn({ byId, rejected }: ReadItems<FeedResource>): ReadonlySet<number> {
  const ids = rejected.map(({ id }) => Number(id))
  return new Set(ids.filter((id) => !Number.isNaN(id) && !byId.has(id)))
}

async function contentFrom<R extends FeedResource>(
  resource: R,
  items: readonly unknown[],
  read: ReadItems<R>,
): Promise<Content<R>> {
  const { byId, hashById } = read
  const rejected = [
    ...read.rejected.map((each) => faultyRecord(each, byId)),
    ...repeatedIds(items, read),
  ]
  const countOf = (published: FaultyRecord['published']) =>
    rejected.filter((each) => each.published === published).length
  const all = [...byId.values()].sort((a, b) => a.id - b.id)
  const records = keptOf(resource, all)
  const hashes = new Map(records.map(({ id }) => [id, hashById.get(id) ?? '']))
  return {
    items: await packItems(items),
    records,
    hashes,
    version: hashOf([...hashes]),
    unreadIds: unreadIn(read),
    omittedIds: new Set(all.map(({ id }) => id).filter((id) => !hashes.has(id))),
    leftOut: {
      rejected: rejected.slice(0, maxRejectedKept),
      rejectedCount: rejected.length,
      outdatedCount: countOf('last good version'),
      unreadCount: countOf('nothing'),
      omittedCount: all.length - records.length,
    },
  }
}

function faultyRecord(
  { id, reason, readable }: RecordFault,
  byId: ReadonlyMap<number, unknown>,
): FaultyRecord {
  const isKnown = readable === 'nothing' && byId.has(Number(id))
  return { id: nameOfId(id), reason, published: isKnown ? 'last good version' : readable }
}

function repeatedIds(
  items: readonly unknown[],
  { byId, rejected }: ReadItems<FeedResource>,
): readonly FaultyRecord[] {
  // Usually, every item is a record with the website's id.
  if (items.length === byId.size && !byId.keys().some(isOwnId)) return []
  const faulty = new Set(rejected.map(({ id }) => id))
  const repeated = repeatedIn(items.map(idOf))
  const sharing = items.filter((item) => repeated.has(idOf(item)))
  const lost = [...Map.groupBy(sharing, idOf)].flatMap(([id, [first, ...others]]): FaultyRecord[] =>
    // An item that cannot be read is next to its last good version.
    id === '' || faulty.has(id) || others.every((item) => isDeepStrictEqual(item, first))
      ? []
      : [{ id: nameOfId(id), reason: 'other records have the same id', published: 'part' }],
  )
  const counts = new Map<number, number>()
  for (const id of byId.keys()) {
    const websiteId = websiteIdOf(id)
    counts.set(websiteId, (counts.get(websiteId) ?? 0) + 1)
  }
  const shared = [...counts].flatMap(([id, count]): FaultyRecord[] =>
    count === 1
      ? []
      : [{ id: String(id), reason: `${count} records have this id`, published: 'all' }],
  )
  return [...lost, ...shared]
}

export type Dated = Partial<
  Pick<RecordOf['news'], 'created' | 'createdBy' | 'modified' | 'modifiedBy'>
>

/**
 * Returns the visible part of a record, so that saving a record unchanged on the website has no
 * effect. Keeps `modified` for sign-up sheets, because a new value means that details must be read
 * again.
 */
function shownPartOf(resource: FeedResource, record: object): object {
  const { createdBy: _worker, modifiedBy: _changer, modified, ...shown } = record as Dated
  return resource === detailedResource ? { ...shown, modified } : shown
}

function keptOf<R extends FeedResource>(
  resource: R,
  records: readonly RecordOf[R][],
): readonly RecordOf[R][] {
  const { dateOf } = rulesFor(resource)
  const max = dateOf ? maxRecords : maxScheduled
  if (records.length <= max) return records
  const inOrder = dateOf
    ? records.toSorted((a, b) => compareText(dateOf(b), dateOf(a)) || b.id - a.id)
    : records.toSorted((a, b) => compareText(dayOf(a), dayOf(b)) || a.id - b.id)
  return inOrder.slice(0, max).toSorted((a, b) => a.id - b.id)
}

/** Returns an empty string for a record without a day. */
function dayOf({ startDate = '' }: { readonly id: number; readonly startDate?: string }): string {
  return startDate
}

/** Returns an item's id as a string, which is empty if the item has no id. */
export function idOf(item: unknown): string {
  const { id } = propertiesOf(item)
  return typeof id === 'number' || typeof id === 'string' ? String(id) : ''
}

/** Merges known details into sign-up sheets, including sheets that return after being removed. */
export function withKnownDetails(
  items: readonly unknown[],
  itemsBefore: readonly unknown[],
  ledger: Ledger,
): readonly unknown[] {
  const gone = [...ledger.values()].flatMap(({ lastOnline }) => lastOnline?.item ?? [])
  const known = new Map(
    [...gone, ...itemsBefore].map((item) => [idOf(item), propertiesOf(item)['details']]),
  )
  return items.map((item) =>
    withDetailsOf(item, propertiesOf(item)['details'] ?? known.get(idOf(item))),
  )
}

export function withDetailsOf(item: unknown, details: unknown): unknown {
  return { ...propertiesOf(item), details }
}

function propertiesOf(item: unknown): Readonly<Record<string, unknown>> {
  return typeof item === 'object' && item !== null ? (item as Record<string, unknown>) : {}
}
