/** Maximum value for `MaxRows` in the specification. */
export const maxRows = 1000

/** More records than this that are too large alone are a fault of the whole collection. */
const maxOversized = 5

/** A page below this share of the largest possible response allows twice as many rows. */
const smallShare = 0.25

/** A range of rows that does not fit into one response. */
type Search = {
  readonly lastRow: number
  /** Number of rows to request next. */
  readonly rows: number
}

export type PageSizes = {
  /** Starts a reading. The last range of the previous one may have ended at its last record. */
  readonly start: () => void
  readonly rowsFrom: (startRow: number) => number
  /** Records a page of `count` rows that used the given share of the largest possible response. */
  readonly fits: (startRow: number, count: number, share: number) => void
  /**
   * Records that the rows from `startRow` were too large. Returns true if this was a single record,
   * which has to be left out, or undefined if there are too many of these.
   */
  readonly isOversized: (startRow: number) => boolean | undefined
}

/**
 * Decides how many rows of a collection to request, so that each response stays below the limit.
 * Halves a range that is too large until it fits, or until a single record is too large. Remembers
 * both for the next reading.
 */
export function createPageSizes(): PageSizes {
  let usual = maxRows
  let search: Search | undefined
  /** Rows that are requested alone, because they or the rows before them were too large. */
  const alone = new Set<number>()
  /** Rows that are left out of this reading. */
  const omitted = new Set<number>()

  function rowsFrom(startRow: number): number {
    if (alone.has(startRow)) return 1
    const wanted = search ? Math.min(search.rows, search.lastRow - startRow + 1) : usual
    const nextAlone = Math.min(...[...alone].filter((row) => row > startRow))
    return Math.min(wanted, nextAlone - startRow)
  }

  return {
    start() {
      if (search) usual = search.rows
      search = undefined
      omitted.clear()
    },
    rowsFrom,
    fits(startRow, count, share) {
      if (alone.delete(startRow)) return
      if (search && startRow + count > search.lastRow) {
        // The rows together were too large, and none of them alone.
        usual = search.rows
        search = undefined
      } else if (!search && share < smallShare) usual = Math.min(maxRows, usual * 2)
    },
    isOversized(startRow) {
      const rows = rowsFrom(startRow)
      if (rows > 1) {
        search = { lastRow: startRow + rows - 1, rows: Math.ceil(rows / 2) }
        return false
      }
      search = undefined
      omitted.add(startRow)
      // A website that ignores the number of rows is recognized at the next row.
      alone.add(startRow).add(startRow + 1)
      return omitted.size > maxOversized ? undefined : true
    },
  }
}
