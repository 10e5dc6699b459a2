import type { BoardItem } from './board-item.ts'

/** Merges items of all feeds, dropping calendar entries that are also public events. */
export function boardOf(items: readonly BoardItem[]): readonly BoardItem[] {
  const events = new Set(items.filter(({ kind }) => kind === 'events').map(sameness))
  return items.filter((item) => item.kind !== 'calendar' || !events.has(sameness(item)))
}

function sameness({ title, start, allDay }: BoardItem): string {
  return JSON.stringify([title.toLowerCase(), start, allDay])
}
