/* Shows text and pages in a board's elements. */

/** @typedef {import('../src/signage/board-view.js').Card} Card */

const fadeMs = 700
const pictureMs = 10_000
/** Retry interval for pictures that failed to load. */
const retryPictureMs = 60_000

/** @param {string} id */
export function elementById(id) {
  const element = document.getElementById(id)
  if (!element) throw new Error(`no element #${id}`)
  return element
}

/**
 * Shows text in an element. Skips unchanged text to avoid needless repaints.
 * @param {string} id
 * @param {string} text
 */
export function show(id, text) {
  const element = elementById(id)
  if (element.textContent !== text) element.textContent = text
}

/**
 * Returns how long to show a card: long enough to read it, and at least as long as an agenda page.
 * @param {Card | undefined} card
 * @param {number} rotateMs
 */
export function readingMs(card, rotateMs) {
  if (!card || !('item' in card)) return rotateMs
  const count = `${card.item.title} ${card.item.text}`.split(/\s+/).length
  return Math.max(rotateMs, (count / 2.5 + 2) * 1000)
}

/** @param {HTMLImageElement} image */
function loaded(image) {
  const timeout = new Promise((_resolve, reject) => setTimeout(reject, pictureMs))
  return Promise.race([image.decode(), timeout])
}

/**
 * One of a board's two areas that rotate through pages.
 * @template T A page.
 * @param {string} id
 */
export function createPane(id) {
  const pane = elementById(id)
  let shown = pane.firstElementChild
  /** @type {string | undefined} */
  let shownHtml
  let index = -1
  let until = -Infinity

  /** @param {string} html */
  async function change(html) {
    if (html === shownHtml) return
    shownHtml = html
    const coming = document.createElement('div')
    coming.className = 'layer coming'
    coming.innerHTML = html
    for (const image of coming.querySelectorAll('img')) {
      await loaded(image).catch(() => {
        image.remove()
        setTimeout(() => (shownHtml = undefined), retryPictureMs)
      })
    }
    // Another change may have started while the pictures were loading.
    if (shownHtml !== html) return
    const going = shown
    shown = coming
    pane.append(coming)
    coming.getBoundingClientRect()
    coming.classList.remove('coming')
    setTimeout(() => going?.remove(), fadeMs)
  }

  return {
    /**
     * Shows the next page when the current one's time is up, and updates the current page.
     * @param {readonly T[]} pages
     * @param {(page: T | undefined) => string} htmlOf
     * @param {(page: T | undefined) => number} msOf
     */
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
