import { once } from 'node:events'
import { parentPort, Worker } from 'node:worker_threads'
import { NoImage, requireImage } from './image-library.ts'

export const threadLimits = {
  /** A thread that takes longer to draw a picture is terminated. */
  drawingMs: 30_000,
  /** Starting a thread costs more than drawing, and displays ask every few minutes. */
  idleMs: 10 * 60_000,
  /** Limit on the JavaScript heap, which does not contain pixels. */
  maxOldGenerationSizeMb: 64,
  maxYoungGenerationSizeMb: 6,
}

type Draw = (input: unknown) => Promise<Buffer>

/** Draws for a client on this network. */
type DrawInTurn = (input: unknown, network?: string) => Promise<Buffer>

type Reply = { readonly file: Uint8Array<ArrayBuffer> } | { readonly error: unknown }

/**
 * Returns a function that sends its input to a program in a thread and resolves to the picture that
 * the program draws, one at a time. The first call starts the thread, which ends after it has been
 * idle for a while. Rejects with the program's error, or with `NoImage`, including when the thread crashes.
 */
export function createDrawingThread(
  program: string,
  { drawingMs, idleMs, ...resourceLimits } = threadLimits,
): DrawInTurn {
  let thread: Worker | undefined
  let idle: NodeJS.Timeout | undefined

  function start(): Worker {
    const started = new Worker(new URL(program), { resourceLimits })
    started.on('error', () => end(started))
    started.on('exit', () => end(started))
    return started
  }

  function end(ending: Worker): void {
    if (thread === ending) thread = undefined
    void ending.terminate()
  }

  async function draw(input: unknown): Promise<Buffer> {
    clearTimeout(idle)
    const drawing = (thread ??= start())
    // Only a picture in progress keeps the process from exiting.
    drawing.ref()
    try {
      const reply = await replyTo(input, drawing, drawingMs).catch((error: unknown) => {
        end(drawing)
        throw new NoImage('crashed', { cause: error })
      })
      if ('error' in reply) throw reply.error
      return Buffer.from(reply.file.buffer)
    } finally {
      drawing.unref()
      idle = setTimeout(() => end(drawing), idleMs).unref()
    }
  }

  return (input, network) => requireImage(() => draw(input), network)
}

async function replyTo(input: unknown, thread: Worker, timeoutMs: number): Promise<Reply> {
  const ended = new AbortController()
  const abort = () => ended.abort()
  thread.postMessage(input)
  thread.once('exit', abort)
  try {
    const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(timeoutMs)])
    const [reply] = await once(thread, 'message', { signal })
    return reply
  } finally {
    thread.off('exit', abort)
  }
}

/** Draws the pictures that the main thread requests, in order. */
export function drawInThread(draw: Draw): void {
  parentPort?.on('message', (input) => void reply(draw, input))
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
