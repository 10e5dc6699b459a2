import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { Worker } from 'node:worker_threads'
import type { Collection } from '../collections/collection.ts'
import type { FeedOverview } from '../feeds/feed-overview.ts'
import type { RenderedFeed, RenderedPage } from '../feeds/feed.ts'
import type { Site } from '../feeds/site.ts'
import type { Logger } from '../log.ts'
import type { FeedDiagnosis, Rendering } from './rendering.ts'
import type { Reply, Message, Task } from './rendering-worker.ts'
import { startStrippedWorker } from './stripped-worker.ts'

/** Maximum duration of a task. A task that takes longer is considered hung. */
const maxTaskMs = 60_000

/** Records per message. The main thread serves requests between messages. */
const sliceSize = 250

const workerFile = pathToFileURL(join(import.meta.dirname, 'rendering-worker.ts'))

type Job = {
  readonly siteId: number
  readonly site: Site
  readonly collection: Collection
  readonly task: Task
}

type Thread = {
  readonly worker: Worker
  readonly tasks: Map<number, PromiseWithResolvers<unknown>>
  readonly siteIds: Set<number>
  /** The ledger last sent to the thread for each collection. */
  readonly ledgers: Map<string, Collection['ledger']>
  /** Terminates the thread if its current task takes too long. */
  timer: NodeJS.Timeout | undefined
}

/** A thread that renders feeds for one or more sites, so that large feeds do not block requests. */
export type RenderingThread = AsyncDisposable & { readonly renderingFor: (site: Site) => Rendering }

/**
 * Creates the thread. The thread has its own copies of the collections, which are updated before each
 * task. A thread that exits is replaced.
 */
export function createRenderingThread(log: Logger): RenderingThread {
  let current: Thread | undefined
  let isDisposed = false
  let lastId = 0
  let lastSiteId = 0
  let transferring = Promise.resolve()
  let again: Promise<unknown> = Promise.resolve()

  function start(): Thread {
    const worker = startStrippedWorker(workerFile)
    const thread: Thread = {
      worker,
      tasks: new Map(),
      siteIds: new Set(),
      ledgers: new Map(),
      timer: undefined,
    }
    worker.on('message', (reply: Reply) => settle(thread, reply))
    worker.on('error', (error) => log.error({ err: error }, 'the rendering thread failed'))
    worker.on('exit', () => end(thread))
    return thread
  }

  function end(thread: Thread): void {
    if (current === thread) current = undefined
    clearTimeout(thread.timer)
    for (const task of thread.tasks.values()) task.reject(endedEarly())
    thread.tasks.clear()
  }

  async function runOnce(job: Job): Promise<unknown> {
    if (isDisposed) throw endedEarly()
    const thread = (current ??= start())
    // Transfers run one at a time, so that the slices of two collections never mix.
    const transferred = transferring.then(() => transfer(thread, job))
    transferring = transferred.catch(() => undefined)
    await transferred
    if (current !== thread) throw endedEarly()
    const id = (lastId += 1)
    const replied = Promise.withResolvers<unknown>()
    thread.tasks.set(id, replied)
    thread.worker.postMessage({ ...job.task, siteId: job.siteId, id } satisfies Message)
    if (thread.tasks.size === 1) watch(thread)
    return replied.promise
  }

  async function run(job: Job): Promise<unknown> {
    try {
      return await runOnce(job)
    } catch (error) {
      if (isDisposed || !(error instanceof EndedEarly)) throw error
      // Retries run one at a time, so that only the task that crashed the thread fails again.
      const rerun = again.then(() => runOnce(job))
      again = rerun.catch(() => undefined)
      return rerun
    }
  }

  return {
    renderingFor(site) {
      const siteId = (lastSiteId += 1)
      return renderingBy((collection, task) => run({ siteId, site, collection, task }))
    },
    async [Symbol.asyncDispose]() {
      isDisposed = true
      await current?.worker.terminate()
    },
  }
}

function renderingBy(run: (collection: Collection, task: Task) => Promise<unknown>): Rendering {
  return {
    async render({ feed, ...request }, collection) {
      const task: Task = { kind: 'render', feedId: feed.id, request }
      const rendered = (await run(collection, task)) as RenderedFeed
      // Posting a message turns a Buffer into a plain Uint8Array.
      const { buffer, byteOffset, length } = rendered.body
      return { ...rendered, body: Buffer.from(buffer, byteOffset, length) }
    },
    async overview({ feed, ...request }, collection) {
      const task: Task = { kind: 'overview', feedId: feed.id, request }
      return (await run(collection, task)) as FeedOverview
    },
    async page({ feed, id, url, ...request }, collection) {
      const task: Task = { kind: 'page', feedId: feed.id, record: { id, url }, request }
      return (await run(collection, task)) as RenderedPage
    },
    async diagnose(feed, collection, now) {
      const task: Task = { kind: 'review', feedId: feed.id, now }
      return (await run(collection, task)) as FeedDiagnosis | undefined
    },
  }
}

/** Restarts the timeout for the running task, which is the first in the list. */
function watch(thread: Thread): void {
  clearTimeout(thread.timer)
  const [first] = thread.tasks
  if (!first) return
  const [id, task] = first
  thread.timer = setTimeout(() => {
    thread.tasks.delete(id)
    task.reject(new Error('rendering a feed took too long'))
    void thread.worker.terminate()
  }, maxTaskMs)
}

function settle(thread: Thread, reply: Reply): void {
  const task = thread.tasks.get(reply.id)
  thread.tasks.delete(reply.id)
  watch(thread)
  if ('error' in reply) task?.reject(reply.error)
  else task?.resolve(reply.result)
}

async function transfer(thread: Thread, { siteId, site, collection }: Job): Promise<void> {
  const { worker, siteIds, ledgers } = thread
  const { resource, changedAt, records, ledger } = collection
  const key = `${siteId} ${resource}`
  // The same ledger means that the thread already has this version of the records.
  if (ledgers.get(key) === ledger) return
  const post = async (message: Message) => {
    worker.postMessage(message)
    await setImmediate()
  }
  if (!siteIds.has(siteId)) await post({ kind: 'site', siteId, site })
  siteIds.add(siteId)
  await post({ kind: 'collection', siteId, resource, changedAt })
  for (const slice of slicesOf(records)) await post({ kind: 'records', siteId, resource, slice })
  for (const slice of slicesOf([...ledger])) await post({ kind: 'ledger', siteId, resource, slice })
  ledgers.set(key, ledger)
}

function slicesOf<T>(all: readonly T[]): readonly T[][] {
  return Array.from({ length: Math.ceil(all.length / sliceSize) }, (_, index) =>
    all.slice(index * sliceSize, (index + 1) * sliceSize),
  )
}

class EndedEarly extends Error {
  override readonly name = 'EndedEarly'
}

function endedEarly(): EndedEarly {
  return new EndedEarly('the rendering thread exited before the task finished')
}
