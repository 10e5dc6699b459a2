import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  barriersOf,
  chromiumIsMissing,
  keepScreenshot,
  openPage,
  startBrowser,
  views,
} from '../../support/browser.ts'
import { startTestService } from '../../support/service.ts'
import { waitFor } from '../../support/wait-for.ts'

describe.skipIf(chromiumIsMissing)('the embedded list', { timeout: 60_000 }, () => {
  let browser: Browser
  let service: Awaited<ReturnType<typeof startTestService>>

  beforeAll(async () => {
    browser = await startBrowser()
    service = await startTestService({ publicFeedIds: ['events'] })
    await fetch(`${service.url}/events.ics`)
  })

  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await browser.close()
  })

  test.for(views)('is accessible: $name', async ({ name, ...view }) => {
    const { page, complaints } = await openPage(browser, view)
    await page.goto(`${service.url}/embed/events`)
    await keepScreenshot(page, `embed-${name}`)
    expect(await barriersOf(page)).toEqual([])
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
