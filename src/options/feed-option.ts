import type { Option, OptionValues } from './option.ts'

/** A feed option, with its fields on the page `/feeds` and its line in the documentation. */
export type FeedOption<T> = Option<T> &
  OptionDocumentation & {
    /** True if it selects records. Boards and lists only accept such options. */
    readonly selectsRecords: boolean
    /**
     * Fields in the form on the page `/feeds`; empty if the page offers the option in another way.
     */
    readonly fields: readonly SelectField[]
  }

export type OptionDocumentation = {
  /** Parameter and value. */
  readonly example: string
  /** Description of the effect, as Markdown. */
  readonly meaning: string
}

export type FeedOptionSet<Values = OptionValues> = {
  readonly [Name in keyof Values]: FeedOption<Values[Name]>
}

export type SelectField = {
  readonly label: string
  /** Set if the option has two fields, one for its first value and one for the rest. */
  readonly shows?: 'first' | 'others'
  /** True if the field comes before other options' fields. */
  readonly leads?: boolean
  /** The first choice is the default. */
  readonly choices: readonly (readonly [value: string, label: string])[]
}
