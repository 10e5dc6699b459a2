import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  barriersOf,
  chromiumIsMissing,
  fitsInWidth,
  keepScreenshot,
  loadPictures,
  openPage,
  startBrowser,
} from '../../support/browser.ts'
import { startTestService } from '../../support/service.ts'
import { waitFor } from '../../support/wait-for.ts'

const layouts = [
  { name: 'list', path: 'events' },
  { name: 'cards', path: 'events?layout=cards&accent=yellow' },
  { name: 'next', path: 'next?font=inherit' },
  { name: 'month', path: 'month?month=2026-05' },
  { name: 'news', path: 'news' },
  { name: 'news-cards', path: 'news?layout=cards' },
]

/** Columns of websites, as narrow as a phone and as wide as a page. */
const views = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [320, 800].map((width) => ({
    name: `${width}-${colorScheme}`,
    viewport: { width, height: 600 },
    colorScheme,
  })),
)

describe.skipIf(chromiumIsMissing)('the embedded list', { timeout: 60_000 }, () => {
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

  test.for(views)('is accessible and fits: $name', async ({ name: view, ...options }) => {
    const { page, complaints } = await openPage(browser, options)
    for (const { name, path } of layouts) {
      await page.goto(`${service.url}/embed/${path}`)
      await loadPictures(page)
      await keepScreenshot(page, `embed-${name}-${view}`)
      expect(await barriersOf(page)).toEqual([])
      expect(await fitsInWidth(page)).toBe(true)
    }
    expect(complaints).toEqual([])
  })

  test('sends its height to the embedding page', async () => {
    const html = `<iframe src="${service.url}/embed/events?limit=4" width="300"></iframe><script>
      addEventListener('message', ({ data }) => { document.querySelector('iframe').height = data.height })
    </script>`
    const website = createServer((_request, response) => {
      response.setHeader('Content-Type', 'text/html').end(html)
    })
    website.listen(0, '127.0.0.1')
    await once(website, 'listening')
    onTestFinished(() => void website.close())
    const { page } = await openPage(browser)
    await page.goto(`http://127.0.0.1:${(website.address() as AddressInfo).port}/`)
    const frame = page.frameLocator('iframe')
    expect(await frame.locator('li').count()).toBe(4)
    const height = async () => (await page.locator('iframe').boundingBox())?.height ?? 0
    await waitFor(async () => {
      expect(await height()).toBeGreaterThan(200)
      const content = (await frame.locator('html').boundingBox())?.height ?? 0
      expect(Math.abs((await height()) - content)).toBeLessThan(10)
    })
  })
})
