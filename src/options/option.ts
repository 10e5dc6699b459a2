/** Type of an option's value, with its parser, formatter and descriptions. */
export type ValueType<T> = {
  /** True if repeated parameters and comma-separated values form one list. */
  readonly isList?: boolean
  /** Parses a value, or all items in a list. Returns undefined if invalid. */
  read(texts: readonly string[]): T | undefined
  /** Returns the canonical form, identical for equivalent inputs. */
  format(value: T): string
  /** Completes the sentence "NAME must be ...". */
  expected(name: string, texts: readonly string[]): string
}

export type Option<T> = {
  /** Name of the query parameter. */
  readonly name: string
  readonly type: ValueType<Exclude<T, undefined>>
  /** True if the value is free text, so that the number of possible values is unlimited. */
  readonly isText?: boolean
  /** Value if the URL does not have the parameter. It is never part of a canonical query string. */
  readonly defaultValue: T
}

/** A feed option, with its fields on the page `/feeds`. */
export type FeedOption<T> = Option<T> & {
  /** True if it selects records. Boards and lists accept only options of this kind. */
  readonly selectsRecords?: boolean
  /**
   * Returns the option's fields in the form on the page `/feeds`, in a language given as a BCP 47
   * tag. Undefined if the page offers the option in another way.
   */
  readonly fields?: (language: string) => readonly SelectField[]
  readonly textField?: (language: string) => TextField
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

export type TextField = {
  readonly label: string
  readonly maxLength: number
  /** True if pages suggest names of places. */
  readonly isPlace?: boolean
  /** Describes the option in a list of selected options. */
  readonly inWords: (text: string) => string
  /** Message for an invalid value. */
  readonly fault: string
}

/**
 * Text of a field, with labels for the default and for other values. Numbers must be in ascending
 * order, because objects order them that way.
 */
type FieldTexts = {
  readonly label: string
  readonly byDefault: string
  readonly others: Readonly<Record<string, string>>
}

export function selectField({ label, byDefault, others }: FieldTexts): SelectField {
  return { label, choices: [['', byDefault], ...Object.entries(others)] }
}

/** Values by name. Their types are only known to the options that parsed them. */
export type OptionValues = Readonly<Record<string, unknown>>

/** Options by value name, in the order of the canonical query string. */
export type OptionSet<Values = OptionValues> = {
  readonly [Name in keyof Values]: Option<Values[Name]>
}

export type FeedOptionSet<Values = OptionValues> = {
  readonly [Name in keyof Values]: FeedOption<Values[Name]>
}

export type ValuesOf<Options extends OptionSet> = {
  readonly [Name in keyof Options]:
    | (Options[Name]['type'] extends ValueType<infer T> ? T : never)
    | Extract<Options[Name]['defaultValue'], undefined>
}

export type ChosenOptions<Values = OptionValues> = {
  readonly values: Values
  /** Canonical query string, identical for equivalent URLs, or an empty string for the defaults. */
  readonly query: string
  /** True if an option with free text has a value. */
  readonly hasText?: boolean
}

export type OptionsReading<Values = OptionValues> =
  | { readonly ok: true; readonly chosen: ChosenOptions<Values> }
  | {
      readonly ok: false
      /** Message for users, in a single sentence. */
      readonly reason: string
    }

/** Reads options from a query string. Ignores other parameters. */
export function readOptions<Options extends OptionSet>(
  options: Options,
  query: URLSearchParams,
): OptionsReading<ValuesOf<Options>> {
  const values: Record<string, unknown> = {}
  for (const [key, { name, type, defaultValue }] of Object.entries<Option<unknown>>(options)) {
    const given = query.getAll(name)
    if (!type.isList && given.length > 1) {
      return { ok: false, reason: `${name} appears more than once.` }
    }
    const texts = type.isList ? given.flatMap((list) => list.split(',')) : given
    values[key] = given.length === 0 ? defaultValue : type.read(texts)
    if (given.length > 0 && values[key] === undefined) {
      return { ok: false, reason: `${name} must be ${type.expected(name, texts)}.` }
    }
  }
  return { ok: true, chosen: chosenFrom(options, values as ValuesOf<Options>) }
}

/** Returns options with the given values, and with defaults for the rest. */
export function chosenFrom<Options extends OptionSet>(
  options: Options,
  given: Partial<ValuesOf<Options>>,
): ChosenOptions<ValuesOf<Options>> {
  const all = Object.entries<Option<unknown>>(options).map(([key, option]) => ({
    key,
    option,
    value: key in given ? given[key] : option.defaultValue,
  }))
  const values = Object.fromEntries(all.map(({ key, value }) => [key, value]))
  const parameters = all.flatMap(({ option, value }) =>
    parameterOf(option, value).map((text) => ({ text, isText: option.isText })),
  )
  const query = parameters.map(({ text }) => text).join('&')
  const hasText = parameters.some(({ isText }) => isText)
  return { values: values as ValuesOf<Options>, query, ...(hasText && { hasText }) }
}

export function noneChosen<Options extends OptionSet>(
  options: Options,
): ChosenOptions<ValuesOf<Options>> {
  return chosenFrom(options, {})
}

/** Returns a parameter with a value's canonical form, or an empty list for the default. */
function parameterOf(
  { name, type, defaultValue }: Option<unknown>,
  value: unknown,
): readonly string[] {
  const textOf = (each: unknown) => (each === undefined ? undefined : type.format(each))
  const text = textOf(value)
  if (text === undefined || text === textOf(defaultValue)) return []
  return [`${name}=${encodeURIComponent(text).replaceAll('%2C', ',').replaceAll('%3A', ':')}`]
}
