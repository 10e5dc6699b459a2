import { readSiteDate, readSiteTime } from './read-site-time.ts'
import type { SiteDate, SiteTime } from './site-time.ts'

/*
 * Some websites repeat the id of an event or booking on several days. Each of them then has an id
 * of its own, which is made from the website's id, the day, and the order on that day, so that it
 * stays the same. It is larger than the ids of websites, and has at most 15 digits.
 */

const dayMs = 24 * 60 * 60 * 1000

/** Ids of websites from this one on cannot be distinguished by day. */
const maxRepeatedId = 2 ** 28
const firstOwnId = 2 ** 48
/** Days since 1970, up to 2149. */
const maxDays = 2 ** 16
/** Records with the same id on the same day. The last ones share an id. */
const maxPerDay = 2 ** 4
const idsPerRecord = maxDays * maxPerDay

type Occurrence = { readonly item: unknown; readonly date: SiteDate; readonly time: SiteTime }

/** A record as it was read before. */
type KnownRecord = { readonly id: number; readonly startDate?: SiteDate }

/**
 * Gives items that share an id, but not a day and time, ids of their own. An item keeps the
 * website's id if `known` has it with the same day. An item that is left alone keeps its own id if
 * it is one of `usedIds`.
 */
export function withOwnIds(
  items: readonly unknown[],
  known: readonly KnownRecord[],
  usedIds: Iterable<number>,
): readonly unknown[] {
  const ownIds = new Set([...usedIds].filter(isOwnId))
  const repeated = new Set([...ownIds].map(websiteIdOf))
  for (const id of repeatedIn(items.map(numberOf))) if (id !== undefined) repeated.add(id)
  if (repeated.size === 0) return items
  const dayOf = new Map(known.map(({ id, startDate }) => [id, startDate]))
  const own = new Map<unknown, number>()
  for (const [id, sharing] of Map.groupBy(items, numberOf)) {
    if (id === undefined || !repeated.has(id)) continue
    const occurrences = sharing.flatMap((item) => occurrenceOf(item) ?? [])
    const moments = new Set(occurrences.map(({ date, time }) => `${date} ${time}`))
    const isUsed = occurrences.some(({ date }) => ownIds.has(ownId(id, date, 0)))
    if (moments.size < 2 && !isUsed) continue
    for (const [date, onDay] of Map.groupBy(occurrences, (each) => each.date)) {
      const times = [...new Set(onDay.map(({ time }) => time))].toSorted()
      const orderOf = new Map(times.map((time, index) => [time, Math.min(index, maxPerDay - 1)]))
      for (const { item, time } of onDay) {
        const order = orderOf.get(time) ?? 0
        if (order > 0 || dayOf.get(id) !== date) own.set(item, ownId(id, date, order))
      }
    }
  }
  if (own.size === 0) return items
  return items.map((item) => (own.has(item) ? { ...(item as object), id: own.get(item) } : item))
}

export function repeatedIn<T>(values: readonly T[]): ReadonlySet<T> {
  const seen = new Set<T>()
  const repeated = new Set<T>()
  for (const value of values) (seen.has(value) ? repeated : seen).add(value)
  return repeated
}

export function websiteIdOf(id: number): number {
  return isOwnId(id) ? Math.floor((id - firstOwnId) / idsPerRecord) : id
}

/** Returns the website's id of a record, with its day if the website repeats the id. */
export function nameOfId(id: string): string {
  const number = Number(id)
  if (!isOwnId(number)) return id
  const days = Math.floor(((number - firstOwnId) % idsPerRecord) / maxPerDay)
  return `${websiteIdOf(number)} on ${new Date(days * dayMs).toISOString().slice(0, 10)}`
}

/** Returns true for an id that is made from the website's id and the day. */
export function isOwnId(id: number): boolean {
  return id >= firstOwnId && id < firstOwnId + maxRepeatedId * idsPerRecord
}

function ownId(id: number, date: SiteDate, order: number): number {
  return firstOwnId + id * idsPerRecord + daysOf(date) * maxPerDay + order
}

function daysOf(date: SiteDate): number {
  return Date.parse(date) / dayMs
}

/** Returns the id of an event or booking, unless days cannot distinguish it. */
function numberOf(item: unknown): number | undefined {
  if (typeof item !== 'object' || item === null || !('id' in item) || !('startDate' in item)) {
    return undefined
  }
  const id = Number(item.id)
  return Number.isInteger(id) && id > 0 && id < maxRepeatedId ? id : undefined
}

/** Returns undefined for an item without a readable day, or with a day that is out of range. */
function occurrenceOf(item: unknown): Occurrence | undefined {
  const { startDate, startTime } = item as Readonly<Record<string, unknown>>
  const date = readSiteDate(textFrom(startDate))
  if (date === undefined || daysOf(date) < 0 || daysOf(date) >= maxDays) return undefined
  return { item, date, time: readSiteTime(textFrom(startTime)) ?? '' }
}

function textFrom(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
