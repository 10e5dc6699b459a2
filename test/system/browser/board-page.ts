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
