import { threadId as ownThreadId } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { createDrawingThread, threadLimits } from '../../src/pictures/drawing-thread.ts'
import { requireImage } from '../../src/pictures/image-library.ts'
import { waitFor } from '../support/wait-for.ts'

/** Performs the requested task, and draws the id of its thread. */
const program = `
  import { threadId } from 'node:worker_threads'
  import { drawInThread } from '${import.meta.resolve('../../src/pictures/drawing-thread.ts')}'
  const kept = []
  const tasks = {
    fail() { throw new RangeError('the board is too small') },
    exit: () => process.exit(1),
    allocate() { for (;;) kept.push({ list: [1, 2, 3] }) },
    async crash() { setImmediate(() => { throw new Error('unexpected') }); await new Promise(() => {}) },
    loop(counter) { for (;;) Atomics.add(counter, 0, 1) },
    rest() {},
  }
  drawInThread(async ({ task, counter }) => {
    await tasks[task](counter)
    return Buffer.from(String(threadId))
  })
`

type Input = { readonly task: string; readonly counter?: Int32Array }

function createThread(limits: Partial<typeof threadLimits> = {}, source = program) {
  const url = `data:text/javascript,${encodeURIComponent(source)}`
  const draw: (input: Input) => Promise<Buffer> = createDrawingThread(url, {
    ...threadLimits,
    ...limits,
  })
  return { draw, threadId: async () => (await draw({ task: 'rest' })).toString() }
}

test('draws all pictures in one other thread', async () => {
  const { threadId } = createThread()
  const ids = await Promise.all([threadId(), threadId(), threadId()])
  expect(new Set(ids).size).toBe(1)
  expect(ids[0]).not.toBe(String(ownThreadId))
})

test("rejects with the program's error, and keeps the thread", async () => {
  const { draw, threadId } = createThread()
  const id = await threadId()
  await expect(draw({ task: 'fail' })).rejects.toThrow(new RangeError('the board is too small'))
  expect(await threadId()).toBe(id)
})

test.for(['exit', 'crash', 'allocate'])(
  'draws the next picture in a new thread after: %s',
  async (task) => {
    const { draw, threadId } = createThread({ maxOldGenerationSizeMb: 16 })
    const id = await threadId()
    await expect(draw({ task })).rejects.toMatchObject({ name: 'NoImage', kind: 'crashed' })
    expect(await threadId()).not.toBe(id)
  },
)

test('ends a thread that takes too long', async () => {
  const { draw } = createThread({ drawingMs: 1_000 })
  const counter = new Int32Array(new SharedArrayBuffer(4))
  const failure = { kind: 'crashed', cause: { cause: { name: 'TimeoutError' } } }
  await expect(draw({ task: 'loop', counter })).rejects.toMatchObject(failure)
  let seen: number | undefined
  await waitFor(() => {
    const before = seen
    seen = Atomics.load(counter, 0)
    expect(seen).toBe(before)
  })
})

test('does not count the start of a thread as drawing', async () => {
  const slow = `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600);${program}`
  const { threadId } = createThread({ drawingMs: 500 }, slow)
  expect(Number(await threadId())).toBeGreaterThan(0)
})

test.for([
  ['drawing', { task: 'loop', counter: new Int32Array(new SharedArrayBuffer(4)) }],
  ['starting', undefined],
] as const)('makes other images after a thread is stuck while %s', async ([, input]) => {
  const { draw } = createThread({ drawingMs: 300, startMs: 300 }, input ? program : 'for (;;);')
  const stuck = draw(input ?? { task: 'rest' })
  const other = requireImage(async () => 'an image')
  await expect(stuck).rejects.toMatchObject({ kind: 'crashed' })
  expect(await other).toBe('an image')
})

test('ends a thread that has been idle', async () => {
  const { threadId } = createThread({ idleMs: 1 })
  const id = await threadId()
  await waitFor(async () => expect(await threadId()).not.toBe(id))
})
