/*
 * A board that runs unattended for months. It refreshes its content without reloading, keeps up with the
 * clock while offline, and stores its latest content for offline starts.
 */
import { agendaHtml, asOf, cardHtml, clockTime, dateName } from './board-html.js'
import { readAnswer } from './board-answer.js'
import { createPane, elementById, readingMs, show } from './board-pane.js'
import {
  isPreview,
  linkPathIn,
  read,
  removeBoard,
  removeCopies,
  unregisterWorkers,
  write,
} from './board-storage.js'
import { siteTimeAt, viewOf } from './board-view.js'

/** @typedef {import('../src/signage/board-item.ts').BoardItem} BoardItem */
/** @typedef {import('../src/signage/board-view.js').AgendaPage} AgendaPage */
/** @typedef {import('../src/signage/board-view.js').Card} Card */

/** An emergency text must be on all screens within a minute. */
const refreshMs = 50_000
const timeoutMs = 15_000
/** Retry delays after consecutive failures; `refreshMs` after that. */
const retriesMs = [1_000, 2_000, 4_000, 8_000, 10_000]
const shiftMs = 180_000
const halfDayMs = 43_200_000
const hourMs = 3_600_000
/** Hour, in site time, when the page reloads. */
const quietHour = '04'
/** Smaller clock differences are assumed to be network latency. */
const sameClockMs = 2_000
/** A page that is older than this came from a cache. */
const freshPageMs = 300_000

/** @type {import('../src/signage/board.ts').BoardData} */
const board = JSON.parse(elementById('board').textContent)
const name = `board ${location.pathname}${location.search}`

/*
 * The current time at the site is the last time that the server sent, plus the time elapsed since then.
 * After an offline start, it is estimated from the device's clock.
 */
/** @type {{ at: number, wall: number, readAt?: number, intervalMs?: number } | null} */
const storedTimes = read('localStorage', `${name} at`)
/** When the page was rendered, or when a static page was last changed. It may come from a cache. */
const isFile = document.body.dataset['now'] === ''
const pageTime = isFile ? Date.parse(document.lastModified) : Number(document.body.dataset['now'])
const estimate = storedTimes ? storedTimes.at + Date.now() - storedTimes.wall : Date.now()
const isFromServer = !navigator.serviceWorker?.controller
const isFreshPage = !isFile && (isFromServer || Math.abs(pageTime - estimate) < freshPageMs)
let clock = { time: isFreshPage ? pageTime : estimate, since: performance.now() }

const now = () => clock.time + performance.now() - clock.since

let items = board.items
/** When the website was last read, and the interval between reads. */
let { readAt, intervalMs } = board
/** Time of the latest response, by Feedhouse's clock. */
let respondedAt = pageTime
let failures = 0
/**
 * Message shown in place of the time of the last read.
 * @type {string | undefined}
 */
let message
let changes = 0

if (storedTimes && storedTimes.at > pageTime) {
  items = read('localStorage', name) ?? items
  respondedAt = storedTimes.at
  readAt = storedTimes.readAt ?? storedTimes.at
  intervalMs = storedTimes.intervalMs ?? intervalMs
} else if (isFreshPage) store()

function store() {
  write('localStorage', name, items)
  storeTimes()
}

function storeTimes() {
  write('localStorage', `${name} at`, { at: respondedAt, readAt, intervalMs, wall: Date.now() })
}

function tickAsOf() {
  const age = { now: now(), timeZone: board.timeZone, lang: board.lang, intervalMs }
  const { text, level } =
    message === undefined ? asOf(readAt, age) : { text: message, level: 'loud' }
  const { classList } = elementById('as-of')
  for (const each of ['amber', 'loud']) classList.toggle(each, each === level)
  show('as-of', text)
}

/** @type {ReturnType<typeof createPane<AgendaPage>>} */
const agenda = createPane('agenda')
/** @type {ReturnType<typeof createPane<Card>>} */
const cards = createPane('cards')
const rotateMs = board.rotate * 1000

/**
 * Makes the picture URL relative, so that the screen loads the picture from the page's own origin.
 * @param {BoardItem} item
 */
function local(item) {
  const url = item.pictureUrl
  return url === null ? item : { ...item, pictureUrl: new URL(url, location.href).pathname }
}

const currentOptions = () => ({
  now: siteTimeAt(now(), board.timeZone),
  rows: board.rows,
  lines: board.lines,
  lang: board.lang,
})

/**
 * Computes the view, which is valid until the minute or the items change.
 * @param {string} key
 */
function viewFor(key, options = currentOptions()) {
  return { key, options, ...viewOf(items.map(local), options) }
}

let view = viewFor('')

function currentView() {
  const key = `${siteTimeAt(now(), board.timeZone).slice(0, 16)} ${changes}`
  if (view.key !== key) view = viewFor(key)
  return view
}

function tick() {
  const { options, agenda: pages, cards: others } = currentView()
  show('time', clockTime(options.now, board.lang))
  show('date', dateName(options.now.slice(0, 10), board.lang))
  tickAsOf()
  agenda.tick(
    pages,
    (page) => agendaHtml(page, options),
    () => rotateMs,
  )
  cards.tick(
    others,
    (card) => (card ? cardHtml(card, options) : ''),
    (card) => readingMs(card, rotateMs),
  )
}

/** Shifts the page by a few pixels to prevent burn-in. */
function shift() {
  const steps = ['0, 0', '3px, 1px', '1px, 3px', '-2px, 2px', '-3px, -1px', '2px, -3px']
  const step = steps[Math.floor(performance.now() / shiftMs) % steps.length]
  elementById('frame').style.transform = `translate(${step})`
}

/**
 * Reloads the page for a newer version, and once a night. Reloads at most once an hour for the same
 * version, because other replicas may still serve the old one.
 * @param {string | null} version
 */
function reloadIfNeeded(version) {
  const isNight = siteTimeAt(now(), board.timeZone).slice(11, 13) === quietHour
  const isOld = version !== null && version !== board.version
  if (!isOld && !(isNight && performance.now() > halfDayMs)) return
  const last = read('sessionStorage', 'reloaded')
  if (isOld && last?.version === version && Date.now() - last.at < hourMs) return
  write('sessionStorage', 'reloaded', { version, at: Date.now() })
  location.reload()
}

/** Path of the board's feed link, if any. */
const link = linkPathIn(location.pathname)

/**
 * Clears the board and removes stored content when the link has ended or the board is unavailable.
 * @param {{ readonly over: string, readonly hasEnded: boolean }} end
 */
async function forget({ over, hasEnded }) {
  message = over.trim()
  items = []
  changes += 1
  if (!hasEnded || link === undefined) return removeBoard(name)
  await unregisterWorkers(link)
  await removeCopies(link)
}

async function refresh() {
  const address = board.source ?? `${location.pathname}.json${location.search}`
  const response = await fetch(address, {
    cache: 'no-store',
    headers: { Accept: 'application/json' },
    signal: AbortSignal.timeout(timeoutMs),
  })
  const answer = await readAnswer(response, isFile)
  if ('over' in answer) return forget(answer)
  const { time, version, items: next } = answer
  const isChanged = JSON.stringify(next) !== JSON.stringify(items)
  if (Math.abs(time - now()) > sameClockMs) clock = { time, since: performance.now() }
  respondedAt = time
  readAt = answer.readAt
  intervalMs = answer.intervalMs
  message = undefined
  if (isChanged) {
    items = next
    changes += 1
    const isNotice = items.some(({ id }) => /^(?:withdrawn|paused)-/.test(id))
    // Stored content must not outlive the link, or stay on the screen while the link is paused.
    if (isNotice && link !== undefined) await removeCopies(link)
    store()
    if (isNotice) void keepPage()
  } else storeTimes()
  tickAsOf()
  reloadIfNeeded(version)
}

async function keepFresh() {
  try {
    await refresh()
    failures = 0
  } catch {
    failures += 1
  }
  const waitMs = failures === 0 ? refreshMs : (retriesMs[failures - 1] ?? refreshMs)
  setTimeout(keepFresh, waitMs * (1 + Math.random() / 10))
}

async function keepPage() {
  const { active } = await navigator.serviceWorker.ready
  active?.postMessage({ keep: location.href })
}

async function stayAwake() {
  if (document.visibilityState !== 'visible') return
  await navigator.wakeLock?.request('screen').catch(() => undefined)
}

tick()
shift()
setInterval(tick, 1_000)
setInterval(shift, shiftMs)
document.addEventListener('visibilitychange', () => void stayAwake())
void stayAwake()
// The page does not know when it is loaded, so the first response sets the clock.
void keepFresh()
addEventListener('online', () => void refresh().catch(() => undefined))
if (!isPreview) {
  navigator.serviceWorker
    ?.register(board.worker ?? 'board/worker.js', { scope: 'board' })
    .then(keepPage)
    .catch(() => undefined)
}
