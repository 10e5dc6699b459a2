import type { BoardItem } from './board-item.ts'

/** What the page of a board gives its script. */
export type BoardData = {
  readonly items: readonly BoardItem[]
  /** When the website was last read, in milliseconds since the epoch. */
  readonly readAt: number
  /** How often the website is read. */
  readonly intervalMs: number
  readonly timeZone: string
  /** Version of the page. */
  readonly version: string
  readonly lang: string
  /** Seconds per page. */
  readonly rotate: number
  /** Maximum number of entries on a page. */
  readonly rows: number
  /** Number of text lines that fit on a page. */
  readonly lines: number
  /** Files of a static host, relative to the page. */
  readonly source?: string
  readonly worker?: string
}

/** Merges items of all feeds, dropping calendar entries that are also public events. */
export function boardOf(items: readonly BoardItem[]): readonly BoardItem[] {
  const events = new Set(items.filter(({ kind }) => kind === 'events').map(sameness))
  return items.filter((item) => item.kind !== 'calendar' || !events.has(sameness(item)))
}

function sameness({ title, start, allDay }: BoardItem): string {
  return JSON.stringify([title.toLowerCase(), start, allDay])
}
