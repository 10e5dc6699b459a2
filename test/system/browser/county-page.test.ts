import { chromium } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { chromiumIsMissing, faultsOf, openUrl, views } from '../../support/browser.ts'
import { chromiumOptions } from '../../support/chromium.ts'
import { devices } from './devices.ts'
import { serveSites, startWebsites } from '../../support/sites-process.ts'
import { waitFor } from '../../support/wait-for.ts'

/** The service is not reached over https, and the page has no icon. */
const expectedComplaint = /untrustworthy|origin-keyed|status of 404/

/**
 * Serves the county page of two departments, and returns a browser that can resolve their hosts.
 */
async function countyInBrowser() {
  const sites = await startWebsites(['ashton', 'cedar'], (name) => ({
    SITE_NAME: name === 'ashton' ? 'Ashton Volunteer Fire Company' : 'Cedar Hollow Fire & Rescue',
    ID_HOST: `www.${name}.example`,
    PUBLIC_URL: `http://${name}.example`,
    PUBLIC_FEEDS: 'events,news',
    SITE_COLOR: name === 'ashton' ? '6a3ab2' : 'b3261e',
    COUNTY_LISTING: 'yes',
  }))
  const county = {
    SITES_URL: 'http://county.example',
    COUNTY_NAME: 'Cedar County Fire Departments',
  }
  const served = await serveSites(sites, county)
  await waitFor(async () => expect((await served.ask('county', '/county')).status).toBe(200))
  const browser = await chromium.launch(
    chromiumOptions([`--host-resolver-rules=MAP *.example ${new URL(served.url).host}`]),
  )
  onTestFinished(() => browser.close())
  return browser
}

test.skipIf(chromiumIsMissing)('shows the entries of all departments, or of some', async () => {
  const browser = await countyInBrowser()
  const iphone = devices.find(({ name }) => name === 'Safari on iPhone')?.userAgent ?? ''
  for (const { name, viewport } of views) {
    const { page, complaints } = await openUrl(browser, 'http://county.example/county', {
      viewport,
      ...(name === 'phone' && { userAgent: iphone }),
    })
    expect(await faultsOf(page, `county-${name}`)).toEqual([])
    const button = page.locator('.cta:visible')
    expect(await button.count()).toBe(1)
    const app = { phone: 'Add to Apple Calendar', desktop: 'Add to Google Calendar' }[name]
    expect(await button.innerText()).toBe(app)
    const box = await button.boundingBox()
    expect((box?.y ?? 0) + (box?.height ?? Infinity)).toBeLessThan(viewport.height / 3)
    const colors = await page.evaluate(
      "[...document.querySelectorAll('.filter')].map((chip) => getComputedStyle(chip).borderColor)",
    )
    expect(colors).toEqual(['rgb(106, 58, 178)', 'rgb(179, 38, 30)'])
    await page.getByRole('link', { name: 'Month' }).click()
    expect(await page.locator('[data-source="d0"], [data-source="d1"]').count()).toBeGreaterThan(2)
    expect(await faultsOf(page, `county-month-${name}`)).toEqual([])
    await page.getByRole('link', { name: 'List', exact: true }).click()
    await page.getByRole('searchbox').fill('pancake')
    await page.keyboard.press('Enter')
    await page
      .getByRole('status')
      .filter({ hasText: /match(es)? “pancake”/ })
      .waitFor()
    expect(await page.locator('a.ev').first().innerText()).toContain('Pancake')
    await page.getByRole('link', { name: 'Show all' }).click()
    await page.getByRole('link', { name: 'Deutsch' }).click()
    expect(await page.locator('h1').textContent()).toBe(
      'Termine aller Feuerwehren in Ihrem Kalender',
    )
    expect(await faultsOf(page, `county-${name}-de`)).toEqual([])
    await page.getByRole('link', { name: 'English' }).click()
    await page.getByRole('link', { name: 'Cedar Hollow Fire & Rescue (shown)' }).click()
    expect(new URL(page.url()).search).toBe('?show=ashton')
    const entry = page.locator('a.ev').first()
    expect(await entry.getAttribute('href')).toMatch(/^http:\/\/ashton\.example\/events\/\d+$/)
    await page.getByRole('link', { name: 'Cedar Hollow Fire & Rescue (hidden)' }).click()
    expect(new URL(page.url()).search).toBe('')
    expect(complaints.filter((text) => !expectedComplaint.test(text))).toEqual([])
  }
})
