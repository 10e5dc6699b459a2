import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import {
  chromiumIsMissing,
  colorSchemes,
  faultsOf,
  fitsInWidth,
  keepScreenshot,
  openAll,
  openPage,
  openUrl,
  readQrCode,
  sharedBrowser,
  views,
} from '../../support/browser.ts'
import { readCalendar } from '../../support/read-calendar.ts'
import { sharedService } from '../../support/shared-service.ts'
import { waitFor } from '../../support/wait-for.ts'

const maxBytes = 80_000

const article = (page: Page, id: string) => page.locator(`article#${id}`)

describe.skipIf(chromiumIsMissing)('the feeds page', () => {
  const browser = sharedBrowser()
  let link: string
  const service = sharedService({ publicFeedIds: ['events', 'news'] }, async ({ addLink }) => {
    link = await addLink({ label: 'Crew', profile: 'full' })
    // The first request for each feed renders it.
    for (const feed of ['calendar.ics', 'rental.ics', 'signup.ics', 'announcements.rss']) {
      await fetch(`${link}${feed}`)
    }
  })

  test.for(views)('is accessible and fits: $name', async ({ name, ...view }) => {
    const { page, complaints } = await openUrl(browser(), `${link}feeds`, view)
    await keepScreenshot(page, `feeds-link-${name}`)
    await openAll(page)
    expect(await faultsOf(page)).toEqual([])
    // Names of calendars and categories on the website may be long.
    await page.evaluate(
      `document.querySelectorAll('.choice').forEach((label) => label.append('W'.repeat(100)))`,
    )
    expect(await fitsInWidth(page)).toBe(true)
    await page.goto(`${service().url}/feeds`)
    expect(await faultsOf(page, `feeds-${name}`)).toEqual([])
    expect(complaints).toEqual([])
  })

  test('stays small even with all feeds, and makes no requests to other origins', async () => {
    const { page, requested } = await openPage(browser())
    const sizes: Promise<number>[] = []
    page.on('response', (response) => sizes.push(response.body().then(({ length }) => length)))
    await page.goto(`${link}feeds`, { waitUntil: 'networkidle' })
    expect(await page.locator('article').count()).toBe(7)
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
    expect(requested.length).toBeGreaterThan(2)
    expect(bytes).toBeLessThan(maxBytes)
    expect(requested.filter((url) => !url.startsWith(service().url))).toEqual([])
  })

  test("shows each feed's summary, last change and next entries", async () => {
    const { page } = await openUrl(browser(), `${link}feeds`)
    await openAll(page, '.fold')
    for (const id of ['calendar', 'events', 'rental', 'signup', 'news', 'announcements']) {
      const text = await article(page, id).innerText()
      expect(text).toMatch(/Last changed [A-Z][a-z]+ \d+, 2026, \d+:\d\d [AP]M/)
      const entries = article(page, id).locator('.entries li')
      expect(await entries.count()).toBe(3)
      const entry = entries.first().locator('a')
      const title = await entry.innerText()
      const answer = await page.request.get(
        new URL((await entry.getAttribute('href')) ?? '', link).href,
      )
      expect(answer.status()).toBe(200)
      const { page: entryPage } = await openPage(browser())
      await entryPage.goto(answer.url())
      expect(await entryPage.locator('h1').innerText()).toBe(title)
    }
  })

  test.for([true, false])(
    'saves what the combined feeds show, with scripts: %s',
    async (javaScriptEnabled) => {
      const own = await service().addLink({
        label: 'Robin',
        feedIds: ['calendar', 'events', 'news'],
      })
      const { page, complaints } = await openUrl(browser(), `${own}feeds`, { javaScriptEnabled })
      const form = page.locator('section#my')
      await form.getByText('Choose what they show').click()
      const calendars = form.getByRole('group', { name: 'My calendar', exact: true })
      await calendars.getByRole('checkbox', { name: 'Calendar', exact: true }).uncheck()
      await calendars.getByRole('combobox', { name: 'Reminder', exact: true }).selectOption('60')
      await form.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Your choice is saved.').waitFor()
      const address = await form.getByLabel('My calendar').first().inputValue()
      const { events } = readCalendar(await (await fetch(address)).text())
      expect([...new Set(events.map(({ uid }) => uid.split('-')[0]))]).toEqual(['events'])
      expect(events[0]?.alarmLeadSeconds).toEqual([3600])
      await form.getByText('Choose what they show').click()
      expect(
        await calendars.getByRole('checkbox', { name: 'Calendar', exact: true }).isChecked(),
      ).toBe(false)
      await calendars.getByRole('checkbox', { name: 'Events', exact: true }).uncheck()
      await form.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Choose at least one calendar.').waitFor()
      expect(complaints.filter((text) => !text.includes('status of 400'))).toEqual([])
    },
  )

  test('has buttons that open calendar services and work without scripts', async () => {
    const { page } = await openUrl(browser(), `${link}feeds#calendar`, { javaScriptEnabled: false })
    const url = `${link}calendar.ics`
    const webcal = url.replace('http:', 'webcal:')
    const button = (name: string) =>
      article(page, 'calendar')
        .getByRole('link', { name: `${name} (Calendar)` })
        .getAttribute('href')
    expect(await button('Apple or this device')).toBe(webcal)
    // Google would fetch the secret address unencrypted.
    expect(await button('Copy and open Google Calendar')).toBe(
      'https://calendar.google.com/calendar/u/0/r/settings/addbyurl',
    )
    for (const [name, host] of [
      ['Outlook.com', 'outlook.live.com'],
      ['Microsoft 365', 'outlook.office.com'],
    ] as const) {
      const address = new URL((await button(name)) ?? '')
      expect(address.origin + address.pathname).toBe(`https://${host}/calendar/0/addfromweb`)
      expect(address.searchParams.get('url')).toBe(url)
      expect(address.searchParams.get('name')).toMatch(/^Cedar Hollow.*: Calendar$/)
    }
    expect(await page.getByLabel('Calendar address').first().inputValue()).toBe(url)
    const download = await page.request.get((await button('Download a copy')) ?? '')
    expect(download.headers()['content-disposition']).toMatch(/^attachment/)
    expect(await page.locator('button.copy').first().isVisible()).toBe(false)
  })

  test('has a form that works without scripts and shows URLs with the chosen options', async () => {
    const { page } = await openUrl(browser(), `${link}feeds#rental`, { javaScriptEnabled: false })
    const rental = article(page, 'rental')
    await rental.getByText('Options').click()
    await rental.getByLabel('Pavilion').check()
    await rental.locator('[name=alarm]').first().selectOption('60')
    await rental.getByRole('button', { name: 'Update addresses' }).click()
    const address = await rental.getByLabel('Calendar address').inputValue()
    expect(address).toMatch(/\/rental\.ics\?type=\d+&alarm=60$/)
    const { events } = readCalendar(await (await fetch(address)).text())
    expect(events.length).toBeGreaterThan(0)
    expect(await rental.getByLabel('Pavilion').isChecked()).toBe(true)
    expect(await rental.innerText()).toContain(
      'These buttons and addresses include: Pavilion, reminder 1 hour before.',
    )
  })

  test('updates the URLs immediately when an option is chosen', async () => {
    const { page } = await openUrl(browser(), `${link}feeds#calendar`, views[0])
    const calendar = article(page, 'calendar')
    const field = calendar.getByLabel('Calendar address')
    await calendar.getByText('Options').click()
    await calendar.locator('[name=alarm]').first().selectOption('15')
    await waitFor(async () => expect(await field.inputValue()).toMatch(/calendar\.ics\?alarm=15$/))
    await calendar.getByLabel('Future entries').selectOption('90')
    await waitFor(async () =>
      expect(await field.inputValue()).toMatch(/calendar\.ics\?future=90&alarm=15$/),
    )
    const outlook = calendar.getByRole('link', { name: 'Outlook.com' })
    expect(decodeURIComponent((await outlook.getAttribute('href')) ?? '')).toContain(
      '/calendar.ics?future=90&alarm=15',
    )
    expect(page.url()).toMatch(/\/feeds\?feed=calendar&alarm=15&future=90#calendar$/)
    expect(await faultsOf(page, 'feeds-composed-phone')).toEqual([])
    await calendar.getByText('QR code').click()
    expect(await readQrCode(calendar.locator('.qr'))).toBe(page.url())
    await calendar.locator('[name=alarm]').first().selectOption('')
    await calendar.getByLabel('Future entries').selectOption('')
    await waitFor(async () => expect(await field.inputValue()).toBe(`${link}calendar.ics`))
    expect(page.url()).toBe(`${link}feeds#calendar`)
  })

  test('counts matching entries as soon as words or a place are entered', async () => {
    const { page } = await openUrl(browser(), `${service().url}/feeds#events`, views[0])
    const events = article(page, 'events')
    const field = events.getByLabel('Calendar address')
    const words = events.getByLabel('Only with these words')
    await events.getByText('Options').click()
    await words.fill('pancake')
    await events.getByLabel('Only at this place').fill('Station 1')
    await words.focus()
    await waitFor(async () =>
      expect(await field.inputValue()).toMatch(/events\.ics\?q=pancake&place=station%201$/),
    )
    expect(await events.innerText()).toMatch(/\d+ upcoming entries match right now/)
    expect(await faultsOf(page, 'feeds-searched-phone')).toEqual([])
    await events.getByRole('link', { name: 'Show matches' }).click()
    await waitFor(async () => expect(await page.innerText('main')).toContain('Pancake breakfast'))
    await page.goto(`${service().url}/feeds?feed=events&q=${'W'.repeat(90)}#events`)
    expect(await events.innerText()).toContain('No upcoming entries match right now.')
    expect(await fitsInWidth(page)).toBe(true)
  })

  test('expands one feed at a time, and is only a few screens long on a phone', async () => {
    const { page } = await openUrl(browser(), `${link}feeds#rental`, views[0])
    const open = () => page.locator('.fold[open] h2').allInnerTexts()
    await waitFor(async () => expect(await open()).toEqual(['Rentals']))
    await page.getByRole('heading', { name: 'News', exact: true }).click()
    expect(await open()).toEqual(['News'])
    await page.getByRole('heading', { name: 'News', exact: true }).click()
    expect(await page.evaluate<number>('document.body.scrollHeight')).toBeLessThan(3000)
    await page.goto(`${service().url}/feeds`)
    expect(await page.evaluate<number>('document.body.scrollHeight')).toBeLessThan(3000)
  })

  test('copies a URL', async () => {
    const { page, context } = await openPage(browser())
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto(`${link}feeds#news`)
    const news = article(page, 'news')
    await news.getByRole('button', { name: 'Copy' }).click()
    await waitFor(async () => expect(await news.innerText()).toContain('Copied'))
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`${link}news.rss`)
  })

  test('copies code for the organization’s website as chosen', async () => {
    const { page, context } = await openPage(browser())
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto(`${service().url}/feeds#website`)
    const website = article(page, 'website')
    await website.getByLabel('Show').selectOption('News')
    const code = website.getByLabel('Code for WordPress, Squarespace and HTML')
    await waitFor(async () => expect(await code.inputValue()).toContain('/embed/news"'))
    await website.getByRole('button', { name: 'Copy the Code for' }).click()
    await waitFor(async () => expect(await website.innerText()).toContain('Copied'))
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(await code.inputValue())
  })

  test.for(views)('has QR codes that contain the feed URLs: $name', async (view) => {
    const { page } = await openUrl(browser(), `${link}feeds`, view)
    await openAll(page)
    for (const colorScheme of colorSchemes) {
      await page.emulateMedia({ colorScheme })
      for (const id of ['calendar', 'announcements']) {
        expect(await readQrCode(article(page, id).locator('.qr'))).toBe(`${link}feeds#${id}`)
      }
    }
  })
})
