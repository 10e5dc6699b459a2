import type { Site } from '../../feeds/site.ts'
import { siteOffsetsAt } from '../../records/clock-changes.ts'
import { spokenLanguage, tagFor } from '../../records/messages.ts'
import { daysAfter, instantFromSiteTime } from '../../records/site-time.ts'
import type { Drawing, DrawingForm, PictureFormat } from '../../pictures/drawn-picture.ts'
import { fontFamily, fontWidths } from '../../pictures/font.ts'
import type { BoardItem } from '../../signage/board-item.ts'
import {
  largestUsable,
  smallestReadable,
  type Area,
  type Viewing,
} from '../../signage/board-sizes.js'
import { createTextFit } from '../../signage/board-text.js'
import { asOf, dateName } from '../../signage/board-times.js'
import { siteTimeAt, viewOf, type BoardView } from '../../signage/board-view.js'
import { boardMessages } from '../../signage/messages.ts'
import { boardPicture } from '../../signage/picture/board-picture.ts'
import { drawableItem, drawableText } from '../../signage/picture/drawable-text.ts'
import { nextChange } from '../../signage/picture/next-change.ts'
import type { BoardContent } from './board-content.ts'
import { composerMessages } from './messages.ts'
import { inksFor } from './picture-inks.ts'
import type { PictureOptions } from './picture-options.ts'

type Moment = {
  readonly site: Pick<Site, 'timeZone'>
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** Returns the language of the words instead if the font lacks letters of the language's dates. */
function drawableLang(lang: string, today: string, site: Pick<Site, 'language'>): string {
  const date = dateName(today.slice(0, 10), lang)
  const isDrawable = drawableText(date, fontWidths().hasCharacter) === date
  return isDrawable ? lang : tagFor(spokenLanguage(lang), site.language)
}

/** Returns what a picture shows at a time, in characters that it can draw. */
export function drawableView(
  items: readonly BoardItem[],
  options: Pick<PictureOptions, 'lang'>,
  { site, now }: Moment & { readonly site: Pick<Site, 'language'> },
): BoardView {
  const { hasCharacter } = fontWidths()
  const today = siteTimeAt(now, siteOffsetsAt(now, site.timeZone))
  const lang = drawableLang(options.lang, today, site)
  const texts = composerMessages(lang).undrawable
  const drawable = items.map((item) => drawableItem(item, { lang, texts, hasCharacter }))
  return viewOf(drawable, { now: today, instant: now })
}

/** Minimum type size. Thin strokes of smaller letters disappear on displays without grays. */
const minPixels = 12

/** Returns the size of the smallest text in pixels. */
const smallestIn = (area: Area, viewing: Viewing) =>
  Math.max(smallestReadable(area, viewing), Math.min(minPixels, largestUsable(area)))

const fit = createTextFit((text, isBold) => fontWidths().widthOf(text, isBold))

/** Draws a board. `bytes` is the first story's photo, and `code` the SVG of a QR code. */
export function drawingOf(
  view: BoardView,
  {
    readAt,
    intervalMs,
    options,
    site,
    now,
    code,
    bytes,
  }: Pick<BoardContent, 'readAt' | 'intervalMs'> & {
    readonly options: PictureOptions
    readonly site: Pick<Site, 'timeZone' | 'name' | 'identity' | 'language'>
    readonly now: number
    readonly code: string
    readonly bytes: Buffer | undefined
  },
): Drawing {
  const { size, rotation } = options
  const offsets = siteOffsetsAt(now, site.timeZone)
  const today = siteTimeAt(now, offsets)
  const lang = drawableLang(options.lang, today, site)
  const words = boardMessages(lang)
  const isQuarterTurn = rotation === 90 || rotation === 270
  const area = isQuarterTurn ? { width: size.height, height: size.width } : size
  const { svg, photo: box } = boardPicture(view, {
    screen: { ...area, smallest: smallestIn(area, options) },
    fit,
    time: { now: today, instant: now, lang, words },
    inks: inksFor(options, site.identity.color),
    fontFamily,
    name: drawableText(options.title || site.name, fontWidths().hasCharacter),
    asOf: asOf(readAt, { now, offsets, lang, words, intervalMs }),
    code: options.theme === 'dark' && options.colors !== 'full' ? invertedCode(code) : code,
    maxRows: options.rows,
  })
  return { ...area, svg, photo: box && bytes && { ...wholePixels(box), bytes } }
}

/** Returns a QR code that is dark on light after the picture is inverted. */
const invertedCode = (code: string) =>
  code.replace('"#ffffff"', '"#000000"').replace('stroke="#000000"', 'stroke="#ffffff"')

function wholePixels({ left, top, width, height }: Area & { left: number; top: number }) {
  const [x, y] = [Math.round(left), Math.round(top)]
  return { left: x, top: y, width: Math.floor(width), height: Math.floor(height) }
}

export const formOf = (
  { colors, isDithered, rotation, theme }: PictureOptions,
  format: PictureFormat,
  { emergency }: Pick<BoardView, 'emergency'>,
): DrawingForm => ({
  colors,
  format,
  isDithered,
  rotation,
  isInverted: theme === 'dark' && !emergency,
})

/** Returns the time of a picture's next known change, so that displays can sleep until then. */
export function nextChangeAt(
  items: readonly BoardItem[],
  { site: { timeZone }, now }: Moment,
): number {
  const today = siteTimeAt(now, siteOffsetsAt(now, timeZone)).slice(0, 10)
  const instantOf = (siteTime: string) => instantFromSiteTime(siteTime, timeZone)
  return nextChange(items, now, instantOf(`${daysAfter(today, 1)}T00:00:00`), instantOf)
}
