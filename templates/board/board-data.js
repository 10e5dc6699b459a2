/*
 * Keeps a board's items, its clock, and the time of the last read. Refreshes them without reloading the
 * page, and stores them for offline starts.
 */
import { readAnswer } from './board-answer.js'
import {
  isPreview,
  linkPathIn,
  read,
  removeBoard,
  removeCopies,
  unregisterWorkers,
  write,
} from './board-storage.js'
import { siteTimeAt } from '../../src/signage/board-view.ts'

/** @import { BoardData, BoardItem } from '../../src/signage/board-item.ts' */

/** An emergency text must be on all screens within a minute. */
const refreshMs = 50_000
const timeoutMs = 15_000
/** Retry delays after consecutive failures. After that, the delay is `refreshMs`. */
const retriesMs = [1_000, 2_000, 4_000, 8_000, 10_000]
const halfDayMs = 43_200_000
const hourMs = 3_600_000
/** Hour, in site time, when the page reloads. */
const quietHour = '04'
/** Smaller clock differences are assumed to be network latency. */
const sameClockMs = 2_000
/** A jump of the device's clock by this much means that the device slept. */
const sleepMs = 5_000
/** A page older than this came from a cache. */
const freshPageMs = 300_000

/** Increases while the device sleeps, because the monotonic clock stops then. */
const clockOffset = () => Date.now() - performance.now()

/**
 * @typedef {object} Content
 * @property {readonly BoardItem[]} items
 * @property {number} readAt When the website was last read.
 * @property {number} intervalMs Interval between reads of the website.
 * @property {string | undefined} message Shown in place of the time of the last read.
 * @property {number} changes Increases when the items change.
 */

/**
 * @param {BoardData} board
 * @param {() => void} onAnswer Runs after each response.
 */
export function createBoardContent(board, onAnswer) {
  const name = `board ${location.pathname}${location.search}`
  /** Path of the board's feed link, if any. */
  const link = linkPathIn(location.pathname)

  /*
   * The current time at the site is the last time that the server sent, plus the time elapsed since then.
   * After an offline start, it is estimated from the device's clock.
   */
  /** @type {{ at: number, wall: number, readAt?: number, intervalMs?: number } | null} */
  const storedTimes = read('localStorage', `${name} at`)
  /**
   * Time at which the page was rendered, or a static page last changed. The page may come from a
   * cache.
   */
  const isFile = document.body.dataset['now'] === ''
  const pageTime = isFile ? Date.parse(document.lastModified) : Number(document.body.dataset['now'])
  const estimate = storedTimes ? storedTimes.at + Date.now() - storedTimes.wall : Date.now()
  const isFromServer = !navigator.serviceWorker?.controller
  const isFreshPage = !isFile && (isFromServer || Math.abs(pageTime - estimate) < freshPageMs)
  let clock = { time: isFreshPage ? pageTime : estimate, since: performance.now() }
  const now = () => clock.time + performance.now() - clock.since
  let offset = clockOffset()
  /** True if the time is estimated from the device's clock, because the device has slept. */
  let isUnsure = false

  const { items, readAt, intervalMs } = board
  /** @type {Content} */
  let content = { items, readAt, intervalMs, message: undefined, changes: 0 }
  /** Time of the latest response, by Feedhouse's clock. */
  let respondedAt = pageTime
  let failures = 0
  let answers = 0

  if (storedTimes && storedTimes.at > pageTime) {
    respondedAt = storedTimes.at
    content = {
      ...content,
      items: read('localStorage', name) ?? items,
      readAt: storedTimes.readAt ?? storedTimes.at,
      intervalMs: storedTimes.intervalMs ?? intervalMs,
    }
  } else if (isFreshPage) store()

  function store() {
    write('localStorage', name, content.items)
    storeTimes()
  }

  function storeTimes() {
    const { readAt, intervalMs } = content
    write('localStorage', `${name} at`, { at: respondedAt, readAt, intervalMs, wall: Date.now() })
  }

  /**
   * Reloads the page for a newer version, and once a night. Reloads at most once an hour for the same
   * version, because other replicas may still serve the old one.
   * @type {(version: string | null) => void}
   */
  function reloadIfNeeded(version) {
    const isNight = siteTimeAt(now(), board.offsets).slice(11, 13) === quietHour
    const isOld = version !== null && version !== board.version
    if (!isOld && !(isNight && performance.now() > halfDayMs)) return
    const last = read('sessionStorage', 'reloaded')
    if (isOld && last?.version === version && Date.now() - last.at < hourMs) return
    write('sessionStorage', 'reloaded', { version, at: Date.now() })
    location.reload()
  }

  /**
   * Clears the board and removes stored content when the link has ended or the board is unavailable.
   * @type {(end: { readonly over: string, readonly hasEnded: boolean }) => Promise<void>}
   */
  async function forget({ over, hasEnded }) {
    content = { ...content, items: [], message: over.trim(), changes: content.changes + 1 }
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
    const { time, version, readAt, intervalMs, items } = answer
    if (Math.abs(time - now()) > sameClockMs) clock = { time, since: performance.now() }
    respondedAt = time
    const isChanged = JSON.stringify(items) !== JSON.stringify(content.items)
    const changes = content.changes + (isChanged ? 1 : 0)
    content = { items, readAt, intervalMs, message: undefined, changes }
    if (isChanged) {
      const isNotice = items.some(({ id }) => /^(?:withdrawn|paused)-/.test(id))
      // Stored content must not outlive the link, or stay on the screen while the link is paused.
      if (isNotice && link !== undefined) await removeCopies(link)
      store()
      if (isNotice) void keepPage()
    } else storeTimes()
    reloadIfNeeded(version)
  }

  function refreshNow() {
    refresh().then(heard, () => undefined)
  }

  /** Counts answers for the guard. */
  function heard() {
    answers += 1
    failures = 0
    isUnsure = false
    document.body.setAttribute('data-heard', String(answers))
    onAnswer()
  }

  /** Returns true if the time may be wrong. */
  function noticeSleep() {
    const sleptMs = clockOffset() - offset
    offset += sleptMs
    if (sleptMs < sleepMs) return isUnsure
    clock = { time: now() + sleptMs, since: performance.now() }
    isUnsure = true
    refreshNow()
    return true
  }

  async function keepFresh() {
    try {
      await refresh()
      heard()
    } catch {
      failures += 1
      onAnswer()
    }
    const waitMs = failures === 0 ? refreshMs : (retriesMs[failures - 1] ?? refreshMs)
    setTimeout(keepFresh, waitMs * (1 + Math.random() / 10))
  }

  return {
    now,
    content: () => content,
    noticeSleep,
    /** Starts refreshing. The page does not know when it was loaded, so the first response sets the clock. */
    start: () => {
      void keepFresh()
      addEventListener('online', refreshNow)
    },
  }
}

async function keepPage() {
  const { active } = await navigator.serviceWorker.ready
  active?.postMessage({ keep: location.href })
}

/**
 * Registers the worker that stores the page for offline starts.
 * @type {(path: string) => void}
 */
export function registerWorker(path) {
  if (isPreview) return
  navigator.serviceWorker
    ?.register(path, { scope: 'board' })
    .then(keepPage)
    .catch(() => undefined)
}
