/* Divides the rows of a board's list into columns. */
import { headingHeight, rowFormOf, rowHeight } from './board-row-layout.js'

/** @typedef {import('./board-rows.js').Row} Row */
/** @typedef {import('./board-text.js').TextFit} TextFit */

/** @typedef {{ readonly row: Row, readonly height: number, readonly heading: number }} MeasuredRow Heights in em. */

/**
 * @param {readonly Row[]} rows
 * @param {number} width
 * @param {TextFit} fit
 * @returns {readonly MeasuredRow[]}
 */
export function measuredRows(rows, width, fit) {
  const form = rowFormOf(rows, width, fit)
  return rows.map((row) => ({
    row,
    height: rowHeight(row, form, fit),
    heading: headingHeight(row.heading, width, fit),
  }))
}

/** @param {readonly MeasuredRow[]} rows */
export function heightOf(rows) {
  return rows.reduce((sum, { row, height, heading }, index) => {
    const isNew = rows[index - 1]?.row.heading !== row.heading
    return sum + height + (isNew ? heading : 0)
  }, 0)
}

/**
 * Divides rows into columns that fit.
 * @param {readonly MeasuredRow[]} rows
 * @param {number} height
 * @param {number} max Maximum number of rows in a column.
 */
export function columnsOf(rows, height, max) {
  /** @type {MeasuredRow[][]} */
  const columns = []
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

/**
 * Divides rows into a number of columns of similar heights.
 * @param {readonly MeasuredRow[]} rows
 * @param {number} height
 * @param {{ readonly max: number, readonly columns: number }} limits
 */
export function balancedColumns(rows, height, { max, columns }) {
  let low = 0
  let high = height
  for (let step = 0; step < balancingSteps; step += 1) {
    const middle = (low + high) / 2
    if (columnsOf(rows, middle, max).length <= columns) high = middle
    else low = middle
  }
  return columnsOf(rows, high, max)
}

const balancingSteps = 12
