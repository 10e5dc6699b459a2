import type { Ledger } from './ledger.ts'

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
