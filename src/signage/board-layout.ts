/*
 * Decides which panels a board has, and their places and sizes. Browsers also run this
 * file. It measures text with the widths that it is given.
 */
import { cardsIn, type CardPage } from './board-cards.ts'
import { dutyStripFor, footerFor, headerFor } from './board-header.ts'
import type { BoardItem } from './board-item.ts'
import { lengthOf, listIn, type List, type ListPage } from './board-list.ts'
import { moreHeight, rowsOf, rowsWithoutHeadings, type Row } from './board-rows.ts'
import { maxBlankShare, type Area, type Screen } from './board-sizes.ts'
import type { TextFit } from './board-text.ts'
import { activeTime, type AsOf, type TimeOptions } from './board-times.ts'
import type { BoardView } from './board-view.ts'

export type Page = ListPage | CardPage

export type Box = Area & { readonly left: number; readonly top: number }

export type Axis = readonly ['left', 'width'] | readonly ['top', 'height']

/** A panel, without the dots below it. */
export type Panel = Box & { readonly id: 'agenda' | 'cards'; readonly pages: readonly Page[] }

type Paper = {
  readonly screen: Screen
  readonly fit: TextFit
  /** Maximum number of entries on a page. */
  readonly maxRows: number | undefined
}

/** What is shown above and below the panels. */
export type BoardFrame = {
  readonly name: string
  readonly asOf: AsOf
  readonly hasCode: boolean
}

export type LayoutOptions = Paper & BoardFrame & { readonly time: TimeOptions }

export type PanelOptions = Paper & {
  readonly view: BoardView
  readonly rows: readonly Row[]
  readonly maxPages?: number
  readonly maxWordShare?: number
}

export type OnePanelOptions = PanelOptions & { readonly hasDots?: boolean }

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

/** An emergency covers everything else. */
export function layoutOf(view: BoardView, options: LayoutOptions) {
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

function emergencyIn(item: BoardItem, padding: number, options: LayoutOptions) {
  const { screen, time } = options
  const until = activeTime(item, time)
  const lines = emergencyLines + (until === '' ? 0 : emergencyLines)
  const room = 2 * padding + lines * screen.smallest + dotsHeight * screen.smallest
  const area = { width: screen.width - 2 * padding, height: screen.height - room }
  const pages = cardsIn({ announcements: [item], stories: [] }, area, options)
  return { label: time.words.emergency, until, pages, ...area }
}

/** Returns the panels of the list and the cards, either of which may be missing. */
export function panelsIn(box: Box, gap: number, options: PanelOptions): readonly Panel[] {
  const { view, screen, rows } = options
  const [width, height] = [box.width / screen.smallest, box.height / screen.smallest]
  const hasList = rows.length > 0
  const hasCards = view.announcements.length + view.stories.length > 0
  if (!hasList && !hasCards) return []
  if (!hasList) return [cardPanel(box, options)]
  if (!hasCards) return [listPanel(box, options).panel]
  const bestOf = (shares: readonly number[], axis: Axis): readonly Panel[] =>
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

/** Divides a box into two with a gap between them. The first one gets this share. */
function divided(box: Box, gap: number, share: number, [start, length]: Axis): readonly [Box, Box] {
  const first = (box[length] - gap) * share
  const rest = { [start]: box[start] + first + gap, [length]: box[length] - first - gap }
  return [
    { ...box, [length]: first },
    { ...box, ...rest },
  ]
}

/** Returns the best of several ways to divide an area. */
function best(
  divisions: readonly (readonly [Box, Box])[],
  options: PanelOptions,
): readonly Panel[] {
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

function listPanel(
  box: Box,
  options: OnePanelOptions,
): { readonly panel: Panel; readonly list: List } {
  const { screen, rows } = options
  const isLow = box.height / screen.smallest < minHeadingsHeight
  const shown = isLow ? rowsWithoutHeadings(rows) : rows
  const list = withDots(box, options, (area) => listIn(shown, area, options))
  return { panel: { ...box, id: 'agenda', height: list.height, pages: list.pages }, list }
}

export type CardPanel = Box & { readonly id: 'cards'; readonly pages: readonly CardPage[] }

function cardPanel(box: Box, options: OnePanelOptions): CardPanel {
  const solve = (area: Area) => ({ pages: cardsIn(options.view, area, options) })
  return { ...box, id: 'cards', ...withDots(box, options, solve) }
}

/**
 * Leaves space below an area for dots if it has several pages, or for the number of items that are
 * not shown if only one page is possible.
 */
function withDots<T extends { readonly pages: readonly Page[] }>(
  { width, height }: Box,
  { screen, maxPages, hasDots = false }: OnePanelOptions,
  solve: (area: Area) => T,
) {
  const full = hasDots ? undefined : solve({ width, height })
  if (full?.pages.length === 1) return { ...full, height }
  const below = maxPages === 1 ? moreHeight : dotsHeight
  const rest = height - below * screen.smallest
  return { ...solve({ width, height: rest }), height: rest }
}
