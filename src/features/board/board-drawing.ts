import type { SiteOffsets } from '../../records/clock-changes.ts'
import { spokenLanguage, tagFor } from '../../records/messages.ts'
import {
  drawnPicture,
  type Drawing,
  type DrawingForm,
  type PictureFormat,
} from '../../pictures/drawn-picture.ts'
import { fontFamily, fontWidths } from '../../pictures/font.ts'
import type { BoardItem } from '../../signage/board-item.ts'
import {
  largestUsable,
  smallestReadable,
  type Area,
  type Viewing,
} from '../../signage/board-sizes.ts'
import { createTextFit } from '../../signage/board-text.ts'
import { asOf, dateName } from '../../signage/board-times.ts'
import { siteTimeAt, viewOf, type BoardView } from '../../signage/board-view.ts'
import { boardMessages } from '../../signage/messages.ts'
import { boardPicture } from '../../signage/picture/board-picture.ts'
import { drawableItem, drawableText } from '../../signage/picture/drawable-text.ts'
import { composerMessages } from './messages.ts'
import { inksFor } from './picture-inks.ts'
import type { PictureOptions } from './picture-options.ts'

/** All input for a picture of a board, in a form that can be sent to a thread. */
export type PictureContent = {
  readonly items: readonly BoardItem[]
  readonly options: PictureOptions
  readonly format: PictureFormat
  readonly site: { readonly name: string; readonly language: string; readonly color: string }
  /** When the oldest part was last read, in milliseconds since the epoch. */
  readonly readAt: number
  readonly intervalMs: number
  readonly now: number
  readonly offsets: SiteOffsets
  /** SVG of a QR code, or an empty string. */
  readonly code: string
  /** The first story's photo. */
  readonly photo: Uint8Array | undefined
}

/** Draws a board as a file. Rejects with `NoImage`, or if drawing fails. */
export function drawnBoard(content: PictureContent): Promise<Buffer> {
  const { drawing, form } = drawingOf(content)
  return drawnPicture(drawing, form)
}

/** Returns the language of the words instead if the font lacks letters of the language's dates. */
function drawableLang(lang: string, today: string, siteLanguage: string): string {
  const date = dateName(today.slice(0, 10), lang)
  const isDrawable = drawableText(date, fontWidths().hasCharacter) === date
  return isDrawable ? lang : tagFor(spokenLanguage(lang), siteLanguage)
}

/** Returns a board's view with only characters that a picture can draw, and only the first story's photo. */
function drawableView({ items, now, photo }: PictureContent, today: string, lang: string) {
  const { hasCharacter } = fontWidths()
  const texts = composerMessages(lang).undrawable
  const drawable = items.map((item) => drawableItem(item, lang, texts, hasCharacter))
  const view = viewOf(drawable, { now: today, instant: now })
  const stories = view.stories.map((story, index) =>
    index === 0 && photo ? story : { ...story, pictureUrl: null },
  )
  return { ...view, stories }
}

/** Minimum type size. Thin strokes of smaller letters disappear on displays without grays. */
const minPixels = 12

/** Returns the size of the smallest text in pixels. */
const smallestIn = (area: Area, viewing: Viewing) =>
  Math.max(smallestReadable(area, viewing), Math.min(minPixels, largestUsable(area)))

const fit = createTextFit((text, isBold) => fontWidths().widthOf(text, isBold))

/** Lays out a board. */
export function drawingOf(content: PictureContent): {
  readonly drawing: Drawing
  readonly form: DrawingForm
} {
  const { options, format, site, readAt, intervalMs, now, offsets, code, photo } = content
  const { size, rotation } = options
  const today = siteTimeAt(now, offsets)
  const lang = drawableLang(options.lang, today, site.language)
  const words = boardMessages(lang)
  const view = drawableView(content, today, lang)
  const isQuarterTurn = rotation === 90 || rotation === 270
  const area = isQuarterTurn ? { width: size.height, height: size.width } : size
  const { svg, photo: box } = boardPicture(view, {
    screen: { ...area, smallest: smallestIn(area, options) },
    fit,
    time: { now: today, instant: now, lang, words },
    inks: inksFor(options, site.color),
    fontFamily,
    name: drawableText(options.title || site.name, fontWidths().hasCharacter),
    asOf: asOf(readAt, { now, offsets, lang, words, intervalMs }),
    code: options.theme === 'dark' && options.colors !== 'full' ? invertedCode(code) : code,
    maxRows: options.rows,
  })
  const framed = box && photo && { ...wholePixels(box), bytes: bufferOf(photo) }
  return { drawing: { ...area, svg, photo: framed }, form: formOf(options, format, view) }
}

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  Buffer.from(buffer, byteOffset, byteLength)

/** Returns a QR code that is dark on light after the picture is inverted. */
const invertedCode = (code: string) =>
  code.replace('"#ffffff"', '"#000000"').replace('stroke="#000000"', 'stroke="#ffffff"')

function wholePixels({ left, top, width, height }: Area & { left: number; top: number }) {
  const [x, y] = [Math.round(left), Math.round(top)]
  return { left: x, top: y, width: Math.floor(width), height: Math.floor(height) }
}

const formOf = (
  { colors, isDithered, rotation, theme }: PictureOptions,
  format: PictureFormat,
  { emergency }: BoardView,
): DrawingForm => ({
  colors,
  format,
  isDithered,
  rotation,
  isInverted: theme === 'dark' && !emergency,
})
