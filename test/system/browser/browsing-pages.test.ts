import { join } from 'node:path'
import { PNG } from 'pngjs'
import { describe, expect, test } from 'vitest'
import { sampleDatasetOn } from '../../../src/sandbox/sample/sample-dataset.ts'
import {
  chromiumIsMissing,
  colorSchemes,
  faultsOf,
  keepScreenshot,
  loadPictures,
  openPage,
  openUrl,
  readQrCode,
  screenshots,
  sharedBrowser,
  sheetsOf,
  views,
} from '../../support/browser.ts'
import { datasetFrom } from '../../../src/sandbox/resources/resources.ts'
import { sampleEvent } from '../../support/sample-event.ts'
import { startTestService } from '../../support/service.ts'
import { sharedService } from '../../support/shared-service.ts'

const story = sampleDatasetOn('2026-03-05').news.find(
  ({ images, deployed }) => images.length > 0 && deployed === 1,
)

const paths = [
  ['event', 'events/2026031'],
  ['event-gone', 'events/1'],
  ['agenda', 'agenda'],
  ['month', 'month/2026-05'],
  ['news', 'news'],
  ['free-days', 'rental/free'],
  ['poster', 'poster'],
] as const

/** From one to nine entries on each day of a month with six weeks. */
const fullMay = Array.from({ length: 31 }, (_, index) =>
  Array.from({ length: 1 + (index % 9) }, (_, at) => {
    const day = `2026-05-${String(index + 1).padStart(2, '0')}`
    const title = `Duty weekend: Crew ${at} and everybody who wants to help`
    return sampleEvent(index * 10 + at + 1, `${day}T${10 + at}:00:00`, `${day}T22:00:00`, { title })
  }),
).flat()

describe.skipIf(chromiumIsMissing)('the pages to read', () => {
  const browser = sharedBrowser()
  const service = sharedService({ identity: { place: 'Cedar Hollow, NY', color: '#1f5fbf' } })

  test.for(views)('are accessible and fit: $name', async ({ name, ...view }) => {
    const { page, requested, complaints } = await openPage(browser(), view)
    for (const [title, path] of paths) {
      await page.goto(`${service().url}/${path}`)
      await loadPictures(page)
      expect(await faultsOf(page, `${title}-${name}`)).toEqual([])
    }
    for (const colorScheme of colorSchemes) {
      await page.emulateMedia({ colorScheme })
      expect(await readQrCode(page.locator('.poster .qr'))).toBe(`${service().url}/`)
    }
    expect(requested.filter((url) => !url.startsWith(service().url))).toEqual([])
    expect(complaints.filter((text) => !text.includes('status of 410'))).toEqual([])
  })

  test('show entries on the first screen of a phone', async () => {
    const { page } = await openPage(browser(), views[0])
    for (const path of ['agenda', 'month/2026-05']) {
      await page.goto(`${service().url}/${path}`)
      const filters = await page.getByRole('navigation', { name: 'Show and hide' }).boundingBox()
      expect(filters?.height).toBeLessThan(70)
      const entry = await page.locator('main li a:visible').first().boundingBox()
      expect(entry?.y).toBeLessThan(views[0].viewport.height - 200)
    }
  })

  test('print lists with the name and complete entries, and without controls', async () => {
    const link = await service().addLink({
      profile: 'full',
      feedIds: ['calendar', 'news', 'members'],
    })
    // Gives the service time to read the members, which only links need.
    await fetch(`${link}members`)
    await service().clock.advance(60_000)
    const { page } = await openPage(browser())
    await page.emulateMedia({ media: 'print' })
    for (const path of ['agenda', 'members', 'news', 'search?q=engine']) {
      await page.goto(`${link}${path}`)
      const controls = page.locator('nav, form, button, summary, input, footer, .to-search')
      const shown = await controls.filter({ visible: true }).count()
      const name = await page
        .getByText('Cedar Hollow Volunteer Fire Department')
        .first()
        .isVisible()
      const breaks = await page.evaluate<readonly string[]>(
        `[...new Set([...document.querySelectorAll('.agenda > li, .entries > li')].map((entry) => getComputedStyle(entry).breakInside))]`,
      )
      expect([path, shown, name, breaks]).toEqual([path, 0, true, ['avoid']])
    }
    // Only the public agenda has buttons that save entries.
    await page.goto(`${service().url}/agenda`)
    const stars = page.locator('.agenda .star')
    expect(await stars.count()).toBeGreaterThan(0)
    expect(await stars.filter({ visible: true }).count()).toBe(0)
    await page.goto(`${link}members`)
    const [member = ''] = await page.locator('#member-1').allInnerTexts()
    expect(member).toContain('alex.brennan@cedarhollow.example')
    expect(member).not.toMatch(/Email|Add to contacts/)
  })

  test('show a broken picture without the browser’s icon', async () => {
    const { page } = await openPage(browser(), views[0])
    const noBox = { x: 0, y: 0, width: 0, height: 0 }
    /** Returns how the first picture looks inside of its corners if pictures have this content. */
    const shotWith = async (body: Buffer) => {
      await page.route('**/board/images/*', (route) =>
        route.fulfill({ contentType: 'image/png', body }),
      )
      await page.goto(`${service().url}/news`)
      await loadPictures(page)
      const { x, y, width, height } = (await page.locator('.pic').first().boundingBox()) ?? noBox
      return page.screenshot({ clip: { x: x + 4, y: y + 4, width: width - 8, height: height - 8 } })
    }
    const shown = await shotWith(PNG.sync.write(new PNG({ width: 8, height: 8 })))
    expect((await shotWith(Buffer.from('broken'))).equals(shown)).toBe(true)
  })

  test('offer Google Calendar first on Android, and the file elsewhere', async () => {
    const userAgent = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/140.0 Mobile Safari/537.36'
    const [android, other] = [await openPage(browser(), { userAgent }), await openPage(browser())]
    for (const { page } of [android, other]) await page.goto(`${service().url}/events/2026031`)
    expect(await android.page.locator('.cta').getAttribute('href')).toMatch(
      /^https:\/\/calendar\.google/,
    )
    expect(await other.page.locator('.cta').getAttribute('href')).toBe('2026031.ics')
    const file = android.page.getByRole('link', { name: 'Add this event' })
    expect(await file.getAttribute('href')).toMatch(/\/2026031\.ics$/)
    for (const { page } of [android, other]) {
      expect(await page.getByRole('link', { name: /Google Calendar/ }).count()).toBe(1)
    }
    expect([...android.complaints, ...other.complaints]).toEqual([])
  })

  test('save single entries for one calendar, only in this browser', async () => {
    const { page, context, complaints } = await openUrl(
      browser(),
      `${service().url}/events/2026031`,
      views[0],
    )
    const link = page.locator('.kept a').first()
    await page.getByRole('button', { name: 'Save this event' }).click()
    await page.getByText('Saved events (1)').click()
    expect(await link.getAttribute('href')).toMatch(/\/all\.ics\?ids=events-2026031$/)
    await page.goto(`${service().url}/agenda`)
    const stars = page.getByRole('button', { name: /^Save this event: / })
    expect(await stars.count()).toBe(await page.locator('.agenda a.ev').count())
    await page
      .getByRole('button', { name: 'Save this event: Monthly business meeting' })
      .first()
      .click()
    await page.getByText('Saved events (2)').click()
    expect(await faultsOf(page, 'saved-entries')).toEqual([])
    const url = (await link.getAttribute('href')) ?? ''
    const { text } = await service().get(url.replace('webcal:', 'http:'))
    expect([...text.matchAll(/^UID:(\w+)-/gm)].map(([, kind]) => kind)).toEqual([
      'calendar',
      'events',
    ])
    const pressed = page.locator('[data-star][aria-pressed="true"]')
    expect(await pressed.count()).toBe(2)
    await pressed.first().click()
    await pressed.first().click()
    expect(await page.locator('.kept').isVisible()).toBe(false)
    const saved = Array.from({ length: 50 }, (_, at) => `events-${at + 1}`)
    await page.evaluate(
      `localStorage.setItem(Object.keys(localStorage)[0], '${JSON.stringify(saved)}')`,
    )
    await stars.first().click()
    const full = page.getByText('You have saved 50 events, which is the maximum.')
    expect(await full.isVisible()).toBe(true)
    expect(await faultsOf(page, 'too-many-entries')).toEqual([])
    await page.evaluate('localStorage.clear()')
    expect(await context.cookies()).toEqual([])
    expect(complaints).toEqual([])
  })

  test('keep the header in its place', async () => {
    const { page } = await openPage(browser())
    for (const width of [390, 820, 1280]) {
      await page.setViewportSize({ width, height: 844 })
      const places = new Set<string>()
      for (const path of ['', ...paths.map(([, path]) => path)]) {
        if (path === 'poster') continue
        await page.goto(`${service().url}/${path}`)
        for (const part of ['.identity .logo', '.tabs a']) {
          const { x, y } = (await page.locator(part).first().boundingBox()) ?? {}
          places.add(`${part} ${x} ${y}`)
        }
      }
      expect([width, ...places]).toHaveLength(3)
    }
  })

  test('turn months with the arrow keys, and go back with T', async () => {
    const { page, complaints } = await openUrl(browser(), `${service().url}/month/2026-05`)
    await page.keyboard.press('ArrowRight')
    await page.waitForURL('**/month/2026-06')
    await page.keyboard.press('ArrowLeft')
    await page.waitForURL('**/month/2026-05')
    await page.keyboard.press('t')
    await page.waitForURL('**/month/2026-03')
    expect(complaints).toEqual([])
  })

  test.for(['Letter', 'A4'])(
    'print six weeks and the poster on one page of %s each',
    async (format) => {
      await using full = await startTestService({
        sandbox: { datasetOn: () => datasetFrom({ events: fullMay }) },
      })
      await full.readAll()
      const { page } = await openUrl(browser(), `${full.url}/month/2026-05`)
      expect(await page.locator('.grid [data-lines]').count()).toBe(fullMay.length)
      expect(await sheetsOf(page, { format, landscape: true })).toBe(1)
      await page.goto(`${service().url}/poster`)
      const path = join(screenshots, `poster-${format}.pdf`)
      expect(await sheetsOf(page, { format, path })).toBe(1)
    },
  )

  test('show the pictures of a story without requests to other origins', async () => {
    const { page, complaints, requested } = await openUrl(
      browser(),
      `${service().url}/news/${story?.id}`,
    )
    await loadPictures(page)
    await page.waitForLoadState('networkidle')
    await keepScreenshot(page, 'story')
    const widths = '[...document.images].map(({ naturalWidth }) => naturalWidth)'
    const shown = await page.evaluate<readonly number[]>(widths)
    expect(shown.length).toBeGreaterThan(0)
    expect(shown.filter((width) => width === 0)).toEqual([])
    expect(requested.filter((url) => !url.startsWith(service().url))).toEqual([])
    expect(complaints).toEqual([])
  })

  test.for([
    { name: 'a phone', viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, loads: 720 },
    { name: 'a small screen', viewport: { width: 1024, height: 768 }, loads: 720 },
    {
      name: 'a large screen',
      viewport: { width: 1440, height: 900 },
      deviceScaleFactor: 2,
      loads: 1200,
    },
  ])('load a picture of $loads pixels on $name', async ({ loads, ...device }) => {
    const { page, requested } = await openUrl(
      browser(),
      `${service().url}/news/${story?.id}`,
      device,
    )
    await page.waitForLoadState('networkidle')
    const first = requested.find((url) => url.includes(`/news-${story?.id}-`))
    expect(first).toContain(`.${loads}x`)
    // As `sizes` says.
    const shown = await page.evaluate('document.querySelector("article img").width')
    expect(shown).toBe(Math.min(694, device.viewport.width - 74))
  })
})
