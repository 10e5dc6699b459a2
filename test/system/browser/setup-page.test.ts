import { describe, expect, test } from 'vitest'
import {
  chromiumIsMissing,
  faultsOf,
  keepScreenshot,
  openPage,
  sharedBrowser,
  views,
} from '../../support/browser.ts'
import { runProcess } from '../../support/command-line.ts'
import { freePort } from '../../support/free-port.ts'
import { startHttpServer } from '../../support/http-server.ts'
import { testDirectory } from '../../support/service.ts'
import { waitFor } from '../../support/wait-for.ts'
import { startWebsite } from '../../support/website.ts'

describe.skipIf(chromiumIsMissing)('the setup page', () => {
  const browser = sharedBrowser()

  test.for(views)('leads to the home page without scripts: $name', async ({ name, ...view }) => {
    const { settings } = await startWebsite()
    const { SITE_CA_FILE, SITE_URL, SITE_REFRESH_TOKEN, SITE_TIME_ZONE } = settings
    const port = String(await freePort())
    const environment = { SETUP: 'yes', HOST: '0.0.0.0', PORT: port, SITE_CA_FILE }
    const child = runProcess(testDirectory(), ['serve'], environment)
    const output: string[] = []
    child.stdout.on('data', (chunk) => output.push(String(chunk)))
    const { page, complaints } = await openPage(browser(), view)
    const { page: plain } = await openPage(browser(), { ...view, javaScriptEnabled: false })
    const code = await codeIn(output)
    await page.goto(`http://127.0.0.1:${port}/`)
    expect(await faultsOf(page)).toEqual([])
    await keepScreenshot(page, `setup-code-${name}`)
    await page.getByLabel('Code').fill(code)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByLabel('Website').fill(SITE_URL)
    expect(await faultsOf(page, `setup-${name}`)).toEqual([])
    await page.getByLabel('Refresh token').fill('wrong')
    await page.getByLabel('Time zone').fill('Nowhere')
    await page.getByRole('button', { name: 'Check and start' }).click()
    await page.getByRole('alert').getByText('Time zone must be the name of a time zone').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.getByLabel('Time zone').fill(SITE_TIME_ZONE)
    await page.getByRole('button', { name: 'Check and start' }).click()
    await page.getByText('Nothing has been saved yet.').waitFor()
    expect(await faultsOf(page, `setup-problem-${name}`)).toEqual([])
    // The rest has to work without scripts, too.
    await plain.context().addCookies(await page.context().cookies())
    await plain.goto(`http://127.0.0.1:${port}/`)
    await plain.getByLabel('Website').fill(SITE_URL)
    await plain.getByLabel('Refresh token').fill(SITE_REFRESH_TOKEN)
    await plain.getByLabel('Name').fill('Ashton Fire')
    await plain.getByLabel('Time zone').fill(SITE_TIME_ZONE)
    await plain.getByRole('button', { name: 'Check and start' }).click()
    await plain.getByRole('heading', { name: 'Ready' }).waitFor()
    await keepScreenshot(plain, `setup-ready-${name}`)
    await plain.getByRole('link', { name: 'Open the home page' }).click()
    await plain.getByRole('banner').getByText('Ashton Fire').waitFor()
    expect(output.join('')).toContain(`Feedhouse serves ${SITE_URL}`)
    expect(complaints.filter((text) => !text.includes('status of 400'))).toEqual([])
  })

  test('opens with the printed link, which is in no request, even from another website', async () => {
    const port = String(await freePort())
    const child = runProcess(testDirectory(), ['serve'], { SETUP: 'yes', PORT: port })
    const output: string[] = []
    child.stdout.on('data', (chunk) => output.push(String(chunk)))
    const code = await codeIn(output)
    const [link = ''] = /http:\S+#code=\S+/.exec(output.join('')) ?? []
    // Such as a terminal in the browser.
    const other = await startHttpServer((_request, response) => {
      response.setHeader('Content-Type', 'text/html').end(`<a href="${link}">Open</a>`)
    })
    const { page, requested, complaints } = await openPage(browser())
    const headers: string[] = []
    page.on('request', (request) => headers.push(JSON.stringify(request.headers())))
    await page.goto(other.replace('127.0.0.1', 'localhost'))
    await page.getByRole('link', { name: 'Open' }).click()
    await page.getByLabel('Website').waitFor()
    expect(new URL(page.url()).hash).toBe('')
    expect(requested.map((url) => url.split('#')[0]).join()).not.toContain(code)
    expect(headers.join()).not.toContain(code)
    await page.goBack()
    expect(page.url()).not.toContain(code)

    // In the same browser, the link still works.
    await page.goto(link)
    await page.getByLabel('Website').waitFor()
    const { page: stranger } = await openPage(browser())
    await stranger.goto(link)
    await stranger.getByRole('alert').getByText('This code is wrong or has been used.').waitFor()
    expect(stranger.url()).not.toContain(code)
    const next = await codeIn(output, 1)
    await stranger.goto(new URL('/', link).href)
    // The page is not loaded again.
    await stranger.goto(link.replace(code, next))
    await stranger.getByLabel('Website').waitFor()
    expect(complaints).toEqual([])
  })
})

/** Waits for a code, and returns it. */
function codeIn(output: readonly string[], earlier = 0): Promise<string> {
  return waitFor(() => {
    const codes = [...output.join('').matchAll(/this code: (\S+)\n/g)]
    expect(codes).toHaveLength(earlier + 1)
    return codes[earlier]?.[1] ?? ''
  })
}
