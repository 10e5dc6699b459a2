import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sampleDatasetOn } from '../../../src/sandbox/sample/sample-dataset.ts'
import { chromiumIsMissing, keepScreenshot, openPage, startBrowser } from '../../support/browser.ts'
import { startTestService } from '../../support/service.ts'

describe.skipIf(chromiumIsMissing)('the page for a story', { timeout: 60_000 }, () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await startBrowser()
  })

  afterAll(async () => {
    await browser.close()
  })

  test('shows its pictures without requests to other origins', async () => {
    await using service = await startTestService()
    await service.readAll()
    const story = sampleDatasetOn('2026-03-05').news.find(
      ({ images, deployed }) => images.length > 0 && deployed === 1,
    )
    const { page, complaints, requested } = await openPage(browser)
    await page.goto(`${service.url}/news/${story?.id}`)
    await page.waitForLoadState('networkidle')
    await keepScreenshot(page, 'story')
    const widths = '[...document.images].map(({ naturalWidth }) => naturalWidth)'
    const shown = (await page.evaluate(widths)) as readonly number[]
    expect(shown.length).toBeGreaterThan(0)
    expect(shown.filter((width) => width === 0)).toEqual([])
    expect(requested.filter((url) => !url.startsWith(service.url))).toEqual([])
    expect(complaints).toEqual([])
  })
})
