/*
 * Sends 200 requests per second over HTTPS for 10 seconds, first to a sandbox in a separate process
 * and then to a minimal server that sends the same bytes.
 *
 *   npm run bench -- sandbox
 *
 * Compares every response with the first response to the same call, and exits with 1 if any
 * response is different or missing. Measures latency from the time a request was due, so that
 * stalls are visible.
 */
import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { localhostCertificate } from '../src/sandbox/certificate.ts'

const perSecond = 200
const seconds = 10
const connections = 32

const paths = [
  'announce/',
  'calendar/',
  'calendar/?All=1&MaxRows=1000',
  'databases/',
  'databases/?DatabaseID=2',
  'discuss/',
  'documents/?Public=1',
  'events/',
  'guestbook/',
  'minutes/?CategoryID=1',
  'news/',
  'members/',
  'rental/',
  'signup/',
  'training/?Type=membercerts',
  'news/?MaxRows=0',
  'news/?ID=1',
  'nothing/',
].map((path) => `/apps/api/${path}`)

type Result = { readonly sent: number; readonly wrong: number; readonly latenciesMs: number[] }

const main = join(import.meta.dirname, '../src/main.ts')
const limits = ['--calls-per-minute', '1000000', '--calls-per-day', '1000000']
const child: ChildProcessByStdio<null, Readable, null> = spawn(
  process.execPath,
  [main, 'sandbox', ...limits],
  { stdio: ['ignore', 'pipe', 'ignore'] },
)
try {
  const [line] = await once(child.stdout, 'data')
  const { url, caFile, projects } = JSON.parse(String(line))
  const ca = readFileSync(caFile)
  const { pool, call } = callerOf(url, ca)
  const { access_token: token } = JSON.parse(
    await call('POST', '/apps/api/refresh/', projects[0].refreshToken),
  )
  const expected = new Map<string, string>()
  for (const path of paths) expected.set(path, await call('GET', path, token))
  const sandbox = await drive((path) => call('GET', path, token), expected)
  await pool.close()

  const { cert, key } = await localhostCertificate(join(caFile, '..'))
  const bare = createServer({ cert, key }, (request, response) => {
    response.setHeader('Content-Type', 'application/json; charset=utf-8')
    response.end(expected.get(request.url ?? ''))
  }).listen(0, '127.0.0.1')
  await once(bare, 'listening')
  const bareUrl = `https://localhost:${(bare.address() as AddressInfo).port}`
  const bareCaller = callerOf(bareUrl, ca)
  const anchor = await drive((path) => bareCaller.call('GET', path, token), expected)
  await bareCaller.pool.close()
  bare.close()

  show(sandbox, anchor)
  if (sandbox.wrong > 0 || sandbox.sent < perSecond * seconds) process.exitCode = 1
} finally {
  child.kill('SIGTERM')
}

function callerOf(url: string, ca: Buffer) {
  const pool = new Pool(url, { connections, connect: { ca } })
  const call = async (method: 'GET' | 'POST', path: string, token: string) => {
    const headers = { authorization: `Bearer ${token}` }
    const { body } = await pool.request({ method, path, headers })
    // Removes the only property that differs between calls.
    return (await body.text()).replace(/"generated":"[^"]+",/, '')
  }
  return { pool, call }
}

/** Sends each request when it is due, without waiting for earlier responses. */
async function drive(
  get: (path: string) => Promise<string>,
  expected: ReadonlyMap<string, string>,
): Promise<Result> {
  const startedAt = performance.now()
  const latenciesMs: number[] = []
  let wrong = 0
  const all = Array.from({ length: perSecond * seconds }, async (_, index) => {
    const dueMs = (index * 1000) / perSecond
    await sleep(dueMs)
    const path = paths[index % paths.length] ?? ''
    const body = await get(path).catch(() => undefined)
    latenciesMs.push(performance.now() - startedAt - dueMs)
    if (body !== expected.get(path)) wrong += 1
  })
  await Promise.all(all)
  return { sent: all.length, wrong, latenciesMs: latenciesMs.toSorted((a, b) => a - b) }
}

function show(sandbox: Result, anchor: Result): void {
  const quantile = ({ latenciesMs }: Result, part: number) =>
    latenciesMs[Math.floor((latenciesMs.length - 1) * part)] ?? Number.NaN
  const row = (name: string, part: number) => {
    const [own, bare] = [quantile(sandbox, part), quantile(anchor, part)]
    return `${name.padEnd(8)} ${own.toFixed(2).padStart(9)} ${bare.toFixed(2).padStart(9)} ${(own / bare).toFixed(2).padStart(7)}\n`
  }
  process.stdout.write(
    `${sandbox.sent} requests at ${perSecond} a second over ${connections} connections, ${sandbox.wrong} wrong or missing\n` +
      `latency  sandbox ms   bare ms   ratio\n${row('median', 0.5)}${row('p90', 0.9)}${row('p99', 0.99)}${row('longest', 1)}`,
  )
}
