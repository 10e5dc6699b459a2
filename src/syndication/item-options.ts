/** What a reader may choose in the address of a news feed. */
export type ItemOptions = {
  /** The ids of the categories to show, ascending; none is all. */
  readonly categories: readonly number[]
  /** How many items at most. */
  readonly limit: number
  readonly content: 'full' | 'summary'
  /** Whether only what the website features is shown. */
  readonly isFeatured: boolean
}
