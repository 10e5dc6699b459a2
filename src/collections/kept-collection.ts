import { setImmediate } from 'node:timers/promises'
import { isOnline } from '../records/online.ts'
import type { RecordOf } from '../records/read-records.ts'
import type { FeedResource } from '../records/resources.ts'
import type { SiteDate, SiteDateTime } from '../records/site-time.ts'
import type { Collection } from './collection.ts'
import { contentOf, sliceSize, type Content, type Dated } from './content.ts'
import { heldAfter, isConfirmed, isMassLoss, type Held } from './guard.ts'
import { idOf, withKnownDetails } from './items.ts'
import { ledgerAfter, prunedLedger } from './ledger.ts'

/** A collection with all it takes to keep it. */
export type Kept<R extends FeedResource = FeedResource> = {
  readonly collection: Collection<R>
  /** What the records were read from: a newer version of Feedhouse may read more of it. */
  readonly items: readonly unknown[]
  /** When the data service was last read, also when that was held. */
  readonly readAt: number
  /** How many calls a reading takes. */
  readonly calls: number
  readonly held: Held | undefined
  /** When the details of each sign up sheet were read, by its id. */
  readonly details: Readonly<Record<string, DetailRead>>
}

export type DetailRead = {
  readonly readAt: number
  /** The sheet's `modified` then. */
  readonly modified: string
}

type Days = { readonly from: SiteDate; readonly to: SiteDate }

export type Reading = {
  readonly items: readonly unknown[]
  readonly calls: number
  /** The days that were asked for; what was on others before is not gone. */
  readonly days: Days | undefined
}

/** What a collection becomes, and what its guard holds back. */
export type Change<R extends FeedResource = FeedResource> = {
  readonly kept: Kept<R>
  readonly heldItems: readonly unknown[] | undefined
}

/** What a collection becomes by a reading. */
export async function keptAfter<R extends FeedResource>(
  resource: R,
  before: Kept<R> | undefined,
  reading: Reading,
  now: number,
): Promise<Change<R>> {
  const content = await contentOf(resource, itemsOf(resource, before, reading))
  const read = { readAt: now, calls: reading.calls, details: detailsOf(before, content) }
  const previous = before?.collection
  if (before && previous?.version === content.version) {
    const ledger = prunedLedger(previous.ledger, now)
    const collection = { ...previous, ...content.leftOut, ledger, fetchedAt: now }
    return { kept: { ...before, ...read, collection, held: undefined }, heldItems: undefined }
  }
  if (before && isLoss(before, content)) {
    const { version, records } = content
    const isUnreadable = !isLoss(before, content, content.unreadIds)
    const held = heldAfter(before.held, { version, records: records.length, isUnreadable }, now)
    if (!isConfirmed(held, now)) {
      return { kept: { ...before, ...read, held }, heldItems: content.items }
    }
  }
  const next = await published(resource, before, content, { now, days: reading.days })
  return { kept: { ...read, ...next }, heldItems: undefined }
}

/** The collection with what its guard held published. */
export async function keptWithHeld<R extends FeedResource>(
  resource: R,
  before: Kept<R>,
  heldItems: readonly unknown[],
  now: number,
): Promise<Kept<R>> {
  const content = await contentOf(resource, heldItems)
  return { ...before, ...(await published(resource, before, content, { now, days: undefined })) }
}

/** A collection as it was kept: the records are read anew, everything else is as it was. */
export async function keptFromItems<R extends FeedResource>(
  resource: R,
  items: readonly unknown[],
  rest: Omit<Kept<R>, 'collection' | 'items'> & {
    readonly collection: Pick<Collection, 'fetchedAt' | 'changedAt' | 'version' | 'ledger'>
  },
): Promise<Kept<R>> {
  const { records, leftOut } = await contentOf(resource, items)
  return { ...rest, items, collection: { resource, records, ...leftOut, ...rest.collection } }
}

/** Whether most is lost, also when these count as there. */
function isLoss(
  { collection }: Kept,
  { hashes }: Content<FeedResource>,
  unreadIds: ReadonlySet<string> = new Set(),
): boolean {
  const before = collection.records.map(({ id }) => id)
  return isMassLoss(before, new Set([...hashes.keys(), ...[...unreadIds].map(Number)]))
}

function itemsOf(
  resource: FeedResource,
  before: Kept | undefined,
  { items }: Reading,
): readonly unknown[] {
  if (resource !== 'signup' || !before) return items
  return withKnownDetails(items, before.items, before.collection.ledger)
}

/** Of sheets that are gone nothing counts as read, so that they are read first when they return. */
function detailsOf(before: Kept | undefined, { hashes }: Content<FeedResource>) {
  const entries = Object.entries(before?.details ?? {})
  return Object.fromEntries(entries.filter(([id]) => hashes.has(Number(id))))
}

async function published<R extends FeedResource>(
  resource: R,
  before: Kept<R> | undefined,
  content: Content<R>,
  { now, days }: { readonly now: number; readonly days: Days | undefined },
): Promise<Pick<Kept<R>, 'collection' | 'items' | 'held'>> {
  const { items, records, hashes, version, unreadIds, omittedIds, leftOut } = content
  const outside = new Set(
    before?.collection.records.filter((record) => isOutside(record, days)).map(({ id }) => id),
  )
  const onlineIds = new Set(records.filter(isOnline).map(({ id }) => id))
  const onlineBefore = onlineItems(before)
  const saidAt = new Map(records.map((record) => [record.id, lastChangeSaid(record)]))
  if (records.length > sliceSize) await setImmediate()
  const ledger = ledgerAfter(before?.collection.ledger ?? new Map(), hashes, {
    unreadIds,
    isLeftOut: (id) => omittedIds.has(id) || outside.has(id),
    isOnline: (id) => onlineIds.has(id),
    onlineBefore,
    saidAt,
    now,
  })
  const changedAt = Math.max(before?.collection.changedAt ?? now, now)
  const collection = { resource, records, ...leftOut, ledger, fetchedAt: now, changedAt, version }
  return { items, held: undefined, collection }
}

/** When a record says that it was last changed. */
function lastChangeSaid(record: object): SiteDateTime | undefined {
  const { created, modified } = record as Dated
  return created !== undefined && modified !== undefined && created > modified
    ? created
    : (modified ?? created)
}

/** What the records that are Online were read from, by id. */
function onlineItems(kept: Kept | undefined): ReadonlyMap<number, unknown> {
  const online = kept?.collection.records.filter(isOnline) ?? []
  const items = new Map(kept?.items.map((item) => [Number(idOf(item)), item]))
  return new Map(online.map(({ id }) => [id, items.get(id)]))
}

/** Whether a record happens on other days than these. */
function isOutside(record: object, days: Days | undefined): boolean {
  const { startDate, endDate } = record as Partial<RecordOf['rental']>
  if (!days || startDate === undefined) return false
  return (endDate ?? startDate) < days.from || startDate > days.to
}
