import type { TimeSpan } from '../records/date-words.ts'
import { compareText } from '../records/text.ts'
import type { BoardItem } from '../signage/board-item.ts'
import { categoryOption } from '../syndication/item-options.ts'

/** Feed content for pages, lists and boards. */
export type FeedOverview = {
  /** Parts that people can subscribe to separately. */
  readonly parts: readonly FeedPart[]
  /** Upcoming entries in a calendar, or the latest items in a news feed. */
  readonly entries: readonly OverviewEntry[]
  /** Items for boards. */
  readonly board: readonly BoardItem[]
  /**
   * When the content becomes outdated, in milliseconds since the epoch; infinite if it does not depend
   * on the clock.
   */
  readonly validUntil: number
}

/** Named part of a feed, with the option and id that select it. */
export type FeedPart = { readonly name: string; readonly option: string; readonly id: number }

/** Category of a record. The name is a single line of plain text. */
export type Category = { readonly id: number | undefined; readonly name: string }

/** Returns the categories sorted by name. If a category has several names, the latest one counts. */
export function categoryParts(categories: readonly Category[]): readonly FeedPart[] {
  const names = new Map(categories.map(({ id, name }) => [id, name]))
  return [...names]
    .flatMap(([id, name]) =>
      id === undefined || id < 1 || name === ''
        ? []
        : [{ name, option: categoryOption.categories.name, id }],
    )
    .sort((a, b) => compareText(a.name, b.name))
}

/** Returns the query string that selects a part. */
export function partQuery({ option, id }: Omit<FeedPart, 'name'>): string {
  return `${option}=${id}`
}

/** Entry in an overview, as plain text. */
export type OverviewEntry = {
  readonly recordId: number
  readonly title: string
  /** When it takes place, or the day on which it was published. */
  readonly time: TimeSpan
  readonly location: string
  readonly text: string
}

/** Number of entries in a preview. */
export const overviewEntries = 5

/** Maximum number of items from one feed on a board. */
export const boardEntries = 30
