import type { Store, StoredItem } from '../../src/store/store.ts'

export async function* asStream<T>(items: Iterable<T>): AsyncGenerator<T> {
  yield* items
}

export async function collected<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

/** Returns the contents of a store in a stable order. */
export async function contentOf(store: Pick<Store, 'snapshot'>): Promise<readonly StoredItem[]> {
  return (await collected(store.snapshot()))
    .map((item) => ({ name: JSON.stringify(item), item }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ item }) => item)
}
