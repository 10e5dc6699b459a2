import { runProgram } from './cli/processes.ts'

let outputError: string | undefined

process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  // The reader may close the pipe, as `head` does; the command still finishes.
  if (code !== 'EPIPE') outputError = `Standard output cannot be written (${code}).\n`
})
process.stderr.on('error', () => {
  // There is no other place to report it.
})

const status = await runProgram(import.meta.filename, process.argv.slice(2))
process.exitCode = status

process.once('beforeExit', () => {
  if (outputError === undefined || status !== 0) return
  process.stderr.write(outputError)
  process.exitCode = 1
})
