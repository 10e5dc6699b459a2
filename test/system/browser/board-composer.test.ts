import { describe, expect, test } from 'vitest'
import { adminEnvironment, testPassword } from '../../support/admin.ts'
import { cutOff } from '../../support/board-measures.ts'
import { keptCopies, nextAnswer, nothingKept, openBoardIn } from './board-page.ts'
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
import { sharedService } from '../../support/shared-service.ts'
import { waitFor } from '../../support/wait-for.ts'

const boardScreens = [
  { width: 1280, height: 720 },
  { width: 1080, height: 1920 },
  { width: 1024, height: 768 },
]

describe.skipIf(chromiumIsMissing)('the form for new screens', () => {
  const browser = sharedBrowser()
  const service = sharedService({ environment: adminEnvironment })

  test.for(views)('is accessible and fits: $name', async ({ name, ...view }) => {
    const { page, complaints } = await openUrl(browser(), `${service().url}/board/new`, view)
    await page.frameLocator('iframe').locator('#time').filter({ hasText: /\d/ }).waitFor()
    expect(await faultsOf(page, `board-new-${name}`)).toEqual([])
    expect(complaints).toEqual([])
  })

  test('shows the board, its address and its QR code as soon as options change', async () => {
    const { page, complaints } = await openUrl(browser(), `${service().url}/board/new`)
    await page.getByLabel('Theme').selectOption('light')
    await page.getByLabel('Heading').fill('Engine 1')
    await page.getByText('Duty and filters').click()
    await page
      .getByRole('group', { name: /On duty/ })
      .getByLabel('Duty Crews')
      .check()
    const address = `${service().url}/board?theme=light&duty=3&title=Engine%201`
    await waitFor(async () =>
      expect(await page.getByRole('textbox', { name: 'Address for the screen' }).inputValue()).toBe(
        address,
      ),
    )
    const board = page.frameLocator('iframe').locator('html.light')
    await board.getByRole('heading', { name: 'Engine 1' }).waitFor()
    expect(await readQrCode(page.locator('.qr'))).toBe(address)
    expect(page.url()).toContain('/board/new?submitted=1')
    await page.reload()
    expect(await page.getByLabel('Heading').inputValue()).toBe('Engine 1')
    expect(await keptCopies(page)).toEqual(nothingKept)
    expect(complaints).toEqual([])
  })

  test('explains that nothing is chosen', async () => {
    const { page } = await openUrl(browser(), `${service().url}/board/new`)
    const feeds = await page.getByRole('group', { name: 'Show' }).getByRole('checkbox').all()
    for (const feed of feeds) await feed.uncheck()
    await page.getByRole('alert').filter({ hasText: 'Choose at least one feed.' }).waitFor()
    expect(await page.locator('iframe').count()).toBe(0)
  })

  test('works without scripts', async () => {
    const { page } = await openUrl(browser(), `${service().url}/board/new`, {
      javaScriptEnabled: false,
    })
    await page.getByLabel('Readable from').selectOption('10')
    await page.getByRole('button', { name: 'Show preview' }).click()
    expect(await page.getByRole('textbox', { name: 'Address for the screen' }).inputValue()).toBe(
      `${service().url}/board?distance=10`,
    )
  })

  test('an admin covers an open board with an emergency text, which ends even offline', async () => {
    const { page: board, context } = await openBoardIn(browser(), service())
    expect(await board.locator('#emergency').isVisible()).toBe(false)
    const { page, complaints } = await openUrl(browser(), `${service().url}/admin`)
    await page.getByLabel('Password').fill(testPassword)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Screens' }).click()
    const [title, text] = [
      'Boil water '.repeat(7).trim(),
      'Until further notice. '.repeat(13).trim(),
    ]
    await page.getByLabel('Title').fill(title)
    await page.getByLabel('Text', { exact: true }).fill(text)
    const preview = page.getByRole('figure', { name: 'Preview of a screen' })
    for (const words of [title, text]) {
      await waitFor(async () => expect(await preview.innerText()).toContain(words))
    }
    await page.getByLabel('Until').fill('2026-03-05T11:30')
    await preview.getByText('until 11:30 AM', { exact: true }).waitFor()
    await keepScreenshot(page, 'admin-screens-preview')
    await page.getByRole('button', { name: 'Show emergency text' }).click()
    await page.getByText('The text appears within a minute.').waitFor()
    expect(await faultsOf(page, 'admin-screens')).toEqual([])
    await nextAnswer(board, 60_000)
    await board.clock.runFor(2000)
    expect(await board.locator('#emergency').innerText()).toContain('Boil water')
    expect(await board.locator('#emergency-until').innerText()).toBe('until 11:30 AM')
    await keepScreenshot(board, 'board-emergency')
    await coversBoardsWithoutScripts([title, text])
    await context.setOffline(true)
    await board.clock.fastForward(2 * 60 * 60_000)
    await waitFor(async () => {
      await board.clock.runFor(1000)
      expect(await board.locator('#emergency').isVisible()).toBe(false)
    })
    await page.getByRole('button', { name: 'Clear emergency text' }).click()
    await page.getByText('The text disappears within a minute.').waitFor()
    expect(complaints).toEqual([])
  })

  async function coversBoardsWithoutScripts(texts: readonly string[]): Promise<void> {
    const { page } = await openPage(browser(), { javaScriptEnabled: false })
    for (const viewport of boardScreens) {
      await page.setViewportSize(viewport)
      await page.goto(`${service().url}/board?distance=10`)
      for (const text of texts) expect(await page.locator('#emergency').innerText()).toContain(text)
      const covered = await page.locator('#emergency').boundingBox()
      expect(covered).toMatchObject({ x: 0, y: 0, ...viewport })
      const cut = await page.evaluate<readonly string[]>(cutOff)
      const isPart = (each: string) => texts.includes(each.trim())
      expect(cut.filter(isPart)).toEqual([])
    }
  }
})
