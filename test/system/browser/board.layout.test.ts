import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { BoardItem } from '../../../src/signage/board-item.ts'
import { smallestReadable } from '../../../src/signage/board-sizes.ts'
import { boardContents, contentTime } from '../../support/board-contents.ts'
import {
  boxesOf,
  cutOff,
  highestBlank,
  overlaps,
  smallestText,
} from '../../support/board-measures.ts'
import {
  chromiumIsMissing,
  keepScreenshot,
  openSharedPage,
  sharedBrowser,
} from '../../support/browser.ts'
import { sharedService } from '../../support/shared-service.ts'

const screens = [
  { name: '720p', width: 1280, height: 720, distance: 3 },
  { name: '1080p from ten meters', width: 1920, height: 1080, distance: 10 },
  { name: '4K from five meters', width: 3840, height: 2160, distance: 5 },
  { name: 'portrait from five meters', width: 1080, height: 1920, distance: 5 },
  { name: '4:3', width: 1024, height: 768, distance: 3 },
  { name: '21:9', width: 2560, height: 1080, distance: 3 },
] as const

const contents = boardContents(300)

/** Maximum height of a blank band, in percent of the screen's height. */
const maxBlank = 12
/** So few words cannot fill a screen, especially if one of them is long. */
const fewWords = 24

type Figures = {
  readonly content: number
  readonly page: number
  readonly isSparse: boolean
  readonly cut: readonly string[]
  readonly overlapping: readonly string[]
  readonly blank: number
  readonly smallest: number
}

/**
 * Runs in the page. Sends the contents to the board like responses of the service, turns its pages, and
 * measures each page.
 */
const measureAll = `async (contents) => {
  const { now } = performance
  let skippedMs = 0
  performance.now = () => now.call(performance) + skippedMs
  const turn = async () => {
    dispatchEvent(new Event('resize'))
    await new Promise((resolve) => setTimeout(resolve))
  }
  const headers = { 'Board-Time': '${contentTime}', 'Board-Read': '${contentTime}', 'Board-Interval': '300' }
  // Painting would take most of the time.
  document.documentElement.style.opacity = 0
  const figures = []
  for (const [content, items] of contents.entries()) {
    const answered = new Promise((resolve) => {
      window.fetch = async () => {
        setTimeout(resolve)
        return new Response(JSON.stringify(items), { headers })
      }
    })
    dispatchEvent(new Event('online'))
    await answered
    await turn()
    const pages = Math.max(1, ...[...document.querySelectorAll('.dots')].map((dots) => dots.childElementCount))
    for (let page = 0; page < Math.min(pages, 2); page += 1) {
      if (page > 0) {
        skippedMs += 100_000
        await turn()
      }
      const boxes = ${boxesOf}
      const words = document.querySelector('main').innerText.split(/\\s+/).length
      const isSparse = document.querySelector('.idle') !== null || words <= ${fewWords}
      figures.push({ content, page, isSparse, cut: ${cutOff}, overlapping: ${overlaps}(boxes), blank: ${highestBlank}(boxes), smallest: ${smallestText} })
    }
  }
  return figures
}`

const measured = (page: Page, items: readonly (readonly BoardItem[])[]) =>
  page.evaluate(`(${measureAll})(${JSON.stringify(items)})`) as Promise<readonly Figures[]>

describe.skipIf(chromiumIsMissing)('the layout of boards', () => {
  const browser = sharedBrowser()
  /** Measurements of all screens, which run at the same time. */
  let measurements: ReadonlyMap<string, ReturnType<typeof measuredOn>>
  sharedService({ publicFeedIds: ['events'] }, async ({ url, readAll }) => {
    await readAll()
    measurements = new Map(screens.map((screen) => [screen.name, measuredOn(url, screen)]))
  })

  async function measuredOn(
    url: string,
    { name, distance, ...viewport }: (typeof screens)[number],
  ) {
    const { page, context, complaints } = await openSharedPage(browser(), { viewport })
    await page.goto(`${url}/board?motion=0&distance=${distance}`)
    await page.locator('#time').filter({ hasText: /\d/ }).waitFor()
    const figures = await measured(page, contents)
    await keepScreenshot(page, `board-layout-${name.replaceAll(/\W/g, '-')}`)
    await context.close()
    return { figures, complaints }
  }

  test.for(screens)(
    'cuts nothing and leaves nothing blank, whatever the content: $name',
    async ({ name, distance, ...viewport }) => {
      const { figures = [], complaints } = (await measurements.get(name)) ?? {}
      expect(figures.length).toBeGreaterThan(contents.length)
      const readable =
        (100 * smallestReadable(viewport, { distance, inches: 55 })) / viewport.height
      const faults = figures.filter(
        ({ isSparse, cut, overlapping, blank, smallest }) =>
          cut.length > 0 ||
          overlapping.length > 0 ||
          (blank > maxBlank && !isSparse) ||
          smallest < readable * 0.999,
      )
      expect(faults).toEqual([])
      expect(complaints).toEqual([])
    },
  )
})
