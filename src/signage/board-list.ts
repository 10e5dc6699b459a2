/* Divides a board's list into pages and columns, with the largest type that fits. */
import {
  headingHeight,
  moreHeight,
  rowFormOf,
  rowHeight,
  rowPadding,
  shortenedRows,
  titleSize,
  type Row,
  type RowForm,
} from './board-rows.ts'
import {
  largestSize,
  largestThatFits,
  maxBlankShare,
  type Area,
  type Screen,
} from './board-sizes.ts'
import type { TextFit } from './board-text.ts'

export type ListPage = {
  /** Type size in pixels. */
  readonly size: number
  readonly form: RowForm
  readonly columns: readonly (readonly Row[])[]
  /** Number of rows that no page shows; 0 except on the last page. */
  readonly more: number
}

export type List = {
  readonly pages: readonly ListPage[]
  readonly size: number
  readonly blank: number
}

export type ListOptions = {
  readonly screen: Screen
  readonly fit: TextFit
  readonly maxRows: number | undefined
  readonly maxPages?: number
  /**
   * Words that take up more than this share of the column at the smallest size may be broken in
   * larger type.
   */
  readonly maxWordShare?: number
}

/** With more pages, today's entries would be off the screen for too long. */
const mostPages = 6
const maxColumns = 3
/** Narrower columns would break most titles. */
const minColumnWidth = 19
/** Space between columns, in ems of the smallest text. `board.css` has the same value. */
export const columnGap = 1.5

/**
 * Returns the pages of a list in an area: as few as possible, with the number of columns that
 * allows the largest type.
 */
export function listIn(rows: readonly Row[], area: Area, options: ListOptions): List {
  const { smallest } = options.screen
  const most = Math.min(rows.length, options.maxRows ?? Infinity)
  const divisions = []
  for (let count = 1; count <= maxColumns; count += 1) {
    const width = (area.width - (count - 1) * columnGap * smallest) / count
    if (count > 1 && (width / smallest < minColumnWidth || most <= count)) break
    const column = { width, height: area.height }
    divisions.push({ column, drafts: draftsOf(rows, column, count, options) })
  }
  const fewest = Math.min(...divisions.map(({ drafts }) => lengthOf(drafts)))
  return divisions
    .filter(({ drafts }) => lengthOf(drafts) === fewest)
    .map(({ column, drafts }) => grown(drafts, column, options))
    .reduce((best, list) => (isBetter(list, best, options.screen) ? list : best))
}

/** Returns the number of pages, and adds a share for each row that is not shown. */
export const lengthOf = (pages: readonly { more: number }[]): number =>
  pages.length + (pages.at(-1)?.more ?? 0) / 10

function isBetter(list: List, other: List, { height }: Screen): boolean {
  const limit = maxBlankShare * height
  const isFull = list.blank <= limit
  if (isFull !== other.blank <= limit) return isFull
  return list.size > other.size
}

/**
 * A page before its type size is known, in a form that fits at the smallest size. `whole` has the
 * same rows with texts that are not shortened.
 */
export type Draft = Omit<ListPage, 'size'> & { readonly whole: ListPage['columns'] }

function draftsOf(
  all: readonly Row[],
  column: Area,
  count: number,
  options: ListOptions,
): readonly Draft[] {
  const { screen, fit, maxRows = all.length, maxPages = mostPages } = options
  const { smallest } = screen
  const inEm = { width: column.width / smallest, height: column.height / smallest }
  const shortened = shortenedRows(all, inEm, fit)
  const form = rowFormOf(shortened, inEm.width, fit)
  const rows = measuredRows(shortened, form, inEm.width, fit)
  const wholeOf = new Map(shortened.map((row, index) => [row, all[index] ?? row]))
  const max = Math.floor(maxRows / count)
  const full = columnsOf(rows, inEm.height, max)
  const pageCount = Math.ceil(full.length / count)
  const columns =
    pageCount <= maxPages
      ? balancedColumns(rows, inEm.height, max, pageCount * count)
      : withSpaceBelow(full.slice(0, maxPages * count), inEm, fit)
  const shown = columns.reduce((sum, { length }) => sum + length, 0)
  return Array.from({ length: Math.min(pageCount, maxPages) }, (_, page) => {
    const measured = columns.slice(page * count, (page + 1) * count)
    return {
      columns: measured.map((each) => each.map(({ row }) => row)),
      whole: measured.map((each) => each.map(({ row }) => wholeOf.get(row) ?? row)),
      more: page === maxPages - 1 ? rows.length - shown : 0,
      form,
    }
  })
}

/** Heights in em. */
export type MeasuredRow = { readonly row: Row; readonly height: number; readonly heading: number }

function measuredRows(
  rows: readonly Row[],
  form: RowForm,
  width: number,
  fit: TextFit,
): readonly MeasuredRow[] {
  return rows.map((row) => ({
    row,
    height: rowHeight(row, form, fit),
    heading: headingHeight(row.heading, width, fit),
  }))
}

/** Returns the height of rows in one column, with their headings. */
function heightOf(rows: readonly MeasuredRow[]): number {
  return rows.reduce((sum, { row, height, heading }, index) => {
    const isNew = rows[index - 1]?.row.heading !== row.heading
    return sum + (isNew ? heading : 0) + height
  }, 0)
}

/** Divides rows into columns that fit, with at most `max` rows each. */
function columnsOf(rows: readonly MeasuredRow[], height: number, max: number): MeasuredRow[][] {
  const columns: MeasuredRow[][] = []
  let used = 0
  for (const each of rows) {
    const column = columns.at(-1)
    const isNew = column?.at(-1)?.row.heading !== each.row.heading
    const added = each.height + (isNew ? each.heading : 0)
    if (column && column.length < max && used + added <= height) {
      column.push(each)
      used += added
    } else {
      columns.push([each])
      used = each.height + each.heading
    }
  }
  return columns
}

const balancingSteps = 12

/** Divides rows into a number of columns of similar heights. */
function balancedColumns(
  rows: readonly MeasuredRow[],
  height: number,
  max: number,
  count: number,
): MeasuredRow[][] {
  let low = 0
  let high = height
  for (let step = 0; step < balancingSteps; step += 1) {
    const middle = (low + high) / 2
    if (columnsOf(rows, middle, max).length <= count) high = middle
    else low = middle
  }
  return columnsOf(rows, high, max)
}

/** Makes space in the last column for the number of rows that are not shown. */
function withSpaceBelow(
  columns: MeasuredRow[][],
  { width, height }: Area,
  fit: TextFit,
): readonly (readonly MeasuredRow[])[] {
  const room = height - moreHeight
  const last = [...(columns.at(-1) ?? [])]
  while (last.length > 1 && heightOf(last) > room) last.pop()
  const unmeasured = last.map(({ row }) => row)
  const rows = shortenedRows(unmeasured, { width, height: room }, fit)
  const shortened = measuredRows(rows, rowFormOf(rows, width, fit), width, fit)
  return [...columns.slice(0, -1), heightOf(shortened) <= room ? shortened : []]
}

/**
 * Gives each page the largest type that fits, or the same type for all pages if that leaves little
 * blank space.
 */
function grown(
  drafts: readonly Draft[],
  column: Area,
  { screen, fit, maxWordShare = 0.5 }: ListOptions,
): List {
  const { smallest } = screen
  const maxBlank = maxBlankShare * screen.height
  const sizes = drafts.map((draft) =>
    largestThatFits(smallest, largestSize(screen), (size) => fitsAt(draft, size)),
  )
  const common = Math.min(...sizes)
  const isSame = drafts.every((draft) => blankAt(draft, common) <= maxBlank)
  const pages = drafts.map((draft, index) => {
    const size = isSame ? common : (sizes[index] ?? common)
    const page = { ...draft, size, form: fillingForm(draft, size) }
    const whole = { ...page, columns: draft.whole }
    const isBlank = blankAt(page, size, page.form) > maxBlank
    return isBlank && fitsAt(whole, size, page.form) ? whole : page
  })
  const blank = Math.max(0, ...pages.map((page) => blankAt(page, page.size, page.form)))
  return { pages, size: Math.min(...pages.map(({ size }) => size)), blank }

  function formAt({ columns }: Draft, size: number): RowForm {
    return rowFormOf(columns.flat(), column.width / size, fit)
  }

  /**
   * Returns the form of a page, with notes below titles if they would leave too much blank space
   * next to them.
   */
  function fillingForm(draft: Draft, size: number): RowForm {
    const form = formAt(draft, size)
    const below = { ...form, isInline: false }
    if (size === smallest && !fitsAt(draft, size, form)) return draft.form
    const isBlank = form.isInline && blankAt(draft, size, form) > maxBlank
    return isBlank && fitsAt(draft, size, below) ? below : form
  }

  function fitsAt(draft: Draft, size: number, form = formAt(draft, size)): boolean {
    const { columns, more } = draft
    const longest = columns.flat().map(({ title }) => fit.longestWord(title, true) * titleSize)
    const limit = longest.filter((word) => word <= (column.width / smallest) * maxWordShare)
    if (Math.max(0, ...limit) > form.textWidth) return false
    return columns.every((rows, index) => {
      const isLast = index === columns.length - 1
      const height = heightAt(rows, form, size) + (isLast && more > 0 ? moreHeight : 0)
      return height * size <= column.height
    })
  }

  function heightAt(rows: readonly Row[], form: RowForm, size: number): number {
    return heightOf(measuredRows(rows, form, column.width / size, fit))
  }

  /** Returns the largest gap between the texts of two rows. */
  function blankAt(draft: Draft, size: number, form = formAt(draft, size)): number {
    const blanks = draft.columns.map(
      (rows) => (column.height - heightAt(rows, form, size) * size) / rows.length,
    )
    return Math.max(0, ...blanks) + rowPadding * size
  }
}
