import { rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { socketDirectory } from '../../src/hosting/front-process.ts'
import { limits, sharedFronts, startFront } from './front.ts'
import { exchange, requestText } from '../support/raw-http.ts'
import { testDirectory } from '../support/service.ts'
import { waitFor } from '../support/wait-for.ts'

// On a busy machine, the worker may take long to respond.
const shared = sharedFronts((options) =>
  startFront('0', { ...options, responseTimes: { ...limits.responseTimes, anyMs: 30_000 } }),
)

/** Returns how many requests the worker has received so far. */
async function requestsOf({ ask }: Awaited<ReturnType<typeof startFront>>): Promise<number> {
  return Number((await ask('/requests')).text)
}

test('answers from its cache, and reports the number of uses to the worker', async () => {
  const front = await startFront()
  const { ask } = front
  const { status, text, headers } = await ask('/published')
  expect([status, text]).toEqual([200, expect.stringMatching(/^published by \d+$/)])
  const before = await requestsOf(front)
  const again = { headers: { 'If-None-Match': headers.get('etag') ?? '' } }
  expect(await ask('/published', again)).toMatchObject({ status: 304 })
  expect(await ask('/published', { method: 'HEAD' })).toMatchObject({ status: 200, text: '' })
  expect(await requestsOf(front)).toBe(before + 1)
  await waitFor(async () => expect(await ask('/uses')).toMatchObject({ text: '3' }))
})

test('measures the longest delay of its event loop while there are requests', async () => {
  const { ask } = await startFront()
  await waitFor(async () => {
    const until = performance.now() + 60
    while (performance.now() < until) continue
    const { maxDelayMs } = JSON.parse((await ask('/figures')).text) as { maxDelayMs: number }
    expect(maxDelayMs).toBeGreaterThan(40)
  })
})

test('does not measure its event loop for health checks', async () => {
  const { ask } = await startFront()
  // Longer than a busy machine delays the last request, which is measured.
  const blockedMs = 500
  for (const _ of [1, 2, 3]) {
    await ask('/livez')
    const until = performance.now() + blockedMs
    while (performance.now() < until) continue
  }
  const { maxDelayMs } = JSON.parse((await ask('/figures')).text) as { maxDelayMs: number }
  expect(maxDelayMs).toBeLessThan(blockedMs / 2)
})

test('starts a worker that may not lower its priority, as in the systemd unit', async () => {
  const code = `import os from 'node:os'
    import { syncBuiltinESMExports } from 'node:module'
    os.setPriority = () => { throw new Error('EPERM') }
    syncBuiltinESMExports()`
  vi.stubEnv('NODE_OPTIONS', `--import=data:text/javascript,${encodeURIComponent(code)}`)
  onTestFinished(() => void vi.unstubAllEnvs())
  const { ask } = await startFront()
  expect(await ask('/other')).toMatchObject({ status: 200, text: '/other' })
})

test('answers a request from its cache that says that it has no body', async () => {
  const front = await shared()
  await exchange(front.url, requestText('/published'))
  const before = await requestsOf(front)
  const sent = { headers: { 'Content-Length': '0' } }
  expect(await exchange(front.url, requestText('/published', sent))).toMatchObject({ status: 200 })
  expect(await requestsOf(front)).toBe(before + 1)
})

test('fills its cache with a first request that is conditional, and responds 304 to it', async () => {
  const { ask } = await shared()
  const { text } = await ask('/other')
  expect(text).toBe('/other')
  const first = await ask('/kept/conditional', { headers: { 'If-None-Match': '*' } })
  expect(first).toMatchObject({ status: 304, text: '' })
  expect(await ask('/kept/conditional')).toMatchObject({ status: 200 })
})

test.for(['directives', 'tags', 'site', 'cookie', 'vary', 'etag', 'length', 'time'])(
  'forwards a response without keeping it if its %s does not allow that',
  async (fault) => {
    const front = await shared()
    const path = `/kept/${fault}`
    const before = await requestsOf(front)
    for (const time of [1, 2]) {
      expect(await front.ask(path)).toMatchObject({ status: 200 })
      expect(await requestsOf(front)).toBe(before + 2 * time)
    }
  },
)

// Long enough for a busy machine.
const impatient = sharedFronts((options) =>
  startFront('0', { ...options, responseTimes: { ...limits.responseTimes, maxMs: 500 } }),
)

test.for(['cut', 'stall', 'odd'])(
  'fails only the requests for a response that is incomplete or cannot be passed on: %s',
  async (fault) => {
    const { ask } = await impatient()
    for (const _ of [1, 2]) expect(await ask(`/kept/${fault}`)).toMatchObject({ status: 503 })
    expect(await ask('/other')).toMatchObject({ status: 200, text: '/other' })
  },
)

test.for(['/exit', '/memory', '/hang'])(
  'serves published responses without a break while its only worker, which failed (%s), is replaced',
  async (path) => {
    const { ask, lines, setMaxSilence } = await startFront()
    const { text: first } = await ask('/published')
    if (path === '/hang') setMaxSilence(500)
    const failing = ask(path).finally(() => setMaxSilence(limits.maxSilenceMs))
    await waitFor(async () => {
      const { status, text } = await ask('/published')
      expect(status).toBe(200)
      expect(text).toMatch(/^published by \d+$/)
      expect(text).not.toBe(first)
    })
    expect(await failing).toMatchObject({ status: 503 })
    expect(lines.join('')).toContain('the worker process exited unexpectedly')
  },
)

test('forwards a response that says that the worker is not ready', async () => {
  const { ask } = await shared()
  expect(await ask('/starting')).toMatchObject({ status: 503, text: 'starting' })
})

test.for([301, 401, 403, 404, 405, 410])(
  'never sends its cached response again after the worker responds %i',
  async (status) => {
    const { ask } = await shared()
    const path = `/withdrawn/${status}`
    expect((await ask(path)).status).toBe(200)
    expect((await ask(path, { method: 'HEAD', redirect: 'manual' })).status).toBe(status)
    // The worker is not ready, so the front would send an outdated response.
    expect(await ask(path)).toMatchObject({ status: 503, text: path })
  },
)

test.for([408, 429, 500, 503])('sends an outdated response instead of a %i', async (status) => {
  const { ask } = await shared()
  const published = { status: 200, text: expect.stringMatching(/^published by/) }
  for (const _ of [1, 2, 3]) expect(await ask(`/withdrawn/${status}`)).toMatchObject(published)
})

test('holds requests until a worker that is being restarted serves', async () => {
  const { ask, lines } = await startFront('0', {
    restart: { initialMs: 1_000, maxMs: 1_000 },
    responseTimes: { ...limits.responseTimes, startMs: 60_000 },
  })
  expect(await ask('/exit')).toMatchObject({ status: 503 })
  await waitFor(() => expect(lines.join('')).toContain('is being restarted'))
  const paths = ['/first', '/second']
  expect(await Promise.all(paths.map((path) => ask(path)))).toMatchObject(
    paths.map((text) => ({ status: 200, text })),
  )
})

test('sends a feed reader the response of the next worker if the first one exits meanwhile', async () => {
  const { ask } = await startFront()
  expect(await ask('/exit-once.rss')).toMatchObject({ status: 200 })
})

test('confirms to the worker that it has removed a response', async () => {
  const front = await startFront()
  const { ask } = front
  for (const _ of [1, 2]) await ask('/published')
  expect((await ask('/retire')).text).toBe('done')
  await ask('/published')
  // The first and the last request, and the two in between.
  expect(await requestsOf(front)).toBe(4)
})

test('fetches a changed response before it is requested, unless it must not be sent meanwhile', async () => {
  const front = await startFront()
  let asked = 0
  const ask = async (path: string) => {
    asked += 1
    return front.ask(path)
  }
  const fetchedAgain = async () => (await requestsOf({ ...front, ask })) - asked
  for (const path of ['/published', '/expire/0', '/other']) await ask(path)
  expect(await fetchedAgain()).toBe(0)
  for (const path of ['/published', '/expire/60000']) await ask(path)
  await waitFor(async () => expect(await fetchedAgain()).toBe(1))
})

test('answers health checks itself while the worker hangs', async () => {
  const { url, ask } = await startFront('0', { stopMs: 100 })
  // The worker hangs once it has sent the head of this response, and is not replaced.
  await fetch(`${url}/stall`)
  const pages = ['/livez', '/readyz', '/status'].map((path) => ask(path))
  const [livez, readyz, status] = await Promise.all(pages)
  expect(livez).toMatchObject({ status: 200, text: 'ok\n' })
  expect(readyz).toMatchObject({ status: 200, text: '{"ready":true,"waitingFor":[]}' })
  expect(status?.text).toContain('could not be determined in time')
})

test('tries again if no process can be started', async () => {
  const { ask, lines } = await startFront()
  const { execPath } = process
  process.execPath = '/missing'
  try {
    await ask('/exit')
    await waitFor(() => expect(lines.join('').split('ENOENT').length).toBeGreaterThan(2))
  } finally {
    process.execPath = execPath
  }
  await waitFor(async () => expect(await ask('/other')).toMatchObject({ status: 200 }))
})

test.for([
  ['before', 'none', 5],
  ['after', 'fail', 4],
] as const)(
  'ends with the status of a worker that fails %s it listens',
  async ([, how, status]) => {
    const { exited } = await startFront(how)
    expect(await exited).toBe(status)
  },
)

test('reports to the worker why the port cannot be opened', async () => {
  await using taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  const { port } = taken.address() as { port: number }
  const { url, exited } = await startFront(String(port))
  expect(await exited).toBe(4)
  expect(url).toContain('EADDRINUSE')
})

test('keeps the path of the socket short', () => {
  const short = testDirectory()
  const paths = [short, join(short, 'a'.repeat(90))].map(socketDirectory)
  onTestFinished(() => {
    for (const path of paths) rmSync(path, { recursive: true })
  })
  expect(paths).toEqual([
    expect.stringContaining(join(short, 'feedhouse-')),
    expect.stringMatching(/^\/tmp\/feedhouse-\w{6}$/),
  ])
})

test('reports the last uses to the worker before it stops', async () => {
  const { ask, stop, exited, written } = await startFront('0', { reportMs: 60_000 })
  for (const _ of [1, 2, 3]) await ask('/published')
  stop()
  expect(await exited).toBe(0)
  expect(written()).toBe('3')
})

test('exits with 0 if a worker that is being restarted also gets the signal', async () => {
  const { ask, stop, exited, written } = await startFront('slow')
  await ask('/exit')
  await waitFor(() => expect(written()).toMatch(/^\d+$/))
  stop()
  process.kill(Number(written()), 'SIGTERM')
  expect(await exited).toBe(0)
})
