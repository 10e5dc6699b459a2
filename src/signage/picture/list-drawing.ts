import { columnGap, type ListPage } from '../board-list.ts'
import {
  barWidth,
  headingHeight,
  headingLine,
  headingPadding,
  isOnOneLine,
  moreHeight,
  noteLine,
  rowHeight,
  rowPadding,
  timeGap,
  timeText,
  titleLine,
  titleSize,
  widthOf,
  type Note,
  type Row,
} from '../board-rows.ts'
import type { Canvas, Run } from './canvas.ts'

export type Box = {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** Largest space that is added below an entry, in em. */
const maxSpace = 0.7

/** Thickness of a calendar's bar in em. */
const barThickness = 0.3

export type ListOptions = {
  /** Size of the smallest text. */
  readonly smallest: number
  readonly moreText: (count: number) => string
}

export function drawList(
  canvas: Canvas,
  { size, form, columns, more }: ListPage,
  box: Box,
  { smallest, moreText }: ListOptions,
): void {
  const gap = columnGap * smallest
  const width = (box.width - (columns.length - 1) * gap) / columns.length
  for (const [index, rows] of columns.entries()) {
    const x = box.left + index * (width + gap)
    const isLast = index === columns.length - 1
    const rest = isLast && more > 0 ? moreText(more) : ''
    const column = { x, y: box.top, width, height: box.height }
    drawColumn(canvas, rows, column, { size, form, rest })
  }
}

type Column = {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

type ListForm = { readonly size: number; readonly form: ListPage['form'] }

function drawColumn(
  canvas: Canvas,
  rows: readonly Row[],
  column: Column,
  { size, form, rest }: ListForm & { readonly rest: string },
): void {
  const { fit, inks } = canvas
  const inEm = column.width / size
  const isNew = (row: Row, index: number) =>
    row.heading !== '' && rows[index - 1]?.heading !== row.heading
  const heights = rows.map((row, index) => ({
    heading: isNew(row, index) ? headingHeight(row.heading, inEm, fit) * size : 0,
    row: rowHeight(row, form, fit) * size,
  }))
  const used = heights.reduce((sum, { heading, row }) => sum + heading + row, 0)
  const below = rest === '' ? 0 : moreHeight * size
  const space = Math.min(maxSpace * size, (column.height - used - below) / (rows.length || 1))
  let y = column.y
  for (const [index, row] of rows.entries()) {
    const { heading = 0, row: height = 0 } = heights[index] ?? {}
    if (heading > 0) drawHeading(canvas, row.heading, { ...column, y }, size)
    y += heading
    drawRow(canvas, row, { x: column.x, y, width: column.width }, { size, form })
    y += height + Math.max(0, space)
  }
  if (rest !== '') {
    canvas.text(rest, column.x, y, below, { size, isBold: true, color: inks.text })
  }
}

function drawHeading(canvas: Canvas, heading: string, column: Column, size: number): void {
  const top = column.y + headingPadding * size * 0.4
  const end = canvas.paragraph(heading, { ...column, y: top }, headingLine * size, {
    size,
    isBold: true,
    color: canvas.inks.accent,
  })
  canvas.rect(column.x, end, column.width, Math.max(2, size * 0.1), canvas.inks.accent)
}

/** Draws an entry: its calendar's color, its times in a column, its title and its notes. */
function drawRow(
  canvas: Canvas,
  row: Row,
  { x, y, width }: Omit<Column, 'height'>,
  { size, form }: ListForm,
): void {
  const { inks, fit } = canvas
  const top = y + (rowPadding / 2) * size
  const bar = row.color === '' ? undefined : inks.bar(row.color)
  const height = (rowHeight(row, form, fit) - rowPadding) * size
  if (bar !== undefined) canvas.rect(x, top, barThickness * size, height, bar)
  const left = x + barWidth * size
  const title = { size: titleSize * size, isBold: row.isQuiet !== true, color: inks.text }
  const time = { size: titleSize * size, color: inks.text }
  const lineHeight = titleLine * size
  const textWidth = widthOf(row, form) * size
  const isTimed = timeText(row) !== ''
  const isBeside = isTimed && form.timeWidth > 0
  let textTop = top
  if (isTimed && !isBeside) {
    textTop = canvas.paragraph(
      timeText(row),
      { x: left, y: top, width: textWidth },
      lineHeight,
      time,
    )
  } else if (isTimed) {
    const parts = form.isTimeSplit ? [row.from, row.until] : [timeText(row)]
    const shown = parts.filter((text) => text !== '')
    for (const [index, text] of shown.entries()) {
      canvas.text(text, left, top + index * lineHeight, lineHeight, time)
    }
  }
  const textLeft = isBeside ? left + (form.timeWidth + timeGap) * size : left
  const box = { x: textLeft, y: textTop, width: textWidth }
  const end = canvas.paragraph(row.title, box, lineHeight, title)
  const runs = runsOf(row.notes, canvas)
  if (runs.length === 0) return
  if (isOnOneLine(row, form, fit)) {
    const right = x + width
    canvas.line(spaced(runs), right, textTop, lineHeight, { size, align: 'end' })
    return
  }
  for (const [index, each] of brokenRuns(runs, textWidth / size, canvas).entries()) {
    canvas.line(spaced(each), textLeft, end + index * noteLine * size, noteLine * size, { size })
  }
}

/** Returns the words of notes, with dots between the notes. */
function runsOf(notes: readonly Note[], { inks }: Canvas): readonly Run[] {
  const colors = { '': inks.muted, soon: inks.accent, changed: inks.accent, open: inks.open }
  return notes.flatMap(({ tone, text }, index) => {
    const style = { isBold: tone !== '', color: colors[tone] }
    const dot = index === 0 ? [] : [{ text: '·', isBold: false, color: inks.muted }]
    return [...dot, ...text.split(/\s+/).map((word) => ({ text: word, ...style }))]
  })
}

/** Breaks words into lines of a width in em. */
function brokenRuns(runs: readonly Run[], width: number, { fit }: Canvas): readonly Run[][] {
  const lines: Run[][] = []
  let used = Infinity
  for (const run of runs) {
    const own = fit.width(run.text, run.isBold)
    if (used + fit.width(' ') + own > width) {
      lines.push([run])
      used = own
    } else {
      lines.at(-1)?.push(run)
      used += fit.width(' ') + own
    }
  }
  return lines
}

/** Joins the words of a line with spaces, and merges words of the same style into one run. */
function spaced(words: readonly Run[]): readonly Run[] {
  const runs: Run[] = []
  for (const word of words) {
    const last = runs.at(-1)
    if (last?.isBold === word.isBold && last.color === word.color) {
      runs[runs.length - 1] = { ...last, text: `${last.text} ${word.text}` }
    } else {
      runs.push(last ? { ...word, text: ` ${word.text}` } : word)
    }
  }
  return runs
}
