import type { Option, OptionValues } from './option.ts'

/** An option of a feed, with its fields on the subscribe page and its line in the documentation. */
export type FeedOption<T> = Option<T> & {
  /** True if it selects records, which makes boards and lists accept it. */
  readonly selectsRecords: boolean
  /** Fields in the subscribe page's form; empty if the page offers the option in another way. */
  readonly fields: readonly SelectField[]
  /** Parameter and value for the documentation. */
  readonly example: string
  /** Description of the effect, as Markdown. */
  readonly meaning: string
}

export type FeedOptionSet<Values = OptionValues> = {
  readonly [Name in keyof Values]: FeedOption<Values[Name]>
}

export type SelectField = {
  readonly label: string
  /** Shows the first of several values, or all others; undefined if there is only one. */
  readonly shows?: 'first' | 'others'
  /** True if it comes before the fields of other options. */
  readonly leads?: boolean
  /** The first one is the default. */
  readonly choices: readonly (readonly [value: string, label: string])[]
}
