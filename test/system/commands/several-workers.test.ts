import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createSandbox } from '../../../src/sandbox/sandbox.ts'
import { outputUntil, runProcess } from '../../support/command-line.ts'
import { exchangeUrl } from '../../support/raw-http.ts'
import { settingsFor } from '../../support/sandbox.ts'
import { temporaryDirectory } from '../../support/service.ts'
import { waitFor } from '../../support/wait-for.ts'

/** The second worker has milbrook. */
const names = ['ashton', 'milbrook', 'cedar'] as const

type SiteStatus = { readonly name: string; readonly sentences: readonly string[] }

/** Serves three sites with two workers. */
async function serveSites() {
  const directory = temporaryDirectory()
  onTestFinished(() => directory[Symbol.dispose]())
  const sites: Record<string, object> = {}
  for (const name of names) {
    const sandbox = await createSandbox()
    onTestFinished(() => sandbox[Symbol.asyncDispose]())
    sites[name] = { ...settingsFor(sandbox), PUBLIC_URL: `https://${name}.example` }
  }
  writeFileSync(join(directory.path, 'sites.json'), JSON.stringify(sites))
  const environment = { SITES_FILE: 'sites.json', MAKERS: '2', LOG_LEVEL: 'error' }
  const service = runProcess(directory.path, ['serve'], environment)
  const output = await outputUntil(service, /Stop with Ctrl\+C/)
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0] ?? ''

  const ask = async (name: string, path: string) =>
    (await exchangeUrl(`${url}${path}`, { Host: `${name}.example` })).status
  const statuses = async () => {
    const response = await fetch(`${url}/status`)
    return ((await response.json()) as { readonly sites: readonly SiteStatus[] }).sites
  }
  const metrics = async () => (await fetch(`${url}/metrics`)).text()
  return { service, output, ask, statuses, metrics }
}

const argsOf = (pid: string) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')

/** Returns the process of the second worker. */
function secondWorker(parent: number | undefined): number | undefined {
  const children = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').match(/\d+/g)
  const found = children?.find((pid) => argsOf(pid).join(' ').includes(' worker 1'))
  return found === undefined ? undefined : Number(found)
}

test('serves several sites with two workers, one of which is killed under load', async () => {
  const { service, output, ask, statuses, metrics } = await serveSites()
  expect(output).toContain('Feedhouse serves 3 sites at http://')
  for (const name of names) {
    await waitFor(async () => expect(await ask(name, '/events.ics')).toBe(200))
  }
  const listed = await statuses()
  expect(listed.map(({ name }) => name)).toEqual(names)
  expect(JSON.stringify(listed)).not.toMatch(/not running|in time|exited/)
  const text = await metrics()
  for (const name of names) {
    expect(text).toContain(`feedhouse_budget_left_calls{window="minute",site="${name}"}`)
  }
  expect(text).toMatch(/^process_resident_memory_bytes\{maker="1"\} \d+$/m)

  const load = new AbortController()
  const loading = names.map(async (name) => {
    const answered = new Set<number>()
    while (!load.signal.aborted) answered.add(await ask(name, '/events.ics'))
    return answered
  })
  const killed = secondWorker(service.pid)
  process.kill(killed ?? NaN, 'SIGKILL')
  await waitFor(async () => {
    const [ashton, milbrook] = await statuses()
    expect(milbrook?.sentences.join(' ')).toContain('exited unexpectedly once')
    expect(ashton?.sentences.join(' ')).not.toContain('exited')
  })
  expect(secondWorker(service.pid)).not.toBe(killed)
  await waitFor(async () => expect(await ask('milbrook', '/news.rss')).toBe(200))
  load.abort()
  expect(await Promise.all(loading)).toEqual(names.map(() => new Set([200])))

  const exited = once(service, 'exit')
  service.kill('SIGTERM')
  await waitFor(async () => expect(await ask('milbrook', '/readyz')).toBe(503))
  expect(await ask('milbrook', '/events.ics')).toBe(200)
  expect(await exited).toEqual([0, null])
})
