import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { keptPages, nextAnswer } from './board-page.ts'
import {
  chromiumIsMissing,
  faultsOf,
  keepScreenshot,
  openAll,
  openPage,
  sharedBrowser,
} from '../../support/browser.ts'
import { startExporting } from '../../support/export.ts'
import { fewOn } from '../../support/few-records.ts'
import { startStaticHost } from '../../support/static-host.ts'
import { waitFor } from '../../support/wait-for.ts'

const minuteMs = 60_000

const asOf = (page: Page) => page.locator('#as-of')
const agenda = (page: Page) => page.locator('#agenda .layer').last()

/** Exports a site and serves it from a static host. */
async function startHosted(isPlain: boolean, publicFeedIds?: readonly string[]) {
  const dataset = { now: fewOn('2026-03-05') }
  const sandbox = { datasetOn: () => dataset.now }
  const site = await startExporting({ sandbox, ...(publicFeedIds && { publicFeedIds }) })
  const host = await startStaticHost(site.directory, isPlain, site.clock.now)
  const write = () => site.once(false, { publicUrl: host.url })
  await write()
  return { site, host, write, dataset }
}

describe.skipIf(chromiumIsMissing)('an exported site', () => {
  const browser = sharedBrowser()

  test('has an accessible page that lists all feeds and links to their parts', async () => {
    const { host } = await startHosted(false)
    const { page, complaints, requested } = await openPage(browser(), {
      viewport: { width: 1280, height: 900 },
    })
    await page.goto(`${host.url}/feeds`)
    await openAll(page)
    expect(await faultsOf(page, 'static-feeds')).toEqual([])
    expect(await page.locator('form').count()).toBe(0)
    await page.locator('article#news details:has(h3) a', { hasText: 'RSS' }).first().waitFor()
    await page.locator('article#events .entries a').first().click()
    await page.locator('h1').waitFor()
    expect(new URL(page.url()).pathname).toMatch(/^\/events\/\d+$/)
    expect(complaints).toEqual([])
    expect(requested.filter((url) => !url.startsWith(host.url))).toEqual([])
  })

  describe.for([
    { name: 'with the host rules', isPlain: false, path: '/board' },
    { name: 'without headers from Feedhouse', isPlain: true, path: '/board.html' },
  ])('the board on a host $name', ({ isPlain, path }) => {
    async function openBoard() {
      const hosted = await startHosted(isPlain, ['calendar', 'announcements'])
      const opened = await openPage(browser(), { viewport: { width: 1920, height: 1080 } })
      const at = hosted.site.clock.now()
      await opened.page.clock.install({ time: at })
      await opened.page.clock.pauseAt(at + 5000)
      await opened.page.goto(hosted.host.url + path)
      await waitFor(async () => {
        await opened.page.clock.runFor(1000)
        expect(await asOf(opened.page).innerText()).toBe('Website last read 10:00 AM')
      })
      return { ...hosted, ...opened }
    }

    test('shows the exported data, and later shows new data', async () => {
      const { page, site, write, dataset, complaints } = await openBoard()
      await keepScreenshot(page, `static-board-${isPlain ? 'plain' : 'rules'}`)
      expect(await agenda(page).innerText()).toMatch(/^Today/)
      const [first, ...others] = dataset.now.announce
      if (!first) throw new Error('there are no announcements')
      const announce = [{ ...first, status: 2 as const, headline: 'Water is off' }, ...others]
      dataset.now = { ...dataset.now, announce }
      await site.clock.leap(10 * minuteMs)
      await write()
      await waitFor(async () => {
        await nextAnswer(page)
        expect(await page.evaluate('JSON.stringify(localStorage)')).toContain('Water is off')
      })
      expect(await asOf(page).innerText()).toBe('Website last read 10:10 AM')
      expect(complaints).toEqual([])
    })

    test('keeps its content after responses from other servers, outages and restarts', async () => {
      const { page, host } = await openBoard()
      const before = await agenda(page).innerText()
      for (const body of ['<h1>Sign in</h1>', '[]', '{"items":[]}']) {
        await page.route('**/screen.json', (route) => route.fulfill({ status: 200, body }))
        await nextAnswer(page)
        await page.clock.runFor(1000)
        expect(await agenda(page).innerText()).toBe(before)
        await page.unroute('**/screen.json')
      }
      await waitFor(async () => expect(await page.evaluate(keptPages)).toContain(host.url + path))
      host.setDown(true)
      await page.goto('about:blank')
      await page.goto(host.url + path)
      await page.locator('#time').filter({ hasText: /\d/ }).waitFor()
      expect(await agenda(page).innerText()).toBe(before)
    })
  })
})
