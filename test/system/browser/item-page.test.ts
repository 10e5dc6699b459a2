import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sampleDatasetOn } from '../../../src/sandbox/sample/sample-dataset.ts'
import {
  chromiumIsMissing,
  keepScreenshot,
  loadPictures,
  openPage,
  startBrowser,
} from '../../support/browser.ts'
import { startTestService } from '../../support/service.ts'

const story = sampleDatasetOn('2026-03-05').news.find(
  ({ images, deployed }) => images.length > 0 && deployed === 1,
)

describe.skipIf(chromiumIsMissing)('the page for a story', { timeout: 60_000 }, () => {
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

  test('shows its pictures without requests to other origins', async () => {
    const { page, complaints, requested } = await openPage(browser)
    await page.goto(`${service.url}/news/${story?.id}`)
    await loadPictures(page)
    await page.waitForLoadState('networkidle')
    await keepScreenshot(page, 'story')
    const widths = '[...document.images].map(({ naturalWidth }) => naturalWidth)'
    const shown = (await page.evaluate(widths)) as readonly number[]
    expect(shown.length).toBeGreaterThan(0)
    expect(shown.filter((width) => width === 0)).toEqual([])
    expect(requested.filter((url) => !url.startsWith(service.url))).toEqual([])
    expect(complaints).toEqual([])
  })

  test.for([
    { name: 'a phone', viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, loads: 720 },
    { name: 'a small screen', viewport: { width: 1024, height: 768 }, loads: 720 },
    {
      name: 'a large screen',
      viewport: { width: 1440, height: 900 },
      deviceScaleFactor: 2,
      loads: 1200,
    },
  ])('loads a picture of $loads pixels on $name', async ({ loads, ...device }) => {
    const { page, requested } = await openPage(browser, device)
    await page.goto(`${service.url}/news/${story?.id}`)
    await page.waitForLoadState('networkidle')
    const first = requested.find((url) => url.includes(`/news-${story?.id}-`))
    expect(first).toContain(`.${loads}x`)
    // As `sizes` says.
    const shown = await page.evaluate('document.querySelector("article img").width')
    expect(shown).toBe(Math.min(694, device.viewport.width - 74))
  })
})
