import { once } from 'node:events'
import { parentPort, Worker } from 'node:worker_threads'
import { NoImage, requireImage } from './image-library.ts'

export const threadLimits = {
  /** A thread that takes longer for a picture is terminated, because all other images are waiting. */
  drawingMs: 5_000,
  /** Starting a thread takes half a second, but much longer on a busy server. */
  startMs: 30_000,
  /** Starting a thread costs more than drawing, and displays ask every few minutes. */
  idleMs: 10 * 60_000,
  /** Limit on the JavaScript heap, which does not contain pixels. */
  maxOldGenerationSizeMb: 64,
  maxYoungGenerationSizeMb: 6,
}

type Draw = (input: unknown) => Promise<Buffer>

/** Draws for a client on this network. */
type DrawInTurn = (input: unknown, network?: string) => Promise<Buffer>

/** `ready` resolves to the thread's first message, which says that it has started. */
type Thread = { readonly worker: Worker; readonly ready: Promise<unknown> }

type Reply = { readonly file: Uint8Array<ArrayBuffer> } | { readonly error: unknown }

/**
 * Returns a function that sends its input to a program in a thread and resolves to the picture that
 * the program draws, one at a time. The first call starts the thread, which ends after it has been
 * idle for a while. Rejects with the program's error, or with `NoImage`, including when the thread crashes.
 */
export function createDrawingThread(
  program: string,
  { drawingMs, startMs, idleMs, ...resourceLimits } = threadLimits,
): DrawInTurn {
  let thread: Thread | undefined
  let idle: NodeJS.Timeout | undefined

  function start(): Thread {
    const worker = new Worker(new URL(program), { resourceLimits })
    const started = { worker, ready: messageFrom(worker, startMs) }
    worker.on('error', () => end(started))
    worker.on('exit', () => end(started))
    return started
  }

  function end(ending: Thread): void {
    if (thread === ending) thread = undefined
    void ending.worker.terminate()
  }

  async function draw(input: unknown): Promise<Buffer> {
    clearTimeout(idle)
    const drawing = (thread ??= start())
    // Only a picture in progress keeps the process from exiting.
    drawing.worker.ref()
    try {
      const reply = await replyTo(input, drawing).catch((error: unknown) => {
        end(drawing)
        throw new NoImage('crashed', { cause: error })
      })
      if ('error' in reply) throw reply.error
      return Buffer.from(reply.file.buffer)
    } finally {
      drawing.worker.unref()
      idle = setTimeout(() => end(drawing), idleMs).unref()
    }
  }

  async function replyTo(input: unknown, { worker, ready }: Thread): Promise<Reply> {
    await ready
    worker.postMessage(input)
    return messageFrom(worker, drawingMs)
  }

  return (input, network) => requireImage(() => draw(input), network)
}

async function messageFrom(worker: Worker, timeoutMs: number): Promise<Reply> {
  const ended = new AbortController()
  const abort = () => ended.abort()
  worker.once('exit', abort)
  try {
    const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(timeoutMs)])
    const [message] = await once(worker, 'message', { signal })
    return message
  } finally {
    worker.off('exit', abort)
  }
}

/** Draws the pictures that the main thread requests, in order. */
export function drawInThread(draw: Draw): void {
  parentPort?.on('message', (input) => void reply(draw, input))
  parentPort?.postMessage('started')
}

async function reply(draw: Draw, input: unknown): Promise<void> {
  try {
    // A copy, because the thread keeps the file.
    const file = new Uint8Array(await draw(input))
    send({ file }, [file.buffer])
  } catch (error) {
    send({ error })
  }
}

const send = (reply: Reply, moved: ArrayBuffer[] = []) => parentPort?.postMessage(reply, moved)
