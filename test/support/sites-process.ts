import type { ChildProcess } from 'node:child_process'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import { readyService, runProcess } from './command-line.ts'
import { exchangeUrl } from './raw-http.ts'
import { settingsFor } from './sandbox.ts'
import { testDirectory } from './service.ts'
import { atTestEnd } from './test-end.ts'

type Sites = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** Starts a website for each name. Returns settings for serving them. */
export async function startWebsites(
  names: readonly string[],
  more: (name: string) => Sites[string] = () => ({}),
): Promise<Sites> {
  const sites = names.map(async (name) => {
    const sandbox = await createSandbox()
    atTestEnd(() => sandbox[Symbol.asyncDispose]())
    const own = { PUBLIC_URL: `https://${name}.example`, ...more(name) }
    return [name, { ...settingsFor(sandbox), ...own }] as const
  })
  return Object.fromEntries(await Promise.all(sites))
}

/** Serves sites in a process with two workers. */
export async function serveSites(sites: Sites, environment: Record<string, string> = {}) {
  const directory = testDirectory()
  const file = join(directory, 'sites.json')
  const write = (listed: Sites) => {
    writeFileSync(`${file}.new`, JSON.stringify(listed))
    renameSync(`${file}.new`, file)
  }
  write(sites)
  const settings = { SITES_FILE: 'sites.json', WORKERS: '2', LOG_LEVEL: 'error', ...environment }
  const service = runProcess(directory, ['serve'], settings)
  const { output, url } = await readyService(service)
  const ask = (name: string, path: string) =>
    exchangeUrl(`${url}${path}`, { Host: `${name}.example` })
  return { service, file, write, output, url, ask }
}

const argsOf = (pid: string) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ')

/** Returns the workers of a service, the first one first. */
export function workersOf({ pid }: ChildProcess): readonly number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').match(/\d+/g)
  const workers = (children ?? []).filter((child) => argsOf(child).includes(' worker '))
  return workers.toSorted((a, b) => argsOf(a).localeCompare(argsOf(b))).map(Number)
}
