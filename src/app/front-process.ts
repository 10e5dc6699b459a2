import { fork, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RequestListener } from 'node:http'
import { every, retryDelayMs, systemClock as clock } from '../clock.ts'
import { createForwarding, type Forwarding } from '../http/front/forward.ts'
import {
  createFrontListener,
  createPublishedSender,
  type Use,
} from '../http/front/front-listener.ts'
import type { ToFront, ToMaker } from '../http/front/protocol.ts'
import { createPublishedResponses, type Address } from '../http/front/published-responses.ts'
import { createUseCounts } from '../http/front/use-counts.ts'
import { createRejections } from '../http/server/rejections.ts'
import { listen } from '../http/server/server.ts'
import { unavailable } from '../http/server/starting.ts'
import type { Logger, LogLevel } from '../log.ts'
import { addressOf, pathOf, serverUrl, watchedResponses } from './web-server.ts'

/** How often uses and rejections are reported to the maker. */
const reportMs = 1_000

/** How often to check that the maker responds, and when to replace a maker that does not. */
const pingMs = 10_000
const maxSilenceMs = 60_000

/** Delay before restarting the maker, which doubles with each consecutive failure. */
const restart = { initialMs: 250, maxMs: 30_000 }

/** A maker that has run this long has not failed at startup. */
const stableMs = 60_000

/** Memory matters more than speed in the maker, since no client waits for it. */
const makerFlags = ['--optimize-for-size', '--max-semi-space-size=2']

const respondRestarting = unavailable(2, 'Feedhouse is restarting. Please try again shortly.')

export type FrontOptions = {
  /** Path of the program, which runs the maker if its first argument is `maker`. */
  readonly program: string
  readonly args: readonly string[]
  readonly createLogger: (level: LogLevel) => Logger
  readonly stopped: Promise<'SIGINT' | 'SIGTERM'>
}

/**
 * Serves requests, with a maker process that reads the website and renders. Keeps serving while the
 * maker restarts. Resolves to the exit status.
 */
export async function runFront(options: FrontOptions): Promise<number> {
  await using resources = new AsyncDisposableStack()
  const directory = mkdtempSync(join(tmpdir(), 'feedhouse-'))
  resources.defer(() => rmSync(directory, { recursive: true, force: true }))
  const front = resources.use(createFront(directory, options))
  let isStopping = false
  const stopping = options.stopped.then((signal) => {
    isStopping = true
    return front.stop(signal)
  })
  for (let failures = 0; ;) {
    const startedAt = performance.now()
    const status = await front.runMaker()
    if (isStopping || !front.isListening()) return status
    failures = performance.now() - startedAt > stableMs ? 1 : failures + 1
    await Promise.race([clock.sleep(retryDelayMs(restart, failures)), stopping])
  }
}

type RunningFront = AsyncDisposable & {
  /** Runs a maker until it exits. Resolves to its exit status. */
  readonly runMaker: () => Promise<number>
  readonly isListening: () => boolean
  readonly stop: (signal: 'SIGINT' | 'SIGTERM') => void
}

function createFront(directory: string, options: FrontOptions): RunningFront {
  const { program, args, createLogger } = options
  const resources = new AsyncDisposableStack()
  const published = createPublishedResponses(clock)
  const uses = createUseCounts()
  let maker: ChildProcess | undefined
  let forwarding: Forwarding | undefined
  let server: Awaited<ReturnType<typeof openServer>> | undefined
  let makers = 0
  let isStopping = false

  const send = (message: ToMaker) => void (maker?.connected === true && maker.send(message))

  async function openServer({ host, port, proxies, isAlone, logLevel }: ListenRequest) {
    const opened = resources.use(await listen(host, port))
    const log = createLogger(logLevel as LogLevel)
    const rejections = createRejections(clock, log)
    const inFlight = resources.use(watchedResponses(clock, rejections))
    const urlOf = isAlone ? pathOf : addressOf
    const parts = { published, urlOf, used: (use: Use) => uses.add(use), inFlight }
    const sendStale = createPublishedSender({ ...parts, isStaleAllowed: true })
    const others: RequestListener = (request, response) => {
      if (forwarding) forwarding.listener(request, response)
      else if (!sendStale(request, response)) respondRestarting(request, response)
    }
    const listener = createFrontListener({
      ...parts,
      others,
      isStopping: () => isStopping,
      proxies,
    })
    const answering = opened.answer(listener, { inFlight, rejections })
    const url = serverUrl(host, opened.port)
    return { url, log, rejections, urlOf, sendStale, answering }
  }

  async function startListening(request: ListenRequest): Promise<void> {
    try {
      const { url, urlOf, sendStale } = (server ??= await openServer(request))
      const socketPath = join(directory, `maker-${makers}`)
      forwarding = createForwarding({
        socketPath,
        learned: (request, address) => published.remember(urlOf(request), address as Address),
        sendStale,
        unanswered: respondRestarting,
      })
      send({ kind: 'listening', url, socketPath })
    } catch (error) {
      const { message, ...details } = error as Error
      send({ kind: 'cannot listen', message, details: { ...details } })
    }
  }

  function receive(message: ToFront): void {
    switch (message.kind) {
      case 'listen':
        return void startListening(message)
      case 'publish':
        return published.receive(message.key, message.response, message.validUntil)
      case 'retire':
        return published.retire(message.key)
      case 'links':
        return published.setLinks(message.site, message.servesUntil)
      case 'drain':
        isStopping = true
        return undefined
      case 'close':
        return void server?.answering[Symbol.asyncDispose]().then(() => send({ kind: 'closed' }))
      case 'pong':
        return undefined
    }
  }

  async function report(signal: AbortSignal): Promise<void> {
    await every(clock, reportMs, signal, () => {
      const counted = uses.take()
      if (counted.length > 0) send({ kind: 'uses', uses: counted })
      const counts = server?.rejections.counts()
      if (counts && counts.size > 0) send({ kind: 'rejections', counts })
    })
  }

  async function watch(child: ChildProcess, signal: AbortSignal): Promise<void> {
    let heardAt = performance.now()
    child.on('message', () => (heardAt = performance.now()))
    await every(clock, pingMs, signal, () => {
      send({ kind: 'ping' })
      if (performance.now() < heardAt + maxSilenceMs) return
      server?.log.error('the maker process does not respond and is restarted')
      child.kill('SIGKILL')
    })
  }

  async function runMaker(): Promise<number> {
    makers += 1
    const child = fork(program, ['maker', ...args], {
      serialization: 'advanced',
      execArgv: makerFlags,
    })
    maker = child
    const exited = Promise.withResolvers<number>()
    child.on('message', (message) => receive(message as ToFront))
    child.once('error', (error) => server?.log.error({ err: error }, 'the maker process failed'))
    child.once('exit', (code, signal) => {
      if (!isStopping)
        server?.log.error({ code, signal }, 'the maker process exited; restarting it')
      exited.resolve(code ?? 1)
    })
    const running = new AbortController()
    const work = [report(running.signal), watch(child, running.signal)]
    const status = await exited.promise
    running.abort()
    await Promise.all(work)
    forwarding?.close()
    forwarding = undefined
    published.expire()
    return status
  }

  return {
    runMaker,
    isListening: () => server !== undefined,
    stop(signal) {
      isStopping ||= signal === 'SIGINT'
      send({ kind: 'stop', signal })
    },
    async [Symbol.asyncDispose]() {
      await server?.answering[Symbol.asyncDispose]()
      await resources.disposeAsync()
    },
  }
}

type ListenRequest = Extract<ToFront, { kind: 'listen' }>
