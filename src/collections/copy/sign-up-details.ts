import { isDeepStrictEqual } from 'node:util'
import { knownPart } from '../../records/known-part.ts'
import type { SiteDate } from '../../records/site-time.ts'
import type { DataService } from '../../upstream/data-service.ts'
import { UpstreamError } from '../../upstream/upstream-error.ts'
import {
  applyReading,
  type Change,
  type DetailRead,
  type CollectionCopy,
} from './collection-copy.ts'
import { idOf, withDetailsOf } from './content.ts'
import { unpackItems } from './packed-items.ts'
import { detailedResource } from './resource-rules.ts'

export type SheetToRead = { readonly id: number; readonly modified: string }

/** Result of the call for a single sheet. Undefined means that the sheet was just deleted. */
type SheetDetails = { readonly sheet: unknown; readonly groups: readonly unknown[] } | undefined

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
): Promise<SheetDetails> {
  try {
    const query = { ID: String(id) }
    const { items: groups, envelope } = await dataService.readAll(
      detailedResource,
      query,
      () => 'details',
      ({ items, sheet, ...page }) => {
        const { groups: known, sheet: knownSheet } = knownDetails({ sheet, groups: items })
        return { ...page, items: [...known], sheet: knownSheet }
      },
    )
    return { sheet: envelope.sheet, groups }
  } catch (error) {
    if (error instanceof UpstreamError && error.kind === 'not_found') return undefined
    throw error
  }
}

function knownDetails(details: NonNullable<SheetDetails>): NonNullable<SheetDetails> {
  const item = knownPart(detailedResource, { details }) as {
    readonly details: NonNullable<SheetDetails>
  }
  return item.details
}

/** Returns the copy with a sheet's details, or undefined while it is held and must not change. */
export async function withDetails(
  before: CollectionCopy<'signup'> | undefined,
  sheet: SheetToRead,
  details: SheetDetails,
  now: number,
): Promise<Change<'signup'> | undefined> {
  if (!before || before.held) return undefined
  const isIt = (item: unknown) => idOf(item) === String(sheet.id)
  const itemsBefore = await unpackItems(before.items)
  // The last good version comes after one that cannot be read.
  const known = itemsBefore.findLast(isIt)
  const { calls, readAt } = before
  const allDetails = { ...before.details, [sheet.id]: { readAt: now, modified: sheet.modified } }
  const next = details && withDetailsOf(known, details)
  if (known === undefined || !next || isDeepStrictEqual(next, known)) {
    return { kept: { ...before, details: allDetails }, heldItems: undefined }
  }
  const items = itemsBefore.map((item) => (item === known ? next : item))
  const reading = { items, calls, days: undefined }
  const { kept, heldItems } = await applyReading(detailedResource, before, reading, now)
  // The listing was not read, so its time stays the same.
  const collection = { ...kept.collection, fetchedAt: before.collection.fetchedAt }
  return { kept: { ...kept, collection, readAt, details: allDetails }, heldItems }
}
