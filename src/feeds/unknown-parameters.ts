import { languageParameter } from './feed-options.ts'
import { nearestName } from './nearest-name.ts'

export type UnknownParameter = {
  /** Printable ASCII, shortened. */
  readonly name: string
  /** The option that was probably meant. */
  readonly suggestion: string | undefined
}

/** Parameters that any feed accepts, in addition to its options. */
const general = [languageParameter, 'download']

/**
 * Parameters that are silently ignored, as are numbers. Newsletters and social networks add the
 * first six, and scripts and people add the others to get around a cache.
 */
export const ignoredParameters =
  'utm_* fbclid gclid msclkid mc_cid mc_eid again nocache _ t ts v'.split(' ')

const ignored = new RegExp(`^(?:${ignoredParameters.join('|').replaceAll('*', '.*')}|\\d*)$`)

const maxNames = 5
const maxNameLength = 40

/** Shorter names are too similar to unrelated ones. */
const minSuggestionLength = 3

/** Returns the parameters that are not among a feed's options, at most five. */
export function unknownParameters(
  query: URLSearchParams,
  options: readonly { readonly name: string }[],
): readonly UnknownParameter[] {
  const others = [...query.keys()].filter((name) => !ignored.test(name))
  if (others.length === 0) return []
  const known = [...options.map(({ name }) => name), ...general]
  const names = others
    .filter((name) => !known.includes(name))
    .map((name) =>
      name
        .replace(/[^ -~]/g, '')
        .trim()
        .slice(0, maxNameLength),
    )
    .filter((name) => name !== '')
  return [...new Set(names)].slice(0, maxNames).map((name) => {
    const suggestion = name.length < minSuggestionLength ? undefined : nearestName(name, known, 1)
    return { name, suggestion }
  })
}

/** Returns a list of strings (RFC 9651 3.1), such as `"alram";suggestion="alarm", "foo"`. */
export function unknownParametersValue(parameters: readonly UnknownParameter[]): string {
  return parameters
    .map(({ name, suggestion }) => {
      const text = `"${name.replace(/["\\]/g, '\\$&')}"`
      return suggestion === undefined ? text : `${text};suggestion="${suggestion}"`
    })
    .join(', ')
}
