import { once } from 'node:events'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createSandbox } from '../../../src/sandbox/sandbox.ts'
import { outputUntil, runProcess } from '../../support/command-line.ts'
import { exchangeUrl } from '../../support/raw-http.ts'
import { settingsFor } from '../../support/sandbox.ts'
import { temporaryDirectory } from '../../support/service.ts'
import { waitFor } from '../../support/wait-for.ts'

type Sites = Readonly<Record<string, object>>

/** The sites of the file from the start. The second worker has every other one of them. */
const present = ['ashton', 'milbrook', 'cedar', 'dover', 'easton']

/** Serves the present sites with two workers. The website of one more site is ready too. */
async function serveSites() {
  const directory = temporaryDirectory()
  onTestFinished(() => directory[Symbol.dispose]())
  const settings = await Promise.all(
    [...present, 'new'].map(async (name) => {
      const sandbox = await createSandbox()
      onTestFinished(() => sandbox[Symbol.asyncDispose]())
      return [name, { ...settingsFor(sandbox), PUBLIC_URL: `https://${name}.example` }] as const
    }),
  )
  const all: Sites = Object.fromEntries(settings)
  const file = join(directory.path, 'sites.json')
  const write = (text: string) => {
    writeFileSync(`${file}.new`, text)
    renameSync(`${file}.new`, file)
  }
  const { new: added, ...first } = all
  write(JSON.stringify(first))
  const environment = { SITES_FILE: 'sites.json', MAKERS: '2', LOG_LEVEL: 'info' }
  const service = runProcess(directory.path, ['serve'], environment)
  let log = ''
  service.stderr.on('data', (lines: Buffer) => (log += String(lines)))
  const output = await outputUntil(service, /Stop with Ctrl\+C/)
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0] ?? ''
  const ask = async (name: string, path = '/events.ics') =>
    (await exchangeUrl(`${url}${path}`, { Host: `${name}.example` })).status
  const status = async () => (await fetch(`${url}/status`)).text()
  return { service, file, first, added, write, ask, status, log: () => log }
}

/** Listens, but never responds. */
async function silentServer() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { siteUrl: `https://localhost:${port}`, connected: once(server, 'connection') }
}

const argsOf = (pid: string) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ')

/** Returns the processes of both workers, the first one first. */
function workersOf(parent: number | undefined): readonly number[] {
  const children = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').match(/\d+/g)
  const workers = (children ?? []).filter((pid) => argsOf(pid).includes(' worker '))
  return workers.toSorted((a, b) => argsOf(a).localeCompare(argsOf(b))).map(Number)
}

test('sites come, change, break and go while the others are served without a break', async () => {
  const { service, file, first, added, write, ask, status, log } = await serveSites()
  const { milbrook, ...rest } = first
  const others = Object.keys(rest)
  for (const name of present) await waitFor(async () => expect(await ask(name)).toBe(200))
  const workers = workersOf(service.pid)

  const load = new AbortController()
  const paths = ['/events.ics', '/news.rss', '/', '/livez']
  const loading = others.map(async (name) => {
    const answered = new Set<number>()
    for (let turn = 0; !load.signal.aborted; turn += 1) {
      answered.add(await ask(name, paths[turn % paths.length]))
    }
    return answered
  })

  const { siteUrl, connected } = await silentServer()
  write(JSON.stringify({ ...first, new: { ...added, SITE_URL: siteUrl } }))
  await connected
  // If the change takes longer than requests wait, the first request gets 503.
  const answered = waitFor(async () => expect(await ask('new')).toBe(200))
  write(JSON.stringify({ ...first, new: added }))
  await answered

  write(JSON.stringify({ ...first, new: { ...added, PUBLIC_FEEDS: 'news' } }))
  await waitFor(async () => expect(await ask('new')).toBe(403))

  // Neither written atomically nor valid. A site can be restarted nevertheless.
  writeFileSync(file, '{ "ashton": ')
  await waitFor(async () => expect(await status()).toContain('sites.json is not valid JSON'))
  for (const killed of workers) process.kill(killed, 'SIGKILL')
  await waitFor(async () => expect(await status()).toMatch(/not valid JSON.*exited unexpectedly/))
  for (const name of ['ashton', 'milbrook']) {
    await waitFor(async () => expect(await ask(name, '/calendar.ics')).toBe(403))
  }
  expect(await ask('new')).toBe(403)

  write(JSON.stringify({ ...rest, new: added }))
  await waitFor(async () => expect(await ask('milbrook')).toBe(404))
  await waitFor(async () => expect(await ask('new')).toBe(200))
  await waitFor(async () => expect(await status()).not.toMatch(/not used|milbrook/))
  expect(milbrook).toBeDefined()

  const timesRead = () => log().split('the sites file was read again').length
  const before = timesRead()
  service.kill('SIGHUP')
  await waitFor(() => expect(timesRead()).toBe(before + 1))
  expect(await ask('milbrook')).toBe(404)

  load.abort()
  expect(await Promise.all(loading)).toEqual(others.map(() => new Set([200])))
  const exited = once(service, 'exit')
  service.kill('SIGTERM')
  expect(await exited).toEqual([0, null])
})
