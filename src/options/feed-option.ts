import type { Option, OptionValues } from './option.ts'

/** An option of a feed, with its fields on the subscribe page and its line in the documentation. */
export type FeedOption<T> = Option<T> & {
  /** Whether it chooses records, so that boards and lists take it too. */
  readonly selectsRecords: boolean
  /** Its fields in the form of the subscribe page; none for what is chosen otherwise. */
  readonly fields: readonly SelectField[]
  /** Parameter and value for the documentation. */
  readonly example: string
  /** What it does, as Markdown. */
  readonly meaning: string
}

export type FeedOptionSet<Values = OptionValues> = {
  readonly [Name in keyof Values]: FeedOption<Values[Name]>
}

export type SelectField = {
  readonly label: string
  /** Of several values the first one, or all others; undefined where there is only one. */
  readonly shows?: 'first' | 'others'
  /** Whether it comes before the fields of other options. */
  readonly leads?: boolean
  /** The first is what a feed without the option does. */
  readonly choices: readonly (readonly [value: string, label: string])[]
}
