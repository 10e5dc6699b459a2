import { fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { every, retryDelayMs, systemClock as clock } from '../clock.ts'
import type { MakerExit, ToFront, ToMaker } from '../http/front/protocol.ts'
import type { Logger, LogLevel } from '../log.ts'
import { createFront, type Front } from './front.ts'

type Signal = 'SIGINT' | 'SIGTERM'

/** Memory matters more than speed in the maker, because no client waits for it. */
const makerFlags = ['--optimize-for-size', '--max-semi-space-size=2']

/** Exits that are reported to the next maker. */
const maxExits = 10

/** macOS limits socket paths to 103 bytes. The rest is for random letters and the socket's name. */
const maxDirectoryBytes = 80

export const frontLimits = {
  /** How often figures are reported to the maker. */
  reportMs: 1_000,
  /** An outdated response is sent if the maker takes longer. */
  staleAfterMs: 2_000,
  /** How often to check whether the maker responds. */
  pingMs: 10_000,
  /** A maker that does not respond for this long is replaced. */
  maxSilenceMs: 60_000,
  /** Time for the maker to stop after a signal. Service managers allow 20 seconds. */
  stopMs: 15_000,
  /** Delay before restarting the maker, which doubles with each consecutive failure. */
  restart: { initialMs: 250, maxMs: 30_000 },
  /** A maker that has run for this long did not fail at startup. */
  stableMs: 60_000,
}

export type FrontOptions = {
  /** Program to run as the maker: a module path and its arguments. */
  readonly program: string
  readonly args: readonly string[]
  readonly createLogger: (level: LogLevel) => Logger
  readonly stopped: Promise<Signal>
  readonly limits?: typeof frontLimits
}

/**
 * Serves requests, with a maker process that reads the website and renders. Keeps serving while the
 * maker restarts. Resolves to the exit status.
 */
export async function runFront(options: FrontOptions): Promise<number> {
  const { createLogger, stopped, limits = frontLimits } = options
  await using resources = new AsyncDisposableStack()
  const directory = socketDirectory(tmpdir())
  resources.defer(() => rmSync(directory, { recursive: true, force: true }))
  const front = resources.use(createFront(directory, createLogger, limits))
  let signal: Signal | undefined
  const stopping = stopped.then((name) => {
    signal = name
    return front.stop(name)
  })
  const exits: MakerExit[] = []
  for (let failures = 0; ;) {
    const startedAt = performance.now()
    const status = await runMaker(front, exits, options)
    // A first maker that cannot start has said why.
    if (signal !== undefined || !front.hasServed()) return status
    front.log()?.error({ status }, 'the maker process exited unexpectedly and is being restarted')
    exits.splice(0, exits.length - maxExits + 1)
    exits.push({ at: clock.now(), reading: front.makerExited() })
    failures = performance.now() - startedAt > limits.stableMs ? 1 : failures + 1
    const pause = new AbortController()
    const delay = clock.sleep(retryDelayMs(limits.restart, failures), pause.signal)
    await Promise.race([delay, stopping])
    pause.abort()
    // A pending timer would keep the process alive.
    await delay.catch(() => undefined)
    if (signal !== undefined) return 0
  }
}

/** Creates a directory that only this user can enter, with a path that is short enough for a socket. */
export function socketDirectory(preferred: string): string {
  const name = 'feedhouse-'
  const isShort = Buffer.byteLength(join(preferred, name)) <= maxDirectoryBytes
  return mkdtempSync(join(isShort ? preferred : '/tmp', name))
}

/** Runs a maker until it exits. Resolves to its exit status. */
async function runMaker(
  front: Front,
  exits: readonly MakerExit[],
  { program, args, stopped, limits = frontLimits }: FrontOptions,
): Promise<number> {
  const maker = fork(program, args, { serialization: 'advanced', execArgv: makerFlags })
  const send = (message: ToMaker) => void (maker.connected && maker.send(message))
  front.connect(send, exits)
  // Counted in pings, so that time in which both processes were suspended does not count.
  let unanswered = 0
  maker.on('message', (message) => {
    unanswered = 0
    front.receive(message as ToFront)
  })
  const exited = Promise.withResolvers<number>()
  maker.on('error', (error) => {
    front.log()?.error({ err: error }, 'the maker process failed')
    // A process that cannot be started does not exit.
    if (maker.pid === undefined) exited.resolve(1)
  })
  maker.once('exit', (code) => exited.resolve(code ?? 1))
  const running = new AbortController()
  const kill = () => void (running.signal.aborted || maker.kill('SIGKILL'))
  const stopping = stopped.then(() => setTimeout(kill, limits.stopMs).unref())
  const work = [
    every(clock, limits.reportMs, running.signal, front.report),
    every(clock, limits.pingMs, running.signal, () => {
      unanswered += 1
      send({ kind: 'ping' })
      if (unanswered * limits.pingMs <= limits.maxSilenceMs) return
      front.log()?.error('the maker process does not respond and is being replaced')
      maker.kill('SIGKILL')
    }),
  ]
  const status = await exited.promise
  running.abort()
  await Promise.all(work)
  void stopping
  return status
}
