import { expect, test } from 'vitest'
import { sampleDatasetOn } from '../../../src/sandbox/sample/sample-dataset.ts'
import { sampleEvent } from '../../support/sample-event.ts'
import { sharedPages } from '../../support/shared-service.ts'

const dataset = {
  ...sampleDatasetOn('2026-03-05'),
  events: [
    sampleEvent(7, '2026-03-06', '2026-03-06', { title: 'Fish fry', location: 'Social Hall' }),
    sampleEvent(8, '2026-03-07', '2026-03-07', { title: 'Café night', text: 'No fish, but pie' }),
    sampleEvent(9, '2026-06-07', '2026-06-07', { title: 'Fishing day' }),
  ],
}

const { get } = sharedPages(dataset, { publicFeedIds: ['events', 'rental', 'news'] })

const titlesIn = (text: string) =>
  [...text.matchAll(/<strong[^>]*>([^<]+)<\/strong>/g)].map(([, title]) => title)

test.for<[path: string, titles: readonly string[]]>([
  ['agenda?show=events&q=fish', ['Fish fry', 'Café night']],
  ['agenda?show=events&q=FISH+-cafe', ['Fish fry']],
  ['agenda?show=events&place=social+hall', ['Fish fry']],
  ['agenda?q=bingo', []],
  ['agenda?show=events&from=2026-06-01&q=fish', ['Fishing day']],
])('%s lists only matching entries', async ([path, titles]) => {
  const { status, text } = await get(path)
  expect(status).toBe(200)
  expect(titlesIn(text)).toEqual(titles)
})

test('says how many entries match, and keeps the search in its links', async () => {
  const { text } = await get('agenda?show=events&q=Fish&place=Social+Hall')
  expect(text).toContain('1 entry matches “fish, social hall”.')
  expect(text).toContain(
    'href="agenda?from=2026-05-04&amp;show=events&amp;q=fish&amp;place=social%20hall"',
  )
  expect(text).toContain('href="month/2026-03?show=events&amp;q=fish&amp;place=social%20hall"')
  expect(text).toContain('href="agenda?show=events,rental:2&amp;q=fish&amp;place=social%20hall"')
  expect(text).toContain(
    'href="./feeds?feed=all&amp;show=events&amp;q=fish&amp;place=social%20hall"',
  )
  expect(text).toContain('href="agenda?show=events" rel="nofollow">Show all')
  expect(text).toContain('<input type="hidden" name="place" value="social hall">')
  expect(text).toMatch(/<input id="q" [^>]*value="fish"/)
})

test('searches months in the same way', async () => {
  const { text } = await get('month/2026-03?show=events&q=pie')
  expect(text).toContain('Café night')
  expect(text).not.toContain('Fish fry')
  expect(text).toContain('1 entry matches “pie”.')
  expect(text).toContain('href="../agenda?show=events&amp;q=pie"')
  const empty = await get('month/2026-03?q=bingo')
  expect(empty.text).toContain('0 entries match “bingo”.')
  expect(empty.text).not.toContain('Nothing planned')
})

test('rejects a search that is too long, and escapes markup', async () => {
  const long = await get(`agenda?q=${'x'.repeat(101)}`)
  expect([long.status, long.text]).toEqual([
    400,
    expect.stringContaining('q must be at most 100 characters and 8 words.'),
  ])
  const { text } = await get(`agenda?q=${encodeURIComponent('<b>x</b>"')}`)
  expect(text).toContain('match “&lt;b&gt;x&lt;/b&gt;”')
})
