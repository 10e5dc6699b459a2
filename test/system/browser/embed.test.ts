import { describe, expect, test } from 'vitest'
import {
  chromiumIsMissing,
  faultsOf,
  loadPictures,
  openPage,
  openUrl,
  sharedBrowser,
} from '../../support/browser.ts'
import { startHttpServer } from '../../support/http-server.ts'
import { sharedService } from '../../support/shared-service.ts'
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
const widths = [320, 800]

describe.skipIf(chromiumIsMissing)('the embedded list', { timeout: 60_000 }, () => {
  const browser = sharedBrowser()
  const service = sharedService()

  test.for(widths)('is accessible and fits: %i pixels', async (width) => {
    const { page, complaints } = await openPage(browser(), { viewport: { width, height: 600 } })
    for (const { name, path } of layouts) {
      await page.goto(`${service().url}/embed/${path}`)
      await loadPictures(page)
      expect(await faultsOf(page, `embed-${name}-${width}`)).toEqual([])
    }
    expect(complaints).toEqual([])
  })

  test('sends its height to the embedding page', async () => {
    const html = `<iframe src="${service().url}/embed/events?limit=4" width="300"></iframe><script>
      addEventListener('message', ({ data }) => { document.querySelector('iframe').height = data.height })
    </script>`
    const website = await startHttpServer((_request, response) => {
      response.setHeader('Content-Type', 'text/html').end(html)
    })
    const { page } = await openUrl(browser(), website)
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
