import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net'
import type { CommandContext, StopSignal } from './cli/command.ts'
import { createOutput } from './cli/output.ts'
import { mergedEnvironment, processEnvironment } from './config/env-file.ts'
import { keepTickFast } from './hosting/kept-tick.ts'
import { letMemoryShrink } from './hosting/memory-reducer.ts'
import { createLogger } from './log.ts'

/**
 * Maximum time to connect to an address of a host that has several. Node's 250 ms can pass while
 * the process is busy, although there is a connection.
 */
const addressTimeoutMs = 2_500

let outputError: string | undefined

setDefaultAutoSelectFamilyAttemptTimeout(addressTimeoutMs)

process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  // The reader may close the pipe, as `head` does. The command still finishes.
  if (code !== 'EPIPE') outputError = `Standard output cannot be written (${code}).\n`
})
process.stderr.on('error', () => {
  // There is no other place to report it.
})

const status = await runProgram(process.argv.slice(2))
process.exitCode = status

process.once('beforeExit', () => {
  if (outputError === undefined || status !== 0) return
  process.stderr.write(outputError)
  process.exitCode = 1
})

/**
 * Runs a command line in this process, except that `serve` runs in several. Resolves to the exit
 * status. Loads modules on demand, because the process with the sockets needs only a few.
 */
function runProgram(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args
  if (rest.includes('--help')) return run(args)
  if (name === 'serve') return runFrontProcess(rest)
  if (name === 'worker' && process.connected) return runWorkerProcess(rest)
  return run(args)
}

/** Has the sockets, and runs worker processes for everything else. */
async function runFrontProcess(args: readonly string[]): Promise<number> {
  const { runFront, StartError } = await import('./hosting/front-process.ts')
  letMemoryShrink()
  keepTickFast()
  const argsOf = (worker: number) => ['worker', String(worker), ...args]
  try {
    const hasSitesFile = (mergedEnvironment(process.cwd())['SITES_FILE']?.trim() ?? '') !== ''
    return await runFront({
      program: import.meta.filename,
      argsOf,
      createLogger,
      hasSitesFile,
      stopped: stopSignal(),
      onReload: hasSitesFile ? (listener) => process.on('SIGHUP', listener) : undefined,
    })
  } catch (error) {
    const { exitStatusFrom, userMessagesFrom } = await import('./cli/user-errors.ts')
    const sentences =
      error instanceof StartError ? [error.message] : userMessagesFrom(error, 'serve')
    if (!sentences) throw error
    createOutput(process.stderr).write(`${sentences.join('\n')}\n`)
    return exitStatusFrom(error, 'serve', processEnvironment)
  }
}

/** Runs the serve command without sockets. */
async function runWorkerProcess([index, ...args]: readonly string[]): Promise<number> {
  const { openWorkerChannel, openWorkerServer } = await import('./hosting/worker-server.ts')
  const { channel, stopped, sitesText, close } = openWorkerChannel(Number(index))
  letMemoryShrink()
  keepTickFast()
  try {
    return await run(['serve', ...args], {
      front: channel,
      openServer: (...options) => openWorkerServer(channel, ...options),
      sitesText: await sitesText,
      stopSignal: () => stopped,
    })
  } finally {
    close()
  }
}

async function run(args: readonly string[], more: Partial<CommandContext> = {}): Promise<number> {
  const { runCommand } = await import('./cli/run-command.ts')
  const { installNewestRules } = await import('./zone-data/zone-data.ts')
  installNewestRules(processEnvironment['TZDIR'] || undefined)
  return runCommand(args, {
    environment: processEnvironment,
    directory: process.cwd(),
    stdin: process.stdin,
    stdout: createOutput(process.stdout),
    stderr: createOutput(process.stderr),
    createLogger,
    stopSignal,
    ...more,
  })
}

function stopSignal(): Promise<StopSignal> {
  const { promise, resolve } = Promise.withResolvers<StopSignal>()
  process.on('SIGINT', resolve)
  process.on('SIGTERM', resolve)
  return promise
}
