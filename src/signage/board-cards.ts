/* Fits a board's announcements and stories into an area, with the largest type that fits. */
import type { BoardItem } from './board-item.ts'
import { largestSize, largestThatFits, type Area, type Screen } from './board-sizes.ts'
import { partsThatFit, shortenedToFit, type TextFit } from './board-text.ts'

export type Notices = {
  /** With text that fits. */
  readonly items: readonly BoardItem[]
  /** Type size in pixels. */
  readonly size: number
  /** Line spacing factor. */
  readonly stretch: number
  /** True for a single announcement with a label above it. */
  readonly hasLabel: boolean
}

export type Story = {
  /** With text that fits. */
  readonly item: BoardItem
  /** Type size in pixels. */
  readonly size: number
  /** Line spacing factor. */
  readonly stretch: number
  /** Where the picture is. */
  readonly picture: 'above' | 'beside' | 'none'
  /** True for a story with little space around it. */
  readonly isLow: boolean
  readonly hasLabel: boolean
}

export type CardPage = { readonly notices: Notices | null; readonly story: Story | null }

export type CardOptions = {
  readonly screen: Screen
  readonly fit: TextFit
  readonly hasLabel?: boolean
  /**
   * Words that take up more than this share of the width at the smallest size may be broken in
   * larger type.
   */
  readonly maxWordShare?: number
}

/** Text sizes and spacing, in ems of the smallest text. `board.css` has the same values. */
export const cardPadding = 0.8
export const labelLine = 1.3
export const textLine = 1.35
export const textGap = 0.35
export const noticeTitle = { size: 1.3, line: 1.56 }
export const storyTitle = { size: 1.4, line: 1.61 }
/** Space above and below an announcement. */
export const noticePadding = 0.5
/** Width of the colored bar of announcements. */
export const barWidth = 0.4
/** Space between cards in ems of the screen's smallest text. */
export const cardGap = 0.7
/** Space for the label of an announcement. */
const labelWidth = 9

/** Share of the height that announcements may take up next to stories. */
const noticesShare = 0.42
/** Texts shown side by side grow up to this multiple of the smallest text. */
const maxGrowth = 1.7
/** Maximum increase in line spacing. */
const maxStretch = 1.6
/** Maximum number of parts of one announcement. A screen this small shows only its start. */
const maxParts = 4

/**
 * Returns the pages of an area's cards: all announcements above each story if they are short, and
 * otherwise on separate pages.
 */
export function cardsIn(
  {
    announcements,
    stories,
  }: { readonly announcements: readonly BoardItem[]; readonly stories: readonly BoardItem[] },
  area: Area,
  options: CardOptions,
): readonly CardPage[] {
  const { smallest } = options.screen
  const storyPages = (storyArea: Area, notices: Notices | null): readonly CardPage[] =>
    stories.map((item) => ({ notices, story: storyIn(item, storyArea, options) }))
  if (announcements.length === 0) return storyPages(area, null)
  const room = stories.length > 0 ? noticesShare * area.height : area.height
  const heightAt = (size: number) => noticesHeight(announcements, area.width, size, options)
  if (heightAt(smallest) > room) {
    return [...noticePages(announcements, area, options), ...storyPages(area, null)]
  }
  if (stories.length === 0)
    return [{ notices: grownNotices(announcements, area, options), story: null }]
  const size = largestThatFits(smallest, smallest * maxGrowth, (each) => heightAt(each) <= room)
  const rest = { width: area.width, height: area.height - heightAt(size) - cardGap * smallest }
  return storyPages(rest, { items: announcements, size, stretch: 1, hasLabel: false })
}

/** Returns the height of announcements in pixels for a type size in pixels. */
export function noticesHeight(
  items: readonly BoardItem[],
  width: number,
  size: number,
  { screen, fit, hasLabel = false }: CardOptions,
): number {
  const inner = width / size - 2 * cardPadding - barWidth
  const heights = items.map(({ title, text }) => {
    const lines = text === '' ? 0 : fit.lines(text, inner)
    const titleLines = title === '' ? 0 : fit.lines(title, inner / noticeTitle.size, true)
    const gap = lines > 0 && titleLines > 0 ? textGap : 0
    const label = hasLabel ? labelLine + textGap : 0
    return label + 2 * noticePadding + titleLines * noticeTitle.line + lines * textLine + gap
  })
  const gaps = (items.length - 1) * cardGap * screen.smallest
  return heights.reduce((sum, height) => sum + height * size, gaps)
}

function grownNotices(
  items: readonly BoardItem[],
  { width, height }: Area,
  { screen, fit, maxWordShare = 0.5 }: CardOptions,
): Notices {
  const { smallest } = screen
  const labeled = { screen, fit, hasLabel: true }
  const inner = (size = smallest) => width / size - 2 * cardPadding - barWidth
  const hasLabel =
    items.length === 1 &&
    inner() >= labelWidth &&
    noticesHeight(items, width, smallest, labeled) <= height
  const options = { screen, fit, hasLabel }
  const words = items.map(({ title }) => fit.longestWord(title, true) * noticeTitle.size)
  const word = Math.max(0, ...words.filter((each) => each * smallest <= width * maxWordShare))
  const size = largestThatFits(
    smallest,
    largestSize(screen),
    (each) =>
      Math.max(word, hasLabel ? labelWidth : 0) <= inner(each) &&
      noticesHeight(items, width, each, options) <= height,
  )
  const stretch = stretchFor(noticesHeight(items, width, size, options), height)
  return { items, size, stretch, hasLabel }
}

/** Returns the factor by which line spacing can be increased to fill the space. */
function stretchFor(height: number, room: number): number {
  return Math.min(maxStretch, Math.max(1, (0.97 * room) / height))
}

/** Divides announcements into pages, and long ones into parts. */
function noticePages(
  items: readonly BoardItem[],
  area: Area,
  options: CardOptions,
): readonly CardPage[] {
  const { smallest } = options.screen
  const fits = (page: readonly BoardItem[]) =>
    noticesHeight(page, area.width, smallest, options) <= area.height
  const pages: BoardItem[][] = []
  for (const part of items.flatMap((item) => partsOf(item, fits))) {
    const page = pages.at(-1)
    if (page && fits([...page, part])) page.push(part)
    else pages.push([part])
  }
  return pages.map((page) => ({ notices: grownNotices(page, area, options), story: null }))
}

/** Divides an announcement into parts that fit. The first one has the title. */
function partsOf(
  item: BoardItem,
  fits: (items: readonly BoardItem[]) => boolean,
): readonly BoardItem[] {
  const title = shortenedToFit(item.title, (start) => fits([{ ...item, title: start, text: '' }]))
  const whole = { ...item, title, text: '' }
  if (item.text === '') return [whole]
  const [firstWords = ''] = /^(?:\S+\s*){0,4}/.exec(item.text) ?? []
  const hasRoom = fits([{ ...whole, text: firstWords }])
  const partWith = (text: string, index: number): BoardItem => ({
    ...item,
    title: index === 0 && hasRoom ? title : '',
    text,
  })
  const texts = partsThatFit(item.text, (text, index) => fits([partWith(text, index)]))
  const parts = texts.map(partWith)
  return (hasRoom ? parts : [whole, ...parts]).slice(0, maxParts)
}

/** Share of the area's height for a picture above the text, and of its width for text beside it. */
const minPictureShare = 0.3
const besideShare = 0.48
/** Areas wider than this, relative to their height, show pictures next to the text. */
const besideRatio = 1.25
/**
 * Shorter areas, in ems of the smallest text, show only a story's text, with less space around it.
 */
const lowHeight = 9
const lowPadding = 0.3

/** Returns a story with its picture if there is room for it, and with as much text as fits. */
function storyIn(
  item: BoardItem,
  area: Area,
  { screen, fit, maxWordShare = 0.5 }: CardOptions,
): Story {
  const { smallest } = screen
  const isLow = area.height / smallest < lowHeight
  const padding = 2 * smallest * (isLow ? lowPadding : cardPadding)
  const inner = { width: area.width - padding, height: area.height - padding }

  function formWith(picture: Story['picture']) {
    const box = textBox(inner, picture, smallest)
    const heightAt = (texts: Texts, size = smallest, hasLabel = !isLow) =>
      storyHeight({ ...item, ...texts }, box.width / size, hasLabel, fit) * size
    const fits = (...args: Parameters<typeof heightAt>) => heightAt(...args) <= box.height
    const title = shortenedToFit(item.title, (start) => fits({ title: start, text: '' }))
    const text = shortenedToFit(item.text, (start) => fits({ title, text: start }))
    const hasText = fits({ title, text })
    const shown = { title, text: hasText ? text : '' }
    const hasLabel = fits(shown, smallest, true)
    const isComplete = title === item.title && (hasText || isLow)
    return { picture, box, fits, heightAt, isComplete, shown, hasLabel }
  }

  const isBeside = area.width > besideRatio * area.height
  const hasPicture = item.pictureUrl !== null && !isLow
  const best = formWith(hasPicture ? (isBeside ? 'beside' : 'above') : 'none')
  const form = best.isComplete || !hasPicture ? best : formWith('none')
  const { picture, box, fits, heightAt, shown, hasLabel } = form
  const word = fit.longestWord(shown.title, true) * storyTitle.size
  const largest = picture === 'above' ? smallest * maxGrowth : largestSize(screen)
  const size = largestThatFits(smallest, largest, (each) => {
    const isBroken = word * each > box.width && word * smallest <= box.width * maxWordShare
    return !isBroken && fits(shown, each, hasLabel)
  })
  const pictureUrl = picture === 'none' ? null : item.pictureUrl
  const stretch = picture === 'above' ? 1 : stretchFor(heightAt(shown, size, hasLabel), box.height)
  return { item: { ...item, ...shown, pictureUrl }, size, stretch, picture, isLow, hasLabel }
}

type Texts = { readonly title: string; readonly text: string }

/** Returns the area that a picture leaves for text. */
export function textBox(
  { width, height }: Area,
  picture: Story['picture'],
  smallest: number,
): Area {
  const gap = cardPadding * smallest
  if (picture === 'above') return { width, height: height * (1 - minPictureShare) - gap }
  return picture === 'beside' ? { width: width * besideShare - gap, height } : { width, height }
}

/** Returns the height of a story's text in em for a width in em. */
export function storyHeight(
  { title, text, category }: BoardItem,
  width: number,
  hasLabel: boolean,
  fit: TextFit,
): number {
  const label = hasLabel ? fit.lines(category === '' ? 'x' : category, width, true) * labelLine : 0
  const titleLines = fit.lines(title, width / storyTitle.size, true)
  const lines = text === '' ? 0 : fit.lines(text, width)
  return label + 2 * textGap + titleLines * storyTitle.line + lines * textLine
}
