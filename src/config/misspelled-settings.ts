/** Maximum edit distance for a suggestion, which must also have the same number of words. */
const maxDifference = 2

/**
 * Minimum length of a name, because short names can resemble unrelated ones, as HOME resembles
 * HOST.
 */
const minLength = 8

/** Prefixes that variables for other programs are unlikely to have. */
const ownPrefixes = ['SITE_', 'CALLS_', 'PUBLIC_', 'FRESH_', 'WEBSUB_']

/**
 * Returns a sentence for each unknown name in a `.env` file that resembles a setting. Any other name is
 * assumed to belong to another program, such as Docker Compose.
 */
export function misspelledInFile(
  names: readonly string[],
  known: readonly string[],
): readonly string[] {
  return names.flatMap((name) => {
    if (known.includes(name)) return []
    const meant = similarSetting(name, known)
    if (meant !== undefined) return [suggestionFor(name, meant)]
    const prefix = ownPrefixes.find((each) => name.startsWith(each))
    const others = known.filter((each) => prefix !== undefined && each.startsWith(prefix))
    return others.length === 0 ? [] : [suggestionFor(name, others.join(' or '))]
  })
}

/** Returns a sentence for each name in the environment that is probably a misspelled setting. */
export function misspelledInEnvironment(
  names: readonly string[],
  known: readonly string[],
): readonly string[] {
  return names.flatMap((name) => {
    const meant = known.includes(name) ? undefined : similarSetting(name, known)
    return meant === undefined ? [] : [suggestionFor(name, meant)]
  })
}

function suggestionFor(name: string, meant: string): string {
  return `Unknown setting ${name}; did you mean ${meant}?`
}

/** Returns the closest known name within the allowed distance. */
function similarSetting(name: string, known: readonly string[]): string | undefined {
  if (name.length < minLength - maxDifference) return undefined
  const [nearest] = known
    .filter((setting) => setting.length >= minLength)
    .map((setting) => ({ setting, difference: difference(name.toUpperCase(), setting) }))
    .filter((each) => each.difference <= maxDifference)
    .sort((a, b) => a.difference - b.difference)
  return nearest?.setting
}

/** Returns the restricted Damerau-Levenshtein distance. */
function difference(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)]
  const at = (row: number, column: number) => rows[row]?.[column] ?? Infinity
  for (let row = 1; row <= a.length; row += 1) {
    rows.push([row])
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1]
      const isSwapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      rows[row]?.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + (isSame ? 0 : 1),
          isSwapped ? at(row - 2, column - 2) + 1 : Infinity,
        ),
      )
    }
  }
  return at(a.length, b.length)
}
