import type { FeedResource } from '../records/resources.ts'
import type { SiteDate } from '../records/site-time.ts'
import type { DataService } from '../upstream/data-service.ts'
import type { Priority } from '../upstream/throttle.ts'
import { UpstreamError } from '../upstream/upstream-error.ts'
import type { DetailRead, Kept, Reading } from './kept-collection.ts'
import { queryFor, type DayWindow } from './queries.ts'

/** Reads what a collection is made of. Rejects with an `UpstreamError`. */
export async function readItems(
  dataService: DataService,
  resource: FeedResource,
  options: {
    readonly before: Kept | undefined
    readonly today: SiteDate
    readonly window: DayWindow
    readonly priority: () => Priority
  },
): Promise<Reading> {
  const { before, today, window, priority } = options
  const query = queryFor(resource, today, window)
  const { items, calls } = await dataService.readAll(resource, query, priority)
  return { items: resource === 'signup' ? withKnownDetails(items, before) : items, calls }
}

export type SheetToRead = { readonly id: number; readonly modified: string }

/**
 * The sheet whose details are to be read next: one never read, then one changed since, then the one
 * read longest ago, once the interval is over. Past and offline sheets need none.
 */
export function nextDetail(
  { collection, details }: Kept<'signup'>,
  options: { readonly today: SiteDate; readonly intervalMs: number; readonly now: number },
): SheetToRead | undefined {
  const { today, intervalMs, now } = options
  const needs = upcoming(collection.records, today).flatMap(({ id, modified = '', date }) => {
    const read = details[id]
    const need = needOf(read, modified, now - intervalMs, now)
    return need === undefined ? [] : [{ id, modified, need, date, readAt: read?.readAt ?? 0 }]
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

/**
 * The collection's items with what a sheet's own call shows; unchanged when the sheet has just gone.
 * Rejects with an `UpstreamError`.
 */
export async function readDetail(
  dataService: DataService,
  { items, calls }: Kept<'signup'>,
  id: number,
): Promise<Reading> {
  const details = await detailsOf(dataService, id)
  if (!details) return { items, calls }
  const isIt = (item: unknown) => idOf(item) === String(id)
  return {
    items: items.map((item) => (isIt(item) ? { ...asRecord(item), details } : item)),
    calls,
  }
}

async function detailsOf(dataService: DataService, id: number) {
  try {
    const query = { ID: String(id) }
    const { items: groups, envelope } = await dataService.readAll('signup', query, () => 'details')
    return { sheet: envelope['sheet'], groups }
  } catch (error) {
    if (error instanceof UpstreamError && error.kind === 'not_found') return undefined
    throw error
  }
}

function withKnownDetails(items: readonly unknown[], before: Kept | undefined): readonly unknown[] {
  const known = new Map(before?.items.map((item) => [idOf(item), asRecord(item)['details']]))
  return items.map((item) => ({ ...asRecord(item), details: known.get(idOf(item)) }))
}

function idOf(item: unknown): string {
  return String(asRecord(item)['id'])
}

function asRecord(item: unknown): Readonly<Record<string, unknown>> {
  return typeof item === 'object' && item !== null ? (item as Record<string, unknown>) : {}
}
