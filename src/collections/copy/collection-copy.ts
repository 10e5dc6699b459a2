import { setImmediate } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { isOnline } from '../../records/fields.ts'
import { partNamesAfter } from '../../records/part.ts'
import type { PictureTypes } from '../../records/picture-types.ts'
import { readRecords, type RecordOf } from '../../records/read-records.ts'
import { factsFrom, type Ledger } from '../../records/recorded-change.ts'
import { withOwnIds } from '../../records/repeated-ids.ts'
import type { FeedResource } from '../../records/resources.ts'
import { nextClockReading } from '../../records/site-clock.ts'
import type { SiteDateTime } from '../../records/site-time.ts'
import type { PageHashes } from '../../upstream/list-reader.ts'
import type { Collection, CopyVersion } from '../collection.ts'
import {
  contentOf,
  idOf,
  sliceSize,
  withKnownDetails,
  type Content,
  type Dated,
} from './content.ts'
import {
  expectedToLeave,
  heldAfter,
  heldSchema,
  isConfirmed,
  isOutside,
  lossFrom,
  needsHolding,
  type Days,
  type Loss,
} from './loss-guard.ts'
import { agesUntil } from './hourly-ages.ts'
import { ledgerAfter, nextChangeAt, prunedLedger } from './ledger.ts'
import { createdSince, withChanges } from './ledger-changes.ts'
import { unpackItems, type PackedItems } from './packed-items.ts'
import { detailedResource } from './resource-rules.ts'

const detailReadSchema = z.object({
  readAt: z.number(),
  /** The sheet's `modified` value at that time. */
  modified: z.string(),
})

export type DetailRead = Readonly<z.infer<typeof detailReadSchema>>

/** The part of a copy's state that is stored with it, in addition to the times of its records. */
export const copyStateSchema = z.object({
  /** When the data service was last read, even if the result is held. */
  readAt: z.number(),
  calls: z.number(),
  held: heldSchema.optional(),
  /** When the latest loss began, even if it has ended or was not held back. */
  lossAt: z.number().optional(),
  /** The website's clock. Undefined if responses contain no time. */
  clock: z.object({ generated: z.string(), at: z.number() }).readonly().optional(),
  /** When each sign-up sheet's details were read, by sheet id. */
  details: z.record(z.string(), detailReadSchema).readonly(),
  /** When the first few records with unusable values became so, by id. Older versions stored none. */
  rejectedSince: z.record(z.string(), z.number()).readonly().default({}),
})

/** A collection with the state needed to keep it fresh. */
export type CollectionCopy<R extends FeedResource = FeedResource> = Readonly<
  z.infer<typeof copyStateSchema>
> & {
  readonly collection: Collection<R>
  /** Raw items of the records, since a newer version of Feedhouse may use more of their properties. */
  readonly items: PackedItems
  /** Hashes of the pages that the items are from, or undefined if the copy is from the store. */
  readonly pageHashes?: PageHashes | undefined
}

export type FetchResult = {
  /** Called only if the pages may have changed. */
  readonly items: () => Promise<readonly unknown[]>
  /** Undefined if the items are not from a listing. */
  readonly pageHashes?: PageHashes
  readonly calls: number
  /** Requested days. Records on other days do not count as removed. */
  readonly days: Days | undefined
  /** If undefined, no record counts as past. */
  readonly siteNow?: SiteDateTime
  /** The website's time in the response. */
  readonly generated?: string
}

export type Change<R extends FeedResource = FeedResource> = {
  readonly kept: CollectionCopy<R>
  readonly heldItems: readonly unknown[] | undefined
}

/**
 * Publishes a reading, or holds it back if it is missing most records. `otherLossesAt` lists when the
 * latest losses in the site's other collections began.
 */
export async function applyReading<R extends FeedResource>(
  resource: R,
  before: CollectionCopy<R> | undefined,
  reading: FetchResult,
  now: number,
  otherLossesAt: readonly number[] = [],
): Promise<Change<R>> {
  const { calls, pageHashes = before?.pageHashes, generated = '' } = reading
  const clock = nextClockReading(before?.clock, generated, now)
  if (before && areSamePages(reading.pageHashes, before.pageHashes)) {
    return unchanged(before, { readAt: now, calls, clock })
  }
  const items = await itemsOf(resource, before, await reading.items())
  const content = await contentOf(resource, items, lastGoodIn(before))
  const rejectedSince = rejectedSinceOf(before, content, now)
  const read = { readAt: now, calls, clock, details: detailsOf(before, content), rejectedSince }
  if (before && before.collection.version === content.version) {
    const { rejected, ledger } = before.collection
    const areSameRejected = isDeepStrictEqual(rejected, content.leftOut.rejected)
    // With a new ledger, the items are stored and the pages are rendered again.
    const ledgerNow = areSameRejected ? ledger : new Map(ledger)
    const collection = { ...before.collection, ...content.leftOut, ledger: ledgerNow }
    return unchanged({ ...before, collection, items: content.items, pageHashes }, read)
  }
  const loss = before && lossIn(before, content, reading)
  const isHeldBack = before && loss && needsHolding(loss, before.held, { otherLossesAt, now })
  if (isHeldBack) {
    const { version, records } = content
    const lossReading = { ...loss, version, records: records.length }
    const held = heldAfter(before.held, lossReading, { otherLossesAt, now })
    if (!isConfirmed(held, now)) {
      const known = { rejectedSince: before.rejectedSince, lossAt: held.since }
      const kept = { ...before, ...read, ...known, held }
      return { kept, heldItems: await unpackItems(content.items) }
    }
  }
  const heldLoss = isHeldBack ? loss : before?.held
  const lostIds = heldLoss?.lostIds ?? []
  const { days, siteNow } = reading
  const next = await published(before, content, { resource, now, days, siteNow, lostIds })
  const lossAt = loss && !isHeldBack ? now : next.lossAt
  return { kept: { ...read, ...next, pageHashes, lossAt }, heldItems: undefined }
}

/** Sets the types of pictures, and replaces the ledger so that the feeds are rendered again. */
export function withPictureTypes<R extends FeedResource>(
  { kept, heldItems }: Change<R>,
  pictureTypes: PictureTypes | undefined,
): Change<R> {
  const { collection } = kept
  if (isDeepStrictEqual(pictureTypes, collection.pictureTypes)) return { kept, heldItems }
  const { readAt } = kept
  // The same reading may already have set this time.
  const changedAt = collection.changedAt === readAt ? readAt : nextChangeAt(collection, readAt)
  const ledger = new Map(collection.ledger)
  return {
    kept: { ...kept, collection: { ...collection, pictureTypes, ledger, changedAt } },
    heldItems,
  }
}

/** Returns true for pages that have not changed. */
export function areSamePages(hashes: PageHashes = [], before: PageHashes | undefined): boolean {
  const areKnown = hashes.length > 0 && !hashes.includes(undefined)
  return areKnown && isDeepStrictEqual(hashes, before)
}

function unchanged<R extends FeedResource>(
  before: CollectionCopy<R>,
  read: Pick<CollectionCopy, 'readAt' | 'calls' | 'clock'> &
    Partial<Pick<CollectionCopy, 'details' | 'rejectedSince'>>,
): Change<R> {
  const { readAt: fetchedAt } = read
  const ledger = prunedLedger(before.collection.ledger, fetchedAt)
  const collection = { ...before.collection, ledger, ...timesAfter(before.collection, fetchedAt) }
  return { kept: { ...before, ...read, collection, held: undefined }, heldItems: undefined }
}

export async function acceptHeldReading<R extends FeedResource>(
  resource: R,
  before: CollectionCopy<R>,
  heldItems: readonly unknown[],
  now: number,
): Promise<CollectionCopy<R>> {
  const content = await contentOf(resource, heldItems)
  const lostIds = before.held?.lostIds ?? []
  const next = await published(before, content, { resource, now, days: undefined, lostIds })
  const rejectedSince = rejectedSinceOf(before, content, now)
  return { ...before, ...next, rejectedSince, pageHashes: undefined }
}

/** Restores a copy from stored items. Parses the records again, and keeps everything else. */
export async function copyFromItems<R extends FeedResource>(
  resource: R,
  items: readonly unknown[],
  rest: Omit<CollectionCopy<R>, 'collection' | 'items'> & { readonly collection: CopyVersion },
): Promise<CollectionCopy<R>> {
  const { items: packed, records, leftOut } = await contentOf(resource, items)
  return {
    ...rest,
    items: packed,
    collection: { resource, records, ...leftOut, ...rest.collection },
  }
}

function lossIn<R extends FeedResource>(
  { collection, held }: CollectionCopy<R>,
  { hashes, omittedIds, unreadIds }: Content<R>,
  reading: FetchResult,
): Loss | undefined {
  const isPresent = (id: number) => hashes.has(id) || omittedIds.has(id)
  return lossFrom(
    collection.records.map(({ id }) => id),
    {
      isPresent,
      isEmpty: hashes.size + unreadIds.size === 0,
      isExpectedToLeave: expectedToLeave(collection.resource, collection.records, reading),
      alreadyLost: held?.lostIds ?? [],
    },
  )
}

async function itemsOf(
  resource: FeedResource,
  before: CollectionCopy | undefined,
  items: readonly unknown[],
): Promise<readonly unknown[]> {
  if (resource !== detailedResource || !before) {
    const { records = [], ledger = new Map<number, never>() } = before?.collection ?? {}
    return withOwnIds(items, records, ledger.keys())
  }
  return withKnownDetails(items, await unpackItems(before.items), before.collection.ledger)
}

function lastGoodIn<R extends FeedResource>(before: CollectionCopy<R> | undefined) {
  return async (ids: ReadonlySet<number>): Promise<readonly unknown[]> => {
    if (!before?.collection.records.some(({ id }) => ids.has(id))) return []
    const isReadable = (item: unknown) =>
      readRecords(before.collection.resource, [item]).records.length > 0
    const items = await unpackItems(before.items)
    return items.filter((item) => ids.has(Number(idOf(item))) && isReadable(item))
  }
}

function rejectedSinceOf(
  before: CollectionCopy | undefined,
  { leftOut }: Content<FeedResource>,
  now: number,
): CollectionCopy['rejectedSince'] {
  const known = new Map(Object.entries(before?.rejectedSince ?? {}))
  return Object.fromEntries(leftOut.rejected.map(({ id }) => [id, known.get(id) ?? now]))
}

/** Drops the read times of removed sheets, so that their details are read first if they return. */
function detailsOf(before: CollectionCopy | undefined, { hashes }: Content<FeedResource>) {
  const entries = Object.entries(before?.details ?? {})
  return Object.fromEntries(entries.filter(([id]) => hashes.has(Number(id))))
}

type Publishing<R extends FeedResource> = {
  readonly resource: R
  readonly now: number
  readonly days: Days | undefined
  readonly siteNow?: SiteDateTime | undefined
  /** Records that are missing because of a mass loss and may return. */
  readonly lostIds: readonly number[]
}

async function published<R extends FeedResource>(
  before: CollectionCopy<R> | undefined,
  content: Content<R>,
  options: Publishing<R>,
): Promise<Pick<CollectionCopy<R>, 'collection' | 'items' | 'held' | 'lossAt'>> {
  const { resource, now, days } = options
  const { items, records, hashes, version, unreadIds, omittedIds, leftOut } = content
  const outside = new Set(
    before?.collection.records.filter((record) => isOutside(record, days)).map(({ id }) => id),
  )
  const onlineIds = new Set(records.filter(isOnline).map(({ id }) => id))
  const publicIds = publicIdsOf(records)
  const publicBefore = publicIdsOf(before?.collection.records ?? [])
  const onlineBefore = await onlineItems(before)
  const saidAt = new Map(records.map((record) => [record.id, reportedChangedAt(record)]))
  if (records.length > sliceSize) await setImmediate()
  const recorded = ledgerAfter(before?.collection.ledger ?? new Map(), hashes, {
    unreadIds,
    isLeftOut: (id) => omittedIds.has(id) || outside.has(id),
    lostIds: new Set(options.lostIds),
    isOnline: (id) => onlineIds.has(id),
    isPublic: (id) => publicIds.has(id),
    wasPublic: (id) => publicBefore.has(id),
    isNew: before && isNewAfter(before, content, options),
    onlineBefore,
    saidAt,
    now,
  })
  const changedAt = nextChangeAt(before?.collection, now)
  // The first reading of a collection reports no changes.
  const ledger = before ? ledgerWithChanges(before, content, recorded, options) : recorded
  const times = timesAfter(before?.collection, now)
  const known = before?.collection.partNames
  const partNames = partNamesAfter(
    resource,
    known ?? partNamesAfter(resource, undefined, before?.collection.records ?? []),
    records,
  )
  const collection = {
    resource,
    records,
    ...leftOut,
    ledger,
    partNames,
    pictureTypes: before?.collection.pictureTypes,
    ...times,
    changedAt,
    version,
  }
  return { items, held: undefined, lossAt: before?.lossAt, collection }
}

/** Returns the Online records that the website marks as public. Only some resources have this mark. */
function publicIdsOf(records: readonly RecordOf[FeedResource][]): ReadonlySet<number> {
  const marked = records.filter((record) => 'public' in record && record.public && isOnline(record))
  return new Set(marked.map(({ id }) => id))
}

function timesAfter(before: Collection | undefined, fetchedAt: number) {
  const ages = before && agesUntil(fetchedAt, before.fetchedAt, before.ages)
  return { fetchedAt, ages }
}

/**
 * Returns a function that returns true for new records that the website did not have at the
 * previous reading. Without limits, these are all new records, because the previous reading had all
 * of the website's records.
 */
function isNewAfter<R extends FeedResource>(
  { collection }: CollectionCopy<R>,
  content: Content<R>,
  options: Publishing<R>,
): (id: number) => boolean {
  const isLimited = options.days !== undefined || collection.omittedCount > 0
  return isLimited ? createdAfter(collection, content, options) : () => true
}

function createdAfter<R extends FeedResource>(
  { fetchedAt }: Collection<R>,
  { records }: Content<R>,
  { now, days, siteNow = new Date(now).toISOString() }: Publishing<R>,
): (id: number) => boolean {
  return createdSince(records, { days, siteNow, elapsedMs: now - fetchedAt })
}

function ledgerWithChanges<R extends FeedResource>(
  before: CollectionCopy<R>,
  content: Content<R>,
  ledger: Ledger,
  options: Publishing<R>,
): Ledger {
  const { collection } = before
  const { resource } = options
  const { records } = content
  const idsBefore = new Set(collection.records.map(({ id }) => id))
  return withChanges(ledger, {
    before: collection.ledger,
    factsBefore: onlineFacts(resource, collection.records),
    factsAfter: onlineFacts(resource, records),
    wasRead: (id) => idsBefore.has(id),
    isNew: createdAfter(collection, content, options),
  })
}

function onlineFacts<R extends FeedResource>(resource: R, records: readonly RecordOf[R][]) {
  const online = new Map(records.filter(isOnline).map((record) => [record.id, record]))
  return (id: number) => {
    const record = online.get(id)
    return record && factsFrom(resource, record)
  }
}

function reportedChangedAt(record: object): SiteDateTime | undefined {
  const { created, modified } = record as Dated
  return [created, modified]
    .filter((time) => time !== undefined)
    .toSorted()
    .at(-1)
}

async function onlineItems(
  kept: CollectionCopy | undefined,
): Promise<ReadonlyMap<number, unknown>> {
  const online = kept?.collection.records.filter(isOnline) ?? []
  const unpacked = await unpackItems(kept?.items ?? [])
  const items = new Map(unpacked.map((item) => [Number(idOf(item)), item]))
  return new Map(online.map(({ id }) => [id, items.get(id)]))
}
