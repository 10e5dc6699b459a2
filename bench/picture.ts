/*
 * Measures a board's picture: processor time of all threads and of the main thread, the size of the
 * file, and memory.
 *
 *   npm run bench -- picture [--runs 30]
 *
 * Each picture has a different title, because equal ones are drawn only once. `layout` is the part of the
 * main thread's time that arranges the board as SVG.
 */
import { parseArgs } from 'node:util'
import { useFontsFile } from '../src/config/env-file.ts'
import { drawnPicture } from '../src/pictures/drawn-picture.ts'
import { fontsFile } from '../src/pictures/image-library.ts'
import { busyWeek, drawingFor } from '../test/support/board-picture.ts'
import { quartilesFrom } from './running/quartiles.ts'

const { values } = parseArgs({ options: { runs: { type: 'string', default: '30' } } })
const runs = Math.max(3, Number.parseInt(values.runs, 10) || 30)

const forms = [
  'size=800x480&colors=2',
  'size=800x480&colors=7',
  'size=800x480&colors=16',
  'size=800x480&colors=full',
  'size=1200x825&colors=2',
  'size=1872x1404&colors=full',
]

let drawn = 0

const milliseconds = ({ user, system }: { readonly user: number; readonly system: number }) =>
  (user + system) / 1000

const mebibytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(0)} MiB`

const median = (numbers: readonly number[]) => quartilesFrom(numbers).median

async function measure(query: string) {
  const [all, main, layout, sizes]: [number[], number[], number[], number[]] = [[], [], [], []]
  for (let run = 0; run < runs; run += 1) {
    const before = [process.cpuUsage(), process.threadCpuUsage()] as const
    const { drawing, form } = drawingFor({
      items: busyWeek,
      query: `${query}&title=Number ${++drawn}`,
    })
    layout.push(milliseconds(process.threadCpuUsage(before[1])))
    const file = await drawnPicture(drawing, form)
    all.push(milliseconds(process.cpuUsage(before[0])))
    main.push(milliseconds(process.threadCpuUsage(before[1])))
    sizes.push(file.length)
  }
  return { all: median(all), main: median(main), layout: median(layout), bytes: median(sizes) }
}

useFontsFile(fontsFile)
const start = process.memoryUsage.rss()
process.stdout.write(`memory before the first picture: ${mebibytes(start)}\n`)
for (const query of forms) {
  await measure(query)
  const { all, main, layout, bytes } = await measure(query)
  const peak = process.resourceUsage().maxRSS * 1024
  const times = `${all.toFixed(1)} ms, main thread ${main.toFixed(1)} ms (layout ${layout.toFixed(1)} ms)`
  process.stdout.write(`${query}: ${times}, ${bytes} bytes, peak ${mebibytes(peak - start)} more\n`)
}
