import { describe, expect, test } from 'vitest'
import { chromiumIsMissing, openPage, sharedBrowser } from '../../support/browser.ts'
import { sharedService } from '../../support/shared-service.ts'

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

  test.for(['board.js', 'board.css', 'identity.*.css', 'board-layout.js'])(
    'reloads if %s is missing, and then runs',
    async (file) => {
      const { page } = await openedWithout(file)
      const reloaded = page.waitForEvent('load')
      await page.clock.runFor(retryMs)
      await reloaded
      await page.locator('body[data-running]').waitFor({ state: 'attached' })
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
})
