/** One kind of value of an option: how its text is read and written, and how its values are described. */
export type ValueType<T> = {
  /** Whether the values of a repeated parameter, or of one with commas, are joined in one list. */
  readonly isList?: boolean
  /** Undefined for texts that are invalid. Gets one text, or all of a list. */
  read(texts: readonly string[]): T | undefined
  /** Canonical text: the same for all texts that mean the same. */
  format(value: T): string
  /** Ends the sentence "NAME must be ...". */
  expected(name: string, texts: readonly string[]): string
  /** The values in a few words, as Markdown. */
  readonly documented: string
}

/** One option of an address. Parsing, the canonical query string and the message of a 400 derive from it. */
export type Option<T> = {
  /** Name of its parameter. */
  readonly name: string
  readonly type: ValueType<Exclude<T, undefined>>
  /** Its value in an address without it; never part of a canonical query string. */
  readonly defaultValue: T
}

/** Options by the name of their value. Their order is the order in the canonical query string. */
export type OptionSet<Values> = { readonly [Name in keyof Values]: Option<Values[Name]> }

/** Values by name, of which only the options that they were read by know the types. */
export type OptionValues = Readonly<Record<string, unknown>>

/** The options that an address chooses, as data that can be sent to another thread. */
export type ChosenOptions<Values = OptionValues> = {
  readonly values: Values
  /** Canonical query string: the same for all addresses that mean the same; empty for the defaults. */
  readonly query: string
}

export type OptionsReading<Values = OptionValues> =
  | { readonly ok: true; readonly chosen: ChosenOptions<Values> }
  | {
      readonly ok: false
      /** One plain sentence. */
      readonly reason: string
    }

/** Reads these options from a query string. Other parameters are ignored. */
export function readOptions<Values extends OptionValues>(
  options: OptionSet<Values>,
  query: URLSearchParams,
): OptionsReading<Values> {
  const values: Record<string, unknown> = {}
  for (const [key, option] of Object.entries<Option<unknown>>(options)) {
    const reading = readOption(option, query)
    if ('fault' in reading) return { ok: false, reason: reading.fault }
    values[key] = reading.value
  }
  return { ok: true, chosen: chosenFrom(options, values as Values) }
}

/** Returns the options with these values, and defaults for the others. */
export function chosenFrom<Values extends OptionValues>(
  options: OptionSet<Values>,
  given: Partial<Values>,
): ChosenOptions<Values> {
  const all = Object.entries<Option<unknown>>(options).map(([key, option]) => ({
    key,
    option,
    value: key in given ? given[key] : option.defaultValue,
  }))
  const parameters = all.flatMap(({ option, value }) => {
    const text = canonicalText(option, value)
    return text === undefined ? [] : [`${option.name}=${encoded(text)}`]
  })
  const values = Object.fromEntries(all.map(({ key, value }) => [key, value]))
  return { values: values as Values, query: parameters.join('&') }
}

/** Returns the options of a URL that has none. */
export function noneChosen<Values extends OptionValues>(
  options: OptionSet<Values>,
): ChosenOptions<Values> {
  return chosenFrom(options, {})
}

function readOption(
  { name, type, defaultValue }: Option<unknown>,
  query: URLSearchParams,
): { readonly value: unknown } | { readonly fault: string } {
  const given = query.getAll(name)
  if (given.length === 0) return { value: defaultValue }
  if (!type.isList && given.length > 1) return { fault: `${name} is given more than once.` }
  const texts = type.isList ? given.flatMap((list) => list.split(',')) : given
  const value = type.read(texts)
  return value === undefined
    ? { fault: `${name} must be ${type.expected(name, texts)}.` }
    : { value }
}

/** Undefined for the default. */
function canonicalText(
  { type, defaultValue }: Option<unknown>,
  value: unknown,
): string | undefined {
  const textOf = (each: unknown) => (each === undefined ? undefined : type.format(each))
  const text = textOf(value)
  return text === textOf(defaultValue) ? undefined : text
}

function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll('%2C', ',')
}
