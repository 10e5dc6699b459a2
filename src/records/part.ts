import { isOnline } from './fields.ts'
import { oneLine } from '../text/plain-text.ts'
import type { RecordOf } from './read-records.ts'
import type { FeedResource } from './resources.ts'
import { compareText, shortenedText } from '../text/text.ts'

/**
 * A calendar, a rental type, a kind of certification or a category. The name is a single line of
 * plain text, and may be empty.
 */
export type Part = { readonly id: number; readonly name: string }

/** Names of parts by id, including parts that no longer have any records. */
export type PartNames = Readonly<Record<string, string>>

const maxNames = 100
const maxNameLength = 200

/** The id and name of a record's part, as the website sent them. */
type Sent = readonly [id: number | undefined, name: string]

const categoryOf = ({ categoryId, category }: RecordOf['news' | 'minutes' | 'documents']): Sent => [
  categoryId,
  category,
]

const sentBy: { readonly [R in FeedResource]?: (record: RecordOf[R]) => Sent } = {
  calendar: ({ calendarId, calendar }) => [calendarId, calendar],
  rental: ({ typeId, type }) => [typeId, type],
  'training/membercerts': ({ certId, certName }) => [certId, certName],
  news: categoryOf,
  minutes: categoryOf,
  documents: categoryOf,
}

export function partOf<R extends FeedResource>(resource: R, record: RecordOf[R]): Part | undefined {
  const [id, name = ''] = sentBy[resource]?.(record) ?? []
  return isPartId(id) ? { id, name: oneLine(name) } : undefined
}

const isPartId = (id: number | undefined): id is number =>
  Number.isSafeInteger(id) && Number(id) > 0

/**
 * Adds the names in records to those known before, so that the name of a feed stays the same after
 * its last entry. Names are public if their records are.
 */
export function partNamesAfter<R extends FeedResource>(
  resource: R,
  before: PartNames | undefined,
  records: readonly RecordOf[R][],
): PartNames | undefined {
  const sentIn = sentBy[resource]
  if (!sentIn) return undefined
  // Converting the name of each record would take longer than everything else.
  const sent = new Map<number, string>()
  for (const record of records) {
    const [id, name] = isVisible(record) ? sentIn(record) : noPart
    if (isPartId(id) && name !== '') sent.set(id, name)
  }
  const current = [...sent]
    .map(([id, name]) => [String(id), shortenedText(oneLine(name), maxNameLength)] as const)
    .filter(([, name]) => name !== '')
  const names = Object.fromEntries([...Object.entries(before ?? {}), ...current])
  const found = new Set(current.map(([id]) => id))
  const kept = Object.entries(names).toSorted(([a], [b]) => +found.has(b) - +found.has(a))
  return Object.fromEntries(kept.slice(0, maxNames))
}

const noPart: Sent = [undefined, '']

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
