import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { openPage } from '../../support/browser.ts'
import type { startTestService } from '../../support/service.ts'
import { waitFor } from '../../support/wait-for.ts'

type Service = Pick<Awaited<ReturnType<typeof startTestService>>, 'clock' | 'url'>

/**
 * Opens a board in a browser whose clock shows the same time as the service. The board's clock is
 * stopped until the test advances it.
 */
export async function openBoardIn(
  browser: Browser,
  { clock, url }: Service,
  query = '',
  options: BrowserContextOptions = {},
) {
  const opened = await openPage(browser, { viewport: { width: 1920, height: 1080 }, ...options })
  const at = clock.now()
  await opened.page.clock.install({ time: at })
  // The fake clock runs until it is paused.
  await opened.page.clock.pauseAt(at + 5000)
  await opened.page.goto(`${url}/board${query}`)
  await opened.page.locator('#time').filter({ hasText: /\d/ }).waitFor()
  return opened
}

/** Responses take milliseconds. After this time, the page has not polled. */
const answerMs = 500

/** Advances time until the page has polled and received a response. */
export async function nextAnswer(page: Page, stepMs = 66_000): Promise<void> {
  await waitFor(async () => {
    const answer = page.waitForEvent('response', { timeout: answerMs })
    await Promise.all([answer, page.clock.fastForward(stepMs)])
  })
}

/** The current page of each panel, without those that are fading out. */
const currentPages = `[...document.querySelectorAll('section .layers')].flatMap((layers) =>
  layers.checkVisibility() ? [layers.lastElementChild] : [])`

/** Runs in the page. Returns the texts that do not fit on the screen or into their panel. */
export const cutOff = `[...document.querySelectorAll('header *, #duty *, footer *'), ...${currentPages}.flatMap((page) => [...page.querySelectorAll('*')])]
  .filter((element) => {
    const { right, bottom, left, top, width } = element.getBoundingClientRect()
    const frame = (element.closest('.layers') ?? document.body).getBoundingClientRect()
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

/** Runs in the page. Returns the URLs that the service worker has in its cache. */
export const keptPages = `caches.keys().then((names) => Promise.all(names.map((name) => caches.open(name))))
  .then((all) => Promise.all(all.map((cache) => cache.keys())))
  .then((keys) => keys.flat().map(({ url }) => url))`

export const nothingKept = { storage: [], caches: [], workers: [] }

export type KeptCopies = Readonly<Record<'storage' | 'caches' | 'workers', readonly string[]>>

/** Returns the names of all data stored in the browser, and the scopes of service workers. */
export async function keptCopies(page: Page): Promise<KeptCopies> {
  return page.evaluate(`navigator.serviceWorker.getRegistrations().then(async (workers) => ({
    storage: Object.keys(localStorage),
    caches: await caches.keys(),
    workers: workers.map(({ scope }) => scope),
  }))`)
}
