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

describe.skipIf(chromiumIsMissing)('the subscription doctor', () => {
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
})
