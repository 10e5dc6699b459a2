/* Shows text and pages in a board's elements. */

/** @import { Page } from '../../src/signage/board-layout.ts' */

/** Longer than the longest transition in `board.css`. */
const fadeMs = 1_500
const pictureMs = 10_000
const wordsPerSecond = 3
/** Time for looking at a page before reading it. */
const firstLookMs = 2_000

/** @type {(id: string) => HTMLElement} */
export function elementById(id) {
  const element = document.getElementById(id)
  if (!element) throw new Error(`no element #${id}`)
  return element
}

/**
 * Shows text in an element. Skips unchanged text to avoid needless repaints.
 * @type {(id: string, text: string) => void}
 */
export function show(id, text) {
  const element = elementById(id)
  if (element.textContent !== text) element.textContent = text
}

/**
 * Applies sizes and colors from `data-` attributes, because the page's policy forbids inline styles.
 * @type {(parent: ParentNode) => void}
 */
export function applyStyles(parent) {
  for (const element of parent.querySelectorAll('[data-size], [data-color]')) {
    const { style, dataset } = /** @type {HTMLElement} */ (element)
    if (dataset['size']) style.fontSize = `${dataset['size']}px`
    if (dataset['stretch']) style.setProperty('--stretch', dataset['stretch'])
    if (dataset['time']) style.setProperty('--time', dataset['time'])
    if (dataset['color']) style.setProperty('--color', dataset['color'])
  }
}

/**
 * Returns how long to show text: long enough to read it, and at least as long as any page.
 * @type {(text: string, rotateMs: number) => number}
 */
export function readingMs(text, rotateMs) {
  const count = text.split(/\s+/).length
  return Math.max(rotateMs, (count / wordsPerSecond) * 1000 + firstLookMs)
}

/** @type {(image: HTMLImageElement) => Promise<unknown>} */
function loaded(image) {
  const timeout = new Promise((_resolve, reject) => setTimeout(reject, pictureMs))
  return Promise.race([image.decode(), timeout])
}

/**
 * Returns true if part of a page overflows its layer because the browser breaks lines in other
 * places than the layout assumes.
 * @type {(layer: Element) => boolean}
 */
function isCut(layer) {
  const frame = layer.getBoundingClientRect()
  const parts = layer.querySelectorAll('h2, h3, p:not(.nothing), li, .time span, .notes, strong')
  return [...parts].some((part) => {
    const { right, bottom } = part.getBoundingClientRect()
    return right > frame.right + 1 || bottom > frame.bottom + 1
  })
}

/**
 * A part of a board that rotates through pages.
 * @param {string} id
 * @param {{
 *   readonly rotateMs: number,
 *   readonly onCut: () => void,
 *   readonly onBrokenPicture: (url: string) => void,
 * }} options
 */
export function createPane(id, { rotateMs, onCut, onBrokenPicture }) {
  const pane = elementById(id)
  const layers = /** @type {HTMLElement} */ (pane.querySelector('.layers'))
  const dots = /** @type {HTMLElement} */ (pane.querySelector('.dots'))
  /** @type {Element | null} */
  let shown = layers.firstElementChild
  /** @type {string | undefined} */
  let shownHtml
  let shownIds = ''
  let index = -1
  let until = -Infinity

  /** @type {(html: string) => Promise<void>} */
  async function change(html) {
    if (html === shownHtml) return
    shownHtml = html
    const coming = document.createElement('div')
    coming.className = 'layer coming'
    coming.innerHTML = html
    applyStyles(coming)
    for (const image of coming.querySelectorAll('img')) {
      await loaded(image).catch(() => {
        onBrokenPicture(image.getAttribute('src') ?? '')
        image.remove()
      })
    }
    // Another change may have started while the pictures were loading.
    if (shownHtml === html) put(coming)
  }

  /**
   * Shows a page on the screen. Fades unless only the details of the shown page have changed.
   * @type {(coming: HTMLElement) => void}
   */
  function put(coming) {
    const ids = [...coming.querySelectorAll('[data-id]')].map((each) =>
      each.getAttribute('data-id'),
    )
    const isSamePage = shownIds === ids.join() && shownIds !== ''
    shownIds = ids.join()
    const going = shown
    shown = coming
    if (coming.querySelector('.cards')) coming.classList.add('cards')
    if (isSamePage) coming.classList.remove('coming')
    layers.append(coming)
    if (isCut(coming)) onCut()
    coming.classList.remove('coming')
    const isFading = !isSamePage && getComputedStyle(coming).transitionDuration !== '0s'
    if (isFading) setTimeout(() => going?.remove(), fadeMs)
    else going?.remove()
    until = performance.now() + (isSamePage ? untilNext() : readingMs(coming.innerText, rotateMs))
  }

  const untilNext = () => Math.max(0, until - performance.now())

  /** @type {(count: number) => void} */
  function showDots(count) {
    const wanted = count > 1 ? count : 0
    while (dots.childElementCount > wanted) dots.lastElementChild?.remove()
    while (dots.childElementCount < wanted) dots.append(document.createElement('i'))
    for (const [place, dot] of [...dots.children].entries()) {
      dot.classList.toggle('current', place === index)
    }
  }

  return {
    /**
     * Shows the next page when the current one's time is up, and updates the current page.
     * @type {(pages: readonly Page[], htmlOf: (page: Page | undefined) => string) => void}
     */
    tick(pages, htmlOf) {
      if (performance.now() >= until) {
        index = index + 1 < pages.length ? index + 1 : 0
        until = performance.now() + rotateMs
      }
      if (index >= pages.length) index = 0
      showDots(pages.length)
      void change(htmlOf(pages[index]))
    },
  }
}
