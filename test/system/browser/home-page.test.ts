import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import {
  chromiumIsMissing,
  faultsOf,
  fitsInWidth,
  keepScreenshot,
  loadPictures,
  openPage,
  openUrl,
  readQrCode,
  sharedBrowser,
  views,
} from '../../support/browser.ts'
import { devices } from './devices.ts'
import { pushEnvironment } from '../../support/following.ts'
import { resourcesAt } from '../../support/read-calendar.ts'
import { sharedService } from '../../support/shared-service.ts'
import { waitFor } from '../../support/wait-for.ts'

/** Size of the page with its styles and scripts, without pictures. */
const maxBytes = 60_000

const iphone = {
  userAgent: devices.find(({ name }) => name === 'Safari on iPhone')?.userAgent ?? '',
  viewport: { width: 375, height: 667 },
}

const shownApps = (page: Page) => page.locator('.app:visible')
const chip = (page: Page, name: string) => page.getByRole('checkbox', { name, exact: true })

describe.skipIf(chromiumIsMissing)('the home page', () => {
  const browser = sharedBrowser()
  let home: string
  let link: string
  const service = sharedService({ environment: pushEnvironment }, async (started) => {
    await started.readAll()
    home = `${started.url}/`
    link = await started.addLink({ label: 'Crew', profile: 'full' })
  })

  test.for(devices)(
    'offers what works: $name',
    async ({ userAgent, isPhone, app, main, link: private_ }) => {
      const viewport = isPhone ? iphone.viewport : { width: 1280, height: 720 }
      const { page, complaints } = await openPage(browser(), { userAgent, viewport })
      const calendar = 'all.ics?show=events,calendar,signup'
      for (const [url, address, button] of [
        [home, `${home}${calendar}`, main],
        [link, `${link}my.ics`, private_ ?? main],
      ] as const) {
        await page.goto(url)
        expect(await shownApps(page).count()).toBe(1)
        expect(await shownApps(page).getAttribute('id')).toBe(`app-${app}`)
        const first = shownApps(page).locator('.cta:visible').first()
        expect(await first.innerText()).toBe(button.label)
        expect(await first.getAttribute('href')).toBe(button.address?.(address, url) ?? null)
        const box = await first.boundingBox()
        expect((box?.y ?? 0) + (box?.height ?? Infinity)).toBeLessThanOrEqual(viewport.height)
        expect(await shownApps(page).locator('[data-address]').inputValue()).toBe(address)
        await page.locator('.choice summary').click()
        await page.getByRole('link', { name: 'Google', exact: true }).click()
        expect(await shownApps(page).getAttribute('id')).toBe('app-google')
      }
      expect(complaints).toEqual([])
    },
  )

  test.for(views)('is accessible and fits: $name', async ({ name, ...view }) => {
    const { page, complaints } = await openPage(browser(), view)
    for (const [kind, url] of [
      ['public', home],
      ['link', link],
    ] as const) {
      await page.goto(url)
      await loadPictures(page)
      await keepScreenshot(page, `home-${kind}-${name}`)
      expect(await fitsInWidth(page)).toBe(true)
      // As on an unknown device.
      await page.evaluate('delete document.documentElement.dataset.app')
      await page.evaluate(
        'document.querySelectorAll("details").forEach((each) => (each.open = true))',
      )
      expect(await faultsOf(page)).toEqual([])
      // Names of calendars on the website may be long.
      await page.evaluate(
        `document.querySelectorAll('.chip span').forEach((label) => label.append('W'.repeat(100)))`,
      )
      expect(await fitsInWidth(page)).toBe(true)
    }
    expect(complaints).toEqual([])
  })

  test.for(views)(
    'is small, does not move while it loads, and makes no requests to other origins: $name',
    async (view) => {
      const { page, requested } = await openPage(browser(), view)
      const sizes: Promise<number>[] = []
      page.on('response', (response) => {
        if (response.request().resourceType() !== 'image')
          sizes.push(response.body().then(({ length }) => length))
      })
      await page.addInitScript(
        `window.shift = 0
       new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => (window.shift += value)))
         .observe({ type: 'layout-shift', buffered: true })`,
      )
      await page.goto(link, { waitUntil: 'networkidle' })
      expect(await page.evaluate('window.shift')).toBe(0)
      const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
      expect(bytes).toBeLessThan(maxBytes)
      expect(requested.filter((url) => !url.startsWith(service().url))).toEqual([])
    },
  )

  test('takes less than three screens of a phone, and 60,000 bytes', async () => {
    for (const { userAgent } of devices.filter(({ name }) =>
      /^Safari on iPhone|^Chrome on Android/.test(name),
    )) {
      const { page } = await openPage(browser(), { ...views[0], userAgent })
      for (const url of [home, link]) {
        const response = await page.goto(url)
        expect((await response?.body())?.length).toBeLessThanOrEqual(maxBytes)
        await loadPictures(page)
        // With a public address, the page has no note about it.
        await page.evaluate('document.querySelector(".note").remove()')
        const height = await page.evaluate<number>('document.documentElement.scrollHeight')
        expect(height).toBeLessThanOrEqual(2_400)
      }
    }
  })

  test('lists announcements and news in one column, and says that a link’s page is private', async () => {
    const { page } = await openUrl(browser(), link, { viewport: { width: 1280, height: 900 } })
    const tops = await Promise.all(
      ['Announcements', 'News', 'Coming up'].map((name) =>
        page.getByRole('heading', { name, exact: true }).boundingBox(),
      ),
    )
    const [announcements, news, agenda] = tops
    expect(news?.x).toBe(announcements?.x)
    expect(announcements?.y).toBe(agenda?.y)
    expect(await page.getByRole('banner').innerText()).toContain('Private page')
    await page.goto(home)
    expect(await page.getByRole('banner').innerText()).not.toContain('Private page')
  })

  test('changes the address and the entries when people choose calendars', async () => {
    const { page } = await openPage(browser(), {
      userAgent: 'Macintosh',
      viewport: { width: 1280, height: 900 },
    })
    await page.goto(home)
    const button = page.getByRole('link', { name: 'Add to Apple Calendar' })
    const before = await page.locator('li[data-show]:visible').count()
    await chip(page, 'Public events').uncheck()
    await page.getByText(/^2 more/).click()
    await chip(page, 'Rentals').check()
    await chip(page, 'Open sign-ups').uncheck()
    const chosen = `${home}all.ics?show=calendar,rental`
    expect(await button.getAttribute('href')).toBe(chosen.replace('http:', 'webcal:'))
    expect(page.url()).toBe(`${home}?show=calendar,rental`)
    const sources = await page
      .locator('li[data-show]:visible')
      .evaluateAll((entries) => entries.map((entry) => entry.getAttribute('data-source')))
    expect(sources).toHaveLength(before)
    expect(sources).not.toContain('signup')
    await waitFor(async () => expect(await readQrCode(page.locator('.qr'))).toBe(page.url()))
    const encoded = encodeURIComponent(chosen.replace('http:', 'webcal:'))
    expect(await page.locator('#app-google a.cta').getAttribute('href')).toContain(encoded)
    const outlook = (await page.locator('#app-outlook .cta').getAttribute('href')) ?? ''
    expect(new URL(outlook).searchParams.get('url')).toBe(chosen)
    expect(await page.locator('#app-android .second').getAttribute('href')).toContain(
      `intent:${chosen.slice('http:'.length)}#Intent;scheme=webcal;`,
    )
    await page.reload()
    expect(await chip(page, 'Public events').isChecked()).toBe(false)
    await page.getByText(/^2 more/).click()
    await chip(page, 'Public events').check()
    await chip(page, 'Open sign-ups').check()
    expect(await button.getAttribute('href')).toBe(`${home}all.ics`.replace('http:', 'webcal:'))
    await page.reload()
    await page.getByText('2 more calendars (2 chosen)').click()
    expect(await chip(page, 'Rentals').isChecked()).toBe(true)
    expect(await button.getAttribute('href')).toBe(`${home}all.ics`.replace('http:', 'webcal:'))
  })

  test('keeps at least one calendar chosen', async () => {
    const { page } = await openUrl(browser(), `${home}?show=events`, iphone)
    await chip(page, 'Public events').click()
    expect(await chip(page, 'Public events').isChecked()).toBe(true)
    expect(await page.getByRole('status').first().innerText()).toBe('Choose at least one calendar.')
  })

  const linkWithTwo = () => service().addLink({ label: 'Robin', feedIds: ['events', 'rental'] })

  test('immediately saves the selection for a link', async () => {
    const own = await linkWithTwo()
    const { page, complaints } = await openUrl(browser(), own, iphone)
    await chip(page, 'Rentals').uncheck()
    await waitFor(async () =>
      expect(await page.getByRole('status').first().innerText()).toContain('Saved.'),
    )
    expect(await page.getByRole('button', { name: 'Save' }).isVisible()).toBe(false)
    expect(await resourcesAt(`${own}my.ics`)).toEqual(['events'])
    await page.reload()
    expect(await chip(page, 'Rentals').isChecked()).toBe(false)
    await page.route(own, (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    )
    await chip(page, 'Rentals').check()
    await page.getByRole('button', { name: 'Save' }).waitFor()
    expect(complaints.filter((text) => !text.includes('ERR_FAILED'))).toEqual([])
  })

  test('follows only a member’s own entries with one tap', async () => {
    const own = await service().addLink({ memberId: 5, feedIds: ['events', 'rental'] })
    const { page, complaints } = await openUrl(browser(), own, iphone)
    const onlyMine = page.getByRole('button', { name: 'Only mine' })
    await onlyMine.click()
    await waitFor(async () =>
      expect(await page.getByRole('status').first().innerText()).toContain('Saved.'),
    )
    expect(await onlyMine.getAttribute('aria-pressed')).toBe('true')
    expect(await chip(page, 'Rentals').isChecked()).toBe(false)
    await page.reload()
    expect(await onlyMine.getAttribute('aria-pressed')).toBe('true')
    expect(await faultsOf(page)).toEqual([])
    await onlyMine.click()
    expect(await onlyMine.getAttribute('aria-pressed')).toBe('false')
    expect(await chip(page, 'Rentals').isChecked()).toBe(true)
    expect(complaints).toEqual([])
  })

  test('shows all apps and has buttons for the choice without scripts', async () => {
    const own = await linkWithTwo()
    const { page } = await openUrl(browser(), home, { ...iphone, javaScriptEnabled: false })
    expect(await shownApps(page).count()).toBe(5)
    await chip(page, 'Public events').uncheck()
    await page.getByRole('button', { name: 'Update the buttons' }).click()
    expect(await page.locator('#app-other [data-address]').inputValue()).toBe(
      `${home}all.ics?show=calendar,signup`,
    )
    await page.goto(own)
    await chip(page, 'Rentals').uncheck()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved. Your apps will show your selection').waitFor()
    expect(await resourcesAt(`${own}my.ics`)).toEqual(['events'])
  })

  test('shows all apps on a device that it does not know', async () => {
    const { page } = await openUrl(browser(), home, { userAgent: 'SmartTV/1.0' })
    expect(await shownApps(page).count()).toBe(5)
  })

  test('copies the calendar’s address, and the page’s address for use on a computer', async () => {
    const android = devices.find(({ app }) => app === 'android')
    const { page, context } = await openPage(browser(), {
      userAgent: android?.userAgent ?? '',
      viewport: iphone.viewport,
    })
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto(home)
    await page.evaluate('Object.defineProperty(navigator, "share", { value: undefined })')
    const copied = () => page.evaluate('navigator.clipboard.readText()')
    await page.getByRole('button', { name: 'Send to my computer' }).click()
    await page.getByRole('button', { name: 'Copied. Send it to yourself.' }).waitFor()
    expect(await copied()).toBe(home)
    await page.locator('.choice summary').click()
    await page.getByRole('link', { name: 'Other', exact: true }).click()
    await page.getByRole('button', { name: 'Copy the address', exact: true }).click()
    await waitFor(async () =>
      expect(await copied()).toBe(`${home}all.ics?show=events,calendar,signup`),
    )
  })

  test('redirects old URLs with a feed to the feeds page', async () => {
    const { page } = await openUrl(browser(), `${home}#rental`)
    await waitFor(() => expect(page.url()).toBe(`${home}feeds#rental`))
  })
})
