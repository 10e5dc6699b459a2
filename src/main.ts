import type { CommandContext, StopSignal } from './cli/command.ts'
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

async function run(args: readonly string[], more: Partial<CommandContext> = {}): Promise<number> {
  const [{ processEnvironment }, { runCommand }] = await Promise.all([
    import('./config/environment.ts'),
    import('./cli/run-command.ts'),
  ])
  return runCommand(args, {
    environment: processEnvironment,
    directory: process.cwd(),
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    createLogger,
    stopSignal,
    ...more,
  })
}

/** Runs the serve command with its sockets in this process and everything else in a child. */
async function serve(args: readonly string[]): Promise<number> {
  const { runFront } = await import('./app/front-process.ts')
  return runFront({
    program: import.meta.filename,
    args: ['maker', ...args],
    createLogger,
    stopped: stopSignal(),
  })
}

/** Runs the serve command as a child of the process that has the sockets. */
async function make(args: readonly string[]): Promise<number> {
  const { makerChannel } = await import('./app/maker-server.ts')
  const { front, stopped, close } = makerChannel()
  try {
    return await run(['serve', ...args], { front, stopSignal: () => stopped })
  } finally {
    close()
  }
}

const [name, ...rest] = process.argv.slice(2)
const programs = { serve, maker: make }
const program =
  (name === 'serve' || name === 'maker') && !rest.includes('--help') ? programs[name] : undefined
const status = await (program ? program(rest) : run(process.argv.slice(2)))
process.exitCode = status

process.once('beforeExit', () => {
  if (outputError === undefined || status !== 0) return
  process.stderr.write(outputError)
  process.exitCode = 1
})
