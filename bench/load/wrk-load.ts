import { execFile, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Burst, Load, LoadOptions } from './load.ts'

const script = join(import.meta.dirname, 'wrk.lua')
/**
 * Response timeout, the same as autocannon's. wrk's default is too short for a server that renders
 * every response.
 */
const responseSeconds = 10
const graceMs = 15_000

/** Creates a load generator, or returns undefined if `wrk` is not installed. */
export function wrkLoad(): Load | undefined {
  const { stdout, error } = spawnSync('wrk', ['-v'], { encoding: 'utf8' })
  if (error) return undefined
  const [, version = ''] = /^wrk (\S+)/.exec(stdout) ?? []
  return { name: `wrk ${version}`, burst }
}

async function burst(options: LoadOptions): Promise<Burst> {
  const { requests, connections, seconds, requestsPerSecond } = options
  const delayMs = requestsPerSecond ? Math.round((connections * 1000) / requestsPerSecond) : 0
  const [first] = requests
  const args = [
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    `--timeout=${responseSeconds}s`,
    '-s',
    script,
    '-H',
    'Accept-Encoding: gzip',
    ...(first?.ifNoneMatch ? ['-H', `If-None-Match: ${first.ifNoneMatch}`] : []),
    first?.url ?? '',
    '--',
    String(delayMs),
    // A single request needs no script.
    ...(requests.length === 1 ? [] : requests.flatMap(pathAndTag)),
  ]
  const timeout = seconds * 1000 + graceMs
  const { stdout } = await promisify(execFile)('wrk', args, { timeout })
  return JSON.parse(stdout.slice(stdout.lastIndexOf('{')))
}

function pathAndTag({ url, ifNoneMatch = '' }: LoadOptions['requests'][number]): string[] {
  const { pathname, search } = new URL(url)
  return [`${pathname}${search}`, ifNoneMatch]
}
