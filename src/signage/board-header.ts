/* Fits the header, the footer and the on-duty strip to the screen. */
import type { Screen } from './board-sizes.ts'
import { formsOfName, shortenedToFit, type TextFit } from './board-text.ts'
import {
  activeTime,
  clockTime,
  dateName,
  shortDate,
  type AsOf,
  type TimeOptions,
} from './board-times.ts'
import type { BoardView } from './board-view.ts'
import type { BoardMessages } from './messages/en.ts'

/** Space for a part of the board, in pixels, like all sizes returned by these functions. */
export type Line = { readonly screen: Screen; readonly width: number; readonly fit: TextFit }

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

/** Returns the header with the longest form of the name, in the largest type. */
export function headerFor(name: string, { now, lang }: TimeOptions, { screen, width, fit }: Line) {
  const { smallest } = screen
  const isLow = screen.height / smallest < lowHeight
  const isStacked = !isLow && width / smallest < narrowWidth
  const clockSize = isLow
    ? smallest
    : Math.min(2.4 * smallest, Math.max(1.2 * smallest, clockShare * screen.height))
  const hasLogo = !isLow && width / smallest >= 16
  const isDateBeside = isLow || isStacked
  const time = fit.width(clockTime(widestTime, lang), true) * clockSize
  const clockWidth = (date: string) => {
    const own = fit.width(date) * smallest
    if (date === '') return time
    return isDateBeside ? time + own + 0.5 * smallest : Math.max(time, own)
  }
  const logo = hasLogo ? (logoSize + logoGap) * smallest : 0
  const limits = { smallest, lines: isLow ? 1 : isStacked ? 3 : 2 }
  const choiceWith = (date: string) => {
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
const nameForms = [
  [1.5, 1],
  [1.3, 1],
  [1.2, 2],
  [1, 2],
  [1, 3],
] as const

function nameIn(
  name: string,
  width: number,
  { smallest, lines: maxLines }: { readonly smallest: number; readonly lines: number },
  fit: TextFit,
) {
  const linesAt = (text: string, size: number) => {
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
  const lines = (text: string) => fit.lines(text, width / smallest, true)
  const text = shortenedToFit(shortest, (start) => lines(start) <= maxLines)
  return { text, size: smallest, height: lines(text) * nameLine * smallest, isCut: true }
}

/** Size of the code: a phone must be able to scan it from arm's length. */
const codeShare = 0.085
export const footerLine = 1.3
const footerGap = 0.6

/** Returns the layout of the footer, which says when the website was last read. */
export function footerFor(
  { text, level }: AsOf,
  { hasCode, words }: { readonly hasCode: boolean; readonly words: BoardMessages },
  { screen, width, fit }: Line,
) {
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

export type DutyCard = { readonly label: string; readonly title: string; readonly color: string }

/** `more` counts people or crews without a card. */
export type DutyStrip = { readonly cards: readonly DutyCard[]; readonly more: number }

export const dutyTitle = { size: 1.3, line: 1.56 }
export const dutyPadding = { x: 1.6, y: 0.8 }
export const dutyGap = 0.6
const minDutyWidth = 13
const maxDutyRows = 3

/** Returns the cards for the crew on duty and the next crew. Returns null if both are missing. */
export function dutyStripFor(
  { onDuty, nextOnDuty }: BoardView,
  time: TimeOptions,
  { screen, width, fit }: Line,
) {
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
  const labelLines = (label: string) => fit.lines(label, inner)
  const titleLines = (title: string) => fit.lines(title, inner / dutyTitle.size, true)
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
