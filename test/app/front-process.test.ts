import { existsSync, readFileSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { socketDirectory } from '../../src/app/front-process.ts'
import { freePort } from '../support/free-port.ts'
import { limits, startFront } from '../support/front.ts'
import { temporaryDirectory } from '../support/service.ts'
import { waitFor } from '../support/wait-for.ts'

test('sends published responses itself, and tells the maker how often', async () => {
  const { ask } = await startFront()
  expect(await ask('/published')).toMatchObject({ status: 200, text: '/published' })
  const { text, headers } = await ask('/published')
  expect(text).toMatch(/^published by \d+$/)
  const again = { headers: { 'If-None-Match': headers.get('etag') ?? '' } }
  expect(await ask('/published', again)).toMatchObject({ status: 304 })
  await waitFor(async () => expect(await ask('/uses')).toMatchObject({ text: '2' }))
})

test('sends a response that the maker has announced, without a request to the maker', async () => {
  const { ask } = await startFront()
  expect((await ask('/published?early')).text).toMatch(/^published by \d+$/)
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

test('sends a recently outdated response sooner than others', async () => {
  const { ask } = await startFront('0', { staleAfterMs: { recent: 1, any: 60_000 } })
  expect(await ask('/expired')).toMatchObject({ status: 200, text: '/expired' })
  // The maker does not respond again.
  expect((await ask('/expired')).text).toMatch(/^published by \d+$/)
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

test('serves public responses from before a restart while the maker starts', async () => {
  using directory = temporaryDirectory()
  const savedFile = join(directory.path, 'responses')
  const { url, ask, stop, exited } = await startFront(String(await freePort()), { savedFile })
  await ask('/published')
  const { text } = await ask('/published')
  stop()
  await exited
  await startFront('waits', { savedFile })
  await waitFor(async () => expect((await fetch(`${url}/published`)).status).toBe(200))
  expect(await (await fetch(`${url}/published`)).text()).toBe(text)
  expect((await fetch(`${url}/other`)).status).toBe(503)
})

test.for([
  { sitesText: 'changed', served: /^published by/ },
  { sitesText: 'at first', served: /^\/published$/ },
])(
  'restores responses of changed sites only if the sites are still the same ($sitesText)',
  async ({ sitesText, served }) => {
    using directory = temporaryDirectory()
    const savedFile = join(directory.path, 'responses')
    const port = String(await freePort())
    const { url, ask, stop, exited } = await startFront(port, { savedFile, sitesText: 'at first' })
    for (const path of ['/sites', '/published', '/published']) await ask(path)
    stop()
    await exited
    void startFront(port, { savedFile, sitesText })
    // Without saved responses, the front responds 503 until its maker has started.
    await waitFor(async () => {
      const response = await fetch(`${url}/published`)
      expect(response.status).toBe(200)
      expect(await response.text()).toMatch(served)
    })
  },
)

test('deletes saved responses when one is retired', async () => {
  using directory = temporaryDirectory()
  const savedFile = join(directory.path, 'responses')
  const { ask } = await startFront('0', { savedFile, saveMs: 1_000 })
  await ask('/published')
  await ask('/published')
  const texts = () => (existsSync(savedFile) ? readFileSync(savedFile, 'latin1') : undefined)
  await waitFor(() => expect(texts()).toContain('published by'))
  await ask('/retire')
  // Until the next time that responses are saved.
  await waitFor(() => expect(existsSync(savedFile)).toBe(false))
})

test('starts without saved responses if they cannot be written or read', async () => {
  const savedFile = join('/dev/null', 'responses')
  const { ask, lines, stop, exited } = await startFront('0', { savedFile })
  expect(await ask('/published')).toMatchObject({ status: 200 })
  stop()
  expect(await exited).toBe(0)
  expect(lines.join('')).toContain('the responses for the next start cannot be saved')
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

test('tells the maker about the last uses before it stops', async () => {
  const { ask, stop, exited, written } = await startFront('0', { reportMs: 60_000 })
  for (const _ of [1, 2, 3]) await ask('/published')
  stop()
  expect(await exited).toBe(0)
  expect(written()).toBe('2')
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

test('exits with 0 if a maker that is being restarted gets the signal too', async () => {
  const { ask, stop, exited, written } = await startFront('slow')
  await ask('/exit')
  await waitFor(() => expect(written()).toMatch(/^\d+$/))
  stop()
  process.kill(Number(written()), 'SIGTERM')
  expect(await exited).toBe(0)
})
