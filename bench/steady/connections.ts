import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fetchResponse } from '../running/response.ts'
import { startProcess } from '../running/child-process.ts'
import { datasetEvents } from '../running/dataset.ts'
import { residentMib } from '../running/process-figures.ts'
import { quartilesFrom } from '../running/quartiles.ts'
import { startService } from '../running/service.ts'
import { temporaryDirectory } from '../running/temporary-directory.ts'
import { printFigure, printTarget } from './figure.ts'

const events = 200
const connections = 10_000
const settleMs = 2_000
const requests = 50
const target = { max: 400, unit: 'MB' }
const script = join(import.meta.dirname, 'idle-connections.ts')

/**
 * Measures how much memory idle keep-alive connections use, and response times while they are open.
 */
export async function measureConnections(): Promise<void> {
  process.stdout.write(`\nIdle connections, ${events} events\n`)
  await using service = await startService(datasetEvents(events))
  const url = `${service.url}/events.ics`
  const { wireBytes } = await fetchResponse(url, { 'Accept-Encoding': 'gzip' })
  printFigure('without connections', await stateText(service.pid, url))
  const args = [script, url, String(connections), String(wireBytes)]
  await using idle = startProcess(process.execPath, args, { cwd: temporaryDirectory() })
  await idle.waitForOutput(/^open$/m)
  await sleep(settleMs)
  printFigure(`with ${connections}`, await stateText(service.pid, url))
  idle.expectRunning()
  printTarget('resident with connections', residentMb(service.pid), target)
}

async function stateText(pid: number, url: string): Promise<string> {
  const resident = residentMb(pid).toFixed(0)
  const times: number[] = []
  for (let request = 0; request < requests; request += 1) {
    const { status, ms } = await fetchResponse(url, { 'Accept-Encoding': 'gzip' })
    if (status !== 200) throw new Error(`A request failed with ${status}.`)
    times.push(ms)
  }
  const { median } = quartilesFrom(times)
  const figures = `median ${median.toFixed(1)} ms, max ${Math.max(...times).toFixed(1)} ms`
  return `${resident} MB; a GET over a new connection: ${figures}`
}

function residentMb(pid: number): number {
  return (residentMib(pid) * 1024 ** 2) / 1e6
}
