import { describe, expect, test } from 'vitest'
import { datasetFrom } from '../../../src/sandbox/resources/resources.ts'
import { sampleDatasetOn } from '../../../src/sandbox/sample/sample-dataset.ts'
import {
  chromiumIsMissing,
  faultsOf,
  openPage,
  sharedBrowser,
  views,
} from '../../support/browser.ts'
import { sharedService } from '../../support/shared-service.ts'

const sample = sampleDatasetOn('2026-03-05')
const [story] = sample.news
const [entry] = sample.calendar
if (!story || !entry) throw new TypeError('an empty sample')

const headlines = [
  '<script>document.title = "Taken over"</script> zebra & <b>"quotes"</b>',
  'Zebra'.repeat(16),
  'زيارة zebra إلى المدرسة',
  `\u202e${'\u0301'.repeat(40)}zebra`,
  'Straße, İstanbul, oﬃce and a zebra',
]

const dataset = datasetFrom({
  ...sample,
  calendar: Array.from({ length: 40 }, (_, index) => ({
    ...entry,
    id: 1 + index,
    status: 2,
    title: index === 0 ? 'A very long title with a zebra, '.repeat(4) : `Zebra ${index}`,
    location: index === 1 ? 'Zebra'.repeat(30) : 'Station 1',
    startDate: `2026-03-${10 + (index % 20)}`,
    endDate: '',
  })),
  news: headlines.map((headline, index) => ({
    ...story,
    id: 1 + index,
    deployed: 1,
    date: '2026-03-01 10:00:00',
    headline,
    text: `${headline} ${'<p>Stripes and hooves.</p>'.repeat(1_000)}`,
  })),
})

describe.skipIf(chromiumIsMissing)('the search page', () => {
  const browser = sharedBrowser()
  const service = sharedService({
    publicFeedIds: ['calendar', 'news'],
    sandbox: { datasetOn: () => dataset },
  })

  test.for(views)('fits and is accessible: $name', async ({ name, ...view }) => {
    const { page, complaints } = await openPage(browser(), view)
    await service().clock.advance(60_000)
    await page.goto(`${service().url}/search`)
    expect(await faultsOf(page, `search-${name}`)).toEqual([])
    await page.goto(`${service().url}/search?q=zebra`)
    expect(await page.locator('mark').count()).toBeGreaterThan(15)
    expect(await page.title()).toMatch(/^Search/)
    expect(await faultsOf(page, `search-found-${name}`)).toEqual([])
    expect(complaints).toEqual([])
  })

  test('works without scripts, from the home page to a result', async () => {
    const { page } = await openPage(browser(), { javaScriptEnabled: false })
    await service().clock.advance(60_000)
    await page.goto(`${service().url}/?lang=de`)
    await page.getByRole('link', { name: 'Suche', exact: true }).click()
    await page.getByLabel('Suchbegriffe').fill('"zebra 5"')
    await page.getByRole('button', { name: 'Suchen' }).click()
    await page.getByRole('status').getByText('1 Treffer für „"zebra 5"“.').waitFor()
    await page.getByRole('link', { name: 'Zebra 5' }).click()
    await page.getByRole('heading', { name: 'Zebra 5' }).waitFor()
    expect(page.url()).toContain('/calendar/6?lang=de')
  })
})
