import type { BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { sampleDatasetOn } from '../../../src/sandbox/sample/sample-dataset.ts'
import {
  chromiumIsMissing,
  keepScreenshot,
  openPage,
  openUrl,
  sharedBrowser,
} from '../../support/browser.ts'
import { nextAnswer, openBoardIn } from './board-page.ts'
import { sharedService } from '../../support/shared-service.ts'
import { patienceMs, waitFor } from '../../support/wait-for.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** The sample with only one announcement, which expires at 10:30. */
const datasetOn = (today: string) => {
  const sample = sampleDatasetOn(today)
  const [announcement] = sample.announce
  return {
    ...sample,
    announce: announcement
      ? [
          {
            ...announcement,
            status: 2 as const,
            headline: 'Water is off',
            expires: '2026-03-05 10:30:00',
          },
        ]
      : [],
  }
}

const asOf = (page: Page) => page.locator('#as-of')

describe.skipIf(chromiumIsMissing)('the board', () => {
  const browser = sharedBrowser()
  const service = sharedService({ sandbox: { datasetOn } })

  const openBoard = (query?: string, options?: BrowserContextOptions) =>
    openBoardIn(browser(), service(), query, options)

  test('is complete even before any script runs', async () => {
    const { page } = await openUrl(browser(), `${service().url}/board?title=Station%201`, {
      javaScriptEnabled: false,
    })
    expect(await page.locator('#agenda').innerText()).toMatch(/^Today\n/)
    expect(await page.locator('h1').innerText()).toBe('Station 1')
  })

  test('shows the time and marks entries by the rules of the server, not of the browser', async () => {
    const { page } = await openPage(browser(), { viewport: { width: 1920, height: 1080 } })
    await page.clock.install({ time: service().clock.now() })
    // The server's rules say two hours more than the browser's.
    await page.route(/\/board$/, async (route) => {
      const response = await route.fetch()
      const body = (await response.text()).replaceAll(',-300]', ',-180]')
      await route.fulfill({ response, body })
    })
    await page.goto(`${service().url}/board`)
    await waitFor(async () => expect(await page.locator('#time').innerText()).toMatch(/^12:0/))
    expect(await asOf(page).innerText()).toBe('Website last read 12:00 PM')
    await keepScreenshot(page, 'board-other-rules')
  })

  test('adapts its accent color when the device switches between light and dark', async () => {
    const { page } = await openBoard('?theme=auto&accent=ffc457', { colorScheme: 'dark' })
    const accent = () =>
      page.evaluate<string>(
        `getComputedStyle(document.documentElement).getPropertyValue('--accent')`,
      )
    const dark = await accent()
    await page.emulateMedia({ colorScheme: 'light' })
    await waitFor(async () => expect(await accent()).not.toBe(dark))
    await page.emulateMedia({ colorScheme: 'dark' })
    await waitFor(async () => expect(await accent()).toBe(dark))
  })

  test("turns its pages, and shows Feedhouse's copies of pictures", async () => {
    const { page, requested } = await openBoard('?rotate=5')
    const agenda = () => page.locator('#agenda .layer').last().innerText()
    const first = await agenda()
    await waitFor(async () => {
      await page.clock.runFor(5000)
      expect(await agenda()).not.toBe(first)
    })
    expect(await page.locator('#agenda .dots i').count()).toBeGreaterThan(1)
    expect(await page.locator('#agenda .dots .current').count()).toBe(1)
    for (let time = 0; time < 40; time += 1) await page.clock.runFor(10_000)
    await waitFor(() => expect(requested.some((url) => url.includes('/board/images/'))).toBe(true))
    expect(requested.filter((url) => !url.startsWith(service().url))).toEqual([])
    expect(await page.locator('.layer').count()).toBeLessThanOrEqual(4)
  })

  test('drops past entries while offline, and warns about its age in amber first and then prominently', async () => {
    const { page, context } = await openBoard('?rotate=5')
    await page.clock.runFor(2000)
    expect(await page.locator('#cards').innerText()).toContain('Water is off')
    expect(await asOf(page).innerText()).toBe('Website last read 10:00 AM')
    await context.setOffline(true)
    await page.clock.fastForward(hourMs)
    await waitFor(async () => {
      await page.clock.runFor(minuteMs)
      expect(await asOf(page).getAttribute('class')).toBe('amber')
    })
    expect(await asOf(page).innerText()).toBe('Website last read 10:00 AM')
    await keepScreenshot(page, 'board-offline')
    const seen = []
    for (let time = 0; time < 12; time += 1) {
      await page.clock.runFor(10_000)
      seen.push(await page.locator('#cards').innerText())
    }
    expect(seen.join()).not.toContain('Water is off')
    await page.clock.fastForward(5 * hourMs)
    await page.clock.runFor(1000)
    expect(await asOf(page).getAttribute('class')).toBe('loud')
    expect(await asOf(page).innerText()).toBe('No news since 10:00 AM')
    await context.setOffline(false)
    await waitFor(async () => {
      await page.clock.runFor(minuteMs)
      expect(await asOf(page).getAttribute('class')).toBe('')
    })
  })

  test.for([
    ['es-US', 'Sin datos nuevos desde 10:00 a.m.', 'Sábado, 7 de marzo'],
    ['fr-CA', 'Aucune mise à jour depuis 10 h', 'Samedi 7 mars'],
    ['de', 'Keine neuen Daten seit 10:00 Uhr', 'Samstag, 7. März'],
  ] as const)('has its texts in %s while offline', async ([lang, stale, day]) => {
    const { page, context } = await openBoard(`?lang=${lang}&show=calendar`)
    await page.clock.runFor(2000)
    await context.setOffline(true)
    await page.clock.fastForward(7 * hourMs)
    await page.clock.runFor(1000)
    const texts = [await asOf(page).innerText(), await page.locator('#agenda').innerText()]
    expect(texts.map((text) => text.replace(/\s/g, ' '))).toEqual([
      stale,
      expect.stringContaining(day),
    ])
  })

  test('starts a new day at midnight, even while offline or when clocks change', async () => {
    const { page, context } = await openBoard()
    await page.clock.runFor(2000)
    await context.setOffline(true)
    const agenda = () => page.locator('#agenda .layer').last().innerText()
    expect(await agenda()).toMatch(/^Today\n/)
    await page.clock.fastForward(14 * hourMs - minuteMs)
    await page.clock.runFor(1000)
    expect(await page.locator('#time').innerText()).toBe('11:59 PM')
    await page.clock.runFor(minuteMs)
    expect(await page.locator('#time').innerText()).toBe('12:00 AM')
    expect(await page.locator('#date').innerText()).toBe('Friday, March 6')
    await waitFor(async () => {
      await page.clock.runFor(1000)
      expect(await agenda()).not.toContain('Monthly business')
    })
    // On March 8, clocks skip from 2 AM to 3 AM.
    await page.clock.fastForward(2 * 24 * hourMs + 2 * hourMs - 2 * minuteMs)
    await page.clock.runFor(1000)
    expect(await page.locator('#time').innerText()).toMatch(/^1:5\d AM$/)
    await page.clock.runFor(3 * minuteMs)
    expect(await page.locator('#time').innerText()).toMatch(/^3:0\d AM$/)
  })

  test('reloads once when there is a new version, after a successful response', async () => {
    const { page } = await openBoard()
    let loads = 0
    page.on('load', () => (loads += 1))
    const reloaded = page.waitForEvent('load', { timeout: patienceMs })
    let isPolled = false
    await page.route('**/board.json*', async (route) => {
      isPolled = true
      const response = await route.fetch()
      await route.fulfill({
        response,
        headers: { ...response.headers(), 'board-version': 'newer' },
      })
    })
    // A page that is still loading after a minute reloads itself, so the clock stops once it has polled.
    await waitFor(async () => {
      if (!isPolled) await page.clock.runFor(10_000)
      expect(isPolled).toBe(true)
    })
    await reloaded
    await page.locator('#time').filter({ hasText: /\d/ }).waitFor()
    await page.clock.runFor(30_000)
    expect(loads).toBe(1)
  })

  test('uses no more memory after a week and hundreds of refreshes than after the first hours', async () => {
    const viewport = { width: 640, height: 360 }
    const { page, context } = await openBoard('?rotate=5', { viewport })
    // Painting would take much of the time.
    await page.evaluate('document.documentElement.style.opacity = 0')
    const session = await context.newCDPSession(page)
    async function heap(): Promise<number> {
      for (let time = 0; time < 3; time += 1) await session.send('HeapProfiler.collectGarbage')
      return (await session.send('Runtime.getHeapUsage')).usedSize
    }
    /** Refreshes the board and turns its pages the given number of times. */
    async function refreshes(count: number, stepMs?: number): Promise<void> {
      for (let time = 0; time < count; time += 1) {
        await nextAnswer(page, stepMs)
        await page.clock.runFor(1000)
      }
    }
    // The browser still compiles code during the first refreshes.
    await refreshes(200)
    const first = await heap()
    await refreshes(100)
    await refreshes(7 * 24, hourMs)
    const ratio = (await heap()) / first
    // Previous pages are removed after they have faded.
    await page.clock.runFor(10_000)
    expect(await page.locator('.layer').count()).toBeLessThanOrEqual(4)
    expect(ratio).toBeLessThan(1.07)
  })
})
