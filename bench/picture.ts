/*
 * Measures a board's picture: processor time of all threads and of the main thread, the size of the
 * file, and memory.
 *
 *   npm run bench -- picture [--runs 30]
 *
 * Each picture has a different title, because identical ones are drawn only once. Runs in a process with the
 * same options as a worker, and also keeps compiled code between runs.
 */
import { fork } from 'node:child_process'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { processEnvironment, useFontsFile } from '../src/config/env-file.ts'
import { createDrawingThread } from '../src/pictures/drawing-thread.ts'
import { workerAllocation, workerFlags } from '../src/hosting/front-process.ts'
import { fontsFile } from '../src/pictures/image-library.ts'
import { busyWeek, pictureContent } from '../test/support/board-picture.ts'
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

const program = import.meta.resolve('../src/features/board/board-drawing-thread.ts')
const draw = createDrawingThread(program)

let drawn = 0

const milliseconds = ({ user, system }: { readonly user: number; readonly system: number }) =>
  (user + system) / 1000

const mebibytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(0)} MiB`

const median = (numbers: readonly number[]) => quartilesFrom(numbers).median

async function measure(query: string) {
  const [all, main, sizes]: [number[], number[], number[]] = [[], [], []]
  for (let run = 0; run < runs; run += 1) {
    const content = pictureContent({ items: busyWeek, query: `${query}&title=Number ${++drawn}` })
    const before = [process.cpuUsage(), process.threadCpuUsage()] as const
    const file = await draw(content)
    all.push(milliseconds(process.cpuUsage(before[0])))
    main.push(milliseconds(process.threadCpuUsage(before[1])))
    sizes.push(file.length)
  }
  return { all: median(all), main: median(main), bytes: median(sizes) }
}

async function measureAll() {
  useFontsFile(fontsFile)
  const start = process.memoryUsage.rss()
  process.stdout.write(`memory before the first picture: ${mebibytes(start)}\n`)
  for (const query of forms) {
    await measure(query)
    const { all, main, bytes } = await measure(query)
    const more = mebibytes(process.resourceUsage().maxRSS * 1024 - start)
    const times = `${all.toFixed(1)} ms, main thread ${main.toFixed(1)} ms`
    process.stdout.write(`${query}: ${times}, ${bytes} bytes, peak ${more} more\n`)
  }
  process.disconnect()
}

if (process.connected) await measureAll()
else {
  const NODE_COMPILE_CACHE = resolve('node_modules/.cache/feedhouse')
  const env = { NODE_COMPILE_CACHE, ...workerAllocation, ...processEnvironment }
  fork(import.meta.filename, process.argv.slice(2), { execArgv: workerFlags, env })
}
