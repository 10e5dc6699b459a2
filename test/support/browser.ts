import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import jsQR from 'jsqr'
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Locator,
  type Page,
} from 'playwright-core'
import { PNG } from 'pngjs'
import { beforeAll, onTestFinished } from 'vitest'
import { createAdmin } from './admin.ts'
import { chromiumOptions, chromiumPath, fullChromiumPath } from './chromium.ts'

/** Condition for `skipIf`. Always false in CI, so that tests fail there if Chromium is missing. */
export const chromiumIsMissing = process.env['CI'] === undefined && chromiumPath === undefined

/** Condition for tests that need notifications, which the headless shell denies. */
export const fullChromiumIsMissing =
  process.env['CI'] === undefined && fullChromiumPath === undefined

if (chromiumIsMissing)
  process.stderr.write('Tests with a browser are skipped: install chromium-headless-shell.\n')
else if (fullChromiumIsMissing)
  process.stderr.write('Tests with notifications in a browser are skipped: install chromium.\n')

/** Viewports that pages are tested with. */
export const views = [
  { name: 'phone', viewport: { width: 390, height: 844 } },
  { name: 'desktop', viewport: { width: 1280, height: 900 } },
] as const

export const colorSchemes = ['dark', 'light'] as const

/** Accessibility rules whose results depend on the color scheme. */
const colorRules = ['color-contrast', 'link-in-text-block']

const axeScript = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** Folder for screenshots and printed pages. */
export const screenshots = resolve(import.meta.dirname, '../../screenshots')

/** Browser of this process, which may run several test files. It ends with the process. */
let shared: Promise<Browser> | undefined

/** Shares a browser among the tests in a suite. */
export function sharedBrowser(): () => Browser {
  let browser: Browser
  beforeAll(async () => {
    browser = await (shared ??= chromium.launch(chromiumOptions()))
  })
  return () => browser
}

/** Opens a page for one test and records its requests and errors. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}) {
  const opened = await openSharedPage(browser, options)
  const { context } = opened
  onTestFinished(async () => {
    // Some mocked responses may still be pending.
    await context.unrouteAll({ behavior: 'ignoreErrors' })
    for (const page of context.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' })
    await context.close()
  })
  return opened
}

/** Opens a URL for one test. */
export async function openUrl(browser: Browser, url: string, options?: BrowserContextOptions) {
  const opened = await openPage(browser, options)
  await opened.page.goto(url)
  return opened
}

/** Opens a page that stays open until its context is closed. */
export async function openSharedPage(browser: Browser, options: BrowserContextOptions = {}) {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const requested: string[] = []
  const complaints: string[] = []
  page.on('request', (request) => requested.push(request.url()))
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  return { page, context, requested, complaints }
}

/** Signs a browser in to the admin page. */
export async function signIn(context: BrowserContext, url: string): Promise<void> {
  const { cookie } = await createAdmin(url).signIn()
  const [name = '', value = ''] = cookie.split('=')
  await context.addCookies([{ name, value, url }])
}

/** Loads all pictures, even those that are not in view, and waits until the page can show them. */
export async function loadPictures(page: Page): Promise<void> {
  await page.evaluate(`Promise.all([document, ...[...document.querySelectorAll('*')].map(({ shadowRoot }) => shadowRoot)]
    .flatMap((root) => [...(root?.querySelectorAll('img') ?? [])])
    .map((image) => {
      image.loading = 'eager'
      return image.decode().catch(() => undefined)
    }))`)
}

/** Saves a screenshot of the whole page if `KEEP_SCREENSHOTS` is set. */
export async function keepScreenshot(
  page: Page,
  name: string,
  { fullPage = true }: { readonly fullPage?: boolean } = {},
): Promise<void> {
  if (process.env['KEEP_SCREENSHOTS'] === undefined) return
  await page.screenshot({ path: join(screenshots, `${name}.png`), fullPage })
}

/** Prints a page, and returns the number of sheets. */
export async function sheetsOf(page: Page, options: Parameters<Page['pdf']>[0]): Promise<number> {
  const pdf = await page.pdf(options)
  return pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0
}

/**
 * Returns violations of WCAG 2.2 levels A and AA, and of accessibility best practices; by default, of
 * all rules.
 */
async function barriersOf(page: Page, runOnly?: readonly string[]): Promise<readonly string[]> {
  const hasAxe = await page.evaluate<boolean>('"axe" in window')
  if (!hasAxe) await page.evaluate(axeScript)
  return page.evaluate<string[]>(
    `axe.run(${JSON.stringify({ resultTypes: ['violations'], runOnly })}).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`,
  )
}

/** Returns true if the page does not scroll horizontally. */
export async function fitsInWidth(page: Page): Promise<boolean> {
  return page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth')
}

/** Returns text that its box cuts off: it neither fits nor scrolls, and does not end in an ellipsis. */
export async function cutTextsOf(page: Page): Promise<readonly string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll('body *')].filter((element) => {
    const { overflowX, textOverflow, display, clipPath } = getComputedStyle(element)
    const isText = [...element.childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim() !== '')
    return isText && element.checkVisibility() && display !== 'inline' && clipPath === 'none' &&
      textOverflow !== 'ellipsis' && !['auto', 'scroll'].includes(overflowX) &&
      !element.matches('select, option, textarea') &&
      element.scrollWidth > element.clientWidth + 1
  }).map(({ outerHTML, scrollWidth, clientWidth }) => 'cut (' + scrollWidth + ' > ' + clientWidth + '): ' + outerHTML.slice(0, 120))`)
}

/**
 * Returns the problems of a page in either color scheme, and leaves it in the light one. Saves
 * screenshots if they have a name.
 */
export async function faultsOf(page: Page, screenshot?: string): Promise<readonly string[]> {
  const faults: string[] = []
  // After a click, the page's styles may still be loading.
  await page.waitForLoadState()
  for (const colorScheme of colorSchemes) {
    await page.emulateMedia({ colorScheme })
    if (screenshot !== undefined) await keepScreenshot(page, `${screenshot}-${colorScheme}`)
    const scrolls = (await fitsInWidth(page)) ? [] : ['scrolls horizontally']
    const barriers = await barriersOf(page, colorScheme === 'dark' ? colorRules : undefined)
    const found = [...scrolls, ...(await cutTextsOf(page)), ...barriers]
    faults.push(...found.map((fault) => `${colorScheme}: ${fault}`))
  }
  return faults
}

/** Opens all sections, although a page normally shows only one at a time. */
export const openAll = (page: Page, selector = 'details') =>
  page.evaluate(
    `document.querySelectorAll('${selector}').forEach((each) => Object.assign(each, { name: '', open: true }))`,
  )

/** Reads a QR code from a screenshot. */
export async function readQrCode(picture: Locator): Promise<string | undefined> {
  const { data, width, height } = PNG.sync.read(await picture.screenshot())
  return jsQR.default(new Uint8ClampedArray(data), width, height)?.data
}
