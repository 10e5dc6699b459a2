import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import {
  colorSchemes,
  faultsOf,
  screenshots,
  sharedBrowser,
  sheetsOf,
} from '../../support/browser.ts'
import { startEveryPage, visitEveryPage } from './every-page.ts'
import { pageRecords } from './page-records.ts'

const widths = [390, 820, 1280]

/** Pages with thousands of records are cut off. */
const maxHeight = 6000

const formats = ['Letter', 'A4'] as const

/** Pages that people print on one sheet. */
const sheets = new Set(['month', 'link-month', 'poster', 'admin-cards'])

/** Prints a page on each paper size, and returns the numbers of sheets. */
async function print(page: Page, folder: string, name: string): Promise<readonly number[]> {
  const counts: number[] = []
  for (const format of formats) {
    const path = join(folder, `${name}-${format}.pdf`)
    counts.push(await sheetsOf(page, { format, path, landscape: name.endsWith('month') }))
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
      const path = join(folder, `${width}-${colorScheme}`, `${name}.png`)
      await page.screenshot({ path, fullPage: true, clip })
    }
    expect.soft([name, width, ...(await faultsOf(page))]).toEqual([name, width])
  }
}

const typedKeys = <T extends object>(value: T) => Object.keys(value) as (keyof T)[]

describe('every page', { timeout: 30 * 60_000 }, () => {
  const browser = sharedBrowser()

  test.for(typedKeys(pageRecords))('is accessible and fits with %s records', async (records) => {
    await using site = await startEveryPage(records)
    const folder = join(screenshots, 'every-page', records)
    mkdirSync(join(folder, 'print'), { recursive: true })
    await visitEveryPage(browser(), site, async (page, name, complaints) => {
      expect.soft([name, ...complaints]).toEqual([name])
      await keepViews(page, folder, name)
      if (!sheets.has(name)) return
      const counts = await print(page, join(folder, 'print'), name)
      expect.soft([name, ...counts]).toEqual([name, ...formats.map(() => 1)])
    })
  })
})
