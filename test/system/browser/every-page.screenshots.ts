import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { screenshots, startBrowser } from '../../support/browser.ts'
import { faultsOf, startEveryPage, visitEveryPage } from '../../support/every-page.ts'
import { pageRecords } from '../../support/page-records.ts'

const widths = [390, 820, 1280]
const colorSchemes = ['light', 'dark'] as const

/** Pages with thousands of records are not shown to their end. */
const maxHeight = 6000

const formats = ['Letter', 'A4'] as const

/** Pages that people print on one sheet. */
const sheets = new Set(['month', 'link-month', 'poster', 'admin-cards'])

/** Prints a page on each format of paper, and returns the numbers of sheets. */
async function print(page: Page, folder: string, name: string): Promise<readonly number[]> {
  const counts: number[] = []
  for (const format of formats) {
    const path = join(folder, `${name}-${format}.pdf`)
    const pdf = await page.pdf({ format, path, landscape: name.endsWith('month') })
    counts.push(pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0)
  }
  return counts
}

async function keepViews(page: Page, folder: string, name: string): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 844 })
    const full = await page.evaluate<number>('document.documentElement.scrollHeight')
    const clip = { x: 0, y: 0, width, height: Math.min(maxHeight, full) }
    for (const colorScheme of colorSchemes) {
      await page.emulateMedia({ colorScheme })
      const view = `${width}-${colorScheme}`
      await page.screenshot({ path: join(folder, view, `${name}.png`), fullPage: true, clip })
      expect.soft([name, view, ...(await faultsOf(page))]).toEqual([name, view])
    }
  }
}

const typedKeys = <T extends object>(value: T) => Object.keys(value) as (keyof T)[]

describe('every page', { timeout: 30 * 60_000 }, () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await startBrowser()
  })

  afterAll(async () => {
    await browser.close()
  })

  test.for(typedKeys(pageRecords))('is accessible and fits with %s records', async (records) => {
    await using site = await startEveryPage(records)
    const folder = join(screenshots, 'every-page', records)
    mkdirSync(join(folder, 'print'), { recursive: true })
    await visitEveryPage(browser, site, async (page, name, complaints) => {
      expect.soft([name, ...complaints]).toEqual([name])
      await keepViews(page, folder, name)
      if (!sheets.has(name)) return
      const counts = await print(page, join(folder, 'print'), name)
      expect.soft([name, ...counts]).toEqual([name, ...formats.map(() => 1)])
    })
  })
})
