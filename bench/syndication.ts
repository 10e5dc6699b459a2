/*
 * Measures the time it takes to render 200 items in each format and to sanitize the HTML in
 * stories. Some stories are hostile, with 1 MB of text or 50,000 nested elements.
 *
 *   npm run bench -- syndication
 *
 * Everything runs in one process. Figures are medians across the rounds. The baseline is
 * `JSON.stringify` of the same records.
 */
import { atOnce } from '../src/steps.ts'
import { createRenderers } from '../src/feeds/feed.ts'
import type { FeedFormat } from '../src/feeds/formats.ts'
import { readOptions } from '../src/options/option.ts'
import { identityFrom } from '../src/feeds/identity.ts'
import { feeds } from '../src/feeds/catalog.ts'
import { plainTextFromHtml } from '../src/text/plain-text.ts'
import { readRecords } from '../src/records/read-records.ts'
import { cleanHtml } from '../src/text/html.ts'

const rounds = 15
const items = 200
const siteUrl = 'https://cedarhollow.example'
const now = Date.parse('2026-03-05T15:00:00Z')

const paragraph =
  '<p>Crews were called at 6:42 PM for <b>flames</b> showing from a <a href="/map">chimney</a>; nobody was hurt.</p>'
const storyHtml = `${paragraph.repeat(30)}<ul>${'<li>Engine &amp; crew</li>'.repeat(20)}</ul>`

const stories = Array.from({ length: items }, (_, index) => ({
  id: index + 1,
  date: '2026-03-01 10:00:00',
  deployed: 1,
  headline: `Fire & rescue ${index}`,
  author: 'Jordan Reyes',
  text: storyHtml,
  address: 'Main St',
  units: 'Engine 1',
  categoryId: 1 + (index % 4),
  category: 'Incidents',
  images: [1, 2].map((id) => ({ id, url: `/files/${id}.jpg`, caption: 'Flames', front: 2 - id })),
  attachments: [{ id: 1, fileName: 'rules.pdf', url: '/files/rules.pdf', fileSize: 18_034 }],
}))
const { records } = readRecords('news', stories)
const source = { records, ledger: new Map(), changedAt: now }
const site = {
  name: 'Cedar Hollow',
  url: siteUrl,
  idHost: 'cedarhollow.example',
  timeZone: 'America/New_York',
  identity: identityFrom({}, 'Cedar Hollow'),
  publicUrl: 'https://feeds.cedarhollow.example',
  links: {},
  language: 'en-US',
  publicFeedIds: ['news'],
  hubs: [],
}
const renderers = createRenderers(site)
const news = feeds.find(({ id }) => id === 'news')

function rendered(format: FeedFormat): number {
  const reading = news && readOptions(news.options(format), new URLSearchParams(`limit=${items}`))
  if (!reading?.ok) throw new TypeError('no news feed')
  const request = { format, profile: 'public', now, chosen: reading.chosen } as const
  return news ? atOnce(news.renderSource(source, request, renderers)).body.length : 0
}

function medianMs(work: () => unknown): number {
  const times = Array.from({ length: rounds }, () => {
    const start = performance.now()
    work()
    return performance.now() - start
  })
  return times.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0
}

const baselineMs = medianMs(() => JSON.stringify(records))

function print(name: string, ms: number): void {
  const figures =
    `${ms.toFixed(2)} ms`.padStart(12) + `${(ms / baselineMs).toFixed(1)} x`.padStart(10)
  process.stdout.write(`${name.padEnd(44)}${figures}\n`)
}

print(`JSON.stringify of ${items} stories (baseline)`, baselineMs)
for (const format of ['rss', 'atom', 'json'] as const) {
  print(
    `${items} items as ${format}`,
    medianMs(() => rendered(format)),
  )
}
print(
  'sanitize one story',
  medianMs(() => cleanHtml(storyHtml, siteUrl)),
)
print(
  'sanitize 1 MB of HTML',
  medianMs(() => cleanHtml(paragraph.repeat(9_000), siteUrl)),
)
print(
  'sanitize 1 MB of text',
  medianMs(() => cleanHtml('word '.repeat(200_000), siteUrl)),
)
print(
  'sanitize 50,000 nested elements',
  medianMs(() => cleanHtml('<div>'.repeat(50_000), siteUrl)),
)
print(
  'plain text of 1 MB of HTML',
  medianMs(() => plainTextFromHtml(paragraph.repeat(9_000))),
)
print(
  'plain text of 50,000 nested elements',
  medianMs(() => plainTextFromHtml('<div>'.repeat(50_000))),
)
print(
  'sanitize 50,000 attributes',
  medianMs(() => cleanHtml(`<p ${'a=b '.repeat(50_000)}>`, siteUrl)),
)
