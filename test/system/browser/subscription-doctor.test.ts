import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAdmin, testPassword } from '../../support/admin.ts'
import {
  barriersOf,
  chromiumIsMissing,
  fitsInWidth,
  keepScreenshot,
  openPage,
  startBrowser,
  views,
} from '../../support/browser.ts'
import { startTestService } from '../../support/service.ts'

const hourMs = 60 * 60_000

describe.skipIf(chromiumIsMissing)('the subscription doctor', { timeout: 60_000 }, () => {
  let browser: Browser
  let service: Awaited<ReturnType<typeof startTestService>>
  let link: string

  const refreshBy = (userAgent: string) =>
    fetch(`${link}rental.ics`, { headers: { 'User-Agent': userAgent } })

  beforeAll(async () => {
    browser = await startBrowser()
    service = await startTestService({
      environment: { ADMIN_PASSWORD: testPassword },
      publicFeedIds: ['events', 'news'],
    })
    await service.readAll()
    link = await service.addLink({ label: 'Capt. Reyes', profile: 'full', feedIds: ['rental'] })
    await refreshBy('Google-Calendar-Importer')
    await service.clock.leap(39 * hourMs)
    await refreshBy('Mozilla/5.0')
    await refreshBy('iOS/26.0 dataaccessd/1.0')
    await service.clock.leap(hourMs)
  })

  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await browser.close()
  })

  test.for(views)('is accessible and fits: $name', async ({ name, ...view }) => {
    const { page, complaints } = await openPage(browser, view)
    await page.goto(`${link}feeds?check=1#doctor`)
    await keepScreenshot(page, `doctor-${name}`)
    expect(await barriersOf(page)).toEqual([])
    expect(await fitsInWidth(page)).toBe(true)
    expect(complaints).toEqual([])
  })

  test.for(views)('is accessible and fits on the admin page: $name', async ({ name, ...view }) => {
    const { cookie } = await createAdmin(service.url).signIn()
    const { page, context } = await openPage(browser, view)
    const [cookieName = '', value = ''] = cookie.split('=')
    await context.addCookies([{ name: cookieName, value, url: service.url }])
    await page.goto(`${service.url}/admin`)
    await page.getByRole('listitem').getByText('late', { exact: true }).waitFor()
    await keepScreenshot(page, `doctor-admin-${name}`)
    expect(await barriersOf(page)).toEqual([])
    expect(await fitsInWidth(page)).toBe(true)
    await page.getByRole('link', { name: 'Status' }).first().click()
    await page.getByRole('link', { name: 'Check whether apps can reach the feeds' }).click()
    await keepScreenshot(page, `doctor-address-${name}`)
    expect(await page.locator('main').innerText()).toContain('The address is not encrypted')
    expect(await barriersOf(page)).toEqual([])
    expect(await fitsInWidth(page)).toBe(true)
  })

  test('shows the apps and checks the address without scripts', async () => {
    const { page } = await openPage(browser, { javaScriptEnabled: false })
    await page.goto(`${link}feeds`)
    const doctor = page.locator('#doctor')
    const text = await doctor.innerText()
    expect(text).toMatch(/Google Calendar\s+Late/)
    expect(text).toMatch(/Apple Calendar\s+Last refreshed .+\s+Next refresh expected by /)
    expect(text).toContain('unsubscribe from the calendar in its settings')
    expect(text).toContain('This address works only on this machine.')
    await doctor.getByRole('button', { name: 'Check the address' }).click()
    expect(new URL(page.url()).search).toBe('?check=1')
    const checked = await doctor.innerText()
    expect(checked).toContain('Some apps cannot read this address.')
    expect(checked).toMatch(/Problem\s+The address is not encrypted/)
    await doctor.getByText('Passed checks').click()
    expect(await doctor.innerText()).toMatch(
      /OK\s+The response is a complete calendar with \d+ entries\./,
    )
  })
})
