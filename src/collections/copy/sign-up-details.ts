import { isDeepStrictEqual } from 'node:util'
import { knownPart } from '../../records/known-part.ts'
import type { SiteDate } from '../../records/site-time.ts'
import type { DataService } from '../../upstream/data-service.ts'
import type { PageHashes } from '../../upstream/list-reader.ts'
import { UpstreamError } from '../../upstream/upstream-error.ts'
import {
  applyReading,
  areSamePages,
  type Change,
  type DetailRead,
  type CollectionCopy,
} from './collection-copy.ts'
import { idOf, withDetailsOf } from './content.ts'
import { unpackItems, type PackedItems } from './packed-items.ts'
import { detailedResource } from './resource-rules.ts'

export type SheetToRead = { readonly id: number; readonly modified: string }

type SheetDetails = { readonly sheet: unknown; readonly groups: readonly unknown[] }

/** Result of the call for a single sheet. Undefined means that the sheet was just deleted. */
type DetailReading =
  { readonly pageHashes: PageHashes; readonly details: () => Promise<SheetDetails> } | undefined

/** Hashes of the pages from which the details in a copy's items were read, by sheet id. */
const knownHashes = new WeakMap<PackedItems, Map<number, PageHashes>>()

/**
 * Returns the sheet whose details should be read next. Prefers sheets that were never read, then
 * changed sheets, then the sheet with the oldest details if the interval has passed.
 * Ignores past and offline sheets.
 */
export function nextDetail(
  { collection, details }: CollectionCopy<'signup'>,
  options: {
    readonly today: SiteDate
    readonly intervalMs: number
    readonly now: number
    /** Returns false while the sheet is in backoff. */
    readonly mayTry: (id: number) => boolean
  },
): SheetToRead | undefined {
  const { today, intervalMs, now, mayTry } = options
  const needs = upcoming(collection.records, today).flatMap(({ id, modified = '', date }) => {
    const read = details[id]
    const need = needOf(read, modified, now - intervalMs, now)
    if (need === undefined || !mayTry(id)) return []
    return [{ id, modified, need, date, readAt: read?.readAt ?? 0 }]
  })
  const [first] = needs.sort(
    (a, b) => a.need - b.need || a.readAt - b.readAt || (a.date < b.date ? -1 : 1),
  )
  return first && { id: first.id, modified: first.modified }
}

export function upcoming<T extends { readonly date: SiteDate; readonly status: string }>(
  sheets: readonly T[],
  today: SiteDate,
): readonly T[] {
  return sheets.filter(({ date, status }) => date >= today && status !== 'offline')
}

function needOf(
  read: DetailRead | undefined,
  modified: string,
  dueAt: number,
  now: number,
): number | undefined {
  if (!read || read.readAt > now) return 0
  if (read.modified !== modified) return 1
  return read.readAt <= dueAt ? 2 : undefined
}

export async function readSheetDetails(
  dataService: DataService,
  id: number,
): Promise<DetailReading> {
  try {
    const { pageHashes, pages } = await dataService.readListing(
      detailedResource,
      { ID: String(id) },
      () => 'details',
      ({ items, sheet, ...page }) => {
        const { groups: known, sheet: knownSheet } = knownDetails({ sheet, groups: items })
        return { ...page, items: [...known], sheet: knownSheet }
      },
    )
    const details = async () => {
      const { items: groups, envelope } = await pages()
      return { sheet: envelope.sheet, groups }
    }
    return { pageHashes, details }
  } catch (error) {
    if (error instanceof UpstreamError && error.kind === 'not_found') return undefined
    throw error
  }
}

function knownDetails(details: SheetDetails): SheetDetails {
  const item = knownPart(detailedResource, { details }) as { readonly details: SheetDetails }
  return item.details
}

/** Returns the copy with a sheet's details, or undefined while it is held and must not change. */
export async function withDetails(
  before: CollectionCopy<'signup'> | undefined,
  sheet: SheetToRead,
  reading: DetailReading,
  now: number,
): Promise<Change<'signup'> | undefined> {
  if (!before || before.held) return undefined
  const { calls, readAt } = before
  const allDetails = { ...before.details, [sheet.id]: { readAt: now, modified: sheet.modified } }
  const unchanged = { kept: { ...before, details: allDetails }, heldItems: undefined }
  const hashes = knownHashes.get(before.items) ?? new Map<number, PageHashes>()
  if (!reading || areSamePages(reading.pageHashes, hashes.get(sheet.id))) return unchanged
  const isIt = (item: unknown) => idOf(item) === String(sheet.id)
  const itemsBefore = await unpackItems(before.items)
  if (!itemsBefore.some(isIt)) return unchanged
  const details = await reading.details()
  // A sheet that cannot be read is kept together with its last good version.
  const items = itemsBefore.map((item) => (isIt(item) ? withDetailsOf(item, details) : item))
  if (isDeepStrictEqual(items, itemsBefore)) {
    knownHashes.set(before.items, hashes.set(sheet.id, reading.pageHashes))
    return unchanged
  }
  const withNext = { items: async () => items, calls, days: undefined }
  const { kept, heldItems } = await applyReading(detailedResource, before, withNext, now)
  // The listing was not read, so its time stays the same.
  const collection = { ...kept.collection, fetchedAt: before.collection.fetchedAt }
  return { kept: { ...kept, collection, readAt, details: allDetails }, heldItems }
}
