/* Fits a board's announcements and stories into an area, with the largest type that fits. */
import { storyIn } from './board-story.js'
import { partsThatFit, shortenedToFit } from './board-text.js'
import {
  cardPadding,
  labelLine,
  largestSize,
  largestThatFits,
  maxGrowth,
  stretchFor,
  textGap,
  textLine,
} from './board-sizes.js'

/** @typedef {import('./board-item.ts').BoardItem} BoardItem */
/** @typedef {import('./board-sizes.js').Area} Area */
/** @typedef {import('./board-sizes.js').Screen} Screen */
/** @typedef {import('./board-text.js').TextFit} TextFit */

/**
 * @typedef {object} Notices
 * @property {readonly BoardItem[]} items With text that fits.
 * @property {number} size Type size in pixels.
 * @property {number} stretch Factor for the distance of lines.
 * @property {boolean} hasLabel True for a single announcement with a label above it.
 * @property {number} height
 */

/** @typedef {import('./board-story.js').Story} Story */

/** @typedef {{ readonly notices: Notices | null, readonly story: Story | null }} CardPage */

/** @typedef {{ readonly screen: Screen, readonly fit: TextFit }} CardOptions */

/** Text sizes and spaces in em of the smallest text. `board.css` has the same values. */
const noticeTitle = { size: 1.3, line: 1.56 }
/** Space above and below an announcement. */
const noticePadding = 0.5
/** Space between cards in em of the screen's smallest text. */
const cardGap = 0.7

/** Space for the label of an announcement. */
const labelWidth = 9

/** Share of the height that announcements may take next to stories. */
const noticesShare = 0.42

/**
 * Returns the pages of an area's cards: all announcements above each story if they are short, otherwise
 * pages of their own.
 * @param {{ readonly announcements: readonly BoardItem[], readonly stories: readonly BoardItem[] }} view
 * @param {Area} area
 * @param {CardOptions} options
 * @returns {readonly CardPage[]}
 */
export function cardsIn({ announcements, stories }, area, options) {
  const { smallest } = options.screen
  if (announcements.length === 0) return storyPages(stories, area, null, options)
  const room = stories.length > 0 ? noticesShare * area.height : area.height
  const height = noticesHeight(announcements, area.width, smallest, options)
  if (height > room) {
    return [
      ...noticePages(announcements, area, options),
      ...storyPages(stories, area, null, options),
    ]
  }
  if (stories.length === 0)
    return [{ notices: grownNotices(announcements, area, options), story: null }]
  const size = largestThatFits(
    smallest,
    smallest * maxGrowth,
    (each) => noticesHeight(announcements, area.width, each, options) <= room,
  )
  const taken = noticesHeight(announcements, area.width, size, options)
  const notices = { items: announcements, size, stretch: 1, hasLabel: false, height: taken }
  const rest = { width: area.width, height: area.height - taken - cardGap * smallest }
  return storyPages(stories, rest, notices, options)
}

/**
 * @param {readonly BoardItem[]} items
 * @param {number} width
 * @param {number} size
 * @param {CardOptions & { readonly hasLabel?: boolean }} options
 */
function noticesHeight(items, width, size, { screen, fit, hasLabel = false }) {
  const inner = width / size - 2 * cardPadding - barWidth
  const texts = items.map(({ title, text }) => {
    const lines = text === '' ? 0 : fit.lines(text, inner)
    const titleLines = title === '' ? 0 : fit.lines(title, inner / noticeTitle.size, true)
    const gap = lines > 0 && titleLines > 0 ? textGap : 0
    const label = hasLabel ? labelLine + textGap : 0
    return label + 2 * noticePadding + titleLines * noticeTitle.line + lines * textLine + gap
  })
  return (
    texts.reduce((sum, height) => sum + height * size, 0) +
    (items.length - 1) * cardGap * screen.smallest
  )
}

/** Width of the colored bar of announcements. */
const barWidth = 0.4

/**
 * @param {readonly BoardItem[]} items
 * @param {Area} area
 * @param {CardOptions} options
 * @returns {Notices}
 */
function grownNotices(items, { width, height }, { screen, fit }) {
  const { smallest } = screen
  const labeled = { screen, fit, hasLabel: true }
  const inner = (size = smallest) => width / size - 2 * cardPadding - barWidth
  const hasLabel =
    items.length === 1 &&
    inner() >= labelWidth &&
    noticesHeight(items, width, smallest, labeled) <= height
  const options = { screen, fit, hasLabel }
  const words = items.map(({ title }) => fit.longestWord(title, true) * noticeTitle.size)
  const word = Math.max(0, ...words.filter((each) => each * smallest * 2 <= width))
  const size = largestThatFits(
    smallest,
    largestSize(screen),
    (each) =>
      Math.max(word, hasLabel ? labelWidth : 0) <= inner(each) &&
      noticesHeight(items, width, each, options) <= height,
  )
  const stretch = stretchFor(noticesHeight(items, width, size, options), height)
  return { items, size, stretch, hasLabel, height }
}

/**
 * Divides announcements into pages, and long ones into parts.
 * @param {readonly BoardItem[]} items
 * @param {Area} area
 * @param {CardOptions} options
 * @returns {readonly CardPage[]}
 */
function noticePages(items, area, options) {
  const { smallest } = options.screen
  /** @param {readonly BoardItem[]} page */
  const fits = (page) => noticesHeight(page, area.width, smallest, options) <= area.height
  const parts = items.flatMap((item) => partsOf(item, fits))
  /** @type {BoardItem[][]} */
  const pages = []
  for (const part of parts) {
    const page = pages.at(-1)
    if (page && fits([...page, part])) page.push(part)
    else pages.push([part])
  }
  return pages.map((page) => ({ notices: grownNotices(page, area, options), story: null }))
}

/** Number of parts of one announcement. A screen that is this small shows its start. */
const maxParts = 4

/**
 * Divides an announcement into parts that fit. The first one has the title.
 * @param {BoardItem} item
 * @param {(items: readonly BoardItem[]) => boolean} fits
 * @returns {readonly BoardItem[]}
 */
function partsOf(item, fits) {
  const title = shortenedToFit(item.title, (start) => fits([{ ...item, title: start, text: '' }]))
  const [firstWords = ''] = /^(?:\S+\s*){0,4}/.exec(item.text) ?? []
  const hasRoom = fits([{ ...item, title, text: firstWords }])
  const whole = { ...item, title, text: '' }
  if (item.text === '') return [whole]
  const texts = partsThatFit(item.text, (text, index) =>
    fits([{ ...item, title: index === 0 && hasRoom ? title : '', text }]),
  )
  const parts = texts.map((text, index) => ({
    ...item,
    title: index === 0 && hasRoom ? title : '',
    text,
  }))
  return (hasRoom ? parts : [whole, ...parts]).slice(0, maxParts)
}

/**
 * @param {readonly BoardItem[]} stories
 * @param {Area} area
 * @param {Notices | null} notices
 * @param {CardOptions} options
 * @returns {readonly CardPage[]}
 */
function storyPages(stories, area, notices, options) {
  return stories.map((item) => ({ notices, story: storyIn(item, area, options) }))
}
