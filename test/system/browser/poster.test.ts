import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  barriersOf,
  chromiumIsMissing,
  fitsInWidth,
  keepScreenshot,
  openPage,
  readQrCode,
  screenshots,
  startBrowser,
  views,
} from '../../support/browser.ts'
import { startTestService } from '../../support/service.ts'

describe.skipIf(chromiumIsMissing)('the poster', { timeout: 60_000 }, () => {
  let browser: Browser
  let service: Awaited<ReturnType<typeof startTestService>>

  beforeAll(async () => {
    browser = await startBrowser()
    const identity = { place: 'Cedar Hollow, NY', color: '#1f5fbf' }
    service = await startTestService({ identity })
    await service.readAll()
  })

  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await browser.close()
  })

  test.for(views)(
    'fits, is accessible and leads to the home page: $name',
    async ({ name, ...view }) => {
      const { page, complaints } = await openPage(browser, view)
      await page.goto(`${service.url}/poster`)
      await keepScreenshot(page, `poster-${name}`)
      expect(await barriersOf(page)).toEqual([])
      expect(await fitsInWidth(page)).toBe(true)
      expect(await readQrCode(page.locator('.poster .qr'))).toBe(`${service.url}/`)
      expect(complaints).toEqual([])
    },
  )

  test.for(['A4', 'Letter'] as const)('prints on one page of %s paper', async (format) => {
    const { page } = await openPage(browser)
    await page.goto(`${service.url}/poster`)
    const pdf = await page.pdf({ format, path: join(screenshots, `poster-${format}.pdf`) })
    expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(1)
  })
})
