import { isOnline } from './fields.ts'
import { oneLine } from './plain-text.ts'
import type { RecordOf } from './read-records.ts'
import type { FeedResource } from './resources.ts'
import { compareText, shortenedText } from './text.ts'

/**
 * A calendar, a rental type, a kind of certification or a category. The name is a single line of
 * plain text, and may be empty.
 */
export type Part = { readonly id: number; readonly name: string }

/** Names of parts by id, including parts that no longer have any records. */
export type PartNames = Readonly<Record<string, string>>

const maxNames = 100
const maxNameLength = 200

const categoryOf = ({ categoryId, category }: RecordOf['news' | 'minutes' | 'documents']) =>
  partFrom(categoryId, category)

const partsOf: { readonly [R in FeedResource]?: (record: RecordOf[R]) => Part | undefined } = {
  calendar: ({ calendarId, calendar }) => partFrom(calendarId, calendar),
  rental: ({ typeId, type }) => partFrom(typeId, type),
  'training/membercerts': ({ certId, certName }) => partFrom(certId, certName),
  news: categoryOf,
  minutes: categoryOf,
  documents: categoryOf,
}

function partFrom(id: number | undefined, name: string): Part | undefined {
  return id === undefined || !Number.isSafeInteger(id) || id <= 0
    ? undefined
    : { id, name: oneLine(name) }
}

/** Returns the part that a record belongs to, or undefined if there is none. */
export function partOf<R extends FeedResource>(resource: R, record: RecordOf[R]): Part | undefined {
  return partsOf[resource]?.(record)
}

/**
 * Adds the names in records to those known before, so that the name of a feed stays the same after
 * its last entry. Names are public if their records are.
 */
export function partNamesAfter<R extends FeedResource>(
  resource: R,
  before: PartNames | undefined,
  records: readonly RecordOf[R][],
): PartNames | undefined {
  if (!(resource in partsOf)) return undefined
  const parts = records.filter(isVisible).flatMap((record) => partOf(resource, record) ?? [])
  const current = parts
    .filter(({ name }) => name !== '')
    .map(({ id, name }) => [String(id), shortenedText(name, maxNameLength)] as const)
  const names = Object.fromEntries([...Object.entries(before ?? {}), ...current])
  const found = new Set(current.map(([id]) => id))
  const kept = Object.entries(names).toSorted(([a], [b]) => +found.has(b) - +found.has(a))
  return Object.fromEntries(kept.slice(0, maxNames))
}

const isVisible = (record: { readonly id: number; readonly public?: boolean }) =>
  isOnline(record) && record.public !== false

/** Returns the parts that have a name, sorted by name. The last one of several names is used. */
export function namedParts(parts: readonly Part[], known: PartNames = {}): readonly Part[] {
  const latest = new Map(Object.entries(known).map(([id, name]) => [Number(id), name]))
  for (const { id, name } of parts) if (name !== '') latest.set(id, name)
  return [...latest]
    .map(([id, name]) => ({ id, name }))
    .toSorted((a, b) => compareText(a.name, b.name) || a.id - b.id)
}

/** Returns the names of the parts with these ids, with the id after a name that several parts have. */
export function distinctNames(parts: readonly Part[], ids: readonly number[]): readonly string[] {
  const byName = Map.groupBy(parts, ({ name }) => name)
  return parts
    .filter(({ id }) => ids.includes(id))
    .map(({ id, name }) => ((byName.get(name)?.length ?? 0) > 1 ? `${name} (${id})` : name))
}
