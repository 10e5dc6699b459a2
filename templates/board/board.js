/*
 * A board that runs unattended for months. It keeps up with the clock while offline, and computes a
 * new layout when its content or the screen changes.
 */
import './board-fallbacks.js'
import { createBoardContent, registerWorker } from './board-data.js'
import { pageHtml } from '../../src/signage/board-html.ts'
import { layoutOf } from '../../src/signage/board-layout.ts'
import { createPane, elementById, show } from './board-pane.js'
import {
  applyAccent,
  applyLayout,
  createScreenFit,
  maxTightness,
  screenFor,
} from './board-screen.js'
import { asOf, clockTime } from '../../src/signage/board-times.ts'
import { siteTimeAt, viewOf } from '../../src/signage/board-view.ts'

/** @import { AsOf } from '../../src/signage/board-times.ts' */
/** @import { BoardData, BoardItem } from '../../src/signage/board-item.ts' */
/** @import { Layout } from './board-screen.js' */

const shiftMs = 180_000
/** How long the board omits a picture that failed to load. */
const retryPictureMs = 60_000

/** @type {BoardData} */
const board = JSON.parse(elementById('board').textContent)
const { lang, words, offsets } = board
const { now, content, noticeSleep, start: startRefreshing } = createBoardContent(board, tick)

/** @type {Map<string, number>} When pictures failed to load, by path. */
const brokenPictures = new Map()
let failures = 0
/** Number of times that this content's text did not fit. */
let tightness = 0
/**
 * Caches the widths of a limited number of texts, so that most minutes do not require new
 * measurements.
 */
let fit = createScreenFit(tightness)

/**
 * Makes the picture's URL relative, so that the screen loads the picture from the page's own origin, and
 * removes a picture that failed to load.
 * @type {(item: BoardItem) => BoardItem}
 */
function local(item) {
  if (item.pictureUrl === null) return item
  const path = new URL(item.pictureUrl, location.href).pathname
  const failedAt = brokenPictures.get(path) ?? -Infinity
  return { ...item, pictureUrl: performance.now() - failedAt < retryPictureMs ? null : path }
}

/** @type {(value: number) => void} */
function setTightness(value) {
  if (value !== tightness) fit = createScreenFit(value)
  tightness = value
}

const paneOptions = {
  rotateMs: board.rotate * 1000,
  onCut: () => {
    if (tightness >= maxTightness) return
    setTightness(tightness + 1)
    queueMicrotask(tick)
  },
  /** @param {string} path */
  onBrokenPicture: (path) => {
    if (brokenPictures.size > 100) brokenPictures.clear()
    brokenPictures.set(path, performance.now())
    failures += 1
  },
}
const panes = {
  agenda: createPane('agenda', paneOptions),
  cards: createPane('cards', paneOptions),
  emergency: createPane('alarm', paneOptions),
}

/** @type {(siteNow: string) => Layout} */
function arrange(siteNow) {
  const time = { now: siteNow, instant: now(), lang, words }
  const layout = layoutOf(viewOf(content().items.map(local), time), {
    screen: screenFor(board),
    fit,
    time,
    name: elementById('name').dataset['name'] ?? '',
    asOf: asOfNow(),
    hasCode: document.getElementById('follow') !== null,
    maxRows: board.rows,
  })
  applyLayout(layout, board)
  return layout
}

/** @type {() => AsOf} */
function asOfNow() {
  const { message, readAt, intervalMs } = content()
  return message === undefined
    ? asOf(readAt, { now: now(), offsets, lang, words, intervalMs })
    : { text: message, level: 'loud' }
}

/** @type {{ readonly key: string, readonly changes: number, readonly layout: Layout } | undefined} */
let arranged

/** @type {(siteNow: string) => Layout} */
function currentLayout(siteNow) {
  const { changes } = content()
  if (arranged?.changes !== changes) setTightness(0)
  const minute = siteNow.slice(0, 16)
  const sizes = [innerWidth, innerHeight, tightness, failures]
  const key = [minute, changes, asOfNow().text, asOfNow().level, ...sizes].join()
  if (arranged?.key !== key) arranged = { key, changes, layout: arrange(siteNow) }
  return arranged.layout
}

function tick() {
  const isUnsure = noticeSleep()
  const siteNow = siteTimeAt(now(), offsets)
  const { header, panels, emergency } = currentLayout(siteNow)
  show('time', clockTime(siteNow, lang))
  elementById('clock').classList.toggle('unsure', isUnsure)
  show('date', header.date)
  tickAsOf()
  for (const id of /** @type {const} */ (['agenda', 'cards'])) {
    const panel = panels.find((each) => each.id === id)
    panes[id].tick(panel?.pages ?? [], (page) => pageHtml(page, board))
  }
  panes.emergency.tick(emergency?.pages ?? [], (page) => (page ? pageHtml(page, board) : ''))
}

function tickAsOf() {
  const { text, level } = asOfNow()
  const { classList } = elementById('as-of')
  for (const each of ['amber', 'loud']) classList.toggle(each, each === level)
  show('as-of', text)
}

/** Shifts the page by a few pixels to prevent burn-in. */
function shift() {
  const steps = ['0, 0', '3px, 1px', '1px, 3px', '-2px, 2px', '-3px, -1px', '2px, -3px']
  const step = steps[Math.floor(performance.now() / shiftMs) % steps.length]
  elementById('frame').style.transform = `translate(${step})`
}

async function stayAwake() {
  if (document.visibilityState !== 'visible') return
  await navigator.wakeLock?.request('screen').catch(() => undefined)
}

const applyColors = () => applyAccent(board.accent)

applyColors()
// Safari 14. Older ones have no dark mode on screens.
matchMedia('(prefers-color-scheme: light)').addEventListener?.('change', applyColors)
tick()
shift()
performance.mark('arranged')
setInterval(tick, 1_000)
setInterval(shift, shiftMs)
addEventListener('resize', tick)
document.addEventListener('visibilitychange', () => void stayAwake())
void stayAwake()
// Tells the guard that the scripts run.
document.body.setAttribute('data-heard', '0')
startRefreshing()
registerWorker(board.worker ?? 'board/worker.js')
