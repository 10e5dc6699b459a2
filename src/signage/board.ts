import type { BoardItem } from './board-item.ts'

/** Viewing distance in meters. */
export type Distance = 3 | 5 | 10

/** Readable variants of an accent color, each with the color of text on it. */
export type BoardAccent = Readonly<
  Record<'light' | 'dark' | 'brand', { readonly accent: string; readonly onAccent: string }>
>

/** Data that a board page passes to its script. */
export type BoardData = {
  readonly items: readonly BoardItem[]
  /** When the website was last read, in milliseconds since the epoch. */
  readonly readAt: number
  /** Interval at which the website is read. */
  readonly intervalMs: number
  readonly timeZone: string
  /** Version of the page. */
  readonly version: string
  readonly lang: string
  /** Seconds per page. */
  readonly rotate: number
  /** Maximum number of entries on a page. */
  readonly rows: number | undefined
  readonly distance: Distance
  /** Diagonal of the screen. */
  readonly inches: number
  /** Replaces the site's colors; null to keep them. */
  readonly accent: BoardAccent | null
  /** Address for a QR code on the board; null for none. */
  readonly follow: string | null
  /** Paths of files on a static host, relative to the page. */
  readonly source?: string
  readonly worker?: string
}

/** Merges the items of all feeds, for a board or an agenda. Drops items that repeat an item in another feed. */
export function boardOf<T extends Listed>(
  items: readonly T[],
  feeds: readonly { readonly id: string; readonly repeats?: string }[],
): readonly T[] {
  const repeated = new Map(feeds.map(({ id, repeats }) => [id, repeats]))
  const known = new Set(items.map((item) => duplicateKey(item.kind, item)))
  return items.filter((item) => {
    const other = repeated.get(item.kind)
    return other === undefined || !known.has(duplicateKey(other, item))
  })
}

type Listed = Pick<BoardItem, 'kind' | 'title' | 'start' | 'allDay'>

function duplicateKey(kind: string, { title, start, allDay }: Listed): string {
  return JSON.stringify([kind, title.toLowerCase(), start, allDay])
}
