/*
 * A board that runs unattended for months: it refreshes what it shows without loading anew, goes on
 * by the clock when it is cut off, and keeps what it had last for a start without network.
 */
import { agendaHtml, asOf, cardHtml, clockTime, dateName } from './board-html.js'
import { readAnswer } from './board-answer.js'
import { linkPathIn, removeCopies, unregisterWorkers } from './board-storage.js'
import { siteTimeAt, viewOf } from './board-view.js'

const refreshMs = 60_000
const timeoutMs = 15_000
/** After a failure; then as often as otherwise. */
const retriesMs = [1_000, 2_000, 4_000, 8_000, 10_000]
const shiftMs = 180_000
const halfDayMs = 43_200_000
const hourMs = 3_600_000
/** A quiet hour for loading the page anew, by the site's clock. */
const quietHour = '04'
const fadeMs = 700
const pictureMs = 10_000
/** What an answer takes to come is no difference of clocks. */
const sameClockMs = 2_000
/** Kept pages are older than this, but for those just loaded. */
const freshPageMs = 300_000

const board = JSON.parse(document.getElementById('board').textContent)
const name = `board ${location.pathname}${location.search}`

/** Storage may be full, or closed to pages in frames: then nothing is kept. */
function read(storage, key) {
  try {
    return JSON.parse(self[storage].getItem(key))
  } catch {
    return null
  }
}

function write(storage, key, value) {
  try {
    self[storage].setItem(key, JSON.stringify(value))
  } catch {
    // As above.
  }
}

function remove(key) {
  try {
    localStorage.removeItem(key)
  } catch {
    // Then nothing is there.
  }
}

/*
 * The time of the site is that of the server's last answer and what has passed since; only over a
 * start without network it is what this device's clock says has passed.
 */
const keptTime = read('localStorage', `${name} at`)
/** A file of a static host does not know when it is read; then it is asked for at once. */
const isFile = document.body.dataset.now === ''
const pageTime = isFile ? Date.parse(document.lastModified) : Number(document.body.dataset.now)
const estimate = keptTime ? keptTime.at + Date.now() - keptTime.wall : Date.now()
const isFromServer = !navigator.serviceWorker?.controller
const isFreshPage = !isFile && (isFromServer || Math.abs(pageTime - estimate) < freshPageMs)
let clock = { time: isFreshPage ? pageTime : estimate, since: performance.now() }

const now = () => clock.time + performance.now() - clock.since

/** What is shown, when the website was last read for it, how often it is, and when Feedhouse was asked for it. */
let items = board.items
let readAt = board.readAt
let intervalMs = board.intervalMs
let askedAt = pageTime
let misses = 0
let message
let changes = 0

if (keptTime && keptTime.at > pageTime) {
  items = read('localStorage', name) ?? items
  askedAt = keptTime.at
  readAt = keptTime.readAt ?? keptTime.at
  intervalMs = keptTime.intervalMs ?? intervalMs
} else if (isFreshPage) store()

function store() {
  write('localStorage', name, items)
  storeTime()
}

function storeTime() {
  write('localStorage', `${name} at`, { at: askedAt, readAt, intervalMs, wall: Date.now() })
}

/** Only what has changed is written, so that nothing is painted in vain. */
function show(id, text) {
  const element = document.getElementById(id)
  if (element.textContent !== text) element.textContent = text
}

function tickAsOf() {
  const age = { now: now(), timeZone: board.timeZone, lang: board.lang, intervalMs }
  const { text, level } =
    message === undefined ? asOf(readAt, age) : { text: message, level: 'loud' }
  const { classList } = document.getElementById('as-of')
  for (const each of ['amber', 'loud']) classList.toggle(each, each === level)
  show('as-of', text)
}

function loaded(image) {
  const enough = new Promise((_resolve, reject) => setTimeout(reject, pictureMs))
  return Promise.race([image.decode(), enough])
}

/** One of the two parts of the board that turn pages. */
function createPane(id) {
  const pane = document.getElementById(id)
  let shown = pane.firstElementChild
  let shownHtml
  let index = -1
  let until = -Infinity

  async function change(html) {
    if (html === shownHtml) return
    shownHtml = html
    const coming = document.createElement('div')
    coming.className = 'layer coming'
    coming.innerHTML = html
    for (const image of coming.querySelectorAll('img')) {
      await loaded(image).catch(() => {
        image.remove()
        // It is asked for again a minute later.
        setTimeout(() => (shownHtml = undefined), refreshMs)
      })
    }
    // Something else may have come meanwhile.
    if (shownHtml !== html) return
    const going = shown
    shown = coming
    pane.append(coming)
    coming.getBoundingClientRect()
    coming.classList.remove('coming')
    setTimeout(() => going.remove(), fadeMs)
  }

  return {
    /** Turns the page when its time is over, and shows the present one as it is now. */
    tick(pages, htmlOf, msOf) {
      if (performance.now() >= until) {
        index = index + 1 < pages.length ? index + 1 : 0
        until = performance.now() + msOf(pages[index])
      }
      if (index >= pages.length) index = 0
      void change(htmlOf(pages[index]))
    },
  }
}

const agenda = createPane('agenda')
const cards = createPane('cards')
const rotateMs = board.rotate * 1000

/** As long as it takes to read, and no shorter than a page of the agenda. */
function readingMs(card) {
  if (!card?.item) return rotateMs
  const count = `${card.item.title} ${card.item.text}`.split(/\s+/).length
  return Math.max(rotateMs, (count / 2.5 + 2) * 1000)
}

/** Addresses of pictures are the public ones; here they are those of where the page came from. */
function local(item) {
  const url = item.pictureUrl
  return url === null ? item : { ...item, pictureUrl: new URL(url, location.href).pathname }
}

/** Made anew when the minute is another, or the items are. */
let view = { key: '' }

function presentView() {
  const time = siteTimeAt(now(), board.timeZone)
  const key = `${time.slice(0, 16)} ${changes}`
  if (view.key !== key) {
    const { rows, lines, lang } = board
    const options = { now: time, rows, lines, lang }
    view = { key, options, ...viewOf(items.map(local), options) }
  }
  return view
}

function tick() {
  const { options, agenda: pages, cards: others } = presentView()
  show('time', clockTime(options.now, board.lang))
  show('date', dateName(options.now.slice(0, 10), board.lang))
  tickAsOf()
  agenda.tick(
    pages,
    (page) => agendaHtml(page, options),
    () => rotateMs,
  )
  cards.tick(others, (card) => (card ? cardHtml(card, options) : ''), readingMs)
}

/** Still pictures burn in. */
function shift() {
  const steps = [
    [0, 0],
    [3, 1],
    [1, 3],
    [-2, 2],
    [-3, -1],
    [2, -3],
  ]
  const [x, y] = steps[Math.floor(performance.now() / shiftMs) % steps.length]
  document.getElementById('frame').style.transform = `translate(${x}px, ${y}px)`
}

/** Only after something good has come; for the same version, which others may not have yet, hourly. */
function reloadIfWise(version) {
  const isNight = siteTimeAt(now(), board.timeZone).slice(11, 13) === quietHour
  const isOld = version !== null && version !== board.version
  if (!isOld && !(isNight && performance.now() > halfDayMs)) return
  const last = read('sessionStorage', 'reloaded')
  if (isOld && last?.version === version && Date.now() - last.at < hourMs) return
  write('sessionStorage', 'reloaded', { version, at: Date.now() })
  location.reload()
}

/** The feed link that the board is below, if it is. */
const link = linkPathIn(location.pathname)

/** The link has ended, or never was: nothing of it is kept or shown. */
async function forget(text, hasEnded) {
  message = text.trim()
  items = []
  changes += 1
  if (hasEnded && link !== undefined) {
    await unregisterWorkers(link)
    return removeCopies(link)
  }
  for (const key of [name, `${name} at`]) remove(key)
  const keys = (await self.caches?.keys()) ?? []
  const scope = new URL('board', location.href).href
  await Promise.all(
    keys.filter((key) => key.endsWith(` ${scope}`)).map((key) => caches.delete(key)),
  )
}

async function refresh() {
  const address = board.source ?? `${location.pathname}.json${location.search}`
  const response = await fetch(address, {
    cache: 'no-store',
    headers: { Accept: 'application/json' },
    signal: AbortSignal.timeout(timeoutMs),
  })
  const answer = await readAnswer(response, isFile)
  if (answer.over !== undefined) return forget(answer.over, answer.hasEnded)
  const { time, version, items: next } = answer
  const isChanged = JSON.stringify(next) !== JSON.stringify(items)
  if (Math.abs(time - now()) > sameClockMs) clock = { time, since: performance.now() }
  askedAt = time
  readAt = answer.readAt
  intervalMs = answer.intervalMs
  message = undefined
  if (isChanged) {
    items = next
    changes += 1
    const isWithdrawn = items.some(({ id }) => id.startsWith('withdrawn-'))
    // What is kept must not show more than there is now.
    if (isWithdrawn && link !== undefined) await removeCopies(link)
    store()
    if (isWithdrawn) void keepPage()
  } else storeTime()
  tickAsOf()
  reloadIfWise(version)
}

async function keepFresh() {
  try {
    await refresh()
    misses = 0
  } catch {
    misses += 1
  }
  const waitMs = misses === 0 ? refreshMs : (retriesMs[misses - 1] ?? refreshMs)
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
setTimeout(keepFresh, isFreshPage ? refreshMs : 0)
addEventListener('online', () => void refresh().catch(() => undefined))
navigator.serviceWorker
  ?.register(board.worker ?? 'board/worker.js', { scope: 'board' })
  .then(keepPage)
  .catch(() => undefined)
