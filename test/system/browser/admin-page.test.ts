import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { adminEnvironment, testPassword } from '../../support/admin.ts'
import {
  chromiumIsMissing,
  faultsOf,
  keepScreenshot,
  openPage,
  openUrl,
  readQrCode,
  sharedBrowser,
  views,
} from '../../support/browser.ts'
import { readCalendar } from '../../support/read-calendar.ts'
import { sharedService } from '../../support/shared-service.ts'
import { waitFor } from '../../support/wait-for.ts'

async function makeLink(page: Page, label: string): Promise<string> {
  await page.getByRole('link', { name: 'New link', exact: true }).click()
  await page.getByLabel(/^Name /).fill(label)
  await page.getByRole('button', { name: 'Create link' }).click()
  return page.getByLabel('Address').inputValue()
}

describe.skipIf(chromiumIsMissing)('the admin page', () => {
  const browser = sharedBrowser()
  const service = sharedService({
    publicFeedIds: ['events', 'news'],
    environment: adminEnvironment,
  })

  async function signIn(page: Page): Promise<void> {
    await page.goto(`${service().url}/admin`)
    await page.getByLabel('Password').fill(testPassword)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
  }

  test('can create and revoke a link', async () => {
    const { page, context } = await openPage(browser(), { acceptDownloads: false })
    await signIn(page)
    // The session cookie and the cookie that identifies a known browser.
    expect(await context.cookies()).toMatchObject([
      { httpOnly: true, sameSite: 'Strict' },
      { httpOnly: true, sameSite: 'Strict' },
    ])
    const url = await makeLink(page, 'Capt. Reyes’ phone')
    expect(url).toMatch(new RegExp(`^${service().url}/l/[a-z2-7]{32}/$`))
    expect(await readQrCode(page.locator('.qr'))).toBe(url)
    const calendar = await fetch(`${url}calendar.ics`, {
      headers: { 'User-Agent': 'iOS/18.1 (22B83) dataaccessd/1.0' },
    })
    expect(readCalendar(await calendar.text()).events.length).toBeGreaterThan(20)
    await page.goto(`${service().url}/admin`)
    const item = page.getByRole('listitem').filter({ hasText: 'Capt. Reyes’ phone' })
    expect(await item.innerText()).toMatch(
      /Created [^]*Members\s+All feeds[^]*Apple\s+·\s+Today\s+Active/,
    )
    await page.getByRole('link', { name: 'Edit Capt. Reyes’ phone' }).click()
    await page.getByText('Revoke link').click()
    await page.getByRole('button', { name: 'Revoke now' }).click()
    await page.getByText('Ended links (1)').click()
    expect(await item.innerText()).toMatch(/Revoked\s+Mar 5, 2026/)
    await page.goto(url)
    expect(await page.getByRole('heading').innerText()).toBe('This feed link was revoked')
  })

  test.for(views)('has accessible pages that fit: $name', async ({ name, ...view }) => {
    const { page, requested, complaints } = await openUrl(browser(), `${service().url}/admin`, view)
    expect(await faultsOf(page, `admin-sign-in-${name}`)).toEqual([])
    await signIn(page)
    const label = `Hall screen ${name}`
    const url = await makeLink(page, label)
    expect(await faultsOf(page, `admin-link-${name}`)).toEqual([])
    await page.emulateMedia({ media: 'print' })
    await keepScreenshot(page, `admin-card-${name}`)
    expect(`${await page.locator('.cards .url').innerText()}/`.replace(/\s/g, '')).toBe(url)
    expect(await page.getByText('Sign out').isVisible()).toBe(false)
    await page.emulateMedia({ media: 'screen' })
    await page.getByRole('link', { name: 'Status' }).click()
    await page.getByRole('heading', { name: /^Status/ }).waitFor()
    expect(await faultsOf(page, `admin-status-${name}`)).toEqual([])
    await page.getByRole('link', { name: 'Links', exact: true }).click()
    await page.getByRole('heading', { name: 'Feed links' }).waitFor()
    expect(await faultsOf(page, `admin-${name}`)).toEqual([])
    await page.getByRole('link', { name: 'New link', exact: true }).click()
    await page.getByRole('dialog', { name: 'New feed link' }).waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('searchbox').fill(label)
    await page.getByRole('button', { name: 'Show' }).click()
    await page.getByRole('link', { name: `Edit ${label}` }).click()
    await page.getByRole('button', { name: /load the members/i }).click()
    await page.getByLabel(/^Member /).selectOption({ index: 1 })
    expect(await faultsOf(page, `admin-link-edit-${name}`)).toEqual([])
    await page.getByRole('button', { name: 'Save' }).click()
    expect(await page.getByRole('listitem').filter({ hasText: label }).innerText()).toMatch(
      /Created .*, for [\w-]+, .+\(\d+\)/,
    )
    await page.getByRole('link', { name: 'Previews' }).click()
    await page.getByRole('link', { name: 'Full', exact: true }).click()
    await page.getByRole('heading', { name: 'Preview: Full' }).waitFor()
    expect(await faultsOf(page, `admin-preview-${name}`)).toEqual([])
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('heading', { name: 'Settings' }).waitFor()
    expect(await faultsOf(page, `admin-settings-${name}`)).toEqual([])
    expect(requested.filter((each) => !each.startsWith(service().url))).toEqual([])
    expect(complaints).toEqual([])
  })

  test('shows a color that is chosen, with the contrast of text', async () => {
    const { page, complaints } = await openPage(browser())
    await signIn(page)
    await page.goto(`${service().url}/admin/settings`)
    await page.getByLabel('Choose a color').fill('#ffd700')
    const field = page.locator('input[name="color"]')
    await waitFor(async () => expect(await field.inputValue()).toBe('ffd700'))
    const light = page.getByRole('img', { name: /^Light: contrast \d+\.\d to 1$/ })
    // Gold is too light for white text.
    await waitFor(async () =>
      expect(await light.locator('rect').nth(1).getAttribute('fill')).toMatch(/^#[5-9]/),
    )
    await field.fill('navy')
    await field.press('Tab')
    await waitFor(async () =>
      expect(await page.getByLabel('Choose a color').inputValue()).toBe('#000080'),
    )
    expect(complaints).toEqual([])
  })

  test.for([
    { path: '/admin/links/new', chosen: 0, isContradiction: true },
    // The boxes start with the default, so that it can be edited.
    { path: '/admin/settings', chosen: 2, isContradiction: false },
  ])('lists feeds only if they are needed: $path', async ({ path, chosen, isContradiction }) => {
    const { page } = await openPage(browser(), { viewport: { width: 390, height: 844 } })
    await signIn(page)
    await page.goto(`${service().url}${path}`)
    const feed = page.getByRole('checkbox', { name: 'Rentals' })
    expect(await feed.isVisible()).toBe(false)
    await page.getByLabel('Only these:').check()
    expect(await page.locator('.some input:checked').count()).toBe(chosen)
    await feed.check()
    // A checked box of a new link remains visible, because it contradicts the other choice.
    await page.locator('input[name="feeds"]').first().check()
    expect(await feed.isVisible()).toBe(isContradiction)
    if (isContradiction) await feed.uncheck()
    expect(await feed.isVisible()).toBe(false)
  })

  test('works without scripts until the session ends', async () => {
    const { page } = await openPage(browser(), { javaScriptEnabled: false })
    await signIn(page)
    expect(await makeLink(page, 'No scripts')).toContain('/l/')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Password').waitFor()
    await page.goto(`${service().url}/admin/preview/full`)
    expect(await page.getByLabel('Password').isVisible()).toBe(true)
  })
})
