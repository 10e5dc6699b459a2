/* How much space the rows of a board's list take. */
import { timeText, untilText } from './board-rows.js'
import { shortenedToFit } from './board-text.js'

/** @typedef {import('./board-rows.js').Note} Note */
/** @typedef {import('./board-rows.js').Row} Row */
/** @typedef {import('./board-text.js').TextFit} TextFit */

/** Text sizes and spaces in em of the smallest text. `board.css` has the same values. */
export const titleSize = 1.2
const titleLine = 1.2 * titleSize
const noteLine = 1.3
export const rowPadding = 0.5
const barWidth = 0.8
const timeGap = 0.8
const noteGap = 1.2
const headingLine = 1.3
const headingPadding = 0.45
export const moreHeight = 1.6

/** Columns that are narrower than this show times above titles. */
const stackedWidth = 17
/** Columns that are wider than this show notes next to titles if there is room. */
const inlineWidth = 30
/** Share of a column's width up to which a start and an end are in one line. */
const maxTimeShare = 0.27
/** Narrower titles and notes go below times. */
const minTextWidth = 14
const maxTitleLines = 2
const maxNoteLines = 2

/** @param {readonly Note[]} notes */
export const textOfNotes = (notes) => notes.map(({ text }) => text).join(' · ')

/**
 * How rows are arranged in a column.
 * @typedef {object} RowForm
 * @property {boolean} isStacked True for times above titles.
 * @property {boolean} isInline True for notes next to titles where there is room.
 * @property {boolean} isTimeSplit True for a start and an end in two lines.
 * @property {number} timeWidth Width of the times; 0 if they have no column.
 * @property {number} textWidth Width of titles and notes.
 * @property {number} fullWidth Width of titles and notes of rows without times.
 */

/**
 * @param {readonly Row[]} rows
 * @param {number} width Width of the column in em.
 * @param {TextFit} fit
 * @returns {RowForm}
 */
export function rowFormOf(rows, width, fit) {
  /** @param {(row: Row) => string} textOf */
  const widest = (textOf) =>
    rows.reduce((most, row) => Math.max(most, fit.width(textOf(row)) * titleSize), 0)
  const oneLine = widest(timeText)
  const isTimeSplit = oneLine > maxTimeShare * width
  const timeWidth = isTimeSplit
    ? Math.max(
        widest(({ from }) => from),
        widest(({ until }) => untilText(until)),
      )
    : oneLine
  const fullWidth = width - barWidth
  const besideWidth = fullWidth - timeWidth - timeGap
  const words = rows.map(({ title }) => fit.longestWord(title, true) * titleSize)
  // Times are above titles, too, if a word would have to be broken next to them.
  const isWordTooLong = words.some((word) => word > besideWidth && word <= fullWidth)
  const isStacked = width < stackedWidth || besideWidth < minTextWidth || isWordTooLong
  if (isStacked || timeWidth === 0) {
    return {
      isStacked,
      isInline: width >= inlineWidth,
      isTimeSplit: false,
      timeWidth: 0,
      textWidth: fullWidth,
      fullWidth,
    }
  }
  const isInline = width >= inlineWidth
  return { isStacked, isInline, isTimeSplit, timeWidth, textWidth: besideWidth, fullWidth }
}

/**
 * Returns the width of a row's title and notes.
 * @param {Row} row
 * @param {RowForm} form
 */
const widthOf = (row, { textWidth, fullWidth }) => (timeText(row) === '' ? fullWidth : textWidth)

/**
 * Returns a row's height in em.
 * @param {Row} row
 * @param {RowForm} form
 * @param {TextFit} fit
 */
export function rowHeight(row, form, fit) {
  const { isStacked, isInline, isTimeSplit } = form
  const { title, notes } = row
  const textWidth = widthOf(row, form)
  const noteText = textOfNotes(notes)
  const isBold = notes.some(({ tone }) => tone !== '')
  const titleWidth = fit.width(title, true) * titleSize
  const isOneLine = isInline && titleWidth + noteGap + fit.width(noteText, isBold) <= textWidth
  const titleLines = fit.lines(title, textWidth / titleSize, true)
  const noteLines = noteText === '' || isOneLine ? 0 : fit.lines(noteText, textWidth, isBold)
  const text = titleLines * titleLine + noteLines * noteLine
  const time = timeText(row)
  if (isStacked) {
    const timeLines = time === '' ? 0 : fit.lines(time, textWidth / titleSize)
    return rowPadding + timeLines * titleLine + text
  }
  const timeLines = isTimeSplit && row.from !== '' && row.until !== '' ? 2 : 1
  return rowPadding + Math.max(text, time === '' ? 0 : timeLines * titleLine)
}

/**
 * @param {string} heading
 * @param {number} width
 * @param {TextFit} fit
 */
export function headingHeight(heading, width, fit) {
  return heading === '' ? 0 : headingPadding + fit.lines(heading, width, true) * headingLine
}

/**
 * Shortens long titles and notes, so that each row fits into a column with its heading.
 * @param {readonly Row[]} rows
 * @param {{ readonly width: number, readonly height: number }} column In em.
 * @param {TextFit} fit
 * @returns {readonly Row[]}
 */
export function shortenedRows(rows, { width, height }, fit) {
  const form = rowFormOf(rows, width, fit)
  return rows.map((row) => {
    const lines = maxTitleLines + (form.isStacked ? 1 : 0)
    const textWidth = widthOf(row, form)
    const title = shortenedToFit(
      row.title,
      (text) => fit.lines(text, textWidth / titleSize, true) <= lines,
    )
    const notes = shortenedNotes(
      row.notes,
      (text) => fit.lines(text, textWidth, true) <= maxNoteLines,
    )
    const heading = headingHeight(row.heading, width, fit)
    const fitsWith = (/** @type {Partial<Row>} */ part) =>
      heading + rowHeight({ ...row, title, notes, ...part }, form, fit) <= height
    if (fitsWith({})) return { ...row, title, notes }
    const short = shortenedToFit(title, (text) => fitsWith({ title: text, notes: [] }))
    return { ...row, title: short, notes: [] }
  })
}

/**
 * Shortens the last note, or drops notes from the end.
 * @param {readonly Note[]} notes
 * @param {(text: string) => boolean} fits
 * @returns {readonly Note[]}
 */
function shortenedNotes(notes, fits) {
  const last = notes.at(-1)
  if (!last || fits(textOfNotes(notes))) return notes
  const others = notes.slice(0, -1)
  /** @param {string} text */
  const withLast = (text) => [...others, { ...last, text }]
  const text = shortenedToFit(last.text, (start) => fits(textOfNotes(withLast(start))))
  const shortened = withLast(text)
  return fits(textOfNotes(shortened)) ? shortened : shortenedNotes(others, fits)
}
