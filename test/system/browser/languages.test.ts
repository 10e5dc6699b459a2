import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { pseudoLanguage } from '../../../src/records/messages.ts'
import {
  cutTextsOf,
  fitsInWidth,
  openAll,
  openPage,
  sharedBrowser,
  signIn,
} from '../../support/browser.ts'
import { startEveryPage } from './every-page.ts'

const browser = sharedBrowser()

const [phone, desktop] = [390, 1280] as const

/** Boards have their own tests. */
const isTested = (name: string) => !name.includes('board')

async function faultsIn(page: Page, width: number): Promise<readonly string[]> {
  await page.setViewportSize({ width, height: 844 })
  const scrolls = (await fitsInWidth(page)) ? [] : ['scrolls horizontally']
  return [...scrolls, ...(await cutTextsOf(page))].map((fault) => `${width}: ${fault}`)
}

test('every page has room for text that is 40% longer', async () => {
  await using site = await startEveryPage('sample', pseudoLanguage)
  const { page, context } = await openPage(browser())
  await signIn(context, site.service.url)
  const addresses = Object.entries(site.addresses).filter(([name]) => isTested(name))
  expect(addresses.length).toBeGreaterThan(15)
  for (const [name, address] of addresses) {
    await page.goto(address)
    await openAll(page)
    const faults = [...(await faultsIn(page, phone)), ...(await faultsIn(page, desktop))]
    expect.soft([name, ...faults]).toEqual([name])
  }
})

test('every page fits on a phone in every language', async () => {
  await using site = await startEveryPage('sample')
  const { page, context } = await openPage(browser())
  await signIn(context, site.service.url)
  for (const [name, address] of Object.entries(site.addresses).filter(([each]) => isTested(each))) {
    for (const language of ['es', 'fr', 'de']) {
      const url = new URL(address)
      url.searchParams.set('lang', language)
      await page.goto(url.href)
      await openAll(page)
      expect.soft([name, language, ...(await faultsIn(page, phone))]).toEqual([name, language])
    }
  }
})

/** Returns how far an element is from the left and right edges of the text. */
const edgesOf = (page: Page, selector: string) =>
  page.evaluate<{ left: number; right: number }>(`{
    const { left, right } = document.querySelector('${selector}').getBoundingClientRect()
    const body = document.querySelector('main').getBoundingClientRect()
    ;({ left: Math.round(left - body.left), right: Math.round(body.right - right) })
  }`)

test('pages are mirrored, without overlaps, for right-to-left languages', async () => {
  await using site = await startEveryPage('sample', pseudoLanguage)
  const { page } = await openPage(browser())
  const { home, agenda, month, event, news, feeds, 'free-days': freeDays } = site.addresses
  const selectors = 'h1, h2, .pill, .ev, .note, .links-row a, .languages a, th, summary'
  for (const address of [home, agenda, month, event, news, feeds, freeDays]) {
    await page.goto(address ?? '')
    const found = await page.evaluate<number>(`document.querySelectorAll('${selectors}').length`)
    expect(found).toBeGreaterThan(3)
    const before = await edgesOf(page, 'main h1, main h2')
    await page.evaluate(`document.documentElement.dir = 'rtl'`)
    const after = await edgesOf(page, 'main h1, main h2')
    expect([address, Math.abs(after.right - before.left)]).toEqual([address, 0])
    expect.soft([address, ...(await faultsIn(page, phone))]).toEqual([address])
  }
})
