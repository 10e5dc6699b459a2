/* Measures a board's screen and text, and arranges its parts as the layout says. */
import { dutyHtml } from '../../src/signage/board-html.ts'
import { applyStyles, elementById, show } from './board-pane.js'
import { smallestReadable } from '../../src/signage/board-sizes.ts'
import { createTextFit } from '../../src/signage/board-text.ts'

/** @import { BoardAccent } from '../../src/signage/board-item.ts' */
/** @import { BoardLanguage } from '../../src/signage/board-language.ts' */
/** @import { Box, layoutOf } from '../../src/signage/board-layout.ts' */
/** @import { Screen } from '../../src/signage/board-sizes.ts' */

/** @typedef {ReturnType<typeof layoutOf>} Layout */

/**
 * Factor by which text is assumed to be wider after the browser needed more lines than expected.
 */
const tighterBy = 1.03
export const maxTightness = 5
const measuredSize = 100

/**
 * Returns a fit that measures with the page's font.
 * @param {number} tightness Number of times that text did not fit.
 */
export function createScreenFit(tightness) {
  const context = document.createElement('canvas').getContext('2d')
  const { fontFamily } = getComputedStyle(document.body)
  const factor = tighterBy ** tightness / measuredSize
  return createTextFit((text, isBold) => {
    if (!context) return text.length * factor * measuredSize
    const font = `${isBold ? 700 : 400} ${measuredSize}px ${fontFamily}`
    if (context.font !== font) context.font = font
    return context.measureText(text).width * factor
  })
}

/** @type {(board: { readonly distance: number, readonly inches: number }) => Screen} */
export function screenFor(board) {
  const area = { width: innerWidth, height: innerHeight }
  return { ...area, smallest: smallestReadable(area, board) }
}

/** @type {(pixels: number) => string} */
const px = (pixels) => `${pixels.toFixed(2)}px`

/**
 * Arranges everything except the content of panels.
 * @type {(layout: Layout, language: BoardLanguage) => void}
 */
export function applyLayout(layout, language) {
  const { screen, footer, panels, padding, gap } = layout
  document.documentElement.style.setProperty('--smallest', px(screen.smallest))
  const frame = elementById('frame')
  frame.classList.add('solved')
  frame.classList.toggle('idle', layout.isIdle)
  frame.style.padding = px(padding)
  frame.style.gap = px(gap)
  applyHeader(layout)
  applyDuty(layout.duty, language)
  const { style } = elementById('footer')
  style.height = px(footer.height)
  const follow = document.getElementById('follow')
  follow?.style.setProperty('--code', px(footer.codeSize))
  const label = follow?.querySelector('span')
  if (label) label.hidden = !footer.hasLabel
  for (const id of ['agenda', 'cards']) {
    const section = elementById(id)
    const panel = panels.find((each) => each.id === id)
    section.hidden = !panel && !(id === 'agenda' && panels.length === 0)
    const box = panel ?? emptyBox(layout)
    Object.assign(section.style, {
      left: px(box.left),
      top: px(box.top),
      width: px(box.width),
      height: px(box.height),
    })
  }
  applyEmergency(layout.emergency)
}

/** Share of the screen for the clock when there is nothing else to show. */
const idleShare = 0.65

/**
 * Returns the space between the header and the footer, for a message in place of panels.
 * @type {(layout: Layout) => Box}
 */
function emptyBox({ screen, padding, footer }) {
  const top = padding + idleShare * screen.height
  const height = screen.height - padding - top - footer.height
  return { left: padding, top, width: screen.width - 2 * padding, height }
}

/** @type {(layout: Layout) => void} */
function applyHeader({ header, screen, isIdle }) {
  const element = elementById('header')
  element.style.height = px(isIdle ? idleShare * screen.height : header.height)
  element.classList.toggle('stacked', header.isStacked)
  const name = elementById('name')
  show('name', header.name)
  name.style.fontSize = px(header.nameSize)
  elementById('clock').classList.toggle('beside', header.isDateBeside)
  elementById('time').style.fontSize = px(header.clockSize)
  const logo = /** @type {HTMLElement | null} */ (document.querySelector('.logo'))
  if (logo) logo.hidden = !header.hasLogo
}

/** @type {(duty: Layout['duty'], language: BoardLanguage) => void} */
function applyDuty(duty, language) {
  const element = elementById('duty')
  element.hidden = duty === null
  const html = duty ? dutyHtml(duty, language) : ''
  if (element.dataset['html'] !== html) {
    element.dataset['html'] = html
    element.innerHTML = html
    applyStyles(element)
  }
  element.style.setProperty('--per-row', String(duty?.perRow ?? 1))
  if (duty) element.style.height = px(duty.height)
}

/**
 * Applies an accent color that replaces the site's.
 * @type {(accent: BoardAccent | null) => void}
 */
export function applyAccent(accent) {
  if (!accent) return
  const { style, classList } = document.documentElement
  const isDevice = !classList.contains('dark') && !classList.contains('light')
  const isLight = isDevice && matchMedia('(prefers-color-scheme: light)').matches
  const theme = isLight || classList.contains('light') ? accent.light : accent.dark
  style.setProperty('--accent', theme.accent)
  style.setProperty('--on-accent', theme.onAccent)
  style.setProperty('--brand', accent.brand.accent)
  style.setProperty('--on-brand', accent.brand.onAccent)
}

/** @type {(emergency: Layout['emergency']) => void} */
function applyEmergency(emergency) {
  elementById('emergency').hidden = emergency === null
  show('emergency-label', emergency?.label ?? '')
  show('emergency-until', emergency?.until ?? '')
  elementById('emergency-until').hidden = (emergency?.until ?? '') === ''
}
