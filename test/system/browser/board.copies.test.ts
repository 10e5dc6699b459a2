import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { chromiumIsMissing, openPage, sharedBrowser } from '../../support/browser.ts'
import { keptCopies, keptPages, nextAnswer, nothingKept, openBoardIn } from './board-page.ts'
import { createManager } from '../../support/manager.ts'
import { startTestService } from '../../support/service.ts'
import { sharedService } from '../../support/shared-service.ts'
import { waitFor } from '../../support/wait-for.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

const asOf = (page: Page) => page.locator('#as-of')

describe.skipIf(chromiumIsMissing)('the copies in the browser', () => {
  const browser = sharedBrowser()
  const service = sharedService({ publicFeedIds: ['events'] })

  test.for([
    { place: 'at the root', path: '' },
    { place: 'under a path', path: '/ashton' },
  ])('can start offline with its latest content $place of a host', async ({ path }) => {
    await using station = await startTestService({
      publicFeedIds: ['events'],
      environment: { PUBLIC_URL: `https://feeds.example${path}` },
    })
    await fetch(`${station.url}/events.ics`)
    const { page } = await openPage(browser())
    const url = `${station.url}${path}/board?show=events&rotate=300`
    await page.goto(url)
    await page.locator('#agenda li').first().waitFor()
    await waitFor(async () => expect(await page.evaluate(keptPages)).toContain(url))
    const before = await page.locator('#agenda .layer').last().innerText()
    await station[Symbol.asyncDispose]()
    await page.goto('about:blank')
    await page.goto(url)
    await page.locator('#time').filter({ hasText: /\d/ }).waitFor()
    expect(await page.locator('#agenda .layer').last().innerText()).toBe(before)
    expect(await page.evaluate('getComputedStyle(document.body).cursor')).toBe('none')
  })

  test('ignores responses from proxies and login pages', async () => {
    const { page } = await openBoardIn(browser(), service(), '?show=events')
    await page.clock.runFor(2000)
    const before = await page.locator('#agenda .layer').last().innerText()
    for (const status of [200, 404, 410, 502]) {
      await page.route('**/board.json*', (route) =>
        route.fulfill({ status, body: '<h1>Maintenance</h1>' }),
      )
      await nextAnswer(page)
      await page.clock.runFor(1000)
      expect(await page.locator('#agenda .layer').last().innerText()).toBe(before)
      await page.unroute('**/board.json*')
    }
    expect(await page.evaluate('localStorage.length')).toBe(2)
  })

  test('keeps its content while Feedhouse has no data, even if the screen restarts', async () => {
    const { page } = await openBoardIn(browser(), service(), '?show=events')
    await page.clock.runFor(2000)
    const url = page.url()
    await waitFor(async () => expect(await page.evaluate(keptPages)).toContain(url))
    const agenda = () => page.locator('#agenda .layer').last().innerText()
    const before = await agenda()
    await using other = await startTestService({
      prepare: async (sandbox) =>
        (await createManager(sandbox)).setProject(1, { endpoints: ['members'] }),
    })
    await page.context().route('**/board*', async (route) => {
      const asked = route.request().url().replace(service().url, other.url)
      await route.fulfill({ response: await route.fetch({ url: asked }) })
    })
    // The next request shows that the previous response has been processed.
    await nextAnswer(page)
    await nextAnswer(page)
    await page.clock.runFor(1000)
    expect(await agenda()).toBe(before)
    await page.reload()
    await page.locator('#time').filter({ hasText: /\d/ }).waitFor()
    expect(await agenda()).toBe(before)
  })

  test('shows only a notice after its link has ended, and deletes all copies', async () => {
    await using station = await startTestService({ publicFeedIds: ['events'] })
    const link = await station.addLink({ profile: 'full', expiresAt: station.clock.now() + hourMs })
    await fetch(`${link}calendar.ics`)
    const { page } = await openPage(browser())
    await page.clock.install({ time: station.clock.now() })
    await page.goto(`${link}board`)
    await page.locator('#agenda li').first().waitFor()
    await station.clock.leap(hourMs)
    await waitFor(async () => {
      await page.clock.runFor(minuteMs)
      expect(await page.locator('#cards').innerText()).toContain('This feed link has expired')
    })
    expect(await page.locator('#agenda .layer').last().innerText()).toBe('Nothing is planned')
    await station.clock.leap(15 * 24 * hourMs)
    await waitFor(async () => {
      await page.clock.runFor(minuteMs)
      expect(await asOf(page).innerText()).toContain('Ask the webmaster for a new link')
    })
    await waitFor(async () => expect(await keptCopies(page)).toEqual(nothingKept))
  })

  test('deletes all copies from the link if the screen starts after the link has ended', async () => {
    await using station = await startTestService({ publicFeedIds: ['events'] })
    const link = await station.addLink({ profile: 'full', expiresAt: station.clock.now() + hourMs })
    await fetch(`${link}calendar.ics`)
    const { page, complaints } = await openPage(browser())
    for (const url of [`${link}board`, `${link}board?show=events`, `${station.url}/board`]) {
      await page.goto(url)
      await page.locator('#agenda li').first().waitFor()
      await waitFor(async () => expect(await page.evaluate(keptPages)).toContain(url))
    }
    await page.goto('about:blank')
    await station.clock.leap(15 * 24 * hourMs)
    expect((await page.goto(`${link}board`))?.status()).toBe(410)
    await waitFor(async () => {
      const { storage, caches, workers } = await keptCopies(page)
      expect([...storage, ...caches, ...workers].filter((name) => name.includes('/l/'))).toEqual([])
      expect(workers).toEqual([`${station.url}/board`])
      expect(storage).not.toEqual([])
    })
    expect(complaints.filter((text) => !text.includes('410'))).toEqual([])
  })
})
