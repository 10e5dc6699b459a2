import { describe, expect, test } from 'vitest'
import { adminEnvironment, testPassword } from '../../support/admin.ts'
import {
  chromiumIsMissing,
  faultsOf,
  keepScreenshot,
  openUrl,
  sharedBrowser,
  views,
} from '../../support/browser.ts'
import { databaseFrom } from '../../support/database-settings.ts'
import { sharedService } from '../../support/shared-service.ts'

describe.skipIf(chromiumIsMissing)('the form for databases', () => {
  const browser = sharedBrowser()
  const service = sharedService({
    publicFeedIds: [],
    environment: adminEnvironment,
    databases: [databaseFrom('hydrants=1 title:Hydrant {number} fields:street full:notes')],
  })

  test.for(views)(
    'previews and saves what the webmaster chooses: $name',
    async ({ name, ...view }) => {
      const { page, complaints } = await openUrl(browser(), `${service().url}/admin`, view)
      await page.getByLabel('Password').fill(testPassword)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('navigation').getByRole('link', { name: 'Settings' }).click()
      await page.getByText('More settings').click()
      await page.getByRole('link', { name: 'Make feeds from custom databases' }).click()
      await page.getByRole('link', { name: 'Turnout gear' }).click()
      const setting = page.getByLabel('For .env')
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
      await setting.waitFor({ state: 'attached' })
      expect(await faultsOf(page)).toEqual([])
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Your changes are saved').waitFor()
      await page.getByText('is the feed').nth(1).waitFor()
      expect(await faultsOf(page)).toEqual([])
      expect(complaints).toEqual([])
      await keepScreenshot(page, `admin-databases-${name}`)
      await service().clock.advance(60_000)
    },
  )
})
