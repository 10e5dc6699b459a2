import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { workerAllocation, workerFlags } from '../../src/hosting/front-process.ts'
import { compileCache } from '../support/command-line.ts'
import type { FromService, Measurement, StartOptions, ToService } from './messages.ts'

const script = join(import.meta.dirname, 'service-process.ts')

/** Real time in which a process replies to a message. */
const replyTimeoutMs = 60_000

export type Service = ReturnType<typeof createService>

/** Creates a place where the service runs: a sequence of processes with the same settings. */
export function createService(
  name: string,
  options: { readonly directory: string } & Pick<StartOptions, 'seed' | 'settings'>,
) {
  const { directory, seed, settings } = options
  const log = createWriteStream(join(directory, `${name}.log`), { flags: 'a' })
  let process: ChildProcess | undefined
  let url = ''
  let startedAt = 0

  async function reply(child: ChildProcess, to: string): Promise<FromService> {
    const late = AbortSignal.timeout(replyTimeoutMs)
    const ended = new AbortController()
    const either = AbortSignal.any([late, ended.signal])
    const exit = once(child, 'exit', { signal: either }).then(() => {
      throw new Error(`the process of ${name} has exited; see ${name}.log`)
    })
    try {
      const [message] = await Promise.race([once(child, 'message', { signal: either }), exit])
      return message as FromService
    } catch (error) {
      if (late.aborted) throw new Error(`${name} does not reply to “${to}”`, { cause: error })
      throw error
    } finally {
      exit.catch(() => undefined)
      ended.abort()
    }
  }

  async function ask(message: ToService): Promise<FromService> {
    if (!process) throw new Error(`${name} is not running`)
    const answer = reply(process, message.type)
    process.send(message)
    return answer
  }

  /** Ends the process with `kill -9`. */
  async function kill(): Promise<void> {
    const ending = process
    process = undefined
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return
    const exited = once(ending, 'exit')
    ending.kill('SIGKILL')
    await exited
  }

  return {
    name,
    isRunning: () => process !== undefined,
    /** URL that the current process listens on. */
    url: () => url,
    /** When the current process started, in simulated milliseconds since the epoch. */
    startedAt: () => startedAt,
    async start(times: Pick<StartOptions, 'startAt' | 'clockErrorMs'>) {
      const options: StartOptions = { settings, seed, ...times }
      const child = fork(script, [JSON.stringify(options)], {
        execArgv: ['--expose-gc', ...workerFlags],
        stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
        cwd: directory,
        env: { ...workerAllocation, ...compileCache() },
      })
      child.stderr?.pipe(log, { end: false })
      const message = await reply(child, 'start')
      if (message.type === 'serving') ({ url } = message)
      startedAt = times.startAt
      process = child
    },
    pass: async (ms: number, patienceMs: number) =>
      void (await ask({ type: 'pass', ms, patienceMs })),
    jump: async (ms: number) => void (await ask({ type: 'jump', ms })),
    publish: async (feedIds: readonly string[]) => void (await ask({ type: 'publish', feedIds })),
    async addLink(): Promise<string> {
      const answer = await ask({ type: 'add-link' })
      return answer.type === 'link' ? answer.url : ''
    },
    async measure(): Promise<Measurement> {
      const answer = await ask({ type: 'measure' })
      if (answer.type !== 'measured') throw new Error(`${name} replied ${answer.type}`)
      return answer.measurement
    },
    kill,
    async stop() {
      const stopping = process
      if (!stopping) return
      const exited = once(stopping, 'exit')
      await ask({ type: 'stop' })
      await exited
      process = undefined
    },
  }
}
