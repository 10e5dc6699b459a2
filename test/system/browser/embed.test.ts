import { describe, expect, test } from 'vitest'
import { chromiumIsMissing, openUrl, sharedBrowser } from '../../support/browser.ts'
import { startHttpServer } from '../../support/http-server.ts'
import { sharedService } from '../../support/shared-service.ts'
import { waitFor } from '../../support/wait-for.ts'

describe.skipIf(chromiumIsMissing)('the embedded list', () => {
  const browser = sharedBrowser()
  const service = sharedService()

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
