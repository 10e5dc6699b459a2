import { describe, expect, test } from 'vitest'
import { sampleDatasetOn } from '../../../src/sandbox/sample/sample-dataset.ts'
import {
  chromiumIsMissing,
  faultsOf,
  keepScreenshot,
  openPage,
  sharedBrowser,
  views,
} from '../../support/browser.ts'
import { sampleEvent } from '../../support/sample-event.ts'
import { sharedService } from '../../support/shared-service.ts'

const sample = sampleDatasetOn('2026-03-05')
const [story] = sample.news
if (!story) throw new TypeError('an empty sample')

/** Returns a table with a heading row and two more rows. */
function tableWith(columns: number): string {
  const row = (cell: string) =>
    `<tr>${Array.from({ length: columns }, (_, at) => `<${cell}>Apparatus${at}</${cell}>`).join('')}</tr>`
  return `<table>${row('th')}${row('td')}${row('td')}</table>`
}

const longTitles = [
  'Freiwilligenfeuerwehrjahreshauptversammlung',
  'Firefighter/EMT/Driver/Operator/Recruit/Orientation',
]

const dataset = {
  ...sample,
  news: [2, 7, 40].map((columns) => ({
    ...story,
    id: columns,
    deployed: 1 as const,
    text: `<p>Before.</p>${tableWith(columns)}<p>After.</p>`,
  })),
  events: longTitles.map((title, index) =>
    sampleEvent(index + 1, '2026-03-08T18:00:00', '2026-03-08T19:00:00', {
      title,
      location: title,
    }),
  ),
}

describe.skipIf(chromiumIsMissing).each(views)('on a $name', ({ name, viewport }) => {
  const browser = sharedBrowser()
  const service = sharedService({ sandbox: { datasetOn: () => dataset } })

  test.for([2, 7, 40])('a table with %i columns scrolls within its story', async (columns) => {
    const { page } = await openPage(browser(), { viewport })
    await page.goto(`${service().url}/news/${columns}`)
    expect(await faultsOf(page)).toEqual([])
    await keepScreenshot(page, `table-${columns}-${name}`)
    const hasRoom = await page.evaluate(
      '[...document.querySelectorAll("article table")].map(({ parentElement: { scrollWidth, clientWidth } }) => scrollWidth === clientWidth)',
    )
    expect(hasRoom).toEqual([columns === 2])
  })

  test.for([1, 2])('the flyer of event %i shows all of a long title', async (id) => {
    const { page } = await openPage(browser(), { viewport })
    await page.goto(`${service().url}/events/${id}/flyer`)
    expect(await faultsOf(page)).toEqual([])
    await keepScreenshot(page, `flyer-${id}-${name}`)
    const sheet = await page.locator('.sheet').boundingBox()
    for (const text of await page.locator('.banner > *').all()) {
      const box = await text.boundingBox()
      expect(box?.x).toBeGreaterThanOrEqual(sheet?.x ?? Infinity)
      expect(box?.width).toBeLessThanOrEqual(sheet?.width ?? 0)
    }
  })
})
