import { describe, expect, test } from 'vitest'
import { adminEnvironment } from '../../support/admin.ts'
import {
  chromiumIsMissing,
  faultsOf,
  openPage,
  openUrl,
  sharedBrowser,
  signIn,
  views,
} from '../../support/browser.ts'
import { sharedService } from '../../support/shared-service.ts'

const hourMs = 60 * 60_000

describe.skipIf(chromiumIsMissing)('the subscription doctor', { timeout: 60_000 }, () => {
  const browser = sharedBrowser()
  let link: string

  const refreshBy = (userAgent: string) =>
    fetch(`${link}rental.ics`, { headers: { 'User-Agent': userAgent } })

  const options = { environment: adminEnvironment, publicFeedIds: ['events', 'news'] }
  const service = sharedService(options, async ({ addLink, clock, readAll }) => {
    await readAll()
    link = await addLink({ label: 'Capt. Reyes', profile: 'full', feedIds: ['rental'] })
    await refreshBy('Google-Calendar-Importer')
    await clock.leap(39 * hourMs)
    await refreshBy('Mozilla/5.0')
    await refreshBy('iOS/26.0 dataaccessd/1.0')
    await clock.leap(hourMs)
  })

  test.for(views)('is accessible and fits: $name', async ({ name, ...view }) => {
    const { page, complaints } = await openUrl(browser(), `${link}feeds?check=1#doctor`, view)
    expect(await faultsOf(page, `doctor-${name}`)).toEqual([])
    expect(complaints).toEqual([])
  })

  test.for(views)('is accessible and fits on the admin page: $name', async ({ name, ...view }) => {
    const { page, context } = await openPage(browser(), view)
    await signIn(context, service().url)
    await page.goto(`${service().url}/admin`)
    await page.getByRole('listitem').getByText('late', { exact: true }).waitFor()
    expect(await faultsOf(page, `doctor-admin-${name}`)).toEqual([])
    await page.getByRole('link', { name: 'Status' }).first().click()
    await page.getByRole('link', { name: 'Check whether apps can reach the feeds' }).click()
    await page.getByText('The address is not encrypted').waitFor()
    expect(await faultsOf(page, `doctor-address-${name}`)).toEqual([])
  })

  test('shows the apps and checks the address without scripts', async () => {
    const { page } = await openUrl(browser(), `${link}feeds#doctor`, { javaScriptEnabled: false })
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
