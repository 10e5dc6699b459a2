import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  chromiumIsMissing,
  faultsOf,
  fitsInWidth,
  openPage,
  sharedBrowser,
} from '../../support/browser.ts'
import { devices } from './devices.ts'
import { startEveryPage, visitEveryPage, type PageSite } from './every-page.ts'

const phone = { width: 390, height: 844 }
const larger = [
  { width: 840, height: 1100 },
  { width: 1100, height: 800 },
]

describe.skipIf(chromiumIsMissing)(
  'pages with very long, right-to-left and malicious texts',
  () => {
    const browser = sharedBrowser()
    let site: PageSite

    beforeAll(async () => {
      site = await startEveryPage('hostile')
    })

    afterAll(() => site[Symbol.asyncDispose]())

    test('are accessible, cut off no text on a phone, in both color schemes, and fit on larger screens', async () => {
      await visitEveryPage(browser(), site, async (page, name, complaints) => {
        expect.soft([name, ...complaints]).toEqual([name])
        expect.soft([name, ...(await faultsOf(page))]).toEqual([name])
        for (const viewport of larger) {
          await page.setViewportSize(viewport)
          const fits = await fitsInWidth(page)
          expect.soft([name, viewport.width, fits]).toEqual([name, viewport.width, true])
        }
        await page.setViewportSize(phone)
      })
    })

    test.for(devices.filter(({ isPhone }) => isPhone))(
      'show the main button without scrolling on a small phone: $name',
      async ({ userAgent }) => {
        const viewport = { width: 375, height: 667 }
        const { page } = await openPage(browser(), { userAgent, viewport })
        for (const name of ['home', 'link-home']) {
          await page.goto(site.addresses[name] ?? '')
          const box = await page.locator('.app .cta:visible').first().boundingBox()
          const bottom = (box?.y ?? 0) + (box?.height ?? Infinity)
          const navigation = await page.locator('.tabs').boundingBox()
          const end = navigation?.y ?? viewport.height
          expect.soft([name, bottom, bottom <= end]).toEqual([name, bottom, true])
        }
      },
    )
  },
)
