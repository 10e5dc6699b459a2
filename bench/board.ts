/*
 * Measures the board in Chromium: the first picture on a processor that is six times slower, the work
 * of a board between two pages, and the frames while one page fades into the next at 4K.
 *
 *   npm run bench -- board [--runs 5] [--idle-seconds 60]
 *
 * The service with the demo's records and Chromium run in separate processes. `first` is the time until
 * the server's picture is visible, and `arranged` the time until the script has fitted the board to the
 * screen. Frames depend on the graphics processor; without one, Chromium draws them itself.
 */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'
import { chromiumPath } from '../test/support/chromium.ts'
import { startProcess } from './running/child-process.ts'
import { quartilesFrom } from './running/quartiles.ts'
import { temporaryDirectory } from './running/temporary-directory.ts'

const main = join(import.meta.dirname, '../src/main.ts')

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    'idle-seconds': { type: 'string', default: '60' },
  },
})
const runs = Math.max(1, Number.parseInt(values.runs, 10) || 1)
const idleSeconds = Math.max(1, Number.parseInt(values['idle-seconds'], 10) || 60)
const slowdown = 6

if (chromiumPath === undefined) throw new Error('there is no Chromium: install chromium')
const cwd = temporaryDirectory()
await using service = startProcess(process.execPath, [main, 'serve', '--demo'], {
  cwd,
  env: { PORT: '0', DATA_DIR: join(cwd, 'data') },
})
const [, url = ''] = await service.waitForOutput(/(http:\/\/\S+)\/$/m)
const browser = await chromium.launch({ executablePath: chromiumPath })

/** Opens a board in a new profile. */
async function openBoard({ query = '', rate = 1, width = 1920, height = 1080 } = {}) {
  const context = await browser.newContext({ viewport: { width, height } })
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate })
  await page.goto(`${url}/board${query}`)
  await page.locator('#frame.solved').waitFor()
  return { page, session, close: () => context.close() }
}

async function firstPicture(): Promise<{ readonly first: number; readonly arranged: number }> {
  const { page, close } = await openBoard({ rate: slowdown })
  const figures = await page.evaluate<[number, number]>(`new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(() => resolve([
      performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN,
      performance.getEntriesByName('arranged')[0]?.startTime ?? NaN,
    ])))
  })`)
  await close()
  return { first: figures[0], arranged: figures[1] }
}

/** Returns the share of a core that the page's main thread uses. */
async function idleShare(): Promise<number> {
  const { session, close } = await openBoard({ query: '?rotate=300' })
  await session.send('Performance.enable')
  const taskSeconds = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN
  }
  // The first few seconds include startup.
  await sleep(5000)
  const before = await taskSeconds()
  await sleep(idleSeconds * 1000)
  const used = (await taskSeconds()) - before
  await close()
  return (100 * used) / idleSeconds
}

/** Returns the times between frames, in milliseconds, while pages fade. */
async function fadeIntervals(): Promise<readonly number[]> {
  const { page, close } = await openBoard({
    query: '?rotate=5&show=news',
    width: 3840,
    height: 2160,
  })
  const intervals = await page.evaluate<number[]>(`new Promise((resolve) => {
    new MutationObserver((changes, observer) => {
      if (!changes.some(({ addedNodes }) => addedNodes.length > 0)) return
      observer.disconnect()
      const start = performance.now()
      const times = [start]
      requestAnimationFrame(function frame(time) {
        times.push(time)
        if (time - start < 1200) requestAnimationFrame(frame)
        else resolve(times.slice(2).map((each, index) => each - times[index + 1]))
      })
    }).observe(document.querySelector('#cards .layers'), { childList: true })
  })`)
  await close()
  return intervals
}

const pictures = []
while (pictures.length < runs) pictures.push(await firstPicture())
for (const name of ['first', 'arranged'] as const) {
  const { median } = quartilesFrom(pictures.map((each) => each[name]))
  process.stdout.write(`${name.padEnd(12)}${median.toFixed(0).padStart(8)} ms\n`)
}
process.stdout.write(
  `${'idle'.padEnd(12)}${(await idleShare()).toFixed(2).padStart(8)} % of a core\n`,
)
const intervals = await fadeIntervals()
const dropped = intervals.filter((interval) => interval > 25).length
const rate = (1000 * intervals.length) / intervals.reduce((sum, each) => sum + each, 0)
process.stdout.write(
  `${'fade'.padEnd(12)}${rate.toFixed(1).padStart(8)} frames/s, ${dropped} late\n`,
)
await browser.close()
