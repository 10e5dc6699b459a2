/** What a reader may choose in the address of a news feed. */
export type ItemOptions = {
  /** The id of the category to show; undefined is all. */
  readonly category: number | undefined
  /** How many items at most. */
  readonly limit: number
  readonly content: 'full' | 'summary'
  /** Whether only what the website features is shown. */
  readonly isFeatured: boolean
}
