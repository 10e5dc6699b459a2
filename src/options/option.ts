/** Type of an option's value, with its parser, formatter and descriptions. */
export type ValueType<T> = {
  /** True if repeated parameters and comma-separated values form one list. */
  readonly isList?: boolean
  /** Parses a value, or all items in a list; returns undefined if invalid. */
  read(texts: readonly string[]): T | undefined
  /** Returns the canonical form, identical for equivalent inputs. */
  format(value: T): string
  /** Completes the sentence "NAME must be ...". */
  expected(name: string, texts: readonly string[]): string
  /** Short description of valid values, as Markdown. */
  readonly documented: string
}

/**
 * Option in a URL. Defines parsing, the canonical query string and the message in a 400 response.
 */
export type Option<T> = {
  /** Name of the query parameter. */
  readonly name: string
  readonly type: ValueType<Exclude<T, undefined>>
  /** Value if the URL lacks the parameter. It is never part of a canonical query string. */
  readonly defaultValue: T
}

/** Options by value name, in the order of the canonical query string. */
export type OptionSet<Values> = { readonly [Name in keyof Values]: Option<Values[Name]> }

/** Values by name. Their types are only known to the options that parsed them. */
export type OptionValues = Readonly<Record<string, unknown>>

/** Option values from a URL, as data that can be sent to another thread. */
export type ChosenOptions<Values = OptionValues> = {
  readonly values: Values
  /** Canonical query string, identical for equivalent URLs; empty for the defaults. */
  readonly query: string
}

export type OptionsReading<Values = OptionValues> =
  | { readonly ok: true; readonly chosen: ChosenOptions<Values> }
  | {
      readonly ok: false
      /** Message for users, in a single sentence. */
      readonly reason: string
    }

/** Reads options from a query string. Ignores other parameters. */
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

/** Returns options with the given values, and with defaults for the rest. */
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

/** Returns the default options. */
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
  if (!type.isList && given.length > 1) return { fault: `${name} appears more than once.` }
  const texts = type.isList ? given.flatMap((list) => list.split(',')) : given
  const value = type.read(texts)
  return value === undefined
    ? { fault: `${name} must be ${type.expected(name, texts)}.` }
    : { value }
}

/** Returns a value's canonical form; undefined for the default. */
function canonicalText(
  { type, defaultValue }: Option<unknown>,
  value: unknown,
): string | undefined {
  const textOf = (each: unknown) => (each === undefined ? undefined : type.format(each))
  const text = textOf(value)
  return text === textOf(defaultValue) ? undefined : text
}

function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll('%2C', ',').replaceAll('%3A', ':')
}
