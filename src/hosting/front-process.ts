import { fork, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { every, retryDelayMs, systemClock as clock } from '../clock.ts'
import { processEnvironment } from '../config/env-file.ts'
import { responseTimes } from '../front/request-context.ts'
import { callsSentBy, receiveCall, type WorkerExit } from '../front/protocol.ts'
import type { Logger, LogLevel } from '../log.ts'
import { createFront, type Front, type FrontWorker } from './front.ts'
import { notifySystemd } from './systemd.ts'

type Signal = 'SIGINT' | 'SIGTERM'

/** Memory matters more than speed in the worker of a single site, because no client waits for it. */
export const workerFlags = ['--optimize-for-size', '--max-semi-space-size=2']

/**
 * With the flags above, a worker with many sites would spend more than half of its time collecting
 * garbage. With these, most objects die in the young generation, and the heap grows by 30% in
 * between.
 */
const hostingFlags = ['--max-semi-space-size=16', '--heap-growing-percent=30']

/**
 * Makes glibc return the memory of large buffers to the system. Otherwise, the first large buffers
 * raise glibc's threshold, and it keeps the memory of all later ones. The first buffers contain
 * compiled code, and most are between 32 and 128 KiB. By default, glibc also has up to eight arenas
 * for each processor, and each keeps the memory that compression threads have freed. Other C
 * libraries ignore these variables.
 */
export const workerAllocation = {
  MALLOC_TRIM_THRESHOLD_: '131072',
  MALLOC_MMAP_THRESHOLD_: '32768',
  MALLOC_ARENA_MAX: '2',
}

const maxExits = 10

/** macOS limits socket paths to 103 bytes. The rest is for random letters and the socket's name. */
const maxDirectoryBytes = 80

export const frontLimits = {
  reportMs: 1_000,
  responseTimes,
  pingMs: 10_000,
  /** A worker that does not respond for this long is replaced. */
  maxSilenceMs: 60_000,
  /** Time for the worker to stop after a signal. Service managers allow 20 seconds. */
  stopMs: 15_000,
  /** Delay before restarting the worker, which doubles with each consecutive failure. */
  restart: { initialMs: 250, maxMs: 30_000 },
  /** A worker that has run for this long has started successfully. */
  stableMs: 60_000,
}

export type FrontOptions = {
  readonly program: string
  readonly argsOf: (worker: number) => readonly string[]
  readonly createLogger: (level: LogLevel) => Logger
  readonly stopped: Promise<Signal>
  readonly onReload?: ((listener: () => void) => void) | undefined
  readonly hasSitesFile: boolean
  readonly limits?: typeof frontLimits
}

/** The first worker could not start, and has not reported the reason. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

/**
 * Serves requests with worker processes, even while they restart. Resolves to the exit status.
 * Rejects with a `StartError` or the system's error if there is no process that could report one.
 */
export async function runFront(options: FrontOptions): Promise<number> {
  const { createLogger, stopped, limits = frontLimits } = options
  await using resources = new AsyncDisposableStack()
  const directory = socketDirectory(tmpdir())
  resources.defer(() => rmSync(directory, { recursive: true, force: true }))
  const front = resources.use(
    createFront({ directory, createLogger, limits: limits.responseTimes }),
  )
  options.onReload?.(front.reload)
  const stopping = new AbortController()
  void stopped.then((signal) => {
    front.stop(signal)
    return stopping.abort()
  })
  void notifySystemd(front, stopping.signal)
  const supervise = (index: number) => superviseWorker(front, index, stopping.signal, options)
  // The first worker knows how many there are.
  const others = front.served.then((workers) =>
    Promise.all(Array.from({ length: workers - 1 }, (_, index) => supervise(index + 1))),
  )
  const status = await supervise(0)
  if (!front.hasServed()) return status
  return Math.max(status, ...(await others))
}

/** Runs a worker, and restarts it until `stopping`. Resolves to the status of its last exit. */
async function superviseWorker(
  front: Front,
  index: number,
  stopping: AbortSignal,
  options: FrontOptions,
): Promise<number> {
  const { limits = frontLimits } = options
  const worker = front.worker(index)
  const log = () => (index === 0 ? front.log() : front.log()?.child({ worker: index }))
  const exits: WorkerExit[] = []
  let failures = 0
  while (!stopping.aborted) {
    const startedAt = performance.now()
    const child = forkWorker(options, index)
    // A call that cannot be written was for a process that has exited, which is reported below.
    const calls = callsSentBy((call) => child.connected && child.send(call, () => undefined))
    worker.connect(calls, exits)
    const { status, fault } = await watchWorker(worker, { child, limits, stopping, log })
    if (stopping.aborted) return status
    if (!front.hasServed()) {
      if (fault) throw fault
      // The worker has reported why it cannot start.
      return status
    }
    log()?.error({ status }, 'the worker process exited unexpectedly and is being restarted')
    exits.splice(0, exits.length - maxExits + 1)
    exits.push({ at: clock.now(), reading: worker.exited() })
    failures = performance.now() - startedAt > limits.stableMs ? 1 : failures + 1
    await clock.sleep(retryDelayMs(limits.restart, failures), stopping).catch(() => undefined)
  }
  return 0
}

/** Creates a directory that only this user can enter, with a path that is short enough for a socket. */
export function socketDirectory(preferred: string): string {
  const name = 'feedhouse-'
  const isShort = Buffer.byteLength(join(preferred, name)) <= maxDirectoryBytes
  return mkdtempSync(join(isShort ? preferred : '/tmp', name))
}

function forkWorker({ program, argsOf, hasSitesFile }: FrontOptions, index: number): ChildProcess {
  return fork(program, argsOf(index), {
    serialization: 'advanced',
    execArgv: hasSitesFile ? hostingFlags : workerFlags,
    env: { ...workerAllocation, ...processEnvironment },
  })
}

/**
 * Resolves to the exit status of a worker process, and to an error if the process itself could not
 * report one. Ends the process if it stops responding.
 */
async function watchWorker(
  worker: FrontWorker,
  parts: {
    readonly child: ChildProcess
    readonly limits: typeof frontLimits
    readonly stopping: AbortSignal
    readonly log: () => Logger | undefined
  },
): Promise<{ readonly status: number; readonly fault?: Error }> {
  const { child, limits, stopping, log } = parts
  // Counted in pings, so that time during which both processes were suspended does not count.
  let unanswered = 0
  child.on('message', (message) => {
    unanswered = 0
    receiveCall(worker.calls, message)
  })
  const exited = Promise.withResolvers<{ status: number; fault?: Error }>()
  child.on('error', (error) => {
    log()?.error({ err: error }, 'the worker process failed')
    // A process that cannot be started does not exit.
    if (child.pid === undefined) exited.resolve({ status: 1, fault: error })
  })
  child.once('exit', (code, signal) => {
    // A later message would be mistaken for one from the next process.
    child.removeAllListeners('message')
    // Terminals and service managers signal workers too, and one that is starting has no handlers yet.
    const isStopped = stopping.aborted && ['SIGINT', 'SIGTERM'].includes(signal ?? '')
    if (code !== null) return exited.resolve({ status: code })
    exited.resolve({ status: isStopped ? 0 : 1, fault: new StartError(killedText(signal)) })
  })
  const running = new AbortController()
  const killLater = () => void setTimeout(() => child.kill('SIGKILL'), limits.stopMs).unref()
  stopping.addEventListener('abort', killLater, { once: true, signal: running.signal })
  const work = [
    every(clock, limits.reportMs, running.signal, worker.report),
    every(clock, limits.pingMs, running.signal, () => {
      unanswered += 1
      worker.process().ping()
      if (unanswered * limits.pingMs <= limits.maxSilenceMs) return
      log()?.error('the worker process does not respond and is being replaced')
      child.kill('SIGKILL')
    }),
  ]
  const end = await exited.promise
  running.abort()
  await Promise.all(work)
  return end
}

const killedText = (signal: NodeJS.Signals | null) =>
  `The worker process was killed by ${signal} before Feedhouse had started. If this machine or container ran out of memory, give it more.`
