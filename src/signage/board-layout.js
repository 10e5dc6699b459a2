/*
 * Decides where a board shows what: which panels there are, and how large. This file is plain JavaScript
 * because browsers also run it. It measures text with the widths that it is given.
 */
import { cardsIn } from './board-cards.js'
import { dutyStripFor, footerFor, headerFor } from './board-header.js'
import { wordsOf } from './board-language.js'
import { lengthOf, listIn } from './board-list.js'
import { rowsOf, rowsWithoutHeadings } from './board-rows.js'
import { maxBlankShare } from './board-sizes.js'
import { activeTime } from './board-times.js'

/** @typedef {import('./board-item.ts').BoardItem} BoardItem */
/** @typedef {import('./board-cards.js').CardPage} CardPage */
/** @typedef {import('./board-list.js').List} List */
/** @typedef {import('./board-list.js').ListPage} ListPage */
/** @typedef {import('./board-sizes.js').Area} Area */
/** @typedef {import('./board-sizes.js').Screen} Screen */
/** @typedef {import('./board-text.js').TextFit} TextFit */
/** @typedef {import('./board-times.js').TimeOptions} TimeOptions */
/** @typedef {import('./board-view.js').BoardView} BoardView */

/** @typedef {ListPage | CardPage} Page */

/**
 * @typedef {object} Panel
 * @property {'agenda' | 'cards'} id
 * @property {number} left
 * @property {number} top
 * @property {number} width
 * @property {number} height Without the dots.
 * @property {readonly Page[]} pages
 */

/** @typedef {Area & { readonly label: string, readonly until: string, readonly pages: readonly CardPage[] }} EmergencyLayout */

/**
 * @typedef {object} Layout
 * @property {Screen} screen
 * @property {number} padding Space around everything.
 * @property {number} gap Space between everything.
 * @property {import('./board-header.js').Header} header
 * @property {import('./board-header.js').Footer} footer
 * @property {(import('./board-header.js').DutyStrip & { readonly top: number }) | null} duty
 * @property {readonly Panel[]} panels
 * @property {boolean} isIdle True if there is nothing to show but the time.
 * @property {EmergencyLayout | null} emergency Covers everything else.
 */

/**
 * @typedef {object} LayoutOptions
 * @property {Screen} screen
 * @property {TextFit} fit
 * @property {TimeOptions} time
 * @property {string} name
 * @property {import('./board-header.js').ClockTexts} clock
 * @property {import('./board-header.js').AsOf} asOf
 * @property {boolean} hasCode
 * @property {number | undefined} maxRows Maximum number of entries on a page.
 */

/** Space around and between panels, as a share of the screen's shorter side. */
const paddingShare = 0.025
const gapShare = 0.022
const lowGapShare = 0.012
/** Screens that are lower than this, in em of the smallest text, have little space between panels. */
const lowHeight = 14
/** Height of the dots below panels with several pages, in em of the smallest text. */
export const dotsHeight = 0.8
/** Smaller screens, in em of the smallest text, have no room for two panels. */
const minColumnsWidth = 33
const minColumnsHeight = 13
const minRowsHeight = 28
/** Lower lists have their headings within rows. */
const minHeadingsHeight = 10
/** Height of the lines above and below an emergency's text. */
const emergencyLines = 1.7
/** The strip may take up to this share of the height; otherwise the list shows who is on duty. */
const maxDutyShare = 0.36
/** Shares of the list next to and above the cards. */
const columnShares = [0.42, 0.5, 0.56, 0.62, 0.68]
const rowShares = [0.38, 0.46, 0.54, 0.62, 0.7]

/**
 * @param {BoardView} view
 * @param {LayoutOptions} options
 * @returns {Layout}
 */
export function layoutOf(view, options) {
  const { screen, fit, time, asOf, hasCode } = options
  const shorter = Math.min(screen.width, screen.height)
  const padding = paddingShare * shorter
  const isLow = screen.height / screen.smallest < lowHeight
  const gap = shorter * (isLow ? lowGapShare : gapShare)
  const width = screen.width - 2 * padding
  const line = { screen, width, fit }
  const header = headerFor(options.name, options.clock, line)
  const footer = footerFor(asOf, { hasCode, lang: time.lang }, line)
  const top = padding + header.height + gap
  const height = screen.height - padding - footer.height - gap - top
  const strip = dutyStripFor(view, time, line)
  const isStrip = strip !== null && strip.height <= maxDutyShare * height
  const taken = isStrip ? strip.height + gap : 0
  const area = { left: padding, top: top + taken, width, height: height - taken }
  const panels = panelsIn(area, { view, gap, withDuty: !isStrip, ...options })
  const duty = isStrip ? { ...strip, top } : null
  const emergency = view.emergency ? emergencyIn(view.emergency, padding, options) : null
  const isIdle = duty === null && panels.length === 0
  return { screen, padding, gap, header, footer, duty, panels, emergency, isIdle }
}

/**
 * @param {BoardItem} item
 * @param {number} padding
 * @param {LayoutOptions} options
 * @returns {EmergencyLayout}
 */
function emergencyIn(item, padding, options) {
  const { screen, time } = options
  const until = activeTime(item, time)
  const lines = emergencyLines + (until === '' ? 0 : emergencyLines)
  const room = 2 * padding + lines * screen.smallest + dotsHeight * screen.smallest
  const area = { width: screen.width - 2 * padding, height: screen.height - room }
  const pages = cardsIn({ announcements: [item], stories: [] }, area, options)
  return { label: wordsOf(time.lang).emergency, until, pages, ...area }
}

/** @typedef {Area & { readonly left: number, readonly top: number }} Box */

/** @typedef {LayoutOptions & { readonly view: BoardView, readonly gap: number, readonly withDuty: boolean }} PanelOptions */

/**
 * @param {Box} box
 * @param {PanelOptions} options
 * @returns {readonly Panel[]}
 */
function panelsIn(box, options) {
  const { view, screen } = options
  const inEm = { width: box.width / screen.smallest, height: box.height / screen.smallest }
  const rows = rowsOf(view, { ...options.time, withDuty: options.withDuty })
  const hasList = rows.length > 0
  const hasCards = view.announcements.length + view.stories.length > 0
  if (!hasList && !hasCards) return []
  if (!hasList) return [cardPanel(box, options).panel]
  if (!hasCards) return [listPanel(box, options).panel]
  if (inEm.width >= minColumnsWidth && inEm.height >= minColumnsHeight && box.width > box.height) {
    return best(
      columnShares.map((share) => {
        const width = (box.width - options.gap) * share
        const left = box.left + width + options.gap
        return [
          { ...box, width },
          { ...box, left, width: box.width - width - options.gap },
        ]
      }),
      options,
    )
  }
  if (inEm.height >= minRowsHeight) {
    return best(
      rowShares.map((share) => {
        const height = (box.height - options.gap) * share
        const top = box.top + height + options.gap
        return [
          { ...box, height },
          { ...box, top, height: box.height - height - options.gap },
        ]
      }),
      options,
    )
  }
  const hasDots = { ...options, hasDots: true }
  const { panel } = listPanel(box, hasDots)
  return [{ ...panel, pages: [...panel.pages, ...cardPanel(box, hasDots).cards] }]
}

/**
 * Returns the best of several ways to divide an area.
 * @param {readonly (readonly [Box, Box])[]} divisions
 * @param {PanelOptions} options
 * @returns {readonly Panel[]}
 */
function best(divisions, options) {
  const { smallest, height } = options.screen
  const [first = { panels: [] }] = divisions
    .map(([listBox, cardsBox]) => {
      const { panel, list } = listPanel(listBox, options)
      const { panel: cardsPanel, cards } = cardPanel(cardsBox, options)
      const isBlank = list.blank > maxBlankShare * height
      const sizes = [list.size, ...cards.map(sizeOf)].map((size) => Math.min(size / smallest, 2))
      const score =
        Math.min(...sizes) + (sizes[0] ?? 0) - lengthOf(list.pages) * 10 - (isBlank ? 3 : 0)
      return { panels: [panel, cardsPanel], score }
    })
    .sort((a, b) => b.score - a.score)
  return first.panels
}

/** @param {CardPage} page */
const sizeOf = ({ notices, story }) => story?.size ?? notices?.size ?? 0

/**
 * @param {Box} box
 * @param {PanelOptions & { readonly hasDots?: boolean }} options
 * @returns {{ readonly panel: Panel, readonly list: List }}
 */
function listPanel(box, options) {
  const { view, screen, time, withDuty } = options
  const rows = rowsOf(view, { ...time, withDuty })
  const isLow = box.height / screen.smallest < minHeadingsHeight
  const { height, solved } = withDots(box, options, (area) => {
    const list = listIn(isLow ? rowsWithoutHeadings(rows) : rows, area, options)
    return { solved: list, count: list.pages.length }
  })
  return { panel: { ...box, id: 'agenda', height, pages: solved.pages }, list: solved }
}

/**
 * @param {Box} box
 * @param {PanelOptions & { readonly hasDots?: boolean }} options
 * @returns {{ readonly panel: Panel, readonly cards: readonly CardPage[] }}
 */
function cardPanel(box, options) {
  const { height, solved } = withDots(box, options, (area) => {
    const pages = cardsIn(options.view, area, options)
    return { solved: pages, count: pages.length }
  })
  return { panel: { ...box, id: 'cards', height, pages: solved }, cards: solved }
}

/**
 * Leaves space for dots below an area if it has several pages.
 * @template T
 * @param {Box} box
 * @param {{ readonly screen: Screen, readonly hasDots?: boolean }} options
 * @param {(area: Area) => { readonly solved: T, readonly count: number }} solve
 */
function withDots({ width, height }, { screen, hasDots = false }, solve) {
  const full = hasDots ? undefined : solve({ width, height })
  if (full?.count === 1) return { height, solved: full.solved }
  const rest = height - dotsHeight * screen.smallest
  return { height: rest, solved: solve({ width, height: rest }).solved }
}
