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
  let isPlain = true
  for (const [key, { name, type }] of Object.entries<Option<unknown>>(options)) {
    const given = query.getAll(name)
    if (given.length === 0) continue
    if (!type.isList && given.length > 1) {
      return { ok: false, reason: `${name} appears more than once.` }
    }
    const texts = type.isList ? given.flatMap((list) => list.split(',')) : given
    values[key] = type.read(texts)
    if (values[key] === undefined) {
      return { ok: false, reason: `${name} must be ${type.expected(name, texts)}.` }
    }
    isPlain = false
  }
  const chosen = isPlain ? noneChosen(options) : chosenFrom(options, values as ValuesOf<Options>)
  return { ok: true, chosen }
}

/** Returns options with the given values, and with defaults for the rest. */
export function chosenFrom<Options extends OptionSet>(
  options: Options,
  given: Partial<ValuesOf<Options>>,
): ChosenOptions<ValuesOf<Options>> {
  const values: Record<string, unknown> = {}
  const parameters: string[] = []
  let hasText = false
  for (const [key, option] of Object.entries<Option<unknown>>(options)) {
    const value = key in given ? given[key] : option.defaultValue
    values[key] = value
    const parameter = parameterOf(option, value)
    if (parameter === undefined) continue
    parameters.push(parameter)
    hasText ||= option.isText === true
  }
  const query = parameters.join('&')
  return { values: values as ValuesOf<Options>, query, ...(hasText && { hasText }) }
}

const defaultsOf = new WeakMap<OptionSet, ChosenOptions>()

/** Returns the defaults, always as the same object. */
export function noneChosen<Options extends OptionSet>(
  options: Options,
): ChosenOptions<ValuesOf<Options>> {
  const defaults = defaultsOf.get(options) ?? chosenFrom(options, {})
  defaultsOf.set(options, defaults)
  return defaults as ChosenOptions<ValuesOf<Options>>
}

/** Returns a parameter with a value's canonical form, or undefined for the default. */
function parameterOf(
  { name, type, defaultValue }: Option<unknown>,
  value: unknown,
): string | undefined {
  if (value === undefined || value === defaultValue) return undefined
  const text = type.format(value)
  if (defaultValue !== undefined && text === type.format(defaultValue)) return undefined
  return `${name}=${encodeURIComponent(text).replaceAll('%2C', ',').replaceAll('%3A', ':')}`
}
