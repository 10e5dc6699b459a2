import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { chromiumIsMissing, openPage, sharedBrowser } from '../../support/browser.ts'
import { sharedService } from '../../support/shared-service.ts'
import { waitUntil } from '../../support/wait-for.ts'

const retryMs = 60_000

describe.skipIf(chromiumIsMissing)('a board that does not load completely', () => {
  const browser = sharedBrowser()
  const service = sharedService()

  async function openedWithout(file: string) {
    const { page, context } = await openPage(browser(), { serviceWorkers: 'block' })
    const at = service().clock.now()
    await page.clock.install({ time: at })
    await page.clock.pauseAt(at + 5_000)
    await context.route(`**/${file}`, (route) => route.abort())
    await page.goto(`${service().url}/board`)
    await context.unroute(`**/${file}`)
    return { page, context }
  }

  test.for(['board.js', 'board.css', 'identity.*.css'])(
    'reloads if %s is missing, and then runs',
    async (file) => {
      const { page } = await openedWithout(file)
      const reloaded = page.waitForEvent('load')
      await page.clock.runFor(retryMs)
      await reloaded
      await page.locator('body[data-heard]').waitFor({ state: 'attached' })
      const styles = () => page.evaluate('document.styleSheets.length')
      expect(await styles()).toBe(2)
      // Now that everything is loaded, the board stays.
      await page.evaluate('window.isSame = true')
      await page.clock.runFor(2 * retryMs)
      expect(await page.evaluate('window.isSame')).toBe(true)
    },
  )

  test('stays while the server cannot be reached', async () => {
    const { page, context } = await openedWithout('board.js')
    await page.evaluate('window.isSame = true')
    await context.route('**/board', (route) => route.abort())
    const asked = page.waitForEvent('requestfailed')
    await page.clock.runFor(retryMs)
    await asked
    expect(await page.evaluate('window.isSame')).toBe(true)
  })

  async function openedBoard() {
    const opened = await openedWithout('nothing')
    await opened.page.locator('body[data-heard="1"]').waitFor({ state: 'attached' })
    return opened
  }

  test('says so when the service has not answered for 15 minutes, until it does', async () => {
    const { page, context } = await openedBoard()
    const sign = page.getByText('No answer for 15 minutes')
    await context.route('**/board*', (route) => route.abort())
    await page.clock.runFor(15 * retryMs)
    expect(await sign.isVisible()).toBe(false)
    await page.clock.runFor(2 * retryMs)
    expect(await sign.isVisible()).toBe(true)
    await context.unroute('**/board*')
    // Otherwise, the guard may reload the page before its scripts read again.
    await context.route('**/board', (route) => route.abort())
    await advanceUntilVisible(page, 'body:not([data-heard="1"])')
    await page.clock.runFor(retryMs)
    expect(await sign.isVisible()).toBe(false)
  })

  test('reloads when only its own requests have failed for 15 minutes', async () => {
    const { page, context } = await openedBoard()
    await context.route('**/board.json*', (route) => route.abort())
    await page.evaluate('window.isSame = true')
    const reloaded = page.waitForEvent('load')
    await page.clock.runFor(17 * retryMs)
    await reloaded
    expect(await page.evaluate('window.isSame')).toBe(undefined)
  })

  test('notices that the device slept, and marks the time until the service answers', async () => {
    const { page, context } = await openedBoard()
    const clock = page.locator('#clock')
    const before = await clock.innerText()
    await context.route('**/board.json*', (route) => route.abort())
    const at = await page.evaluate<number>('Date.now()')
    await page.clock.setSystemTime(at + 9 * 3_600_000)
    await page.clock.runFor(1_000)
    expect(await clock.getAttribute('class')).toBe('unsure')
    expect(await clock.innerText()).not.toBe(before)
    await context.unroute('**/board.json*')
    await advanceUntilVisible(page, '#clock:not(.unsure)')
    expect((await clock.innerText()).slice(0, 4)).toBe(before.slice(0, 4))
  })
})

/** Advances in short steps, because a board gives up when its clock is ahead of the response. */
async function advanceUntilVisible(page: Page, selector: string) {
  await waitUntil(async () => {
    await page.clock.runFor(1_000)
    return page.locator(selector).isVisible()
  })
}
