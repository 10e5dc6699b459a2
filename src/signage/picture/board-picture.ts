import { noticesHeight, noticeTitle, textGap, textLine, type CardPage } from '../board-cards.ts'
import {
  dutyGap,
  dutyPadding,
  dutyStripFor,
  dutyTitle,
  footerLine,
  type DutyStrip,
} from '../board-header.ts'
import { moreText } from '../board-html.ts'
import type { BoardItem } from '../board-item.ts'
import { panelsIn, type Panel } from '../board-layout.ts'
import { moreHeight, rowsOf } from '../board-rows.ts'
import { largestSize, largestThatFits, type Screen } from '../board-sizes.ts'
import { formsOfName, shortenedToFit, type TextFit } from '../board-text.ts'
import { activeTime, dateName, shortDate, type AsOf, type TimeOptions } from '../board-times.ts'
import type { BoardView } from '../board-view.ts'
import { createCanvas, type Canvas, type Inks } from './canvas.ts'
import { drawCards } from './card-drawing.ts'
import { drawList, type Box } from './list-drawing.ts'

export type PictureOptions = {
  readonly screen: Screen
  readonly fit: TextFit
  readonly time: TimeOptions
  readonly inks: Inks
  readonly fontFamily: string
  readonly name: string
  /** Shown only if the data is old, because otherwise the picture would change with every read. */
  readonly asOf: AsOf
  /** SVG of a QR code, or an empty string. */
  readonly code: string
  readonly maxRows: number | undefined
}

export type BoardPicture = {
  readonly svg: string
  /** Box of the first story's photo, if there is one. */
  readonly photo: Box | undefined
}

/** Space around the content, and between panels, as shares of the shorter side. */
const paddingShare = 0.03
const gapShare = 0.024

/** Draws a board as one page without a clock. All lengths are in pixels. */
export function boardPicture(view: BoardView, options: PictureOptions): BoardPicture {
  const { screen, fit, inks, fontFamily } = options
  const canvas = createCanvas({ ...screen, fit, inks, fontFamily })
  if (view.emergency) {
    drawEmergency(canvas, view.emergency, options)
    return { svg: canvas.svg(), photo: undefined }
  }
  const shorter = Math.min(screen.width, screen.height)
  const padding = Math.round(paddingShare * shorter)
  const gap = Math.round(gapShare * shorter)
  const outer = { left: padding, top: padding, width: screen.width - 2 * padding }
  const top = drawHeader(canvas, outer, options) + gap
  const bottom = drawFooter(canvas, { ...outer, gap }, options)
  const photo = drawContent(canvas, view, { ...outer, top, height: bottom - top }, gap, options)
  return { svg: canvas.svg(), photo }
}

type Line = Omit<Box, 'height'>

const headerSizes = [1.9, 1.6, 1.35] as const
const nameSize = 1.05
const headerLine = 1.2

/** Draws the date, with the name next to it or above it. Returns the y coordinate below both. */
function drawHeader(canvas: Canvas, box: Line, { screen, fit, name, time }: PictureOptions) {
  const { smallest } = screen
  const today = time.now.slice(0, 10)
  const dates = [dateName(today, time.lang), shortDate(today, time.lang)].map(
    (date) => date.slice(0, 1).toLocaleUpperCase(time.lang) + date.slice(1),
  )
  const names = formsOfName(name)
  const nameWidth = (text: string) => fit.width(text) * nameSize * smallest
  const right = box.left + box.width
  const rule = Math.max(2, Math.round(smallest * 0.16))
  const chosen = headerSizes
    .flatMap((size) => dates.map((date) => ({ size: size * smallest, date })))
    .flatMap((each) => names.map((text) => ({ ...each, text })))
    .find(
      ({ size, date, text }) =>
        fit.width(date, true) * size + nameWidth(text) + 2 * smallest <= box.width,
    )
  const [long = '', short = long] = dates
  const size = chosen?.size ?? 1.35 * smallest
  const date = chosen?.date ?? (fit.width(long, true) * size <= box.width ? long : short)
  let { top } = box
  const style = { size: nameSize * smallest, color: canvas.inks.muted }
  if (!chosen) {
    const fits = (text: string) => nameWidth(text) <= box.width
    const shown = names.find(fits) ?? shortenedToFit(names.at(-1) ?? name, fits)
    canvas.text(shown, box.left, top, headerLine * style.size, style)
    top += headerLine * style.size
  }
  const height = headerLine * size
  canvas.text(date, box.left, top, height, { size, isBold: true })
  // The name is on the date's baseline.
  const shift = (0.66 * (size - style.size)) / 2
  if (chosen) canvas.text(chosen.text, right, top + shift, height, { ...style, align: 'end' })
  canvas.rect(box.left, top + height, box.width, rule, canvas.inks.text)
  return top + height + rule
}

/** Minimum pixels per module that a phone's camera can read. */
const minModule = 2

/** A code that would take more of the height is left out. */
const maxCodeShare = 1 / 3

/** Draws the QR code, and the age of the data if they are old. Returns the y above both. */
function drawFooter(
  canvas: Canvas,
  { left, width, gap }: Line & { readonly gap: number },
  { screen, code, asOf, time, fit }: PictureOptions,
): number {
  const { smallest } = screen
  const bottom = screen.height - gap
  const isOld = asOf.level !== ''
  const modules = Number(/viewBox="0 0 (\d+)/.exec(code)?.[1] ?? 0)
  const wanted = modules * Math.max(minModule, Math.round(smallest * 0.1))
  const side = wanted <= maxCodeShare * screen.height ? wanted : 0
  if (side === 0 && !isOld) return bottom
  const room = width - side
  const lineHeight = footerLine * smallest
  const lines = isOld ? fit.lines(asOf.text, room / smallest, true) : 0
  const height = Math.max(side, lines * lineHeight)
  const top = bottom - height
  if (isOld) {
    const style = { size: smallest, isBold: true, color: canvas.inks.accent }
    const y = bottom - lines * lineHeight
    canvas.paragraph(asOf.text, { x: left, y, width: room }, lineHeight, style)
  }
  if (side > 0) {
    const right = left + width
    canvas.inset(code, right - side, top, side)
    const hasLabel = !isOld && fit.width(time.words.follow) * smallest <= room - smallest
    const style = { size: smallest, align: 'end', color: canvas.inks.muted } as const
    if (hasLabel) canvas.text(time.words.follow, right - side - smallest / 2, top, height, style)
  }
  return top - gap
}

/** Draws who is on duty, the agenda and the cards. Returns the box of a photo, if there is one. */
function drawContent(
  canvas: Canvas,
  view: BoardView,
  area: Box,
  gap: number,
  options: PictureOptions,
): Box | undefined {
  const { screen, fit, time, maxRows } = options
  const strip = dutyStripFor(view, time, { screen, width: area.width, fit })
  const isStrip = strip !== null && strip.height <= maxDutyShare * area.height
  if (isStrip) drawDuty(canvas, strip, area, options)
  const taken = isStrip ? strip.height + gap : 0
  const rest = { ...area, top: area.top + taken, height: area.height - taken }
  // A countdown would change the picture every minute.
  const rows = rowsOf(view, time, !isStrip).map((row) => ({
    ...row,
    notes: row.notes.filter(({ tone }) => tone !== 'soon'),
  }))
  const onePage = { maxPages: 1, maxWordShare: 1 }
  const panels = panelsIn(rest, gap, { screen, fit, maxRows, ...onePage, view, rows })
  if (panels.length === 0 && !isStrip) {
    const size = Math.min(2 * screen.smallest, largestSize(screen))
    const middle = area.left + area.width / 2
    canvas.text(time.words.nothing, middle, area.top, area.height, { size, align: 'middle' })
  }
  const photos = panels.map((panel) => drawPanel(canvas, panel, view, options))
  return photos.find((photo) => photo !== undefined)
}

/** The strip may take up to this share of the height. Otherwise, the list shows who is on duty. */
const maxDutyShare = 0.36

function drawPanel(
  canvas: Canvas,
  panel: Panel,
  view: BoardView,
  { screen, fit, time }: PictureOptions,
): Box | undefined {
  const { words } = time
  const { smallest } = screen
  const [page] = panel.pages
  const moreOf = (count: number) => moreText(count, time)
  if (!page) return undefined
  if ('columns' in page) {
    drawList(canvas, page, panel, { smallest, moreText: moreOf })
    return undefined
  }
  const heightOf = (item: BoardItem) =>
    noticesHeight([item], panel.width, page.notices?.size ?? smallest, { screen, fit })
  const isAsHigh = (item: BoardItem, text: string) => heightOf({ ...item, text }) <= heightOf(item)
  const photo = drawCards(canvas, withEllipses(page, view, isAsHigh), panel, { screen, words })
  const shown = (page.notices?.items.length ?? 0) + (page.story ? 1 : 0)
  const more = view.announcements.length + view.stories.length - shown
  if (panel.pages.length > 1 && more > 0) {
    const style = { size: smallest, isBold: true }
    canvas.text(moreOf(more), panel.left, panel.top + panel.height, moreHeight * smallest, style)
  }
  return photo
}

/** Marks an announcement that continues on another page of a board. */
function withEllipses(
  { notices, story }: CardPage,
  { announcements }: BoardView,
  fits: (item: BoardItem, text: string) => boolean,
): CardPage {
  const isWhole = ({ id, text }: BoardItem) =>
    text === '' || announcements.some((each) => each.id === id && each.text.trim() === text.trim())
  const shortened = (item: BoardItem) =>
    shortenedToFit(item.text.trim(), (text) => text.endsWith('…') && fits(item, text))
  const items = notices?.items.map((item) =>
    isWhole(item) ? item : { ...item, text: shortened(item) },
  )
  return { notices: notices && { ...notices, items: items ?? [] }, story }
}

function drawDuty(
  canvas: Canvas,
  { cards, more, perRow, height }: DutyStrip & { readonly perRow: number; readonly height: number },
  area: Box,
  { screen, time }: PictureOptions,
): void {
  const { smallest } = screen
  const { inks } = canvas
  const texts = [
    ...cards,
    ...(more > 0 ? [{ label: '', title: moreText(more, time), color: '' }] : []),
  ]
  const rows = Math.ceil(texts.length / perRow)
  const gap = dutyGap * smallest
  const cardHeight = (height - (rows - 1) * gap) / rows
  const width = (area.width - (perRow - 1) * gap) / perRow
  for (const [index, { label, title, color }] of texts.entries()) {
    const left = area.left + (index % perRow) * (width + gap)
    const top = area.top + Math.floor(index / perRow) * (cardHeight + gap)
    canvas.frame(left, top, width, cardHeight, 2, inks.text)
    const bar = color === '' ? undefined : inks.bar(color)
    if (bar !== undefined) canvas.rect(left, top, 0.4 * smallest, cardHeight, bar)
    const x = left + (dutyPadding.x / 2) * smallest
    const inner = width - dutyPadding.x * smallest
    const y = top + (dutyPadding.y / 2) * smallest
    const style = { size: smallest, color: inks.muted }
    const box = { x, y, width: inner }
    const below = label === '' ? y : canvas.paragraph(label, box, footerLine * smallest, style)
    const titleStyle = { size: dutyTitle.size * smallest, isBold: true }
    canvas.paragraph(title, { ...box, y: below }, dutyTitle.line * smallest, titleStyle)
  }
}

const smallestEmergencyText = 9
const emergencyLine = 1.5

/**
 * Fills the picture with an emergency's whole text, in light letters. On displays smaller than two
 * inches, the longest texts are shortened.
 */
function drawEmergency(canvas: Canvas, item: BoardItem, options: PictureOptions): void {
  const { screen, fit, time } = options
  const { width, height, smallest } = screen
  const { alarm, onAlarm } = canvas.inks
  canvas.rect(0, 0, width, height, alarm)
  const padding = Math.round(Math.min(width, height) * 0.05)
  const until = activeTime(item, time)
  const lineSize = smallest * 1.1
  const line = emergencyLine * lineSize
  const inner = { left: padding, top: padding, width: width - 2 * padding }
  const label = { size: lineSize, isBold: true, color: onAlarm }
  canvas.text(time.words.emergency, inner.left, inner.top, line, label)
  canvas.rect(inner.left, inner.top + line, inner.width, Math.max(2, smallest * 0.16), onAlarm)
  if (until !== '') {
    canvas.text(until, inner.left, height - padding - line, line, label)
  }
  const top = inner.top + line + padding / 2
  const room = height - padding - (until === '' ? 0 : line) - top
  const fits = (size: number, text = item.text) =>
    noticesHeight([{ ...item, text }], inner.width, size, { screen, fit }) <= room
  const size = largestThatFits(smallestEmergencyText, largestSize(screen), (each) => {
    const isBroken = fit.longestWord(item.title, true) * noticeTitle.size * each > inner.width
    return !isBroken && fits(each)
  })
  const text = shortenedToFit(item.text, (start) => fits(size, start))
  const box = { x: inner.left, y: top, width: inner.width }
  const style = { isBold: true, color: onAlarm }
  const titleStyle = { ...style, size: noticeTitle.size * size }
  const below = canvas.paragraph(item.title, box, noticeTitle.line * size, titleStyle)
  const textBox = { ...box, y: below + textGap * size }
  canvas.paragraph(text, textBox, textLine * size, { ...style, size })
}
