import { existsSync, readFileSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { frontLimits, runFront, socketDirectory } from '../../src/app/front-process.ts'
import { createLogger } from '../../src/log.ts'
import { exchange, requestText } from '../support/raw-http.ts'
import { temporaryDirectory } from '../support/service.ts'
import { waitFor, waitUntil } from '../support/wait-for.ts'

const program = join(import.meta.dirname, '../support/faulty-maker.ts')

const limits = {
  ...frontLimits,
  reportMs: 20,
  staleAfterMs: 50,
  pingMs: 50,
  restart: { initialMs: 10, maxMs: 100 },
}

/** Runs a front with a maker that misbehaves on request. */
async function startFront(port = '0') {
  const chosen = { ...limits }
  const directory = temporaryDirectory()
  const urlFile = join(directory.path, 'url')
  const lines: string[] = []
  const stopping = Promise.withResolvers<'SIGINT' | 'SIGTERM'>()
  const exited = runFront({
    program,
    args: [urlFile, port],
    createLogger: () => createLogger('info', { write: (line) => lines.push(line) }),
    stopped: stopping.promise,
    limits: chosen,
  })
  onTestFinished(async () => {
    stopping.resolve('SIGINT')
    await exited
    directory[Symbol.dispose]()
  })
  await Promise.race([exited, waitUntil(() => existsSync(urlFile) && textIn(urlFile) !== '')])
  const url = existsSync(urlFile) ? textIn(urlFile) : ''
  return {
    url,
    lines,
    exited,
    /** Sets when a silent maker is replaced. On a busy machine, makers are silent while they start. */
    setMaxSilence: (ms: number) => void (chosen.maxSilenceMs = ms),
    stop: () => stopping.resolve('SIGTERM'),
    /** Requests a path, and resolves to the status and body. */
    ask: async (path: string, init?: RequestInit) => {
      const response = await fetch(`${url}${path}`, init)
      return { status: response.status, text: await response.text(), headers: response.headers }
    },
  }
}

const textIn = (file: string) => readFileSync(file, 'utf8')

test('sends published responses itself, and tells the maker how often', async () => {
  const { ask } = await startFront()
  expect(await ask('/published')).toMatchObject({ status: 200, text: '/published' })
  const { text, headers } = await ask('/published')
  expect(text).toMatch(/^published by \d+$/)
  const again = { headers: { 'If-None-Match': headers.get('etag') ?? '' } }
  expect(await ask('/published', again)).toMatchObject({ status: 304 })
  await waitFor(async () => expect(await ask('/uses')).toMatchObject({ text: '2' }))
})

test('adds the time at which it sends a response that asks for it', async () => {
  const { ask } = await startFront()
  await ask('/timed')
  const before = Date.now()
  const { text, headers } = await ask('/timed')
  expect(text).toMatch(/^published by \d+$/)
  expect(Date.parse(headers.get('board-time') ?? '')).toBeGreaterThanOrEqual(before)
  const again = await ask('/timed', { headers: { 'If-None-Match': headers.get('etag') ?? '' } })
  expect(again.status).toBe(304)
  expect(Date.parse(again.headers.get('board-time') ?? '')).toBeGreaterThanOrEqual(before)
})

test('forwards other requests with their body, and hides the address header', async () => {
  const { ask } = await startFront()
  const {
    status,
    text: body,
    headers,
  } = await ask('/echo', {
    method: 'POST',
    body: 'a'.repeat(100_000),
  })
  expect(status).toBe(201)
  expect(body).toMatch(/^POST 127\.0\.0\.1 127\.0\.0\.1:\d+ a{100000}$/)
  expect(headers.get('x-own')).toBe('kept')
  const published = await ask('/published')
  expect([...published.headers.keys()].filter((name) => name.startsWith('feedhouse'))).toEqual([])
})

test('forwards the response for a URL that is too long to be remembered', async () => {
  const { url } = await startFront()
  // JSON doubles the quotation marks.
  const { status } = await exchange(url, requestText(`/long?${'"'.repeat(7_900)}`))
  expect(status).toBe(200)
})

test('does not let clients choose the address that limits use', async () => {
  const { url } = await startFront()
  const { body } = await exchange(
    url,
    requestText('/echo', { headers: { 'Feedhouse-Client': '192.0.2.1' } }),
  )
  expect(body.toString()).toContain('GET 127.0.0.1 ')
})

test.for(['GET', 'DELETE', 'POST'])('forwards a chunked body of a %s as a body', async (method) => {
  const { url, ask } = await startFront()
  const inner = 'GET /exit HTTP/1.1\r\nHost: a\r\nFeedhouse-Client: 192.0.2.1\r\n\r\n'
  const head = requestText('/echo', { method, headers: { 'Transfer-Encoding': 'chunked' } })
  const { status, body } = await exchange(
    url,
    `${head}${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`,
  )
  expect(status).toBe(201)
  expect(body.toString()).toContain(inner)
  expect(await ask('/requests')).toMatchObject({ status: 200, text: '2' })
})

test('does not forward headers that are only for one connection', async () => {
  const { url } = await startFront()
  const sent = {
    // In addition to "Connection: close".
    connection: 'X-Hop,Content-Length',
    'X-Hop': 'one',
    'X-End': 'all',
    'Content-Length': '0',
  }
  const { headers, body } = await exchange(url, requestText('/headers', { headers: sent }))
  expect(JSON.parse(body.toString())).toMatchObject({ 'x-end': 'all', 'content-length': '0' })
  expect(body.toString()).not.toContain('x-hop')
  expect(headers).toMatchObject({ 'x-end': 'b' })
  expect(headers).not.toHaveProperty('x-hop')
})

test('forwards requests without a Host header, which HTTP/1.0 allows', async () => {
  const { url } = await startFront()
  const { status, body } = await exchange(url, requestText('/other', { version: '1.0' }))
  expect([status, body.toString()]).toEqual([200, '/other'])
})

test('closes the connection if the maker cuts a response off', async () => {
  const { ask } = await startFront()
  await expect(ask('/cut')).rejects.toThrow('terminated')
  expect(await ask('/other')).toMatchObject({ status: 200, text: '/other' })
})

test.for(['/exit', '/memory', '/hang'])(
  'serves published responses without a break while a maker that failed (%s) is replaced',
  async (path) => {
    const { ask, lines, setMaxSilence } = await startFront()
    await ask('/published')
    const { text: first } = await ask('/published')
    if (path === '/hang') setMaxSilence(500)
    const failing = ask(path).finally(() => setMaxSilence(limits.maxSilenceMs))
    await waitFor(async () => {
      const { status, text } = await ask('/published')
      expect(status).toBe(200)
      // The new maker may respond itself before it has published.
      expect(text).toMatch(/^published by \d+$/)
      expect(text).not.toBe(first)
    })
    expect(await failing).toMatchObject({ status: 503 })
    expect(lines.join('')).toContain('the maker process exited unexpectedly')
  },
)

test('sends an outdated response if the maker is not ready', async () => {
  const { ask } = await startFront()
  expect(await ask('/starting')).toMatchObject({ status: 503, text: 'starting' })
})

test('sends an outdated response if the maker takes long', async () => {
  const { ask } = await startFront()
  expect(await ask('/outdated')).toMatchObject({ status: 200, text: '/outdated' })
  expect((await ask('/outdated')).text).toMatch(/^published by \d+$/)
})

test('stays alive and ready without a maker, and says so at /status', async () => {
  const { url, ask, setMaxSilence } = await startFront()
  expect(await ask('/readyz')).toMatchObject({ status: 200 })
  setMaxSilence(500)
  // The maker hangs once it has sent the head of this response.
  const stalled = await fetch(`${url}/stall`)
  const pages = ['/livez', '/readyz', '/status'].map((path) => ask(path))
  const [livez, readyz, status] = await Promise.all(pages)
  expect(livez).toMatchObject({ status: 200, text: 'ok\n' })
  expect(readyz).toMatchObject({ status: 200, text: '{"ready":true,"waitingFor":[]}' })
  expect(JSON.parse(status?.text ?? '')).toMatchObject({ ok: false })
  await expect(stalled.text()).rejects.toThrow('terminated')
})

test('tells the next maker which site the last one was reading', async () => {
  const { ask } = await startFront()
  await ask('/reading')
  await ask('/exit')
  await waitFor(async () =>
    expect(JSON.parse((await ask('/exits')).text)).toMatchObject([{ reading: ['Milbrook'] }]),
  )
})

test('ends with the maker’s status if the maker fails before it listens', async () => {
  const { exited } = await startFront('none')
  expect(await exited).toBe(5)
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

test('ends with the maker’s status if the first maker fails after it listens', async () => {
  const { exited } = await startFront('fail')
  expect(await exited).toBe(4)
})

test('tells the maker why the port cannot be opened', async () => {
  await using taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  const { port } = taken.address() as { port: number }
  const { url, exited } = await startFront(String(port))
  expect(await exited).toBe(4)
  expect(url).toContain('EADDRINUSE')
})

test('keeps the path of the socket short', () => {
  const short = temporaryDirectory()
  const paths = [short.path, join(short.path, 'a'.repeat(90))].map(socketDirectory)
  onTestFinished(() => {
    for (const path of paths) rmSync(path, { recursive: true })
    short[Symbol.dispose]()
  })
  expect(paths).toEqual([
    expect.stringContaining(join(short.path, 'feedhouse-')),
    expect.stringMatching(/^\/tmp\/feedhouse-\w{6}$/),
  ])
})

test('finishes pending responses before it stops', async () => {
  const { url, stop, exited } = await startFront()
  const sending = request(`${url}/echo`, { method: 'POST' })
  sending.write('early ')
  const [response] = (await once(sending, 'response')) as [IncomingMessage]
  stop()
  sending.end('late')
  expect(await text(response)).toMatch(/early late$/)
  expect(await exited).toBe(0)
})
