/* The rows of a board's list, and how much space they take. */
import type { BoardItem } from './board-item.ts'
import { filled, pluralForm } from './board-language.ts'
import type { Area } from './board-sizes.ts'
import { shortenedToFit, type TextFit } from './board-text.ts'
import {
  activeTime,
  countdown,
  dayName,
  lastDayOf,
  shortDate,
  timesOf,
  type TimeOptions,
} from './board-times.ts'
import { daysAfter, type BoardView, type Section } from './board-view.ts'
import type { BoardMessages } from './messages/en.ts'

export type Note = { readonly tone: '' | 'soon' | 'changed' | 'open'; readonly text: string }

export type Row = {
  readonly id: string
  /** Heading of its section. */
  readonly heading: string
  readonly shortHeading: string
  readonly from: string
  /** With a dash or a word, like "– 9 PM" or "until 6 AM". */
  readonly until: string
  readonly title: string
  readonly notes: readonly Note[]
  readonly color: string
  /** True for a row that says that there is nothing. */
  readonly isQuiet?: boolean
}

/** Returns the rows of a view's list. If `withDuty`, they start with who is on duty. */
export function rowsOf(
  { onDuty, nextOnDuty, sections }: BoardView,
  options: TimeOptions,
  withDuty: boolean,
): readonly Row[] {
  const { words } = options
  const dutyRow = (item: BoardItem, heading: string): Row => {
    const notes = notesFrom(['', activeTime(item, options)], ['', placeName(item.location)])
    return rowWith(item, heading, { notes })
  }
  const today = options.now.slice(0, 10)
  const [first] = sections
  const isQuiet = first?.kind === 'day' && first.day > daysAfter(today, 1)
  const listed = [
    ...(isQuiet ? [quietRow(words)] : []),
    ...sections.flatMap((section) => section.items.map((item) => rowFrom(item, section, options))),
  ]
  if (!withDuty) return listed
  const next = nextOnDuty ? [dutyRow(nextOnDuty, words.nextOnDuty)] : []
  return [...onDuty.map((item) => dutyRow(item, words.onDuty)), ...next, ...listed]
}

const quietRow = ({ nothingToday }: BoardMessages): Row => ({
  ...rowWith({ id: '', title: nothingToday, color: '' }, ''),
  isQuiet: true,
})

function rowWith(
  { id, title, color }: { id: string; title: string; color: string },
  heading: string,
  more: Partial<Row> = {},
): Row {
  const empty = { from: '', until: '', title, notes: [], color }
  return { id, heading, shortHeading: heading, ...empty, ...more }
}

function rowFrom(item: BoardItem, { kind, day }: Section, options: TimeOptions): Row {
  const { lang, words, now } = options
  const { title, location, room, open, places } = item
  const today = now.slice(0, 10)
  const heading = kind === 'day' ? dayName(day, today, options) : words[kind]
  if (kind === 'changes') return rowWith(item, heading)
  const changed = isRecent(item.changedAt, now) ? words.changed : ''
  const free =
    open === null || places === null
      ? ''
      : filled(pluralForm(words.open, words.isOpenPlural ? open : places, lang), { open, places })
  if (kind === 'volunteers' || kind === 'certifications') {
    const notes = notesFrom(['open', free], ['changed', changed], ['', placeName(location)])
    return rowWith(item, heading, { from: shortDate(item.start.slice(0, 10), lang), notes })
  }
  const shortHeading = kind === 'day' ? dayName(day, today, options, shortDate) : heading
  const place = room === '' || mentions(title, room) ? location : room
  const where = mentions(title, place) ? '' : placeName(place)
  const soon = countdown(item, options)
  const { allDay, asWritten = '' } = item
  const unread = allDay || asWritten === '' ? asWritten : `– ${asWritten}`
  const notes = notesFrom(
    ['soon', soon],
    ['changed', changed],
    ['open', free],
    ['', unread],
    ['', lastDayOf(item, day, options)],
    ['', where],
  )
  return rowWith(item, heading, { shortHeading, ...timesOf(item, day, options), notes })
}

/**
 * Returns true for a change within the last 24 hours. A board that has been offline for longer
 * still has older ones.
 */
function isRecent(changedAt: string | null, now: string): boolean {
  return changedAt !== null && changedAt > daysAfter(now.slice(0, 10), -1) + now.slice(10)
}

/**
 * Returns a location without its postal address: "Social Hall" for "Social Hall, 14 Mill Road,
 * Ashton".
 */
function placeName(location: string): string {
  const parts = location.split(', ')
  const street = parts.findIndex((part) => /^\d/.test(part))
  return street < 0 ? location : parts.slice(0, Math.max(1, street)).join(', ')
}

const mentions = (text: string, part: string) =>
  part !== '' && text.toLowerCase().includes(part.toLowerCase())

const notesFrom = (...notes: (readonly [Note['tone'], string])[]): readonly Note[] =>
  notes.filter(([, text]) => text !== '').map(([tone, text]) => ({ tone, text }))

/** Puts headings and start times on one line, for screens that are too short for more. */
export function rowsWithoutHeadings(rows: readonly Row[]): readonly Row[] {
  return rows.map((row) => {
    const times = row.from === '' ? timeText(row) : row.from
    const from = [row.shortHeading, times].filter((text) => text !== '').join(', ')
    return { ...row, heading: '', from, until: '' }
  })
}

/** Returns a start and an end on one line, like "6:30 – 7:30 PM". */
export function timeText({ from, until }: Row): string {
  const [, half = ''] = /^–.*?(\s[ap]\.?\s?m\.?)$/i.exec(until) ?? []
  const start = half !== '' && from.endsWith(half) ? from.slice(0, -half.length) : from
  return `${start} ${until}`.trim()
}

/** Text sizes and spacing, in ems of the smallest text. `board.css` has the same values. */
export const titleSize = 1.2
export const titleLine = 1.2 * titleSize
export const noteLine = 1.3
export const rowPadding = 0.5
export const barWidth = 0.8
export const timeGap = 0.8
export const noteGap = 1.2
export const headingLine = 1.3
export const headingPadding = 0.45
export const moreHeight = 1.6

/** Columns narrower than this show times above titles. */
const stackedWidth = 17
/** Columns wider than this show notes next to titles if there is room. */
const inlineWidth = 30
/** Share of a column's width up to which a start and an end are on one line. */
const maxTimeShare = 0.27
/** Narrower titles and notes go below times. */
const minTextWidth = 14
const maxTitleLines = 2
const maxNoteLines = 2

const textOfNotes = (notes: readonly Note[]) => notes.map(({ text }) => text).join(' · ')

/** Arrangement of rows in a column. */
export type RowForm = {
  /** True for times above titles. */
  readonly isStacked: boolean
  /** True for notes next to titles where there is room. */
  readonly isInline: boolean
  /** True for a start and an end in two lines. */
  readonly isTimeSplit: boolean
  /** Width of the times; 0 if they have no column. */
  readonly timeWidth: number
  /** Width of titles and notes. */
  readonly textWidth: number
  /** Width of titles and notes of rows without times. */
  readonly fullWidth: number
}

/** Returns the row arrangement for a column of this width in em. */
export function rowFormOf(rows: readonly Row[], width: number, fit: TextFit): RowForm {
  const widest = (textOf: (row: Row) => string) =>
    rows.reduce((most, row) => Math.max(most, fit.width(textOf(row)) * titleSize), 0)
  const oneLine = widest(timeText)
  const isTimeSplit = oneLine > maxTimeShare * width
  const timeWidth = isTimeSplit
    ? Math.max(
        widest(({ from }) => from),
        widest(({ until }) => until),
      )
    : oneLine
  const fullWidth = width - barWidth
  const besideWidth = fullWidth - timeWidth - timeGap
  const words = rows.map(({ title }) => fit.longestWord(title, true) * titleSize)
  // Times are also above titles if a word would have to be broken next to them.
  const isWordTooLong = words.some((word) => word > besideWidth && word <= fullWidth)
  const isStacked = width < stackedWidth || besideWidth < minTextWidth || isWordTooLong
  const isBeside = !isStacked && timeWidth > 0
  return {
    isStacked,
    isInline: width >= inlineWidth,
    isTimeSplit: isBeside && isTimeSplit,
    timeWidth: isBeside ? timeWidth : 0,
    textWidth: isBeside ? besideWidth : fullWidth,
    fullWidth,
  }
}

/** Returns true if a row's notes are next to its title. */
export function isOnOneLine(row: Row, form: RowForm, fit: TextFit): boolean {
  const { title, notes } = row
  const isBold = notes.some(({ tone }) => tone !== '')
  const titleWidth = fit.width(title, true) * titleSize
  const noteWidth = fit.width(textOfNotes(notes), isBold)
  return form.isInline && titleWidth + noteGap + noteWidth <= widthOf(row, form)
}

/** Returns the width of a row's title and notes. */
export const widthOf = (row: Row, { textWidth, fullWidth }: RowForm): number =>
  timeText(row) === '' ? fullWidth : textWidth

/** Returns a row's height in em. */
export function rowHeight(row: Row, form: RowForm, fit: TextFit): number {
  const { isStacked, isTimeSplit } = form
  const { title, notes } = row
  const textWidth = widthOf(row, form)
  const noteText = textOfNotes(notes)
  const isBold = notes.some(({ tone }) => tone !== '')
  const isOneLine = isOnOneLine(row, form, fit)
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

export function headingHeight(heading: string, width: number, fit: TextFit): number {
  return heading === '' ? 0 : headingPadding + fit.lines(heading, width, true) * headingLine
}

/** Shortens long titles and notes, so that each row fits in a column, in em, with its heading. */
export function shortenedRows(
  rows: readonly Row[],
  { width, height }: Area,
  fit: TextFit,
): readonly Row[] {
  const form = rowFormOf(rows, width, fit)
  return rows.map((row) => {
    const lines = maxTitleLines + (form.isStacked ? 1 : 0)
    const textWidth = widthOf(row, form)
    const isTitle = (text: string) => fit.lines(text, textWidth / titleSize, true) <= lines
    const areNotes = (text: string) => fit.lines(text, textWidth, true) <= maxNoteLines
    const title = shortenedToFit(row.title, isTitle)
    const notes = shortenedNotes(row.notes, areNotes)
    const heading = headingHeight(row.heading, width, fit)
    const fitsWith = (part: Partial<Row>) =>
      heading + rowHeight({ ...row, title, notes, ...part }, form, fit) <= height
    if (fitsWith({})) return { ...row, title, notes }
    const short = shortenedToFit(title, (text) => fitsWith({ title: text, notes: [] }))
    return { ...row, title: short, notes: [] }
  })
}

/** Shortens the last note, or drops notes from the end. */
function shortenedNotes(notes: readonly Note[], fits: (text: string) => boolean): readonly Note[] {
  const last = notes.at(-1)
  if (!last || fits(textOfNotes(notes))) return notes
  const others = notes.slice(0, -1)
  const withLast = (text: string): readonly Note[] => [...others, { ...last, text }]
  const text = shortenedToFit(last.text, (start) => fits(textOfNotes(withLast(start))))
  const shortened = withLast(text)
  return fits(textOfNotes(shortened)) ? shortened : shortenedNotes(others, fits)
}
