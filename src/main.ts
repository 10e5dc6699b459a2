import { processEnvironment } from './config/environment.ts'
import { runCommand } from './cli/run-command.ts'
import type { StopSignal } from './cli/command.ts'
import { createLogger } from './log.ts'

let outputError: string | undefined

process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  // The reader may close the pipe, as `head` does; the command still finishes.
  if (code !== 'EPIPE') outputError = `Standard output cannot be written (${code}).\n`
})
process.stderr.on('error', () => {
  // There is no other place to report it.
})

function stopSignal(): Promise<StopSignal> {
  const { promise, resolve } = Promise.withResolvers<StopSignal>()
  process.on('SIGINT', resolve)
  process.on('SIGTERM', resolve)
  return promise
}

const status = await runCommand(process.argv.slice(2), {
  environment: processEnvironment,
  directory: process.cwd(),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  createLogger,
  stopSignal,
})
process.exitCode = status

process.once('beforeExit', () => {
  if (outputError === undefined || status !== 0) return
  process.stderr.write(outputError)
  process.exitCode = 1
})
