/** Maximum edit distance for a suggestion. */
const maxDifference = 2

/** Names shorter than this may differ by only one edit, because short names resemble each other. */
const minLengthForMore = 5

/** Returns the known name that is closest to a misspelled one, ignoring case, if any is close. */
export function nearestName(
  name: string,
  known: readonly string[],
  limit = maxDifference,
): string | undefined {
  const max = name.length < minLengthForMore ? 1 : limit
  const [nearest] = known
    .filter((each) => Math.abs(each.length - name.length) <= max)
    .map((each) => ({ each, difference: difference(name.toLowerCase(), each.toLowerCase(), max) }))
    .filter((candidate) => candidate.difference <= max)
    .sort((a, b) => a.difference - b.difference)
  return nearest?.each
}

/** Returns the restricted Damerau-Levenshtein distance, or any number above `max` if it exceeds `max`. */
function difference(a: string, b: string, max: number): number {
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
    // Longer prefixes differ by at least as much.
    if (Math.min(...(rows[row] ?? [])) > max) return Infinity
  }
  return at(a.length, b.length)
}
