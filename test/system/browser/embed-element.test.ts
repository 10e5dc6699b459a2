import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { elementScript } from '../../../src/web/embed-element.ts'
import {
  chromiumIsMissing,
  faultsOf,
  keepScreenshot,
  loadPictures,
  openPage,
  sharedBrowser,
} from '../../support/browser.ts'
import { startHttpServer } from '../../support/http-server.ts'
import { sharedService } from '../../support/shared-service.ts'
import { waitFor } from '../../support/wait-for.ts'

/** Styles that change everything that they can reach. */
const hostileStyle = `
  :root { font-size: 40px; --accent: lime; --text: lime; --surface: red; --source: lime; --line: lime; --feedhouse-rem: 90px }
  * { color: lime !important; font: italic 30px/3 fantasy !important; letter-spacing: 1em !important;
    text-transform: uppercase !important; text-align: right !important; border: 7px dotted lime !important;
    padding: 9px !important; direction: rtl !important; word-spacing: 2em; text-indent: 3em; cursor: wait }
  .embed, .agenda, .ev, .tile, .pill, .heading { display: none !important }`

const policyFor = (feeds: string) =>
  [
    "default-src 'none'",
    `script-src ${feeds}`,
    `connect-src ${feeds}`,
    `img-src ${feeds}`,
    "style-src 'self'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')

/** Computed styles and size of an element. */
type Look = Readonly<Record<string, string>>

/** Returns the computed styles and sizes of all elements selected by a script. */
const looksOf = (page: Page, elements: string) =>
  page.evaluate<readonly Look[]>(`${elements}.map((element) => {
    const style = getComputedStyle(element)
    const { width, height } = element.getBoundingClientRect()
    const names = [...style].filter((name) => !name.startsWith('--'))
    const own = Object.fromEntries(names.map((name) => [name, style.getPropertyValue(name)]))
    return { ...own, element: element.tagName, box: width + 'x' + height }
  })`)

/** Describes the differences between the same elements on two pages. */
const differences = (some: readonly Look[], others: readonly Look[]) =>
  some.flatMap((look, index) =>
    Object.entries(look)
      .filter(([name, value]) => others[index]?.[name] !== value)
      .map(([name, value]) => `${look['element']} ${name}: ${value}, ${others[index]?.[name]}`),
  )

const shown = (page: Page) => page.locator('feedhouse-events .embed')

const background = (page: Page) =>
  page.evaluate(
    "getComputedStyle(document.querySelector('feedhouse-events').shadowRoot.querySelector('.embed')).backgroundColor",
  )

describe.skipIf(chromiumIsMissing)('the embed element', () => {
  const browser = sharedBrowser()
  const service = sharedService()
  const script = () =>
    `<script type="module" src="${service().url}/feedhouse-events.js" integrity="${elementScript.integrity}" crossorigin></script>`

  const element = (path: string) =>
    `<feedhouse-events src="${service().url}/embed/${path}"><a href="${service().url}/">Our events</a></feedhouse-events>`

  /** Serves an organization's page with a strict policy, and opens it. */
  async function openHost(page: Page, body: string, { style = '', code = script() } = {}) {
    const website = await startHttpServer(({ url }, response) => {
      response.setHeader('Content-Security-Policy', policyFor(service().url))
      if (url !== '/') return response.setHeader('Content-Type', 'text/css').end(style)
      return response.setHeader('Content-Type', 'text/html')
        .end(`<!doctype html><html lang="en"><title>Department</title><meta name="viewport" content="width=device-width">
          <link rel="stylesheet" href="/style.css"><main><h1>Department</h1>${body}</main>${code}</html>`)
    })
    await page.goto(website)
  }

  test.for([320, 800])(
    'works under a strict policy and is accessible: %i pixels',
    async (width) => {
      const { page, complaints } = await openPage(browser(), { viewport: { width, height: 600 } })
      const paths = ['events', 'next?accent=yellow', 'news?layout=cards', 'month?month=2026-05']
      await openHost(page, paths.map(element).join('<hr>'), {
        style: ':root { color-scheme: light dark }',
      })
      await waitFor(async () => expect(await shown(page).count()).toBe(paths.length))
      await loadPictures(page)
      expect(await faultsOf(page, `embed-element-${width}`)).toEqual([])
      expect(complaints).toEqual([])
    },
  )

  const inside = `[...document.querySelector('feedhouse-events').shadowRoot.querySelectorAll('.embed, .embed *')]`

  test('looks the same in a page whose styles change everything', async () => {
    const looks: (readonly Look[])[] = []
    const box =
      'feedhouse-events { width: 500px !important; padding: 0 !important; border: 0 !important }'
    for (const [name, style] of [
      ['plain', box],
      ['hostile', hostileStyle + box],
    ] as const) {
      const { page } = await openPage(browser(), { viewport: { width: 800, height: 600 } })
      await openHost(page, element('events'), { style })
      await shown(page).waitFor()
      await keepScreenshot(page, `embed-element-${name}`)
      looks.push(await looksOf(page, inside))
    }
    const [plain = [], hostile = []] = looks
    expect(plain.length).toBeGreaterThan(20)
    expect(differences(plain, hostile)).toEqual([])
  })

  test.for([
    ['light', '', 'events', false],
    ['dark', 'body { background: #20242a; color: #eee }', 'events', true],
    ['dark, by its color scheme', ':root { color-scheme: dark }', 'events', true],
    ['light, with a dark theme chosen', '', 'events?theme=dark', true],
    ['light, with the theme of the device', '', 'events?theme=device', true],
    [
      'dark, with a light theme chosen',
      'body { color: oklch(0.9 0 0) }',
      'events?theme=light',
      false,
    ],
    ['dark, in other units', 'body { color: oklch(0.9 0 0) }', 'events', true],
  ] as const)(
    'on a dark device, is as light as a page that is %s',
    async ([, style, path, isDark]) => {
      const { page } = await openPage(browser(), { colorScheme: 'dark' })
      await openHost(page, element(path), { style })
      await shown(page).waitFor()
      expect(await background(page)).toBe(isDark ? 'rgb(25, 28, 31)' : 'rgb(255, 255, 255)')
    },
  )

  test('follows a page that changes its colors', async () => {
    const { page } = await openPage(browser())
    const style = 'body { transition: color 0.2s } .night { background: #000; color: #ddd }'
    await openHost(page, element('events'), { style })
    await shown(page).waitFor()
    await page.evaluate("document.body.className = 'night'")
    await waitFor(async () => expect(await background(page)).toBe('rgb(25, 28, 31)'))
  })

  test('does not change the page around it', async () => {
    const outside = `[...document.querySelectorAll('html, body, body *:not(feedhouse-events, feedhouse-events *, script)')]`
    const body = `<h2 class="heading">Title</h2><ul class="agenda embed"><li data-source="events"><a class="ev pill" href="/">Link</a>
      <b class="tile month grid">5</b></li></ul><p class="muted unseen">Text</p>`
    const { page } = await openPage(browser(), { viewport: { width: 800, height: 600 } })
    const openWith = (code: string) =>
      openHost(page, `${body}<div>${element('events')}</div>`, {
        code,
        style: 'main > div { height: 600px; overflow: hidden }',
      })
    await openWith('')
    const before = await looksOf(page, outside)
    await openWith(script())
    await shown(page).waitFor()
    expect(before.length).toBeGreaterThan(10)
    expect(differences(before, await looksOf(page, outside))).toEqual([])
  })

  test('uses the page’s font and text size if it should', async () => {
    const { page } = await openPage(browser())
    await openHost(page, element('events?font=inherit'), { style: 'body { font: 20px monospace }' })
    await shown(page).waitFor()
    const font = await page.evaluate(`(() => {
      const embed = document.querySelector('feedhouse-events').shadowRoot.querySelector('.embed')
      return [getComputedStyle(embed).font, getComputedStyle(embed.querySelector('.tile')).height]
    })()`)
    expect(font).toEqual(['20px / 30px monospace', '67.5px'])
  })

  test('shows a link without scripts, with a changed script, and while Feedhouse is down', async () => {
    for (const [code, isDown] of [
      ['', false],
      [script().replace(/sha384-[^"]+/, `sha384-${'A'.repeat(64)}`), false],
      [script(), true],
    ] as const) {
      const { page } = await openPage(browser())
      if (isDown) await page.route('**/embed/**', (route) => route.abort())
      await openHost(page, element('events'), { code })
      await page.waitForLoadState('networkidle')
      expect(await page.getByRole('link', { name: 'Our events' }).isVisible()).toBe(true)
      expect(await shown(page).count()).toBe(0)
    }
  })

  test('stays up to date, and keeps its content while Feedhouse is down', async () => {
    const { page } = await openPage(browser())
    await page.clock.install()
    await openHost(page, element('events'))
    await shown(page).waitFor()
    const title = page.locator('feedhouse-events strong').first()
    const before = await title.innerText()
    let requests = 0
    await page.route('**/embed/**', (route) => {
      requests += 1
      return route.abort()
    })
    await page.clock.fastForward('05:00')
    await waitFor(() => expect(requests).toBe(1))
    expect(await title.innerText()).toBe(before)
    await page.unroute('**/embed/**')
    const html = await (await fetch(`${service().url}/embed/events`)).text()
    await page.route('**/embed/**', (route) =>
      route.fulfill({
        contentType: 'text/html',
        headers: { 'Access-Control-Allow-Origin': '*' },
        body: html.replace(before, 'Chicken barbecue'),
      }),
    )
    await page.clock.fastForward('05:00')
    await waitFor(async () => expect(await title.innerText()).toBe('Chicken barbecue'))
  })

  test('is up to date as soon as the page adds it again', async () => {
    const { page, requested } = await openPage(browser())
    await page.clock.install()
    await openHost(page, element('events'))
    await shown(page).waitFor()
    const loads = () => requested.filter((url) => url.endsWith('/embed/events')).length
    const move = 'document.body.append(element)'
    await page.evaluate(`globalThis.element = document.querySelector('feedhouse-events'); ${move}`)
    expect(loads()).toBe(1)
    await page.evaluate('element.remove()')
    await page.clock.fastForward('24:00:00')
    expect(loads()).toBe(1)
    await page.evaluate(move)
    await waitFor(() => expect(loads()).toBe(2))
  })

  test('loads style sheets again that did not arrive', async () => {
    const { page } = await openPage(browser())
    await page.clock.install()
    let requests = 0
    await page.route('**/assets/embed.*.css', (route) => {
      requests += 1
      return requests === 1 ? undefined : route.continue()
    })
    await openHost(page, element('events'))
    await waitFor(() => expect(requests).toBe(1))
    await page.clock.fastForward('05:00')
    await shown(page).waitFor()
  })

  test('turns months in place, also with the keyboard', async () => {
    const { page } = await openPage(browser(), { viewport: { width: 1000, height: 700 } })
    await openHost(page, element('month?month=2026-05'))
    await page.getByRole('link', { name: 'June' }).focus()
    for (const month of ['June 2026', 'July 2026']) {
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: month }).waitFor()
    }
    expect(new URL(page.url()).pathname).toBe('/')
  })

  test('copies nothing that can run scripts', async () => {
    const { page } = await openPage(browser())
    await page.route('**/embed/**', (route) =>
      route.fulfill({
        contentType: 'text/html',
        headers: { 'Access-Control-Allow-Origin': '*' },
        body: `<html lang="en"><main class="embed"><h1>Title</h1><script>window.isHacked = true</script><blink>Text</blink>
          <img src="javascript:0" onerror="window.isHacked = true" style="color: red"><a href="javascript:window.isHacked = true" onclick="window.isHacked = true">Link</a>
          <iframe srcdoc="<script>top.isHacked = true</script>"></iframe></main></html>`,
      }),
    )
    await openHost(page, element('events'))
    await shown(page).waitFor()
    expect((await shown(page).innerHTML()).replaceAll(/\s+/g, ' ')).toBe(
      '<h2>Title</h2>Text <img><a>Link</a> ',
    )
    expect(await page.evaluate('window.isHacked')).toBeUndefined()
  })
})
