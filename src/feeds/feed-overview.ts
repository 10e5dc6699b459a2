import type { BoardItem } from '../signage/board-item.ts'

/** What the pages say of a feed beside its addresses. */
export type FeedOverview = {
  /** The parts of it that can be had alone. */
  readonly parts: readonly FeedPart[]
  /** The next entries of a calendar, the latest items of a news feed. */
  readonly entries: readonly OverviewEntry[]
  /** What a board shows of it. */
  readonly board: readonly BoardItem[]
  /** When the clock makes it another; infinite for never. Milliseconds since the epoch. */
  readonly validUntil: number
}

/** A part of a feed that has a name, and the query string that chooses it. */
export type FeedPart = { readonly name: string; readonly query: string }

/** Plain text. */
export type OverviewEntry = {
  readonly recordId: number
  readonly title: string
  readonly when: string
  readonly location: string
  readonly text: string
}

/** As many as a preview shows. */
export const overviewEntries = 5

/** As many as a board shows of one feed. */
export const boardEntries = 30
