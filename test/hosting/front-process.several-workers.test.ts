import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { limits, sharedFronts, startFront, type FrontOptions } from './front.ts'
import { startLoad } from '../support/load.ts'
import { allowConcurrentTests } from '../support/test-end.ts'
import { waitFor } from '../support/wait-for.ts'

allowConcurrentTests()

/** For tests with workers of their own, which mostly wait. */
const together = { concurrent: true }

/** Starts a front with several workers, and waits until all of them respond. */
async function startSeveral(options: FrontOptions & { readonly argument?: string } = {}) {
  const { workers = 2, argument = '0' } = options
  const front = await startFront(argument, { ...options, workers })
  for (let worker = 0; worker < workers; worker += 1) {
    await waitFor(async () =>
      expect(await front.askSite(worker, '/worker')).toEqual({ status: 200, text: String(worker) }),
    )
  }
  /** Requests a response until the front sends it, and resolves to the process that published it. */
  const published = (worker: number) =>
    waitFor(async () => {
      const { text } = await front.askSite(worker, '/published')
      expect(text).toMatch(/^published by \d+$/)
      return text
    })
  return { ...front, published }
}

test(
  'sends each request to the worker of its site, and all others to the first worker',
  together,
  async () => {
    const { ask, askSite } = await startSeveral({ workers: 3 })
    expect(await ask('/worker')).toMatchObject({ text: '0' })
    expect(await askSite(7, '/worker')).toMatchObject({ text: '0' })
    expect(await askSite(2, '/worker')).toMatchObject({ text: '2' })
  },
)

test(
  'reports the uses of each worker’s own responses, and its figures only to the first worker',
  together,
  async () => {
    const { ask, askSite, published } = await startSeveral()
    await published(1)
    await waitFor(async () => expect(await askSite(1, '/uses')).toMatchObject({ text: '1' }))
    expect(await askSite(0, '/uses')).toMatchObject({ text: '0' })
    await waitFor(async () => expect((await ask('/figures')).text).toContain('residentBytes'))
    expect(await askSite(1, '/figures')).toMatchObject({ text: 'null' })
  },
)

const replacing = sharedFronts(startSeveral)

test.for([
  { failing: 1, path: '/exit' },
  { failing: 0, path: '/exit' },
  { failing: 0, path: '/memory' },
  { failing: 1, path: '/hang' },
])(
  'serves the sites of all workers while worker $failing is replaced after $path',
  async ({ failing, path }) => {
    const { askSite, published, lines, setMaxSilence } = await replacing()
    const other = 1 - failing
    const linesBefore = lines.length
    const [own, others] = await Promise.all([published(failing), published(other)])
    const stopLoad = startLoad(async () =>
      JSON.stringify([(await askSite(other, '/published')).text, await askSite(other, '/worker')]),
    )
    if (path === '/hang') setMaxSilence(1_500)
    const failed = askSite(failing, path).finally(() => setMaxSilence(limits.maxSilenceMs))
    const statuses = new Set<number>()
    await waitFor(async () => {
      const { status, text } = await askSite(failing, '/published')
      statuses.add(status)
      expect(text).toMatch(/^published by \d+$/)
      expect(text).not.toBe(own)
    })
    expect([...statuses]).toEqual([200])
    expect(await stopLoad()).toEqual(
      new Set([JSON.stringify([others, { status: 200, text: String(other) }])]),
    )
    expect(await failed).toMatchObject({ status: 503 })
    const restarts = lines.slice(linesBefore).filter((line) => line.includes('exited unexpectedly'))
    expect(restarts.map((line) => JSON.parse(line).worker ?? 0)).toEqual([failing])
  },
)

test('passes the sites that a worker was reading only to its next process', together, async () => {
  const { askSite } = await startSeveral()
  await askSite(1, '/reading')
  await askSite(1, '/exit')
  await waitFor(async () =>
    expect(JSON.parse((await askSite(1, '/exits')).text)).toMatchObject([
      { reading: ['Milbrook'] },
    ]),
  )
  expect(await askSite(0, '/exits')).toMatchObject({ text: '[]' })
})

test(
  'pauses a website that ended its worker twice, but not the others of that worker',
  together,
  async () => {
    const { askSite } = await startSeveral()
    for (let exits = 1; exits <= 2; exits += 1) {
      await askSite(1, '/reading')
      await askSite(1, '/exit')
      await waitFor(async () => {
        const all: readonly { reading: string[] }[] = JSON.parse((await askSite(1, '/exits')).text)
        // On a busy machine, the worker may exit once more while it starts.
        expect(all.filter(({ reading }) => reading.includes('Milbrook'))).toHaveLength(exits)
      })
    }
    expect(await askSite(1, '/pause/Milbrook')).toMatchObject({ text: 'true' })
    expect(await askSite(1, '/pause/Dover')).toMatchObject({ text: 'false' })
    expect(await askSite(0, '/pause/Milbrook')).toMatchObject({ text: 'false' })
  },
)

test('restarts another worker that fails at its first start', together, async () => {
  const { askSite, lines } = await startSeveral({ argument: 'late' })
  expect(JSON.parse((await askSite(1, '/exits')).text)).toHaveLength(1)
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ worker: 1, status: 6 }])
})

test(
  'reports only the exit of a worker that it calls before it knows of it',
  together,
  async () => {
    const { published, lines } = await startSeveral()
    const processId = Number((await published(1)).replace('published by ', ''))
    process.kill(processId, 'SIGKILL')
    // Timers run before events of other processes, so the next ping finds a pipe without a reader.
    const killedAt = performance.now()
    while (performance.now() - killedAt < 4 * limits.pingMs);
    await waitFor(() => expect(lines.length).toBeGreaterThan(0))
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ worker: 1, status: 1 }])
  },
)

test('finishes the pending responses of all workers before it stops', together, async () => {
  const { url, stop, exited } = await startSeveral()
  const pending = [0, 1].map((worker) =>
    request(`${url}/echo`, {
      method: 'POST',
      headers: { Host: `site-${worker}.example`, Expect: '100-continue' },
    }),
  )
  await Promise.all(pending.map((sending) => once(sending, 'continue')))
  stop()
  const responses = await Promise.all(
    pending.map(
      async (sending) => (await once(sending.end('late'), 'response')) as [IncomingMessage],
    ),
  )
  for (const [response] of responses) expect(await text(response)).toMatch(/late$/)
  expect(await exited).toBe(0)
})

test(
  'kills a worker that hangs while stopping, and reports that in its exit status',
  together,
  async () => {
    const { url, stop, exited } = await startSeveral({ stopMs: 200 })
    const headers = { Host: 'site-1.example' }
    // The worker hangs once it has sent the head of this response.
    const [stalled] = (await once(request(`${url}/stall`, { headers }).end(), 'response')) as [
      IncomingMessage,
    ]
    stop()
    await expect(text(stalled)).rejects.toThrow('aborted')
    expect(await exited).toBe(1)
  },
)
