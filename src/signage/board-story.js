/* Fits a story and its picture into an area, with the largest type that fits. */
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
import { shortenedToFit } from './board-text.js'

/** @typedef {import('./board-item.ts').BoardItem} BoardItem */
/** @typedef {import('./board-cards.js').CardOptions} CardOptions */
/** @typedef {import('./board-sizes.js').Area} Area */
/** @typedef {import('./board-text.js').TextFit} TextFit */

/**
 * @typedef {object} Story
 * @property {BoardItem} item With text that fits.
 * @property {number} size Type size in pixels.
 * @property {number} stretch Factor for the distance of lines.
 * @property {'above' | 'beside' | 'none'} picture Where the picture is.
 * @property {boolean} isLow True for a story with little space around it.
 * @property {boolean} hasLabel
 */

const storyTitle = { size: 1.4, line: 1.61 }
const minPictureShare = 0.3
/** Areas that are wider than this, relative to their height, have pictures next to the text. */
const besideRatio = 1.25
const besideShare = 0.48
/** Lower areas, in em of the smallest text, show only the text of a story, with less space around it. */
const lowHeight = 9
const lowPadding = 0.3

/**
 * Returns a story with its picture if there is room for it, and with as much text as fits.
 * @param {BoardItem} item
 * @param {Area} area
 * @param {CardOptions} options
 * @returns {Story}
 */
export function storyIn(item, area, options) {
  const { screen, fit } = options
  const { smallest } = screen
  const isLow = area.height / smallest < lowHeight
  const padding = 2 * smallest * (isLow ? lowPadding : cardPadding)
  const inner = { width: area.width - padding, height: area.height - padding }
  const isBeside = area.width > besideRatio * area.height
  /** @type {readonly Story['picture'][]} */
  const forms =
    item.pictureUrl === null || isLow ? ['none'] : [isBeside ? 'beside' : 'above', 'none']
  const stories = forms.map((picture) => {
    const box = textBox(inner, picture, smallest)
    /**
     * @param {Partial<BoardItem>} change
     * @param {{ readonly size?: number, readonly hasLabel?: boolean }} options
     */
    const heightAt = (change, { size = smallest, hasLabel = !isLow } = {}) =>
      storyHeight({ ...item, ...change }, { width: box.width / size, hasLabel }, fit) * size
    /** @type {(...args: Parameters<typeof heightAt>) => boolean} */
    const fits = (...args) => heightAt(...args) <= box.height
    const title = shortenedToFit(item.title, (start) => fits({ title: start, text: '' }))
    const text = shortenedToFit(item.text, (start) => fits({ title, text: start }))
    const hasText = fits({ title, text })
    const shown = { title, text: hasText ? text : '' }
    const isComplete = title === item.title && (hasText || isLow)
    return {
      picture,
      box,
      fits,
      heightAt,
      isComplete,
      shown,
      hasLabel: fits(shown, { hasLabel: true }),
    }
  })
  const { picture, box, fits, heightAt, shown, hasLabel } =
    stories.find(({ isComplete }) => isComplete) ?? stories.at(-1) ?? never()
  const word = fit.longestWord(shown.title, true) * storyTitle.size
  const largest = picture === 'above' ? smallest * maxGrowth : largestSize(screen)
  const size = largestThatFits(smallest, largest, (each) => {
    const isBroken = word * each > box.width && word * smallest * 2 <= box.width
    return !isBroken && fits(shown, { size: each, hasLabel })
  })
  const pictureUrl = picture === 'none' ? null : item.pictureUrl
  const stretch =
    picture === 'above' ? 1 : stretchFor(heightAt(shown, { size, hasLabel }), box.height)
  return { item: { ...item, ...shown, pictureUrl }, size, stretch, picture, isLow, hasLabel }
}

/** @returns {never} */
function never() {
  throw new Error('a story always has a form')
}

/**
 * Returns the area that a picture leaves for text.
 * @param {Area} area
 * @param {Story['picture']} picture
 * @param {number} smallest
 * @returns {Area}
 */
function textBox({ width, height }, picture, smallest) {
  const gap = cardPadding * smallest
  if (picture === 'above') return { width, height: height * (1 - minPictureShare) - gap }
  return picture === 'beside' ? { width: width * besideShare - gap, height } : { width, height }
}

/**
 * @param {BoardItem} item
 * @param {{ readonly width: number, readonly hasLabel: boolean }} box
 * @param {TextFit} fit
 */
function storyHeight({ title, text, category }, { width, hasLabel }, fit) {
  const label = hasLabel ? fit.lines(category === '' ? 'x' : category, width, true) * labelLine : 0
  const lines = text === '' ? 0 : fit.lines(text, width)
  return (
    label +
    2 * textGap +
    fit.lines(title, width / storyTitle.size, true) * storyTitle.line +
    lines * textLine
  )
}
