import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { adminEnvironment, testPassword } from '../../support/admin.ts'
import {
  barriersOf,
  chromiumIsMissing,
  cutTextsOf,
  fitsInWidth,
  keepScreenshot,
  openPage,
  startBrowser,
  views,
} from '../../support/browser.ts'
import { databaseFrom } from '../../support/database-settings.ts'
import { startTestService } from '../../support/service.ts'

describe.skipIf(chromiumIsMissing)('the form for databases', { timeout: 60_000 }, () => {
  let browser: Browser
  let service: Awaited<ReturnType<typeof startTestService>>

  beforeAll(async () => {
    browser = await startBrowser()
    service = await startTestService({
      publicFeedIds: [],
      environment: adminEnvironment,
      databases: [databaseFrom('hydrants=1 title:Hydrant {number} fields:street full:notes')],
    })
  })

  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await browser.close()
  })

  test.for([views[0], views[3]])(
    'previews what the webmaster chooses: $name',
    async ({ name, ...view }) => {
      const { page, complaints } = await openPage(browser, view)
      await page.goto(`${service.url}/admin`)
      await page.getByLabel('Password').fill(testPassword)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('link', { name: 'Settings' }).click()
      await page.getByRole('link', { name: 'Make feeds from custom databases' }).click()
      await page.getByRole('link', { name: 'Turnout gear' }).click()
      const setting = page.getByLabel('Setting')
      expect(await setting.inputValue()).toContain('date:retire')
      await page.locator('[name="show.kind"]').selectOption('all')
      await page.getByText('Kind: Coat').first().waitFor()
      expect(await setting.inputValue()).toContain('fields:kind')
      const title = page.getByLabel('Title of each record')
      await title.fill('{serail}')
      await title.press('Tab')
      await page.getByRole('alert').getByText('Did you mean serial?').waitFor()
      await title.fill('{serial}')
      await title.press('Tab')
      await setting.waitFor()
      expect(await barriersOf(page)).toEqual([])
      expect(await cutTextsOf(page)).toEqual([])
      expect(await fitsInWidth(page)).toBe(true)
      expect(complaints).toEqual([])
      await keepScreenshot(page, `admin-databases-${name}`)
      await service.clock.advance(60_000)
    },
  )
})
