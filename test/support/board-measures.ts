/* Measures boards in a browser, which may be too old for some of JavaScript. */

/** The current page of each panel, without those that are fading out. */
const currentPages = `[...document.querySelectorAll('section .layers')].flatMap((layers) =>
  layers.checkVisibility() ? [layers.lastElementChild] : [])`

/** Runs in the page. Returns the texts that do not fit on the screen or into their panel. */
export const cutOff = `[...document.querySelectorAll('header *, #duty *, footer *'), ...${currentPages}.flatMap((page) => [...page.querySelectorAll('*')])]
  .filter((element) => {
    const { right, bottom, left, top, width } = element.getBoundingClientRect()
    const frame = (element.closest('.layers') || document.body).getBoundingClientRect()
    return width > 0 && (right > frame.right + 3 || bottom > frame.bottom + 3 || left < frame.left - 3 || top < frame.top - 3)
  })
  .map(({ textContent }) => textContent)
  .concat(document.documentElement.scrollHeight > innerHeight ? ['scrolls'] : [])`

/** Runs in the page. Returns the boxes of all lines of text, pictures and codes that are shown. */
export const boxesOf = `[...document.querySelectorAll('header, #duty, .dots, footer'), ...${currentPages}]
  .filter((element) => element.checkVisibility())
  .flatMap((element) => {
    const boxes = [...element.querySelectorAll('img, svg, .logo, i')].map((each) => each.getBoundingClientRect())
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    const range = document.createRange()
    while (walker.nextNode()) {
      const text = walker.currentNode
      if (text.data.trim() === '' || text.parentElement.closest('svg, .logo')) continue
      range.selectNodeContents(text)
      boxes.push(...range.getClientRects())
    }
    return boxes.filter(({ width, height }) => width > 0 && height > 0)
  })`

/** A function for the page. Returns the pairs of boxes that overlap. */
export const overlaps = `((boxes) => {
  const found = []
  for (const [index, a] of boxes.entries()) {
    for (const b of boxes.slice(index + 1)) {
      const width = Math.min(a.right, b.right) - Math.max(a.left, b.left)
      const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
      // The boxes of adjacent lines overlap slightly, but not their characters.
      if (width > 2 && height > 0.35 * Math.min(a.height, b.height)) found.push(JSON.stringify([a, b]))
    }
  }
  return found
})`

/** A function for the page. Returns the tallest band of the screen without boxes, in percent. */
export const highestBlank = `((boxes) => {
  let highest = 0
  let bottom = 0
  const end = { top: innerHeight, bottom: innerHeight }
  for (const box of [...boxes.sort((a, b) => a.top - b.top), end]) {
    highest = Math.max(highest, box.top - bottom)
    bottom = Math.max(bottom, box.bottom)
  }
  return (highest / innerHeight) * 100
})`

/** Runs in the page. Returns the size of the smallest text, as a percentage of the screen height. */
export const smallestText = `Math.min(...[...document.querySelectorAll('h1, h2, h3, li, p, strong, small, time, span')]
  .filter((element) => element.textContent.trim() !== '' && element.checkVisibility())
  .map((element) => (parseFloat(getComputedStyle(element).fontSize) / innerHeight) * 100))`
