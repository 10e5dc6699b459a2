import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { pseudoLanguage } from '../../../src/records/messages.ts'
import {
  chromiumIsMissing,
  cutTextsOf,
  faultsOf,
  fitsInWidth,
  keepScreenshot,
  loadPictures,
  openAll,
  openPage,
  sharedBrowser,
  views,
} from '../../support/browser.ts'
import { adminEnvironment, createAdmin } from '../../support/admin.ts'
import { devices } from './devices.ts'
import {
  followEnvironment,
  startFollowedService,
  type FollowedService,
} from '../../support/following.ts'

const address = 'a.neighbor.with.a.long.name@a-long-name-of-a-mail-server.example.org'

/** Clicks a link or a button, and waits for the next page. */
const clickAndLoad = (page: Page, locator: Locator) =>
  Promise.all([page.waitForEvent('load'), locator.click()])

/** Follows the site like a neighbor, and calls `look` on each page. */
async function followLikeNeighbor(
  { service, followers, addLink }: FollowedService,
  page: Page,
  look: (name: string) => Promise<void>,
): Promise<void> {
  await service.clock.advance(10 * 60_000)
  const press = () => clickAndLoad(page, page.locator('main button').first())
  await page.goto(`${service.url}/`)
  await openAll(page)
  await clickAndLoad(page, page.locator('.pill[href="follow"], .pill[href^="follow?"]'))
  await look('form')
  await page.evaluate(`document.querySelector('main form').noValidate = true
    document.querySelectorAll('[type=checkbox]').forEach((box) => (box.checked = false))`)
  await press()
  await look('faults')
  await page.locator('[type=checkbox]').first().check()
  await page.locator('[name=weekly]').check()
  await page.locator('[type=email]').fill(address)
  await press()
  await look('requested')
  const [follower] = await followers.ofAddress(address)
  if (!follower) throw new Error('nobody was added')
  await page.goto(`${service.url}/follow/confirm/${followers.confirmationFor(follower)}`)
  await look('confirm')
  await press()
  await look('confirmed')
  await clickAndLoad(page, page.locator('main a'))
  await look('manage')
  await page.locator('[name=changes]').check()
  await press()
  await look('saved')
  const end = `${service.url}/follow/end/${followers.tokenFor('end', follower)}`
  await page.goto(end)
  await look('end')
  await press()
  await look('ended')
  await page.goto(end)
  await look('unknown')
  expect(await followers.ofAddress(address)).toEqual([])
  const link = await addLink({ memberId: 5 })
  await page.goto(`${service.url}${link}follow`)
  await look('link')
}

describe.skipIf(chromiumIsMissing)('the pages to follow by email', () => {
  const browser = sharedBrowser()

  test.for(views)('work without scripts, fit and are accessible: $name', async (view) => {
    const { name, ...options } = view
    await using followed = await startFollowedService()
    const { page, complaints } = await openPage(browser(), options)
    // Playwright's own scripts need a browser that runs scripts, so only those of the pages are off.
    await page.route('**/assets/*.js', (route) => route.abort())
    const found: string[] = []
    await followLikeNeighbor(followed, page, async (each) => {
      const faults = await faultsOf(page, `follow-${each}-${name}`)
      found.push(...faults.map((fault) => `${each}: ${fault}`))
    })
    expect(found).toEqual([])
    const expected = /status of 40[04]|ERR_FAILED/
    expect(complaints.filter((complaint) => !expected.test(complaint))).toEqual([])
  })

  test.for(['es-US', 'fr-CA', 'de-DE', pseudoLanguage])(
    'fit on a phone in %s',
    async (language) => {
      await using followed = await startFollowedService({ language })
      const { page } = await openPage(browser(), views[0])
      const found: string[] = []
      await followLikeNeighbor(followed, page, async (each) => {
        await keepScreenshot(page, `follow-${each}-${language}`)
        const faults = (await fitsInWidth(page)) ? [] : ['scrolls horizontally']
        found.push(...[...faults, ...(await cutTextsOf(page))].map((fault) => `${each}: ${fault}`))
      })
      expect(found).toEqual([])
    },
  )

  test.for(views)('the admin page for followers fits and is accessible: $name', async (view) => {
    const { name, ...options } = view
    await using followed = await startFollowedService({ environment: adminEnvironment })
    const { service, followers } = followed
    const choice = { changes: true, tomorrow: false, emergency: false }
    await followers.request({ address, choice, language: 'en' })
    const { page, context } = await openPage(browser(), options)
    // The browser opens the service at its own address, not at the public URL.
    await page.route('**/admin/followers', async (route) => {
      const headers = { ...route.request().headers(), origin: followEnvironment.PUBLIC_URL }
      await route.fulfill({ response: await route.fetch({ headers, maxRedirects: 0 }) })
    })
    const { cookie } = await createAdmin(service.url, followEnvironment.PUBLIC_URL).signIn()
    const [cookieName = '', value = ''] = cookie.split('=')
    await context.addCookies([{ name: cookieName, value, url: service.url }])
    await page.goto(`${service.url}/admin/status`)
    await keepScreenshot(page, `followers-status-${name}`)
    await clickAndLoad(page, page.getByRole('link', { name: 'Find or delete an address' }))
    expect(await faultsOf(page, `followers-${name}`)).toEqual([])
    await page.getByLabel('Email address').fill(address)
    await clickAndLoad(page, page.getByRole('button', { name: 'Find' }))
    expect(await page.locator('pre').innerText()).toContain(address)
    expect(await faultsOf(page, `followers-found-${name}`)).toEqual([])
    await clickAndLoad(page, page.getByRole('button', { name: 'Delete all data' }))
    expect(await page.getByRole('status').innerText()).toContain('has been deleted.')
    expect(await followers.ofAddress(address)).toEqual([])
  })

  test('the link does not make the home page longer', async () => {
    await using followed = await startFollowedService()
    await followed.service.readAll()
    const link = await followed.addLink({ label: 'Crew', profile: 'full' })
    const { userAgent = '' } =
      devices.find(({ name }) => name.startsWith('Chrome on Android')) ?? {}
    const { page } = await openPage(browser(), { ...views[0], userAgent })
    for (const path of ['/', link]) {
      const response = await page.goto(`${followed.service.url}${path}`)
      expect((await response?.body())?.length).toBeLessThanOrEqual(60_000)
      await loadPictures(page)
      const height = await page.evaluate<number>('document.documentElement.scrollHeight')
      expect([path, Math.max(height, 2_600)]).toEqual([path, 2_600])
      await keepScreenshot(page, `follow-home-${path.length}`)
    }
  })
})
