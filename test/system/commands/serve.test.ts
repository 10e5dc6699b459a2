import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import {
  compileCache,
  killWithTest,
  main,
  readyService,
  resultOf,
  runProcess,
} from '../../support/command-line.ts'
import { readCalendar } from '../../support/read-calendar.ts'
import { temporaryDirectory, testDirectory } from '../../support/service.ts'
import { waitUntil } from '../../support/wait-for.ts'

const signals = ['SIGINT', 'SIGTERM'] as const

test('prints working URLs if no settings are set, and exits cleanly on both signals', async () => {
  const stops = signals.map(async (signal) => {
    const child = runProcess(testDirectory(), ['serve'])
    const { output } = await readyService(child)
    expect(output).toContain('the demo: Cedar Hollow Volunteer Fire Department')
    const urls = output.match(/http:\S+/g) ?? []
    expect(urls).toHaveLength(15)
    expect(output).not.toContain('/l/')
    for (const url of urls) expect((await fetch(url)).status).toBe(200)
    const calendar = urls.find((url) => url.endsWith('/events.ics')) ?? ''
    expect(readCalendar(await (await fetch(calendar)).text()).events.length).toBeGreaterThan(20)
    const exited = once(child, 'exit')
    child.kill(signal)
    expect([signal, ...(await exited)]).toEqual([signal, 0, null])
  })
  await Promise.all(stops)
})

test('reports on one line that there is no directory for temporary files', async () => {
  using directory = temporaryDirectory()
  const child = runProcess(directory.path, ['serve'], { TMPDIR: join(directory.path, 'none') })
  const { code, stderr } = await resultOf(child)
  expect(code).toBe(1)
  expect(stderr).toMatch(/^The directory for temporary files \S+none is not writable.*\n$/)
})

test.for([
  ['worker', 'process.kill(process.pid,"SIGKILL")', /^The worker process was killed by SIGKILL be/],
  ['serve', 'process.execPath="/missing/node"', /^\/missing\/node does not exist/],
] as const)(
  'reports on one line that the first process could not start: %s',
  async ([command, fault, line]) => {
    const code = `process.argv[2]===${JSON.stringify(command)}&&(${fault})`
    const environment = {
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}`,
    }
    const child = runProcess(testDirectory(), ['serve'], environment)
    const result = await resultOf(child)
    expect(result).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(line) })
    expect(result.stderr.split('\n')).toHaveLength(2)
  },
)

test('exits with the status that keeps systemd from restarting it', async () => {
  const environment = { FEEDHOUSE_PLATFORM: 'systemd', PORT: 'x' }
  const { code, stderr } = await resultOf(runProcess(testDirectory(), ['serve'], environment))
  expect({ code, lines: stderr.split('\n').length }).toEqual({ code: 78, lines: 2 })
})

test('notifies systemd from the process with the sockets, even while the other hangs', async () => {
  using directory = temporaryDirectory()
  const file = join(directory.path, 'states')
  const notify = `#!/bin/sh\necho "$*" >> ${file}\n`
  writeFileSync(join(directory.path, 'systemd-notify'), notify, { mode: 0o755 })
  const child = runProcess(directory.path, ['serve'], {
    PATH: directory.path,
    NOTIFY_SOCKET: '@none',
    WATCHDOG_USEC: '100000',
  })
  const states = () => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [])
  await readyService(child)
  await waitUntil(() => states().includes('READY=1'))
  const [worker] = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').split(' ')
  process.kill(Number(worker), 'SIGSTOP')
  const before = states().length
  await waitUntil(() => states().length > before + 2)
  process.kill(Number(worker), 'SIGCONT')
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  expect(await exited).toEqual([0, null])
  await waitUntil(() => states().at(-1) === 'STOPPING=1')
  expect(states().filter((state) => state !== 'WATCHDOG=1')).toEqual(['READY=1', 'STOPPING=1'])
})

test('exits within the grace period even if clients and the website are slow', async () => {
  const sockets: Socket[] = []
  const deaf = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1')
  await once(deaf, 'listening')
  const { port: deafPort } = deaf.address() as AddressInfo
  const child = runProcess(testDirectory(), ['serve'], {
    SITE_URL: `https://127.0.0.1:${deafPort}`,
    SITE_REFRESH_TOKEN: 'x',
    SITE_TIME_ZONE: 'America/New_York',
  })
  const { url } = await readyService(child)
  const halfARequest = connect(Number(new URL(url).port), '127.0.0.1')
  halfARequest.on('error', () => undefined).write('GET / HTTP/1.1\r\nHost: x\r\n')
  const waiting = fetch(`${url}/events.ics`).catch(() => 'cut off')
  await fetch(`${url}/livez`)
  const exited = once(child, 'exit', { signal: AbortSignal.timeout(6000) })
  child.kill('SIGTERM')
  child.kill('SIGINT')
  expect(await exited).toEqual([0, null])
  await waiting
  for (const socket of [halfARequest, ...sockets]) socket.destroy()
  deaf.close()
})

test('responds to /readyz with 503 after SIGTERM, but keeps serving feeds briefly', async () => {
  const child = runProcess(testDirectory(), ['serve'])
  const { url } = await readyService(child)
  const statusOf = async (path: string) => (await fetch(`${url}${path}`)).status
  const readiness = () => statusOf('/readyz')
  await waitUntil(async () => (await readiness()) === 200)
  expect(await statusOf('/events.ics')).toBe(200)
  const exited = once(child, 'exit', { signal: AbortSignal.timeout(9_000) })
  child.kill('SIGTERM')
  await waitUntil(async () => {
    // Together, because a loaded machine may need longer for the next request than Feedhouse for stopping.
    const [ready, feed] = await Promise.all([readiness(), statusOf('/events.ics')])
    expect(feed).toBe(200)
    return ready === 503
  })
  expect(await exited).toEqual([0, null])
  await expect(readiness()).rejects.toThrow('fetch failed')
})

// One after the other, because two demos that start at the same time delay each other.
test.for(signals)('exits on %s together with the npm process that started it', async (signal) => {
  const directory = testDirectory()
  const npm = spawn('npm', ['start'], {
    cwd: resolve(main, '../..'),
    env: {
      PATH: process.env['PATH'],
      HOME: directory,
      PORT: '0',
      DATA_DIR: directory,
      // A pending DNS lookup for a newer npm would delay npm's exit.
      npm_config_update_notifier: 'false',
      // Otherwise, the first run in a clone writes compiled code before it exits.
      ...compileCache(),
    },
  })
  killWithTest(npm)
  const { url } = await readyService(npm)
  expect((await fetch(url)).status).toBe(200)
  const exited = once(npm, 'exit', { signal: AbortSignal.timeout(6000) })
  npm.kill(signal)
  await exited
  await expect(fetch(url)).rejects.toThrow('fetch failed')
})
