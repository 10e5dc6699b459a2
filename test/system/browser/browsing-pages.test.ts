import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  barriersOf,
  chromiumIsMissing,
  fitsInWidth,
  keepScreenshot,
  loadPictures,
  openPage,
  startBrowser,
  views,
} from '../../support/browser.ts'
import { startTestService } from '../../support/service.ts'

const paths = [
  ['event', 'events/2026031'],
  ['event-gone', 'events/1'],
  ['agenda', 'agenda'],
  ['month', 'month/2026-05'],
  ['news', 'news'],
  ['free-days', 'rental/free'],
] as const

describe.skipIf(chromiumIsMissing)('the pages to read', { timeout: 60_000 }, () => {
  let browser: Browser
  let service: Awaited<ReturnType<typeof startTestService>>

  beforeAll(async () => {
    browser = await startBrowser()
    service = await startTestService()
    await service.readAll()
  })

  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await browser.close()
  })

  test.for(views)('are accessible and fit: $name', async ({ name, ...view }) => {
    const { page, requested } = await openPage(browser, view)
    for (const [title, path] of paths) {
      await page.goto(`${service.url}/${path}`)
      await loadPictures(page)
      await keepScreenshot(page, `${title}-${name}`)
      expect(await barriersOf(page)).toEqual([])
      expect(await fitsInWidth(page)).toBe(true)
    }
    expect(requested.filter((url) => !url.startsWith(service.url))).toEqual([])
  })

  test('offers Google Calendar first on Android, and the file elsewhere', async () => {
    const userAgent = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/140.0 Mobile Safari/537.36'
    const [android, other] = [await openPage(browser, { userAgent }), await openPage(browser)]
    for (const { page } of [android, other]) await page.goto(`${service.url}/events/2026031`)
    expect(await android.page.locator('.cta').getAttribute('href')).toMatch(
      /^https:\/\/calendar\.google/,
    )
    expect(await other.page.locator('.cta').getAttribute('href')).toBe('2026031.ics')
    expect([...android.complaints, ...other.complaints]).toEqual([])
  })

  test('turns months with the arrow keys, and goes back with T', async () => {
    const { page, complaints } = await openPage(browser)
    await page.goto(`${service.url}/month/2026-05`)
    await page.keyboard.press('ArrowRight')
    await page.waitForURL('**/month/2026-06')
    await page.keyboard.press('ArrowLeft')
    await page.waitForURL('**/month/2026-05')
    await page.keyboard.press('t')
    await page.waitForURL('**/month/2026-03')
    expect(complaints).toEqual([])
  })

  test.for(['Letter', 'A4'])('prints six weeks on one page of %s', async (format) => {
    const { page } = await openPage(browser)
    await page.goto(`${service.url}/month/2026-05`)
    await page.evaluate(
      `document.querySelectorAll('.grid td ul').forEach((list) => { for (let i = 0; i < 9; i += 1) list.append(list.firstElementChild.cloneNode(true)) })`,
    )
    const pdf = (await page.pdf({ format, landscape: true })).toString('latin1')
    expect(pdf.match(/\/Type \/Page$/gm)).toHaveLength(1)
  })
})
