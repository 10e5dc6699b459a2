/* Fits the header, the footer and the on-duty strip to the screen. */
import { activeTime, clockTime, dateName, shortDate } from './board-times.js'
import { formsOfName, shortenedToFit } from './board-text.js'

/** @import { Screen } from './board-sizes.js' */
/** @import { TextFit } from './board-text.js' */
/** @import { TimeOptions } from './board-times.js' */
/** @import { BoardView } from './board-view.js' */
/** @import { BoardMessages } from './messages/en.ts' */

/**
 * Space for a part of the board, in pixels, like all sizes returned by these functions.
 * @typedef {{ readonly screen: Screen, readonly width: number, readonly fit: TextFit }} Line
 */

/** Sizes and spacing, in ems of the smallest text. `board.css` has the same values. */
const nameLine = 1.15
const clockLine = 1.05
const dateLine = 1.25
const logoSize = 2.2
const logoGap = 0.7
const clockGap = 1.2
/** The widest time, so that the header stays the same all day. */
const widestTime = '2000-01-01T22:58:00'
/** Size of the clock as a share of the screen's height. */
const clockShare = 0.074
/** Screens shorter than this have a single-line header. */
const lowHeight = 14
/** Screens narrower than this show the name above the clock. */
const narrowWidth = 26

/**
 * Returns the header with the longest form of the name, in the largest type.
 * @param {string} name
 * @param {TimeOptions} time
 * @param {Line} line
 */
export function headerFor(name, { now, lang }, { screen, width, fit }) {
  const { smallest } = screen
  const isLow = screen.height / smallest < lowHeight
  const isStacked = !isLow && width / smallest < narrowWidth
  const clockSize = isLow
    ? smallest
    : Math.min(2.4 * smallest, Math.max(1.2 * smallest, clockShare * screen.height))
  const hasLogo = !isLow && width / smallest >= 16
  const isDateBeside = isLow || isStacked
  const time = fit.width(clockTime(widestTime, lang), true) * clockSize
  /** @type {(date: string) => number} */
  const clockWidth = (date) => {
    const own = fit.width(date) * smallest
    if (date === '') return time
    return isDateBeside ? time + own + 0.5 * smallest : Math.max(time, own)
  }
  const logo = hasLogo ? (logoSize + logoGap) * smallest : 0
  const limits = { smallest, lines: isLow ? 1 : isStacked ? 3 : 2 }
  const choiceWith = (/** @type {string} */ date) => {
    const clock = clockWidth(date)
    const nameWidth = width - logo - (isStacked ? 0 : clock + clockGap * smallest)
    const chosen = nameIn(name, nameWidth, limits, fit)
    return { date, chosen, fits: clock <= width && !chosen.isCut }
  }
  const today = now.slice(0, 10)
  const short = shortDate(today, lang)
  const dated = [dateName(today, lang), short].map(choiceWith).find(({ fits }) => fits)
  const { date, chosen } = dated ?? choiceWith(isDateBeside ? '' : short)
  const clockHeight = clockSize * clockLine + (isDateBeside ? 0 : dateLine * smallest)
  const nameHeight = Math.max(chosen.height, hasLogo ? logoSize * smallest : 0)
  return {
    name: chosen.text,
    nameSize: chosen.size,
    clockSize,
    date,
    isDateBeside,
    hasLogo,
    isStacked,
    height: isStacked ? nameHeight + clockHeight : Math.max(nameHeight, clockHeight),
  }
}

/** Size of the name in ems of the smallest text, and number of lines, best first. */
const nameForms = /** @type {const} */ ([
  [1.5, 1],
  [1.3, 1],
  [1.2, 2],
  [1, 2],
  [1, 3],
])

/**
 * @param {string} name
 * @param {number} width
 * @param {{ readonly smallest: number, readonly lines: number }} limits
 * @param {TextFit} fit
 */
function nameIn(name, width, { smallest, lines: maxLines }, fit) {
  /** @type {(text: string, size: number) => number} */
  const linesAt = (text, size) => {
    const isBroken = fit.longestWord(text, true) * size > width
    return isBroken ? Infinity : fit.lines(text, width / size, true)
  }
  for (const text of formsOfName(name)) {
    for (const [share, lines] of nameForms) {
      const size = share * smallest
      if (lines > maxLines || linesAt(text, size) > lines) continue
      const height = linesAt(text, size) * nameLine * size
      return { text, size, height, isCut: false }
    }
  }
  const shortest = formsOfName(name).at(-1) ?? name
  /** @type {(text: string) => number} */
  const lines = (text) => fit.lines(text, width / smallest, true)
  const text = shortenedToFit(shortest, (start) => lines(start) <= maxLines)
  return { text, size: smallest, height: lines(text) * nameLine * smallest, isCut: true }
}

/** @typedef {{ readonly text: string, readonly level: '' | 'amber' | 'loud' }} AsOf */

/** Size of the code: a phone must be able to scan it from arm's length. */
const codeShare = 0.085
export const footerLine = 1.3
const footerGap = 0.6

/**
 * @param {AsOf} asOf When the website was last read.
 * @param {{ readonly hasCode: boolean, readonly words: BoardMessages }} content
 * @param {Line} line
 */
export function footerFor({ text, level }, { hasCode, words }, { screen, width, fit }) {
  const { smallest, height } = screen
  const codeSize = hasCode
    ? Math.max(codeShare * Math.min(height, width), smallest * footerLine)
    : 0
  const code = codeSize / smallest + (hasCode ? footerGap : 0)
  // Warnings are bold, and may have extra space around them.
  const isBold = level !== ''
  const textWidth = fit.width(text, isBold) + (isBold ? 1 : 0)
  const label = fit.width(words.follow) + footerGap
  const room = width / smallest - code
  const hasLabel = hasCode && textWidth + label <= room
  const lines = fit.lines(text, room - (hasLabel ? label : 0) - (isBold ? 1 : 0), isBold)
  return { height: Math.max(codeSize, lines * footerLine * smallest), codeSize, hasLabel }
}

/** @typedef {{ readonly label: string, readonly title: string, readonly color: string }} DutyCard */

/** @typedef {{ readonly cards: readonly DutyCard[], readonly more: number }} DutyStrip With `more` people or crews without a card. */

export const dutyTitle = { size: 1.3, line: 1.56 }
export const dutyPadding = { x: 1.6, y: 0.8 }
export const dutyGap = 0.6
const minDutyWidth = 13
const maxDutyRows = 3

/**
 * Returns the cards for the crew on duty and the next crew. Returns null if both are missing.
 * @param {BoardView} view
 * @param {TimeOptions} time
 * @param {Line} line
 */
export function dutyStripFor({ onDuty, nextOnDuty }, time, { screen, width, fit }) {
  const { words } = time
  const next = nextOnDuty ? [nextOnDuty] : []
  const items = [...onDuty, ...next]
  if (items.length === 0) return null
  const available = width / screen.smallest
  const mostPerRow = Math.max(1, Math.floor((available + dutyGap) / (minDutyWidth + dutyGap)))
  const count = Math.min(items.length, mostPerRow * maxDutyRows)
  const rows = Math.ceil(count / mostPerRow)
  const perRow = Math.ceil(count / rows)
  const inner = (available - (perRow - 1) * dutyGap) / perRow - dutyPadding.x
  const isAllShown = count === items.length
  /** @type {(label: string) => number} */
  const labelLines = (label) => fit.lines(label, inner)
  /** @type {(title: string) => number} */
  const titleLines = (title) => fit.lines(title, inner / dutyTitle.size, true)
  const cards = items.slice(0, isAllShown ? count : count - 1).map((item) => {
    const role = item === nextOnDuty ? words.nextOnDuty : words.onDuty
    const when = activeTime(item, time)
    const label = when === '' ? role : `${role}, ${when}`
    return {
      label: shortenedToFit(label, (each) => labelLines(each) <= 2),
      title: shortenedToFit(item.title, (each) => titleLines(each) <= 2),
      color: item.color,
    }
  })
  const heights = cards.map(
    ({ label, title }) =>
      dutyPadding.y + labelLines(label) * footerLine + titleLines(title) * dutyTitle.line,
  )
  const height = Math.max(...heights) * rows + (rows - 1) * dutyGap
  return { cards, more: items.length - cards.length, perRow, height: height * screen.smallest }
}
