import type { BoardItem } from './board-item.ts'

/** Each of what happens once, also where the website has it as a public event and in a calendar. */
export function boardOf(items: readonly BoardItem[]): readonly BoardItem[] {
  const events = new Set(items.filter(({ kind }) => kind === 'events').map(sameness))
  return items.filter((item) => item.kind !== 'calendar' || !events.has(sameness(item)))
}

function sameness({ title, start, allDay }: BoardItem): string {
  return JSON.stringify([title.toLowerCase(), start, allDay])
}
