/*
 * Measures the speed and weight of the public pages with Lighthouse, which simulates a phone with a
 * slow connection.
 *
 *   npm run bench -- pages [--runs 3]
 *
 * The service with the demo's records and Chromium run in separate processes. `LCP` is the time
 * until the largest part of the page is visible, and `CLS` is how much the page moves while it
 * loads. Sizes are compressed, with headers. Figures are medians across the runs.
 */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Result } from 'lighthouse'
import { startLighthouse } from '../test/system/lighthouse/start-lighthouse.ts'
import { startProcess } from './running/child-process.ts'
import { quartilesFrom } from './running/quartiles.ts'
import { temporaryDirectory } from './running/temporary-directory.ts'

const main = join(import.meta.dirname, '../src/main.ts')

const { values } = parseArgs({ options: { runs: { type: 'string', default: '3' } } })
const runs = Math.max(1, Number.parseInt(values.runs, 10) || 1)

const columns: readonly {
  readonly name: string
  readonly figureIn: (result: Result) => number
  readonly digits: number
}[] = [
  { name: 'score', figureIn: ({ categories }) => scoreOf(categories), digits: 0 },
  { name: 'LCP ms', figureIn: figureOf('largest-contentful-paint'), digits: 0 },
  { name: 'CLS', figureIn: figureOf('cumulative-layout-shift'), digits: 3 },
  { name: 'KB', figureIn: kilobytesOf(() => true), digits: 1 },
  { name: 'KB without pictures', figureIn: kilobytesOf((type) => type !== 'Image'), digits: 1 },
]

function scoreOf(categories: Result['categories']): number {
  return 100 * (categories['performance']?.score ?? Number.NaN)
}

function figureOf(audit: string) {
  return ({ audits }: Result) => audits[audit]?.numericValue ?? Number.NaN
}

function kilobytesOf(isCounted: (resourceType: unknown) => boolean) {
  return ({ audits }: Result) => {
    const requests = audits['network-requests']?.details?.items ?? []
    const counted = requests.filter(({ resourceType }) => isCounted(resourceType))
    return counted.reduce((sum, { transferSize }) => sum + Number(transferSize), 0) / 1000
  }
}

const cwd = temporaryDirectory()
await using lighthouse = await startLighthouse()
await using service = startProcess(process.execPath, [main, 'serve', '--demo'], {
  cwd,
  env: { PORT: '0', DATA_DIR: join(cwd, 'data') },
})
const [, url = ''] = await service.waitForOutput(/(http:\/\/\S+)\/$/m)

async function firstItemOf(feed: string): Promise<string> {
  const list = await (await fetch(`${url}/${feed}.json`)).text()
  return JSON.parse(list).items[0].url
}

const pages = [
  ['home page', `${url}/`],
  ['page of an event', await firstItemOf('events')],
  ['list of news', `${url}/news`],
  ['page of a story', await firstItemOf('news')],
] as const

process.stdout.write(`${''.padEnd(20)}${columns.map(({ name }) => name.padStart(20)).join('')}\n`)
for (const [name, address] of pages) {
  const results: Result[] = []
  while (results.length < runs) results.push(await lighthouse.audit(address, ['performance']))
  const figures = columns.map(({ figureIn, digits }) =>
    quartilesFrom(results.map(figureIn)).median.toFixed(digits).padStart(20),
  )
  process.stdout.write(`${name.padEnd(20)}${figures.join('')}\n`)
}
