/*
 * Decides where a board shows what: which panels there are, and how large. This file is plain JavaScript
 * because browsers also run it. It measures text with the widths that it is given.
 */
import { cardsIn } from './board-cards.js'
import { dutyStripFor, footerFor, headerFor } from './board-header.js'
import { lengthOf, listIn } from './board-list.js'
import { moreHeight, rowsOf, rowsWithoutHeadings } from './board-rows.js'
import { maxBlankShare } from './board-sizes.js'
import { activeTime } from './board-times.js'

/** @import { CardPage } from './board-cards.js' */
/** @import { AsOf } from './board-header.js' */
/** @import { BoardItem } from './board-item.ts' */
/** @import { List, ListPage } from './board-list.js' */
/** @import { Row } from './board-rows.js' */
/** @import { Area, Screen } from './board-sizes.js' */
/** @import { TextFit } from './board-text.js' */
/** @import { TimeOptions } from './board-times.js' */
/** @import { BoardView } from './board-view.js' */

/** @typedef {ListPage | CardPage} Page */

/** @typedef {Area & { readonly left: number, readonly top: number }} Box */

/** @typedef {readonly ['left', 'width'] | readonly ['top', 'height']} Axis */

/** @typedef {Box & { readonly id: 'agenda' | 'cards', readonly pages: readonly Page[] }} Panel Without the dots. */

/** @typedef {ReturnType<typeof layoutOf>} Layout With an emergency that covers everything else. */

/**
 * @typedef {object} LayoutOptions
 * @property {Screen} screen
 * @property {TextFit} fit
 * @property {TimeOptions} time
 * @property {string} name
 * @property {AsOf} asOf
 * @property {boolean} hasCode
 * @property {number | undefined} maxRows Maximum number of entries on a page.
 */

/**
 * @typedef {Pick<LayoutOptions, 'screen' | 'fit' | 'maxRows'> & {
 *   readonly view: BoardView, readonly rows: readonly Row[], readonly maxPages?: number,
 *   readonly maxWordShare?: number
 * }} PanelOptions
 */

/** @typedef {PanelOptions & { readonly hasDots?: boolean }} OnePanelOptions */

/** Space around and between panels, as a share of the screen's shorter side. */
const paddingShare = 0.025
const gapShare = 0.022
const lowGapShare = 0.012
/** Screens shorter than this, in ems of the smallest text, have little space between panels. */
const lowHeight = 14
/** Height of the dots below panels with several pages, in ems of the smallest text. */
const dotsHeight = 0.8
/** Smaller screens, in ems of the smallest text, have no room for two panels. */
const minColumnsWidth = 33
const minColumnsHeight = 13
const minRowsHeight = 28
/** Shorter lists have their headings within rows. */
const minHeadingsHeight = 10
/** Height of the lines above and below an emergency's text. */
const emergencyLines = 1.7
/** The strip may take up to this share of the height. Otherwise, the list shows who is on duty. */
const maxDutyShare = 0.36
/** Shares of the list next to and above the cards. */
const columnShares = [0.42, 0.5, 0.56, 0.62, 0.68]
const rowShares = [0.38, 0.46, 0.54, 0.62, 0.7]

/**
 * @param {BoardView} view
 * @param {LayoutOptions} options
 */
export function layoutOf(view, options) {
  const { screen, fit, time, asOf, hasCode } = options
  const shorter = Math.min(screen.width, screen.height)
  const padding = paddingShare * shorter
  const isLow = screen.height / screen.smallest < lowHeight
  const gap = shorter * (isLow ? lowGapShare : gapShare)
  const width = screen.width - 2 * padding
  const line = { screen, width, fit }
  const header = headerFor(options.name, time, line)
  const footer = footerFor(asOf, { hasCode, words: time.words }, line)
  const top = padding + header.height + gap
  const height = screen.height - padding - footer.height - gap - top
  const strip = dutyStripFor(view, time, line)
  const isStrip = strip !== null && strip.height <= maxDutyShare * height
  const taken = isStrip ? strip.height + gap : 0
  const area = { left: padding, top: top + taken, width, height: height - taken }
  const rows = rowsOf(view, time, !isStrip)
  const panels = panelsIn(area, gap, { ...options, view, rows })
  const duty = isStrip ? { ...strip, top } : null
  const emergency = view.emergency ? emergencyIn(view.emergency, padding, options) : null
  const isIdle = duty === null && panels.length === 0
  return { screen, padding, gap, header, footer, duty, panels, emergency, isIdle }
}

/**
 * @param {BoardItem} item
 * @param {number} padding
 * @param {LayoutOptions} options
 */
function emergencyIn(item, padding, options) {
  const { screen, time } = options
  const until = activeTime(item, time)
  const lines = emergencyLines + (until === '' ? 0 : emergencyLines)
  const room = 2 * padding + lines * screen.smallest + dotsHeight * screen.smallest
  const area = { width: screen.width - 2 * padding, height: screen.height - room }
  const pages = cardsIn({ announcements: [item], stories: [] }, area, options)
  return { label: time.words.emergency, until, pages, ...area }
}

/**
 * Returns the panels of the list and the cards, either of which may be missing.
 * @type {(box: Box, gap: number, options: PanelOptions) => readonly Panel[]}
 */
export function panelsIn(box, gap, options) {
  const { view, screen, rows } = options
  const [width, height] = [box.width / screen.smallest, box.height / screen.smallest]
  const hasList = rows.length > 0
  const hasCards = view.announcements.length + view.stories.length > 0
  if (!hasList && !hasCards) return []
  if (!hasList) return [cardPanel(box, options)]
  if (!hasCards) return [listPanel(box, options).panel]
  /** @type {(shares: readonly number[], axis: Axis) => readonly Panel[]} */
  const bestOf = (shares, axis) =>
    best(
      shares.map((share) => divided(box, gap, share, axis)),
      options,
    )
  const isWide = width >= minColumnsWidth && height >= minColumnsHeight && box.width > box.height
  if (isWide) return bestOf(columnShares, ['left', 'width'])
  if (height >= minRowsHeight) return bestOf(rowShares, ['top', 'height'])
  const { panel } = listPanel(box, { ...options, hasDots: true })
  const cards = cardPanel(box, { ...options, hasDots: true })
  return [{ ...panel, pages: [...panel.pages, ...cards.pages] }]
}

/**
 * Divides a box into two with a gap between them. The first one gets this share.
 * @type {(box: Box, gap: number, share: number, axis: Axis) => readonly [Box, Box]}
 */
function divided(box, gap, share, [start, length]) {
  const first = (box[length] - gap) * share
  const rest = { [start]: box[start] + first + gap, [length]: box[length] - first - gap }
  return [
    { ...box, [length]: first },
    { ...box, ...rest },
  ]
}

/**
 * Returns the best of several ways to divide an area.
 * @type {(divisions: readonly (readonly [Box, Box])[], options: PanelOptions) => readonly Panel[]}
 */
function best(divisions, options) {
  const { smallest, height } = options.screen
  const [first = { panels: [] }] = divisions
    .map(([listBox, cardsBox]) => {
      const { panel, list } = listPanel(listBox, options)
      const cards = cardPanel(cardsBox, options)
      const isBlank = list.blank > maxBlankShare * height
      const cardSizes = cards.pages.map(({ notices, story }) => story?.size ?? notices?.size ?? 0)
      const sizes = [list.size, ...cardSizes].map((size) => Math.min(size / smallest, 2))
      const score =
        Math.min(...sizes) + (sizes[0] ?? 0) - lengthOf(list.pages) * 10 - (isBlank ? 3 : 0)
      return { panels: [panel, cards], score }
    })
    .sort((a, b) => b.score - a.score)
  return first.panels
}

/** @type {(box: Box, options: OnePanelOptions) => { readonly panel: Panel, readonly list: List }} */
function listPanel(box, options) {
  const { screen, rows } = options
  const isLow = box.height / screen.smallest < minHeadingsHeight
  const shown = isLow ? rowsWithoutHeadings(rows) : rows
  const list = withDots(box, options, (area) => listIn(shown, area, options))
  return { panel: { ...box, id: 'agenda', height: list.height, pages: list.pages }, list }
}

/** @typedef {Box & { readonly id: 'cards', readonly pages: readonly CardPage[] }} CardPanel */

/** @type {(box: Box, options: OnePanelOptions) => CardPanel} */
function cardPanel(box, options) {
  const solve = (/** @type {Area} */ area) => ({ pages: cardsIn(options.view, area, options) })
  return { ...box, id: 'cards', ...withDots(box, options, solve) }
}

/**
 * Leaves space below an area for dots if it has several pages, or for the number of items that are
 * not shown if only one page is possible.
 * @template {{ readonly pages: readonly Page[] }} T
 * @param {Box} box
 * @param {OnePanelOptions} options
 * @param {(area: Area) => T} solve
 */
function withDots({ width, height }, { screen, maxPages, hasDots = false }, solve) {
  const full = hasDots ? undefined : solve({ width, height })
  if (full?.pages.length === 1) return { ...full, height }
  const below = maxPages === 1 ? moreHeight : dotsHeight
  const rest = height - below * screen.smallest
  return { ...solve({ width, height: rest }), height: rest }
}
