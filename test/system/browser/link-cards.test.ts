import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { maxRows } from '../../../src/features/admin/link-import.ts'
import { adminEnvironment } from '../../support/admin.ts'
import {
  chromiumIsMissing,
  faultsOf,
  keepScreenshot,
  openPage,
  readQrCode,
  screenshots,
  sharedBrowser,
  sheetsOf,
  signIn,
  views,
} from '../../support/browser.ts'
import { sharedService } from '../../support/shared-service.ts'

const cardsPerPage = { business: 8, a6: 4 }

/** Returns a list of names, the first of which is as long as possible. */
const names = (count: number) =>
  Array.from({ length: count }, (_, index) => `Member ${index + 1} of the crew`)
    .with(0, 'Member of the crew, '.repeat(5).slice(0, 100))
    .map((name) => `"${name}"`)
    .join('\n')

const create = (page: Page) => page.getByRole('button', { name: 'Create links' }).click()

describe.skipIf(chromiumIsMissing)('the sheet of cards', () => {
  const browser = sharedBrowser()
  const service = sharedService({
    publicFeedIds: ['events'],
    environment: adminEnvironment,
  })

  /** Signs in, and opens the form for a list of names. */
  async function openForm(options: Parameters<typeof openPage>[1]) {
    const opened = await openPage(browser(), options)
    await service().clock.advance(60_000)
    await signIn(opened.context, service().url)
    await opened.page.goto(`${service().url}/admin`)
    await opened.page.getByRole('link', { name: 'Links from a list' }).click()
    await opened.page.getByRole('heading', { name: 'New feed links from a list' }).waitFor()
    return opened
  }

  test.for(views)('fits and is accessible: $name', async ({ name, ...view }) => {
    const { page, complaints } = await openForm(view)
    expect(await faultsOf(page, `admin-link-import-${name}`)).toEqual([])
    await page.getByLabel('Names, one per row').fill(names(10))
    await create(page)
    await page.getByRole('heading', { name: '10 new links' }).waitFor()
    expect(await faultsOf(page, `admin-cards-${name}`)).toEqual([])
    expect(complaints).toEqual([])
  })

  test('prints eight business cards or four postcards on each sheet of A4 or Letter paper', async () => {
    for (const count of [10, maxRows]) {
      const { page } = await openForm({ javaScriptEnabled: false })
      const buffer = Buffer.from(names(count))
      const file = { name: 'crew.csv', mimeType: 'text/csv', buffer }
      await page.getByLabel('Or a CSV file').setInputFiles(file)
      await create(page)
      const cards = page.locator('.cards li')
      // The browser shows the first cards while it loads the rest.
      await cards.nth(count - 1).waitFor()
      expect(await cards.count()).toBe(count)
      for (const size of ['a6', 'business'] as const) {
        await page.locator(`#size-${size}`).check()
        for (const format of ['A4', 'Letter'] as const) {
          const path = join(screenshots, `admin-cards-${size}-${count}-${format}.pdf`)
          const sheets = Math.ceil(count / cardsPerPage[size])
          expect([path, await sheetsOf(page, { format, path })]).toEqual([path, sheets])
        }
      }
      // One page, as it would be on A4 paper without its margins.
      await page.emulateMedia({ media: 'print' })
      await page.setViewportSize({ width: 718, height: 1047 })
      await keepScreenshot(page, `admin-cards-${count}-print`, { fullPage: false })
      await page.emulateMedia({ media: 'screen' })
      const address = await cards.last().locator('.url').textContent()
      expect(await readQrCode(cards.last().locator('.qr'))).toBe(`${address}/`)
      expect((await fetch(`${address}/events.ics`)).status).toBe(200)
      await page.close()
    }
  })
})
