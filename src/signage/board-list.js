/* Divides a board's list into pages and columns, with the largest type that fits. */
import {
  headingHeight,
  moreHeight,
  rowFormOf,
  rowHeight,
  rowPadding,
  shortenedRows,
  titleSize,
} from './board-row-layout.js'
import { balancedColumns, columnsOf, heightOf, measuredRows } from './board-columns.js'
import { largestSize, largestThatFits, maxBlankShare } from './board-sizes.js'

/** @typedef {import('./board-columns.js').MeasuredRow} MeasuredRow */
/** @typedef {import('./board-rows.js').Row} Row */
/** @typedef {import('./board-row-layout.js').RowForm} RowForm */
/** @typedef {import('./board-sizes.js').Area} Area */
/** @typedef {import('./board-sizes.js').Screen} Screen */
/** @typedef {import('./board-text.js').TextFit} TextFit */

/**
 * @typedef {object} ListPage
 * @property {number} size Type size in pixels.
 * @property {RowForm} form
 * @property {readonly (readonly Row[])[]} columns
 * @property {number} more Number of rows that no page shows; 0 except on the last page.
 */

/** @typedef {{ readonly pages: readonly ListPage[], readonly size: number, readonly blank: number }} List */

/** @typedef {{ readonly screen: Screen, readonly fit: TextFit, readonly maxRows: number | undefined }} ListOptions */

/** With more pages, today's entries would be off the screen for too long. */
const maxPages = 6
const maxColumns = 3
/** Narrower columns would break most titles. */
const minColumnWidth = 19
/** Space between columns in em of the smallest text. */
export const columnGap = 1.5

/**
 * Returns the pages of a list in an area: as few as possible, in as many columns as make the type
 * largest.
 * @param {readonly Row[]} rows
 * @param {Area} area
 * @param {ListOptions} options
 * @returns {List}
 */
export function listIn(rows, area, options) {
  const { smallest } = options.screen
  const most = Math.min(rows.length, options.maxRows ?? Infinity)
  const divisions = []
  for (let count = 1; count <= maxColumns; count += 1) {
    const width = (area.width - (count - 1) * columnGap * smallest) / count
    if (count > 1 && (width / smallest < minColumnWidth || most <= count)) break
    const column = { width, height: area.height }
    divisions.push({ column, drafts: draftsOf(rows, column, { ...options, count }) })
  }
  const fewest = Math.min(...divisions.map(({ drafts }) => lengthOf(drafts)))
  return divisions
    .filter(({ drafts }) => lengthOf(drafts) === fewest)
    .map(({ column, drafts }) => grown(drafts, column, options))
    .reduce((best, list) => (isBetter(list, best, options.screen) ? list : best))
}

/**
 * Returns the number of pages, and adds a share for each row that is not shown.
 * @param {readonly Pick<ListPage, 'more'>[]} pages
 */
export const lengthOf = (pages) => pages.length + (pages.at(-1)?.more ?? 0) / 10

/**
 * @param {List} list
 * @param {List} other
 * @param {Screen} screen
 */
function isBetter(list, other, { height }) {
  const limit = maxBlankShare * height
  const isFull = list.blank <= limit
  if (isFull !== other.blank <= limit) return isFull
  return list.size > other.size
}

/**
 * @param {readonly Row[]} all
 * @param {Area} column
 * @param {ListOptions & { readonly count: number }} options
 * @returns {readonly Draft[]}
 */
function draftsOf(all, column, { screen, fit, maxRows = all.length, count }) {
  const { smallest } = screen
  const inEm = { width: column.width / smallest, height: column.height / smallest }
  const shortened = shortenedRows(all, inEm, fit)
  const rows = measuredRows(shortened, inEm.width, fit)
  const form = rowFormOf(shortened, inEm.width, fit)
  const max = Math.floor(maxRows / count)
  const full = columnsOf(rows, inEm.height, max)
  const pageCount = Math.ceil(full.length / count)
  const isComplete = pageCount <= maxPages
  const columns = isComplete
    ? balancedColumns(rows, inEm.height, { max, columns: pageCount * count })
    : withSpaceBelow(full.slice(0, maxPages * count), inEm, fit)
  const shown = columns.reduce((sum, { length }) => sum + length, 0)
  return Array.from({ length: Math.min(pageCount, maxPages) }, (_, page) => ({
    columns: columns
      .slice(page * count, (page + 1) * count)
      .map((each) => each.map(({ row }) => row)),
    more: page === maxPages - 1 ? rows.length - shown : 0,
    form,
  }))
}

/**
 * Makes space in the last column for the number of rows that are not shown.
 * @param {readonly (readonly MeasuredRow[])[]} columns
 * @param {Area} inEm
 * @param {TextFit} fit
 */
function withSpaceBelow(columns, { width, height }, fit) {
  const room = height - moreHeight
  const last = [...(columns.at(-1) ?? [])]
  while (last.length > 1 && heightOf(last) > room) last.pop()
  const rows = shortenedRows(
    last.map(({ row }) => row),
    { width, height: room },
    fit,
  )
  const shortened = measuredRows(rows, width, fit)
  return [...columns.slice(0, -1), heightOf(shortened) <= room ? shortened : []]
}

/** @typedef {Pick<ListPage, 'columns' | 'more' | 'form'>} Draft A page before its type size is known, in a form that fits at the smallest. */

/**
 * Gives each page the largest type that fits, or all pages the same if that leaves little space blank.
 * @param {readonly Draft[]} drafts
 * @param {Area} column
 * @param {{ readonly screen: Screen, readonly fit: TextFit }} options
 * @returns {List}
 */
function grown(drafts, column, { screen, fit }) {
  const { smallest } = screen
  const maxBlank = maxBlankShare * screen.height
  const sizes = drafts.map((draft) =>
    largestThatFits(smallest, largestSize(screen), (size) => fitsAt(draft, size)),
  )
  const common = Math.min(...sizes)
  const isSame = drafts.every((draft) => blankAt(draft, common) <= maxBlank)
  const pages = drafts.map((draft, index) => {
    const size = isSame ? common : (sizes[index] ?? common)
    return { ...draft, size, form: fillingForm(draft, size) }
  })
  const blank = Math.max(0, ...pages.map((page) => blankAt(page, page.size, page.form)))
  return { pages, size: Math.min(...pages.map(({ size }) => size)), blank }

  /**
   * @param {Draft} draft
   * @param {number} size
   */
  function formAt({ columns }, size) {
    return rowFormOf(columns.flat(), column.width / size, fit)
  }

  /**
   * Returns the form of a page, with notes below titles if they leave too much space blank next to them.
   * @param {Draft} draft
   * @param {number} size
   */
  function fillingForm(draft, size) {
    const form = formAt(draft, size)
    const below = { ...form, isInline: false }
    if (size === smallest && !fitsAt(draft, size, form)) return draft.form
    const isBlank = form.isInline && blankAt(draft, size, form) > maxBlank
    return isBlank && fitsAt(draft, size, below) ? below : form
  }

  /**
   * @param {Draft} draft
   * @param {number} size
   */
  function fitsAt(draft, size, form = formAt(draft, size)) {
    const { columns, more } = draft
    const width = column.width / size
    const longest = columns.flat().map(({ title }) => fit.longestWord(title, true) * titleSize)
    // Words that must be broken at the smallest size do not limit the size.
    const limit = longest.filter((word) => word <= column.width / smallest / 2)
    if (Math.max(0, ...limit) > form.textWidth) return false
    return columns.every((rows, index) => {
      const isLast = index === columns.length - 1
      const height = heightAt(rows, form, width) + (isLast && more > 0 ? moreHeight : 0)
      return height * size <= column.height
    })
  }

  /**
   * @param {readonly Row[]} rows
   * @param {RowForm} form
   * @param {number} width
   */
  function heightAt(rows, form, width) {
    return rows.reduce((sum, row, index) => {
      const isNew = rows[index - 1]?.heading !== row.heading
      const heading = isNew ? headingHeight(row.heading, width, fit) : 0
      return sum + heading + rowHeight(row, form, fit)
    }, 0)
  }

  /**
   * Returns the largest space between the texts of two rows.
   * @param {Draft} draft
   * @param {number} size
   */
  function blankAt(draft, size, form = formAt(draft, size)) {
    const { columns } = draft
    const width = column.width / size
    const blanks = columns.map(
      (rows) => (column.height - heightAt(rows, form, width) * size) / rows.length,
    )
    return Math.max(0, ...blanks) + rowPadding * size
  }
}
