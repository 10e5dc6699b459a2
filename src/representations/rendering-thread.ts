import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Collection } from '../collections/collection.ts'
import type { FeedOverview } from '../feeds/feed-overview.ts'
import type { RenderedFeed, Site } from '../feeds/feed.ts'
import type { Logger } from '../log.ts'
import type { FeedReview, Rendering } from './rendering.ts'
import type { Answer, Message, Task } from './rendering-worker.ts'

/** Whatever takes longer will not end. */
const longestTaskMs = 60_000

/** As many records as are copied at once: requests are answered in between. */
const sliceSize = 250

type Thread = {
  readonly worker: Worker
  readonly tasks: Map<number, PromiseWithResolvers<unknown>>
  /** What it knows of each collection. */
  readonly ledgers: Map<Collection['resource'], Collection['ledger']>
}

/**
 * A thread of its own, so that no request waits while a large feed is made. It has copies of the
 * collections, which are brought up to date before something is made of them. One that has ended is
 * replaced with the next task.
 */
export function createRenderingThread(site: Site, log: Logger): Rendering & AsyncDisposable {
  let current: Thread | undefined
  let isOver = false
  let lastId = 0
  let telling = Promise.resolve()

  function start(): Thread {
    const file = join(import.meta.dirname, 'rendering-worker.ts')
    const worker = new Worker(file, { workerData: site })
    const thread: Thread = { worker, tasks: new Map(), ledgers: new Map() }
    worker.on('message', (answer: Answer) => settle(thread, answer))
    worker.on('error', (error) => log.error({ err: error }, 'the rendering thread failed'))
    worker.on('exit', () => end(thread))
    return thread
  }

  function end(thread: Thread): void {
    if (current === thread) current = undefined
    for (const task of thread.tasks.values()) task.reject(endedEarly())
    thread.tasks.clear()
  }

  async function run(collection: Collection, task: Task): Promise<unknown> {
    if (isOver) throw endedEarly()
    const thread = (current ??= start())
    // One after the other: the slices of two collections must not mix.
    const told = telling.then(() => tell(thread, collection))
    telling = told.catch(() => undefined)
    await told
    if (current !== thread) throw endedEarly()
    const id = (lastId += 1)
    const answered = Promise.withResolvers<unknown>()
    thread.tasks.set(id, answered)
    thread.worker.postMessage({ ...task, id } satisfies Message)
    const timer = setTimeout(() => void thread.worker.terminate(), longestTaskMs)
    return answered.promise.finally(() => clearTimeout(timer))
  }

  return {
    async render({ feed, variant, ...request }, collection) {
      const task: Task = { kind: 'render', feedId: feed.id, query: variant.query, request }
      const rendered = (await run(collection, task)) as RenderedFeed
      // Between threads a Buffer becomes a plain array of bytes.
      const { buffer, byteOffset, length } = rendered.body
      return { ...rendered, body: Buffer.from(buffer, byteOffset, length) }
    },
    async overview({ feed, ...request }, collection) {
      const task: Task = { kind: 'overview', feedId: feed.id, request }
      return (await run(collection, task)) as FeedOverview
    },
    async review(feed, collection, now) {
      const task: Task = { kind: 'review', feedId: feed.id, now }
      return (await run(collection, task)) as FeedReview | undefined
    },
    async [Symbol.asyncDispose]() {
      isOver = true
      await current?.worker.terminate()
    },
  }
}

function settle({ tasks }: Thread, answer: Answer): void {
  const task = tasks.get(answer.id)
  tasks.delete(answer.id)
  if ('error' in answer) task?.reject(answer.error)
  else task?.resolve(answer.result)
}

async function tell({ worker, ledgers }: Thread, collection: Collection): Promise<void> {
  const { resource, changedAt, records, ledger } = collection
  // Every other version of the records has another ledger too.
  if (ledgers.get(resource) === ledger) return
  const post = async (message: Message) => {
    worker.postMessage(message)
    await setImmediate()
  }
  await post({ kind: 'collection', resource, changedAt })
  for (const slice of slicesOf(records)) await post({ kind: 'records', resource, slice })
  for (const slice of slicesOf([...ledger])) await post({ kind: 'ledger', resource, slice })
  ledgers.set(resource, ledger)
}

function slicesOf<T>(all: readonly T[]): readonly T[][] {
  return Array.from({ length: Math.ceil(all.length / sliceSize) }, (_, index) =>
    all.slice(index * sliceSize, (index + 1) * sliceSize),
  )
}

function endedEarly(): Error {
  return new Error('the rendering thread ended before it was done')
}
